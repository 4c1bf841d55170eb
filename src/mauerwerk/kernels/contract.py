"""What a kernel is: the contract of every package that is named in `KERNELS`.

A kernel has plain functions over two NumPy records: the setup, which is what the table agreed on,
and the state of a game. Functions marked `compiled`, and all of a module that says `compile_all`,
are source for every target: `compiler.Compiler` compiles them with Numba for the CPU or the GPU.
They allocate nothing, raise nothing and call only each other, so that they mean the same
everywhere.

The slots below are the compiled functions that each kernel brings. Code for all games, such as
`play.stepping`, imports the slots; for each game the compiler replaces them by that game's
functions. A slot that is `compiled` itself says what holds if a kernel does not bring it.

A kernel also has what `Kernel` lists, which runs in Python: the dtypes of both records, functions
that lead from the values of the rules to records and back, and modules of their own: `advice` with
the slots for the search, `counts` with those for studies, and perhaps `memory` and `greedy`. If the
rest is in several modules too, `PARTS` lists them.

Seats are integers; nature is -1. Actions are the numbers of the game's `numbering`.
Integers are signed 64-bit in compiled code. They must not be mixed with unsigned integers of 64
bits, since Numba makes floats of such a pair. Only `chance` and fingerprints have those, and some
indices: of a signed one a GPU first has to find out whether it counts from the end.
"""

from collections.abc import Callable, Mapping, Sequence
from types import FunctionType, ModuleType
from typing import Any, Final, Protocol, TypeAlias, TypeVar

import numpy as np
from numpy import int64, uint64

from mauerwerk.core.game import Chance, Setup, Sight

Record: TypeAlias = Any
"""An element of a structured array, read and written in place."""
Array: TypeAlias = Any
"""A NumPy array; on a GPU, one of its own."""
Int: TypeAlias = Any
"""A whole number, Python's or NumPy's; compiled code knows its width."""

GameState: TypeAlias = Any
"""A state of the rules; each game has its own kinds."""
GameBelief: TypeAlias = Any
"""What the game's `beliefs` make of a sight."""

NATURE: Final = -1
MOST_SEATS: Final = 6
NATURE_TO_ACT: Final = 1 << 8
"""The bit of `to_act` that says: nature."""

Function = TypeVar("Function", bound=Callable[..., Any])

_ODD: Final = uint64(0x9E3779B97F4A7C15)
_HALF: Final = uint64(32)

_COMPILED: Final[set[object]] = set()
_MODULES: Final[set[str]] = set()
_LAUNCHED: Final[set[object]] = set()
_SLOTS: Final[set[object]] = set()

STATE_TYPE: Final[Any] = None
"""A constant that every kernel brings: the type of its states for the compiler of a GPU."""
STAGED_TYPE: Final[Any] = None
"""The type of states in the shared memory of a GPU, whose banks they spread over."""
SETUP_TYPE: Final[Any] = None
"""The type of setups."""
STATE_WORDS: Final[Any] = 0
"""The size of a state in words of 64 bits."""
SETUP_WORDS: Final[Any] = 0
"""The size of a setup in words of 32 bits."""


def compiled(function: Function) -> Function:
    """Mark a function as source for every target. Called as it is, it is plain Python."""
    _COMPILED.add(function)
    return function


def compile_all(module: str) -> None:
    """Mark all functions of the module with this name as `compiled` does."""
    _MODULES.add(module)


def launched(function: Function) -> Function:
    """Mark a function that a GPU runs in many threads at once."""
    _LAUNCHED.add(function)
    return function


def slot(function: Function) -> Function:
    """Mark a function of the contract, which every kernel brings by the same name."""
    _SLOTS.add(function)
    return function


def is_compiled(thing: object) -> bool:
    """Whether this is a function marked as source for every target."""
    if not isinstance(thing, FunctionType):
        return False
    return thing in _COMPILED or thing.__module__ in _MODULES


def is_launched(thing: object) -> bool:
    """Whether this is a function that a GPU runs in many threads at once."""
    return isinstance(thing, FunctionType) and thing in _LAUNCHED


def is_slot(thing: object) -> bool:
    """Whether this is a function of the contract."""
    return isinstance(thing, FunctionType) and thing in _SLOTS


# --- For all games ---------------------------------------------------------------------------


