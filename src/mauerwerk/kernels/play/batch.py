"""Many games at once: whole ones by chance, or step by step for learners.

What happens in a game depends on the seed and the number of the game alone: not on how many are
played at the same time, on how many threads, or on which device.
"""

import os
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from importlib import import_module
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from mauerwerk.core.errors import SetupError
from mauerwerk.core.game import AnyGame, Setup
from mauerwerk.kernels import kernel_of, pack_setup
from mauerwerk.kernels.chance import key_of
from mauerwerk.kernels.compiler import DEVICES, Device, Functions, functions_for, usual_device
from mauerwerk.kernels.contract import Array
from mauerwerk.kernels.observation import FORMS, Codes, Form, codes_of, mask_codes
from mauerwerk.kernels.play import stepping
from mauerwerk.kernels.play.rewards import (
    Rewards,
    Scores,
    Scoring,
    kind_of,
    own_rewards,
    record_points,
    write_rewards,
)
from mauerwerk.kernels.play.stepping import RESULT, Games

if TYPE_CHECKING:
    from mauerwerk.kernels.play.cuda import CudaBackend

MOST_IN_A_PIECE: Final = 1 << 12
"""The largest number of games that a thread takes at a time."""

AT_ONCE: Final = 2_000
"""The largest number of games whose moves are held in memory."""
ROOM: Final = 1 << 20
"""The largest number of these moves, unless a single game has more."""


class Played(NamedTuple):
    """The results of many games, with a row for each game and a column for each seat."""

    points: npt.NDArray[np.int16]
    ranks: npt.NDArray[np.uint8]
    reasons: npt.NDArray[np.uint8]
    """Indices into `reason_words`."""
    decisions: npt.NDArray[np.uint32]
    """The number of choices in each game: those of players, also if there was only one action, and
    those of nature."""
    turns: npt.NDArray[np.uint32]
    reason_words: tuple[str, ...]


def run(
    game: AnyGame,
    setup: Setup[Any],
    games: int,
    seed: int,
    device: Device = "cpu",
    *,
    first: int = 0,
    threads: int | None = None,
) -> Played:
    """Play this many games to their ends, numbered from `first`; by default on all cores.

    Each legal action is as likely as any other; nature keeps to its odds. Raises SetupError where
    no kernel can play such a game.
    """
    _check_device(device)
    _check_numbers(games, threads)
    results = np.zeros(games, RESULT)
    packed_setup = pack_setup(game, setup)
    key = key_of(seed)
    if device == "cuda":
        _cuda().play(game.NAME, packed_setup, results, key, first)
    else:
        play = functions_for(game.NAME, device).entry(stepping.play)
        state_type = kernel_of(game.NAME).STATE

        def play_piece(piece: range) -> None:
            # A gap between two records keeps threads from writing into the same cache line.
            part, state = results[piece.start : piece.stop], np.zeros(3, state_type)[1:2]
            play(packed_setup, state, part, key, first + piece.start)

        in_pieces(play_piece, games, threads or os.cpu_count() or 1)
    return played_of(game, setup, results)


def played_of(game: AnyGame, setup: Setup[Any], results: Array) -> Played:
    """Results, column by column."""
    return Played(
        points=results["points"][:, : setup.seats],
        ranks=results["ranks"][:, : setup.seats],
        reasons=results["reason"],
        decisions=results["decisions"],
        turns=results["turns"],
        reason_words=tuple(kernel_of(game.NAME).REASONS),
    )


