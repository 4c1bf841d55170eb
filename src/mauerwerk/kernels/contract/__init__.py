"""What a kernel is: the contract of every package that is named in `KERNELS`.

A kernel has plain functions over two NumPy records: the setup, which is what the table agreed on,
and the state of a game. Functions marked `compiled` are source for every target:
`compiler.Compiler` compiles them with Numba for the CPU or the GPU. They allocate nothing, raise
nothing and call only each other, so that they mean the same everywhere.

The slots below are the compiled functions that each kernel brings. Code for all games, such as
`play.stepping`, imports the slots; for each game the compiler replaces them by that game's
functions.

A kernel also has what `Kernel` lists, which runs in Python: the dtypes of both records, functions
that lead from the values of the rules to records and back, and parts: `advice` for the search and
`counts` for studies, with slots of their own, and perhaps `memory`, for observations that remember.
It may have `HELD`: for each thing that a seat can hold in secret, its bits in the field `hands` of
a state. A seat holds it if any of them is set. Networks learn this, and a search can use it.

Seats are integers; nature is -1. Actions are the numbers of the game's `numbering`.
Integers are signed 64-bit in compiled code. They must not be mixed with unsigned integers of 64
bits, since Numba makes floats of such a pair. Only `chance` and fingerprints have those, and some
indices: of a signed one a GPU first has to find out whether it counts from the end.
"""

from collections.abc import Callable, Mapping, Sequence
from types import FunctionType, ModuleType
from typing import Any, Final, Protocol, TypeAlias, TypeVar

from mauerwerk.core.game import Chance, Setup
from mauerwerk.core.sight import Sight

Record: TypeAlias = Any
"""An element of a structured array, read and written in place."""
Array: TypeAlias = Any
"""A NumPy array; on a GPU, one of its own."""
Int: TypeAlias = Any
"""A whole number, Python's or NumPy's; compiled code knows its width."""

NATURE: Final = -1
MOST_SEATS: Final = 6
NATURE_TO_ACT: Final = 1 << 8
"""The bit of `to_act` that says: nature."""

Function = TypeVar("Function", bound=Callable[..., Any])

_COMPILED: Final[set[object]] = set()
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
    return isinstance(thing, FunctionType) and thing in _COMPILED


def is_launched(thing: object) -> bool:
    """Whether this is a function that a GPU runs in many threads at once."""
    return isinstance(thing, FunctionType) and thing in _LAUNCHED


def is_slot(thing: object) -> bool:
    """Whether this is a function of the contract."""
    return isinstance(thing, FunctionType) and thing in _SLOTS


# --- What is compiled ------------------------------------------------------------------------


@compiled
def bits_of(lane: Int, lanes: Int) -> Int:
    """The bits of a word of 64 that are one lane's: its own, and every so many after it."""
    bits = 1 << lane
    while lanes < 64:  # noqa: PLR2004 - the bits of a word
        bits |= bits << lanes
        lanes *= 2
    return bits


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
def turn(setup: Record, state: Record) -> Int:
    """The number of complete turns so far."""
    raise NotImplementedError


@slot
def points(setup: Record, state: Record, seat: Int) -> Int:
    """The points of a seat so far; once it is over, those of the outcome."""
    raise NotImplementedError


@slot
def rank(setup: Record, state: Record, seat: Int) -> Int:
    """The outcome's rank of a seat, once it is over."""
    raise NotImplementedError


@slot
def reason(setup: Record, state: Record) -> Int:
    """The outcome's reason, once it is over: its place in `REASONS`."""
    raise NotImplementedError


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


# --- What runs in Python ---------------------------------------------------------------------


class Kernel(Protocol):
    """A kernel as Python sees it: a package with these names and the slots."""

    @property
    def SETUP(self) -> Any:  # noqa: ANN401 - a dtype; this file does without NumPy
        """The dtype of what a table agreed on, with all data that the rules look up."""
        ...

    @property
    def STATE(self) -> Any:  # noqa: ANN401 - a dtype
        """The dtype of a game as it stands, aligned."""
        ...

    @property
    def REASONS(self) -> Sequence[str]:
        """The reasons of an outcome, in the order of `reason`."""
        ...

    @property
    def OBSERVATION(self) -> Any:  # noqa: ANN401 - an `ObservationSpec`, which needs NumPy
        """The parts of an observation: their names, sizes, meanings and bounds."""
        ...

    @property
    def BENCHMARK(self) -> Mapping[str, str]:
        """The options, as words, with which the speed of the kernel is measured."""
        ...

    @property
    def AIM(self) -> int:
        """Whether many points win, 1, or few, -1."""
        ...

    @property
    def advice(self) -> ModuleType:
        """The part for the search, with the slots of `contract.advice`."""
        ...

    @property
    def counts(self) -> ModuleType:
        """The part for studies, with the slots of `contract.counts` and its `names`."""
        ...

    def pack_setup(self, setup: Setup[Any], /) -> Array:
        """The setup as an array of one record. Raises SetupError where kernels refuse it.

        They refuse what need not end and what their records have no room for.
        """
        ...

    def random_setup(self, draw: Chance, /) -> Setup[Any]:
        """A random setup, for comparisons; over time all options that change play occur."""
        ...

    def actions(self, setup: Setup[Any], /) -> Sequence[Any]:
        """Every action there is, by its number."""
        ...

    def max_to_act(self, setup: Setup[Any], /) -> int:
        """How many seats can be to act at the same time."""
        ...

    def features(self, setup: Setup[Any], view: Any, /) -> Sequence[int]:  # noqa: ANN401
        """What `observe` writes, computed a second time from a view; for comparisons."""
        ...

    def scored(self, view: Any, /) -> Sequence[int]:  # noqa: ANN401
        """What `points` says of each seat, from a view; for play by the rules."""
        ...

    def pack(self, setup: Setup[Any], state: Any, out: Record, /) -> None:  # noqa: ANN401
        """Write a state of the rules into a record."""
        ...

    def unpack(self, setup: Setup[Any], record: Record, /) -> Any:  # noqa: ANN401
        """The state of the rules that a record stands for."""
        ...

    def pack_belief(self, setup: Setup[Any], belief: Any, /) -> Array:  # noqa: ANN401
        """What `fill` needs to know of a belief of the game's `beliefs`."""
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
