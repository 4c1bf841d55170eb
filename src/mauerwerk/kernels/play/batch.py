"""Many games at once: whole ones by chance, or step by step for learners.

What happens in a game depends on the seed and the number of the game alone: not on how many are
played at the same time, on how many threads, or on which device.
"""

import math
import os
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from itertools import pairwise
from typing import Any, Final, Literal, NamedTuple, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from mauerwerk.core.game import AnyGame, Setup
from mauerwerk.kernels import kernel_of
from mauerwerk.kernels.compiler import DEVICES, Device, compiler_for
from mauerwerk.kernels.contract import Array
from mauerwerk.kernels.play.stepping import Games
from mauerwerk.kernels.results import RESULT, key_of, prepared, width_of

Policy: TypeAlias = Literal["uniform"]

LOOP: Final = "mauerwerk.kernels.play.loop"
STEPPING: Final = "mauerwerk.kernels.play.stepping"

LINE: Final = 64
"""The size of a cache line in bytes."""

MOST_IN_A_PIECE: Final = 1 << 12
"""The largest number of games that a thread takes at a time."""


class Played(NamedTuple):
    """The results of many games, with a row for each game and a column for each seat."""

    points: npt.NDArray[np.int16]
    ranks: npt.NDArray[np.uint8]
    reasons: npt.NDArray[np.uint8]
    """Indices into `reason_words`."""
    decisions: npt.NDArray[np.uint32]
    """Those of players and of nature."""
    turns: npt.NDArray[np.uint32]
    reason_words: tuple[str, ...]


def run(
    game: AnyGame,
    setup: Setup[Any],
    games: int,
    seed: int,
    policy: Policy = "uniform",
    device: Device = "cpu",
    *,
    first: int = 0,
    threads: int | None = None,
) -> Played:
    """Play this many games to their ends, numbered from `first`; by default on all cores.

    Policy `uniform` takes each legal action with the same chance; nature keeps to its odds.
    Raises SetupError where no kernel can play such a game.
    """
    _check_device(device)
    if policy != "uniform":
        raise ValueError(f"there is no policy {policy!r}, only 'uniform'")
    results = np.zeros(games, RESULT)
    agreed = prepared(game, setup)
    key = key_of(seed)
    if device == "cuda":
        _cuda().play(game.NAME, agreed, results, key, first)
    else:
        _play(game.NAME, agreed, results, key, first, threads or os.cpu_count() or 1)
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


def _play(
    name: str, agreed: Array, results: Array, key: np.uint64, first: int, threads: int
) -> None:
    """Threads take pieces of the games; compiled code does not hold the interpreter's lock."""
    play = compiler_for(name, "cpu").entry(LOOP, "play")
    state_type = kernel_of(name).STATE

    def play_piece(piece: range) -> None:
        # A gap between two records keeps threads from writing into the same cache line.
        part = results[piece.start : piece.stop]
        play(agreed, np.zeros(3, state_type)[1:2], part, key, first + piece.start)

    play_piece(range(0))  # compiles, where it has to, once and not in every thread
    if threads == 1:
        play_piece(range(len(results)))
        return
    with ThreadPoolExecutor(threads) as pool:
        for _ in pool.map(play_piece, _pieces(len(results), threads)):
            pass