def in_pieces(work: Callable[[range], None], games: int, threads: int) -> None:
    """Threads take pieces of the games, so small that none waits long for another at the end."""
    work(range(0))  # compiles, where it has to, once and not in every thread
    if threads == 1:
        work(range(games))
        return
    size = max(1, min(MOST_IN_A_PIECE, games // (4 * threads)))
    pieces = [range(begin, min(begin + size, games)) for begin in range(0, games, size)]
    with ThreadPoolExecutor(threads) as pool:
        for _ in pool.map(work, pieces):
            pass


# --- Whole games with every move -------------------------------------------------------------


class PlayedMoves(NamedTuple):
    """Some consecutive games, with every move."""

    first: int
    """The number of the first."""
    moves: Array
    ends: Array
    """Of each game, the end of its rows in `moves`."""
    results: Array


def run_with_moves(
    game: AnyGame, setup: Setup[Any], games: int, seed: int
) -> Iterator[PlayedMoves]:
    """This many games by uniform chance, some at a time. Raises SetupError as `run` does."""
    packed_setup, key = pack_setup(game, setup), key_of(seed)
    entry = functions_for(game.NAME, usual_device()).entry(stepping.play_moves)
    states = np.zeros(1, kernel_of(game.NAME).STATE)
    moves = np.zeros((ROOM, 3), np.int32)
    first = 0
    while first < games:
        number = min(AT_ONCE, games - first)
        results, ends = np.zeros(number, RESULT), np.zeros(number, np.int64)
        done = int(entry(packed_setup, states, results, moves, ends, key, first))
        if not done:
            moves = np.zeros((2 * len(moves), 3), np.int32)
            continue
        yield PlayedMoves(first, moves[: ends[done - 1]], ends[:done], results[:done])
        first += done


# --- Step by step ----------------------------------------------------------------------------


class Batch:
    """Many games in step: every seat that is to act acts, then nature moves.

    All arrays are made once and written in place: `actions` by the caller, the others by `reset`
    and `step`. The first axis counts games, the second seats. If they are packed, `actions`,
    `masks` and `observations` have one row for each seat that is to act instead.
    """

    actions: Array
    """What each seat, or each row, does next, as 16-bit numbers; ignored for seats that are not to
    act."""
    suggestions: Array
    """What rules of thumb would do, written by `suggest` in the form of `actions`; -1 for seats
    that are not to act. Without rows if the kernel has no rules of thumb."""
    to_act: Array
    """Which seats must act."""
    masks: Array
    """Their legal actions, by number; none for the others. Nature's actions have no place."""
    observations: Array
    """What each seat sees, in its form; `layout` names the parts of what `decode` makes of it."""
    rewards: Array
    """What each seat gets for the step, as 32-bit floats. By rank, that is when a game has just
    ended the share of the others that a seat beat, less the share that beat it, and otherwise 0.
    `rewards` has the other kinds."""
    points: Array
    """The points of each seat so far; of a game that has just ended, its last ones. Without rows if
    rewards are by rank."""
    done: Array
    """Which games have just ended. In their places the next ones have begun, or are about to."""
    results: Array
    """How they ended, as in `RESULT`; kept until the next one in that place ends."""
    numbers: Array
    """The number of each game: in each place it grows by the size of the batch."""
    decisions: Array
    """The number of decisions so far, nature's included."""
    states: Array
    """The games themselves, in the kernel's records; secrets included."""
    row_games: Array
    """The game of each packed row, in order."""
    row_seats: Array
    """The seat of each packed row, in order within a game."""
    first_rows: Array
    """The first packed row of each game and, after the last game, the number of rows."""
    setups: Array
    linger: bool
    packed: bool

    def __init__(
        self,
        game: AnyGame,
        setup: Setup[Any],
        size: int,
        seed: int,
        device: Device = "cpu",
        *,
        observe: bool = True,
        remember: bool = False,
        linger: bool = False,
        packed: bool = False,
        suggest: bool = False,
        form: Form = "int16",
        rewards: Rewards = "ranks",
        threads: int = 1,
    ) -> None:
        """Begin all games. On a GPU the arrays are there, with the CUDA array interface.

        Without `observe` there is no room for observations. With `remember` they also have what a
        perfect memory knows, as in `contract.Remembering`. Games that `linger` stay for one step
        after they have ended, so that their last state can be read: no seat is to act, and the next
        step only begins the next game. A `packed` batch has rows only for seats that are to act.
        Observations and masks have one of the forms of `encoding`, rewards are of one of the kinds
        of `rewards`. With `suggest` games also hold what rules of thumb have to remember; of ours,
        only those of Die Mauer have to.
        """
        _check_device(device)
        _check_numbers(size, threads)
        if form not in FORMS:
            raise ValueError(f"there is no form {form!r}, only {', '.join(FORMS)}")
        part = "greedy" if suggest and hasattr(kernel_of(game.NAME), "greedy") else None
        functions = functions_for(game.NAME, device, remember=remember, part=part)
        kernel: Any = functions.kernel
        self.layout: Mapping[str, slice] = kernel.OBSERVATION.layout(setup)
        self.seats, self.size = setup.seats, size
        self._key = key_of(seed)
        self.codes = codes_of(game, setup, form, remember=remember)
        self.mask_codes = mask_codes(game, setup)
        of_bits = form == "bits"
        actions = len(game.choices(setup))
        words = len(self.codes.firsts) - 1 if observe else 0
        rows = size * (kernel.max_to_act(setup) if packed else setup.seats)
        room = rows if packed else 0
        self._backend: CpuBackend | CudaBackend = (
            _cuda().CudaBackend(functions, form, self.codes, actions)
            if device == "cuda"
            else CpuBackend(functions, form, self.codes, actions, threads)
        )
        zeros = self._backend.zeros
        counted = 0 if rewards == "ranks" else size
        self._scoring = Scoring(
            before=zeros((counted, self.seats), np.int16),
            points=zeros((counted, self.seats), np.int16),
            lingering=zeros((counted,), np.bool_),
            kind=kind_of(rewards),
            aim=kernel.AIM,
        )
        self.points = self._scoring.points
        self._can_suggest = hasattr(kernel, "ROOM")
        self.suggestions = zeros((rows if self._can_suggest else 0,), np.int16)
        self._own = rewards if callable(rewards) else None
        self._games = Games(
            setups=self._backend.on_device(pack_setup(game, setup)),
            states=zeros((size,), kernel.STATE),
            numbers=self._backend.on_device(np.arange(size)),
            decisions=zeros((size,), np.int64),
            actions=zeros((rows,), np.int16),
            to_act=zeros((size, self.seats), np.bool_),
            masks=zeros(
                (rows, len(self.mask_codes.firsts) - 1 if of_bits else actions),
                np.int32 if of_bits else np.bool_,
            ),
            observations=zeros((rows, words), FORMS[form]),
            rewards=zeros((size, self.seats), np.float32),
            done=zeros((size,), np.bool_),
            results=zeros((size,), RESULT),
            first_rows=zeros((size + 1 if packed else 0,), np.int32),
            row_games=zeros((room,), np.int32),
            row_seats=zeros((room,), np.int8),
            linger=linger,
            packed=packed,
        )
        for name in Games._fields:
            setattr(self, name, getattr(self._games, name))
        self._suggestions = self.suggestions
        if not packed:
            for name in ("actions", "masks", "observations"):
                array = getattr(self, name)
                setattr(self, name, array.reshape((size, self.seats, *array.shape[1:])))
            places = len(self.suggestions) // self.seats  # none, if it cannot suggest
            self.suggestions = self.suggestions.reshape((places, self.seats))
        self.reset()

    def attach(self, name: str, array: Array) -> None:
        """Use this array, which somebody else writes, instead of the one that has this name.

        It must have the same shape and type.
        """
        self._games = self._games._replace(**{name: array})
        setattr(self, name, array)

    @property
    def rows(self) -> int:
        """How many packed rows there are now; on a GPU, waits for it."""
        return int(self._games.first_rows[self.size])

    def reset(self, seed: int | None = None) -> None:
        """Begin the games with the current numbers again; with a seed, its first games."""
        if seed is not None:
            self._key = key_of(seed)
            self.numbers[:] = np.arange(self.size)
        self._backend.reset(self._games, self._key)
        if len(self.points):
            self._backend.record_points(self._games, self._scoring)
            self._backend.write_rewards(self._games, self._scoring)

    def step(self, *, checked: bool = True) -> None:
        """Apply `actions` for every seat that is to act.

        Raises ValueError, and changes nothing, if one of them is illegal. Without the check there
        is no need to wait for a GPU; then the caller is responsible for `actions`.
        """
        if len(self.points):
            self._backend.record_points(self._games, self._scoring)
        place = self._backend.step(self._games, self._key, checked=checked)
        if place >= 0:
            raise ValueError(f"in place {place} somebody may not do what `actions` says")
        if len(self.points):
            self._backend.write_rewards(self._games, self._scoring)
        if self._own:
            scores = Scores(self._scoring.before, self.points, self.done, self.rewards)
            self._backend.write(self.rewards, own_rewards(self._own, scores))

    def choose(self) -> None:
        """Write uniform choices into `actions`: the same as those of `run`."""
        self._backend.choose(self._games, self._key)

    def suggest(self, places: range | None = None) -> None:
        """Write into `suggestions` what rules of thumb would do; `actions` stay as they are.

        With places, only in these games, and on this thread. Raises SetupError if the kernel has
        no rules of thumb, or the batch was not made for them.
        """
        if not self._can_suggest:
            raise SetupError(
                "this batch has no rules of thumb; those of some games need suggest=True"
            )
        self._backend.suggest(self._games, self._suggestions, self._key, places)


# --- On the CPU ------------------------------------------------------------------------------


class CpuBackend:
    """The CPU, which holds the arrays of a `Batch`; also for a module of WebAssembly."""

    def __init__(
        self, functions: Functions, form: Form, codes: Codes, actions: int, threads: int
    ) -> None:
        """Find the compiled functions."""
        self._entry = functions.entry
        self._memory = functions.memory()
        self._threads = threads
        self._pool = ThreadPoolExecutor(threads - 1) if threads > 1 else None
        self._plain = form == "int16"
        self._codes, self._actions = codes, actions
        self._room: Any = getattr(functions.kernel, "ROOM", None)

    def zeros(self, shape: tuple[int, ...], kind: Any, /) -> Array:  # noqa: ANN401 - a dtype
        """An array that begins on a line of cache."""
        return self._memory.zeros(shape, kind)

    def on_device(self, array: Array, /) -> Array:
        """A copy that begins on a line of cache too."""
        copy = self.zeros(array.shape, array.dtype)
        copy[...] = array
        return copy

    def reset(self, games: Games, key: np.uint64) -> None:
        """Begin all games, and write what their seats see."""
        self._run(stepping.reset, self._unseen(games), key)
        self._write_rows(games)

    def step(self, games: Games, key: np.uint64, *, checked: bool) -> int:
        """Take a step in all games, and write what their seats see; -1.

        If it is checked and an action is not allowed, do nothing; the first place with one. If each
        seat has its row in any case, a game is looked at while it is in the cache.
        """
        plain = self._plain and not games.packed
        if plain and checked and self._pool is None:
            return int(self._entry(stepping.checked_step)(games, key, 0, len(games.states)))
        if checked:
            found = self._run(stepping.first_illegal, self._unseen(games))
            place = min((int(each) for each in found if each >= 0), default=-1)
            if place >= 0:
                return place
        if plain:
            self._run(stepping.step, games, key)
        else:
            self._run(stepping.advance_all, self._unseen(games), key)
            self._write_rows(games)
        return -1

    def choose(self, games: Games, key: np.uint64) -> None:
        """Choose in all games."""
        self._run(stepping.choose, self._unseen(games), key)

    def suggest(
        self, games: Games, suggestions: Array, key: np.uint64, places: range | None
    ) -> None:
        """Write what rules of thumb would do in these games, or in all."""
        compiled_suggest, unseen = self._entry(stepping.suggest), self._unseen(games)

        def suggest(begin: int, end: int) -> None:
            compiled_suggest(unseen, suggestions, np.zeros(1, self._room), key, begin, end)

        if places is not None:
            suggest(places.start, places.stop)
        else:
            self._in_stretches(suggest, len(games.states))

    def _unseen(self, games: Games) -> Games:
        """The games for functions that write no rows: compiled once, and not for every form."""
        return games if self._plain else games.without_rows()

    def record_points(self, games: Games, scoring: Scoring) -> None:
        """Write down the points before a step."""
        self._run(record_points, self._unseen(games), scoring)

    def write_rewards(self, games: Games, scoring: Scoring) -> None:
        """Write the points after a step, and rewards for them."""
        self._run(write_rewards, self._unseen(games), scoring)

    def write(self, array: Array, content: Any, /) -> None:  # noqa: ANN401 - an array
        """Write this into an array of the batch."""
        array[...] = content

    def _write_rows(self, games: Games) -> None:
        if games.packed:
            self._entry(stepping.number_rows)(self._unseen(games))
        if self._plain:
            self._run(stepping.write_rows, games)
            return
        write = self._entry(stepping.write_encoded_rows)

        def write_encoded_rows(begin: int, end: int) -> None:
            width = -(-len(self._codes.tops) // 4) * 4
            room = np.zeros(self._actions, np.uint8), np.zeros(width, np.int16)
            write(games, self._codes, *room, begin, end)

        self._in_stretches(write_encoded_rows, len(games.states))

    def _run(self, function: Callable[..., Any], games: Games, *given: Any) -> list[Any]:  # noqa: ANN401
        """Call a compiled function for all stretches of the games."""
        work = partial(self._entry(function), games, *given)
        return self._in_stretches(work, len(games.states))

    def _in_stretches(self, work: Callable[[int, int], Any], size: int) -> list[Any]:
        """Do this for each thread's stretch of so many games; this thread has the first one."""
        if self._pool is None:
            return [work(0, size)]
        cuts = [size * share // self._threads for share in range(self._threads + 1)]
        others = [self._pool.submit(work, *ends) for ends in pairwise(cuts[1:])]
        return [work(*cuts[:2]), *(other.result() for other in others)]


# --- Arguments -------------------------------------------------------------------------------


def _check_device(device: str) -> None:
    """Refuse an unknown device rather than use the CPU. Raises ValueError."""
    if device not in DEVICES:
        raise ValueError(f"there is no device {device!r}, only {', '.join(DEVICES)}")


def _check_numbers(games: int, threads: int | None) -> None:
    """Refuse fewer than no games, and no threads. Raises ValueError."""
    if games < 0:
        raise ValueError(f"the number of games cannot be {games}")
    if threads is not None and threads < 1:
        raise ValueError(f"the number of threads is 1 or more, not {threads}")


def _cuda() -> Any:  # noqa: ANN401 - a module with an extra of its own
    ours: Any = import_module("mauerwerk.kernels.play.cuda")
    ours.check_gpu()
    return ours