@compiled
def bits_of(lane: Int, lanes: Int) -> Int:
    """The bits of a word of 64 that are one lane's: its own, and every so many after it."""
    bits = 1 << lane
    while lanes < 64:  # noqa: PLR2004 - the bits of a word
        bits |= bits << lanes
        lanes *= 2
    return bits


@compiled
def is_to_act(setup: Record, state: Record, seat: Int) -> bool:
    """Whether this seat, or nature, must move; any integer can be asked about."""
    bit = NATURE_TO_ACT if seat == NATURE else 1 << seat if 0 <= seat < setup.seats else 0
    return bool(to_act(setup, state) & bit)


@compiled
def mix(seen: Int, part: Int) -> Int:
    """A fingerprint extended by one more part of what it stands for; 64 bits, unsigned."""
    mixed = (uint64(seen) ^ uint64(part)) * _ODD
    return mixed ^ (mixed >> _HALF)


# --- The rules -------------------------------------------------------------------------------


@slot
def start(setup: Record, state: Record) -> None:
    """Lay the table: write every field of the state."""
    raise NotImplementedError


@slot
def to_act(setup: Record, state: Record) -> Int:
    """Who must move: one bit per seat, or `NATURE_TO_ACT` alone; 0 when it is over."""
    raise NotImplementedError


@slot
def count(setup: Record, state: Record, seat: Int) -> Int:
    """How many actions are legal for this seat, which is asked; for nature, the sum of weights."""
    raise NotImplementedError


@slot
def pick(setup: Record, state: Record, seat: Int, ticket: Int) -> Int:
    """The legal action with this place in canonical order, counted from 0.

    For nature, the action that `draw_lot` draws with this ticket.
    """
    raise NotImplementedError


@slot
def allowed(setup: Record, state: Record, seat: Int, action: Int) -> bool:
    """Whether this seat may do this now; any seat and any integer can be asked about."""
    raise NotImplementedError


@slot
def legal(setup: Record, state: Record, seat: Int, mask: Array, lane: Int, lanes: Int) -> None:
    """Write into zeros, for every action, whether this seat may do it now.

    Several threads of a GPU share the work: this is the part of one lane among so many, a power of
    two of at most 64. With one lane it is all of it. No two lanes write to the same place.
    """
    raise NotImplementedError


@slot
def apply(setup: Record, state: Record, seat: Int, action: Int) -> None:
    """Make a legal move. What an illegal one does is undefined: ask `allowed` before."""
    raise NotImplementedError


@slot
@compiled
def turn(setup: Record, state: Record) -> Int:
    """The number of complete turns so far."""
    return state.turns


@slot
def points(setup: Record, state: Record, seat: Int) -> Int:
    """The points of a seat so far; once it is over, those of the outcome."""
    raise NotImplementedError


@slot
def rank(setup: Record, state: Record, seat: Int) -> Int:
    """The outcome's rank of a seat, once it is over."""
    raise NotImplementedError


@slot
@compiled
def reason(setup: Record, state: Record) -> Int:
    """The outcome's reason, once it is over: its place in `REASONS`."""
    return state.ending


@slot
def observe(
    setup: Record, state: Record, seat: Int, features: Array, lane: Int, lanes: Int
) -> None:
    """Write into zeros what the seat's view says, as small integers; see `Kernel.features`.

    Lanes share the work as in `legal`.
    """
    raise NotImplementedError


@slot
def fill(setup: Record, state: Record, seat: Int, belief: Array, seed: Int, number: Int) -> None:
    """Overwrite what this seat cannot see with a sample, as the game's `beliefs.sample` would.

    The belief is what `Kernel.pack_belief` made; `chance` draws by seed and number. What the state
    held where the seat cannot see must not matter.
    """
    raise NotImplementedError


# --- For the search: `Kernel.advice` ---------------------------------------------------------


@slot
def infoset_key(setup: Record, state: Record, seat: Int) -> Int:
    """A fingerprint of what this seat sees, as far as it matters from here on.

    Positions that look alike to the seat have the same one; positions in which its legal actions
    differ have different ones.
    """
    raise NotImplementedError


@slot
@compiled
def observed_key(setup: Record, state: Record, seat: Int, action: Int, viewer: Int) -> Int:
    """What a viewer remembers of a move that is about to be made, if no view will show it.

    It is a fingerprint, 0 for nothing. Fingerprints are added, so that the order does not matter.
    """
    return uint64(0)