def _pieces(games: int, threads: int) -> Iterator[range]:
    """Small enough that no thread waits long for another at the end."""
    size = max(1, min(MOST_IN_A_PIECE, games // (4 * threads)))
    return (range(begin, min(begin + size, games)) for begin in range(0, games, size))


# --- Step by step ----------------------------------------------------------------------------


class Batch:
    """Many games in step: every seat that is to act acts, then nature moves.

    All arrays are made once and written in place: `actions` by the caller, the others by `reset`
    and `step`. The first axis counts games, the second seats.
    """

    actions: Array
    """What each seat does next, as 16-bit numbers; ignored for seats that are not to act."""
    to_act: Array
    """Which seats must act."""
    masks: Array
    """Their legal actions, by number; none for the others."""
    observations: Array
    """What each seat sees, as 16-bit integers; `layout` names their parts."""
    rewards: Array
    """When a game has just ended, the share of the others that a seat beat, less the share that
    beat it; otherwise 0. They are 32-bit floats from -1 to 1."""
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
    setups: Array
    linger: bool

    def __init__(
        self,
        game: AnyGame,
        setup: Setup[Any],
        size: int,
        seed: int,
        device: Device = "cpu",
        *,
        observe: bool = True,
        linger: bool = False,
        threads: int = 1,
    ) -> None:
        """Begin all games. On a GPU the arrays are there, with the CUDA array interface.

        Without `observe` there is no room for observations. Games that `linger` stay for one step
        after they have ended, so that their last state can be read: no seat is to act, and the next
        step only begins the next game.
        """
        _check_device(device)
        kernel: Any = kernel_of(game.NAME)
        self.layout: Mapping[str, slice] = kernel.layout(setup)
        self.seats, self.size = setup.seats, size
        self._key = key_of(seed)
        self._hand: Hand = _cuda().Hand(game.NAME) if device == "cuda" else _Threads(game, threads)
        zeros = self._hand.zeros
        actions = len(kernel.actions(setup))
        width = width_of(game, setup) if observe else 0
        self._games = Games(
            setups=self._hand.on_device(prepared(game, setup)),
            states=zeros((size,), kernel.STATE),
            numbers=self._hand.on_device(np.arange(size)),
            decisions=zeros((size,), np.int64),
            actions=zeros((size, self.seats), np.int16),
            to_act=zeros((size, self.seats), np.bool_),
            masks=zeros((size, self.seats, actions), np.bool_),
            observations=zeros((size, self.seats, width), np.int16),
            rewards=zeros((size, self.seats), np.float32),
            done=zeros((size,), np.bool_),
            results=zeros((size,), RESULT),
            linger=linger,
        )
        for name in Games._fields:
            setattr(self, name, getattr(self._games, name))
        self.reset()

    def reset(self, seed: int | None = None) -> None:
        """Begin the games with the current numbers again; with a seed, its first games."""
        if seed is not None:
            self._key = key_of(seed)
            self.numbers[:] = np.arange(self.size)
        self._hand.call("reset", self._games, self._key)

    def step(self, *, checked: bool = True) -> None:
        """Apply `actions` for every seat that is to act.

        Raises ValueError, and changes nothing, if one of them is illegal. Without the check there
        is no need to wait for a GPU; then the caller is responsible for `actions`.
        """
        place = self._hand.refused(self._games) if checked else -1
        if place >= 0:
            raise ValueError(f"in place {place} somebody may not do what `actions` says")
        self._hand.call("step", self._games, self._key)

    def choose(self) -> None:
        """Write uniform choices into `actions`: the same as those of `run`."""
        self._hand.call("choose", self._games, self._key)


class Hand(Protocol):
    """The device that does the work of a batch and holds its arrays."""

    def zeros(self, shape: tuple[int, ...], kind: Any, /) -> Array:  # noqa: ANN401 - a dtype
        """An array where the work is done."""
        ...

    def on_device(self, array: Array, /) -> Array:
        """A copy of an array where the work is done."""
        ...

    def call(self, name: Literal["reset", "step", "choose"], games: Games, key: np.uint64) -> None:
        """Do this in all games."""
        ...

    def refused(self, games: Games) -> int:
        """The first place with an action that is not allowed; -1 without one."""
        ...


class _Threads:
    """The CPU: each thread has a stretch of the batch."""

    def __init__(self, game: AnyGame, threads: int) -> None:
        """Find the compiled functions."""
        compiler = compiler_for(game.NAME, "cpu")
        names = ("reset", "step", "choose", "refused")
        self._entries = {name: compiler.entry(STEPPING, name) for name in names}
        self._threads = threads
        self._pool = ThreadPoolExecutor(threads) if threads > 1 else None

    def zeros(self, shape: tuple[int, ...], kind: Any, /) -> Array:  # noqa: ANN401 - a dtype
        """An array that begins on a line of cache: JAX takes over no other without copying."""
        wanted = np.dtype(kind).itemsize * math.prod(shape)
        room = np.zeros(wanted + LINE, np.uint8)
        begin = -room.ctypes.data % LINE
        return room[begin : begin + wanted].view(kind).reshape(shape)

    def on_device(self, array: Array, /) -> Array:
        """The array as it is."""
        return array

    def call(self, name: Literal["reset", "step", "choose"], games: Games, key: np.uint64) -> None:
        """Do this in all games."""
        entry, size = self._entries[name], len(games.states)
        if self._pool is None:
            entry(games, key, 0, size)
            return

        def call_stretch(ends: tuple[int, int]) -> None:
            entry(games, key, *ends)

        cuts = [size * share // self._threads for share in range(self._threads + 1)]
        for _ in self._pool.map(call_stretch, pairwise(cuts)):
            pass

    def refused(self, games: Games) -> int:
        """The first place with an action that is not allowed; -1 without one."""
        return int(self._entries["refused"](games, 0, len(games.states)))


def _check_device(device: str) -> None:
    """Refuse an unknown device rather than use the CPU. Raises ValueError."""
    if device not in DEVICES:
        raise ValueError(f"there is no device {device!r}, only {' and '.join(DEVICES)}")


def _cuda() -> Any:  # noqa: ANN401 - a module with an extra of its own
    ours: Any = import_module("mauerwerk.kernels.play.cuda")
    ours.check_gpu()
    return ours
