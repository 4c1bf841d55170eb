"""The CPU does the work of a batch: each thread has a stretch of its games."""

import math
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial
from itertools import pairwise
from typing import Any, Final

import numpy as np

from mauerwerk.kernels.compiler import Compiler
from mauerwerk.kernels.contract import Array
from mauerwerk.kernels.play.coding import FORMS, Codes, Form
from mauerwerk.kernels.play.rewards import Scoring
from mauerwerk.kernels.play.stepping import Games

STEPPING: Final = "mauerwerk.kernels.play.stepping"
REWARDS: Final = "mauerwerk.kernels.play.rewards"

LINE: Final = 64
"""The size of a cache line in bytes."""

NO_MASKS: Final[Array] = np.zeros((0, 0), np.bool_)
UNSEEN: Final[Array] = np.zeros((0, 0), FORMS["int16"])
"""Masks and observations of the usual types, without any rows."""


class Hand:
    """The CPU, which holds the arrays of a `Batch`."""

    def __init__(
        self, compiler: Compiler, form: Form, codes: Codes, actions: int, threads: int
    ) -> None:
        """Find the compiled functions."""
        self._entry = cache(partial(compiler.entry, STEPPING))
        self._scorer = cache(partial(compiler.entry, REWARDS))
        self._threads = threads
        self._pool = ThreadPoolExecutor(threads - 1) if threads > 1 else None
        self._plain = form == "int16"
        self._codes, self._actions = codes, actions

    def zeros(self, shape: tuple[int, ...], kind: Any, /) -> Array:  # noqa: ANN401 - a dtype
        """An array that begins on a line of cache: JAX takes over no other without copying."""
        wanted = np.dtype(kind).itemsize * math.prod(shape)
        room = np.zeros(wanted + LINE, np.uint8)
        begin = -room.ctypes.data % LINE
        return room[begin : begin + wanted].view(kind).reshape(shape)

    def on_device(self, array: Array, /) -> Array:
        """A copy that begins on a line of cache too."""
        copy = self.zeros(array.shape, array.dtype)
        copy[...] = array
        return copy

    def reset(self, games: Games, key: np.uint64) -> None:
        """Begin all games, and write what their seats see."""
        self._in_stretches(partial(self._entry("reset"), self._unseen(games), key), games)
        self._look(games)

    def step(self, games: Games, key: np.uint64, *, checked: bool) -> int:
        """Take a step in all games, and write what their seats see.

        If each seat has its row in any case, a game is looked at while it is in the cache.
        """
        plain = self._plain and not games.packed
        if plain and checked and self._pool is None:
            return int(self._entry("try_step")(games, key, 0, len(games.states)))
        if checked and (place := self._refused(games)) >= 0:
            return place
        if plain:
            self._in_stretches(partial(self._entry("step"), games, key), games)
        else:
            self._in_stretches(partial(self._entry("move_on"), self._unseen(games), key), games)
            self._look(games)
        return -1

    def choose(self, games: Games, key: np.uint64) -> None:
        """Choose in all games."""
        self._in_stretches(partial(self._entry("choose"), self._unseen(games), key), games)

    def _unseen(self, games: Games) -> Games:
        """The games for functions that write no rows: compiled once, and not for every form."""
        return games if self._plain else games._replace(masks=NO_MASKS, observations=UNSEEN)

    def note(self, games: Games, scoring: Scoring) -> None:
        """Write down the points before a step."""
        self._in_stretches(partial(self._scorer("note"), self._unseen(games), scoring), games)

    def score(self, games: Games, scoring: Scoring) -> None:
        """Write the points after a step, and rewards for them."""
        self._in_stretches(partial(self._scorer("score"), self._unseen(games), scoring), games)

    def write(self, array: Array, content: Any, /) -> None:  # noqa: ANN401 - an array
        """Write this into an array of the batch."""
        array[...] = content

    def _refused(self, games: Games) -> int:
        found = self._in_stretches(partial(self._entry("refused"), self._unseen(games)), games)
        return min((int(place) for place in found if place >= 0), default=-1)

    def _look(self, games: Games) -> None:
        if games.packed:
            self._entry("number_rows")(self._unseen(games))
        if self._plain:
            self._in_stretches(partial(self._entry("look_plain"), games), games)
            return
        look = self._entry("look_encoded")

        def look_encoded(begin: int, end: int) -> None:
            width = -(-len(self._codes.tops) // 4) * 4
            room = np.zeros(self._actions, np.uint8), np.zeros(width, np.int16)
            look(games, self._codes, *room, begin, end)

        self._in_stretches(look_encoded, games)

    def _in_stretches(self, work: Callable[[int, int], Any], games: Games) -> list[Any]:
        """Do this for each thread's stretch of the games; this thread has the first one."""
        size = len(games.states)
        if self._pool is None:
            return [work(0, size)]
        cuts = [size * share // self._threads for share in range(self._threads + 1)]
        others = [self._pool.submit(work, *ends) for ends in pairwise(cuts[1:])]
        return [work(*cuts[:2]), *(other.result() for other in others)]