@slot
@compiled
def reopen(setup: Record, state: Record, seat: Int) -> None:
    """Undo the choices of seats that choose together with this one, so that they choose again."""


@slot
@compiled
def canonical_action(setup: Record, state: Record, seat: Int, action: Int) -> Int:
    """The action that stands for this one and all that are equal to it; often itself."""
    return int64(action)


@slot
@compiled
def prior(setup: Record, state: Record, seat: Int, action: Int) -> float:
    """The weight of an action before it is tried, above 0."""
    return 1.0


@slot
def rollout_action(
    setup: Record, state: Record, seat: Int, seed: Int, number: Int, draw: Int
) -> Int:
    """A quick choice for rollouts; it may use this draw and the seven after it."""
    raise NotImplementedError


@slot
@compiled
def temperature(setup: Record, root: Record) -> float:
    """How much worse an action must be, in shares, to be played 1/e times as often.

    It is for seats that choose together, as none can know what the others do.
    """
    return 1.0


@slot
@compiled
def rollout_done(setup: Record, state: Record, root: Record) -> bool:
    """Whether a simulation has gone far enough from the root to be evaluated: at the end."""
    return False


@slot
@compiled
def evaluate(setup: Record, state: Record, shares: Array) -> None:
    """Write each seat's share in the win: the actual one, or the expected one."""
    first = 0
    for seat in range(setup.seats):
        first += rank(setup, state, seat) == 1
    for seat in range(setup.seats):
        shares[seat] = 1.0 / first if rank(setup, state, seat) == 1 else 0.0


# --- By rules of thumb: `Kernel.greedy` ------------------------------------------------------


@slot
@compiled
def greedy_action(
    setup: Record, state: Record, seat: Int, room: Record, seed: Int, number: Int, draw: Int
) -> Int:
    """What the greedy bot of the game would do, by what the seat may know.

    If it takes any of several actions, it does so by this draw. The room is scratch memory.
    """
    raise NotImplementedError


# --- For studies: `Kernel.counts` ------------------------------------------------------------

MOST_REASONS: Final = 5

WHOLE_WIN: Final = 60
"""A whole win. Winners who share it have a part each, a whole number with up to six of them."""

WIN, RANK, POINTS, DECISIONS, WIN_BY_TURN, POINTS_BY_TURN, MOVES = range(
    0, 7 * MOST_SEATS, MOST_SEATS
)
TURNS, SHARED, GAP, SPREAD, REASON = range(MOVES + 1, MOVES + 6)
OWN: Final = REASON + MOST_REASONS
"""The first of the columns that every game has, by stem; the game's own columns begin at `OWN`."""

NOTES: Final = 8192
"""How many numbers a game can note down until its end."""


@slot
def notice(
    setup: Record, before: Record, state: Record, seat: Int, action: Int, notes: Array, row: Array
) -> None:
    """Count in the row what a move did, from the state before it and the state now.

    `notes` is memory for the rest of the game; its first number is 0 when a game begins.
    """
    raise NotImplementedError


@slot
@compiled
def began(setup: Record, state: Record, seat: Int) -> Int:
    """The seat that begins the game, in the first state in which a seat decides: this one."""
    return seat


@slot
@compiled
def sum_up(setup: Record, state: Record, notes: Array, row: Array) -> None:
    """Count what is known only at the end; by then the row has what is counted in every game."""


# --- What a kernel must have -----------------------------------------------------------------

REQUIRED: Final = (
    *("SETUP", "STATE", "REASONS", "AIM", "OBSERVATION"),
    *("pack_setup", "max_to_act", "features", "pack", "unpack"),
    *("start", "to_act", "count", "pick", "allowed", "legal", "apply"),
    *("points", "rank", "observe"),
)
"""What every kernel brings; the rest has defaults, or is for the parts below."""
OPTIONAL: Final[Mapping[str, tuple[str, ...]]] = {
    "advice": ("fill", "pack_belief", "infoset_key", "rollout_action"),
    "counts": ("notice", "names"),
}
"""What a kernel that is searched, or counted in, brings too: in itself or in that part."""


def lacks(kernel: object, part: str = "") -> list[str]:
    """What of the rules, or of a part that is optional, a kernel does not bring."""
    if not part:
        return [name for name in REQUIRED if not _brings(kernel, name)]
    module = getattr(kernel, part, None)
    if module is None:
        return [part]
    return [name for name in OPTIONAL[part] if not (_brings(module, name) or _brings(kernel, name))]


def _brings(module: object, name: str) -> bool:
    """Whether a module has its own thing of this name, not just the slot."""
    thing = getattr(module, name, None)
    return thing is not None and thing is not globals().get(name)


# --- What runs in Python ---------------------------------------------------------------------


class Kernel(Protocol):
    """A kernel as Python sees it: a module with these names and the slots."""

    SETUP: np.dtype[Any]
    """What a table agreed on, with all data that the rules look up."""
    STATE: np.dtype[Any]
    """A game as it stands, aligned. By default its `turns` and `ending` answer slots."""
    REASONS: Sequence[str]
    """The reasons of an outcome, in the order of `reason`."""
    OBSERVATION: Any
    """An `ObservationSpec`: the parts of an observation, their names, sizes, meanings, bounds.

    By default, with `features`, that of the game's own `observation`.
    """
    AIM: int
    """Whether many points win, 1, or few, -1."""
    HELD: Sequence[int]
    """For each thing that a seat can hold in secret, its bits in the field `hands` of a state.

    A seat holds it if any of them is set. Networks learn this. By default nothing.
    """
    advice: ModuleType
    """The slots for the search. Optional: without it, bots do not search the game."""
    counts: ModuleType
    """The slots for studies, and `names(setup)`: its own columns in order, as in `counting`.

    Optional: without it, studies are played by the rules.
    """
    greedy: ModuleType
    """Rules of thumb: `greedy_action`, and `ROOM`, the dtype of its scratch memory. Optional.

    It may bring a `STATE`, `start` and `apply` of its own, as `memory` does, if it has to remember
    more; only batches that are made to suggest have these. Otherwise it is one of the `PARTS`.
    """
    memory: ModuleType
    """See `Remembering`. Optional."""
    PARTS: Sequence[ModuleType]
    """The modules that bring what is not in this one. Optional."""

    def pack_setup(self, setup: Setup[Any], /) -> Array:
        """The setup as an array of one record. Raises SetupError where kernels refuse it.

        They refuse what need not end and what their records have no room for.
        """
        ...

    def random_setup(self, draw: Chance, /) -> Setup[Any]:
        """A random setup, for comparisons; over time all options that change play occur.

        By default any number of seats, with the default options.
        """
        ...

    def max_to_act(self, setup: Setup[Any], /) -> int:
        """How many seats can be to act at the same time."""
        ...

    def features(self, setup: Setup[Any], view: Any, /) -> Sequence[int]:  # noqa: ANN401
        """What `observe` writes, computed a second time from a view; for comparisons."""
        ...

    def pack(self, setup: Setup[Any], state: GameState, out: Record, /) -> None:
        """Write a state of the rules into a record."""
        ...

    def unpack(self, setup: Setup[Any], record: Record, /) -> GameState:
        """The state of the rules that a record stands for."""
        ...

    def pack_belief(self, setup: Setup[Any], belief: GameBelief, /) -> Array:
        """What `fill` needs to know of a belief of the game's `beliefs`; for the search."""
        ...


class Remembering(Protocol):
    """A kernel's part `memory`, which it may lack: observations that remember.

    A plain observation is what a view shows. One that remembers has the same parts in the same
    places, and after them what a perfect memory of all that the seat was told also knows. The
    module brings some names of a kernel again, and they take the places of the kernel's own, so
    that loops and batches for all games need not know about memory, and play without it costs
    nothing:

    `STATE` is the dtype of a game with what is remembered: the fields of the kernel's own state,
    then more. `start`, `apply` and `observe` are slots; each calls the one of the rules.
    `OBSERVATION` also describes the parts that are added. `pack` is missing: a state has no
    history. Where a network guides a search, `recall(setup, belief, told, out)` writes what is
    remembered into a record that the kernel's own `pack` wrote; a module may lack it.
    """

    def remembered(self, setup: Setup[Any], sight: Sight[Any, Any, Any], /) -> Sequence[int]:
        """What `observe` writes, computed a second time from a sight by the game's `beliefs`.

        It is for comparisons, and for networks that play.
        """
        ...
