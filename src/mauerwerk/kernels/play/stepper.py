"""Games moved from Python one seat after the other, in records that are copied as often as needed.

Adapters for sequential games play like this. Where a kernel has observations that remember, records
hold what they need.
"""

from functools import lru_cache
from typing import Any, Final, NamedTuple

import numpy as np

from mauerwerk.core.game import NATURE, Setup
from mauerwerk.games import GAMES
from mauerwerk.kernels import kernel_of
from mauerwerk.kernels.compiler import compiler_for
from mauerwerk.kernels.contract import Array
from mauerwerk.kernels.play.batch import LOOP
from mauerwerk.kernels.play.single_game import SINGLE
from mauerwerk.kernels.results import RESULT, key_of, prepared, width_of

SETUPS: Final = 64
"""For how many setups the prepared data are kept."""


class Look(NamedTuple):
    """The seat that moves, and what it may do."""

    mover: int
    numbers: list[int]
    weights: list[int]
    """Of nature alone, in the order of its numbers."""


class Stepper:
    """The compiled functions that move games of one setup; they remember if the kernel can."""

    def __init__(self, game: str, setup: Setup[Any]) -> None:
        """Find them. Raises SetupError where the kernel cannot play such a game."""
        played = GAMES[game]
        self._agreed = prepared(played, setup)
        self._seats = setup.seats
        remembers = hasattr(kernel_of(game), "memory")
        compiler = compiler_for(game, "cpu", remember=remembers)
        self.kernel: Final[Any] = compiler.kernel
        self._size = len(self.kernel.actions(setup))
        self._width = width_of(played, setup, remember=remembers)
        self._begin = compiler.entry(SINGLE, "begin")
        self._first_to_act = compiler.entry(SINGLE, "first_to_act")
        self._advance = compiler.entry(SINGLE, "advance")
        self._observe = compiler.entry(SINGLE, "observe_one")
        self._imagine = compiler.entry(LOOP, "imagine")
        self._finish = compiler.entry(LOOP, "finish")

    def first(self) -> Array:
        """The record of a game that begins."""
        record = np.zeros(1, self.kernel.STATE)
        self._begin(self._agreed, record)
        return record

    def seen(self, record: Array) -> Look:
        """The seat that moves in this record, and what it may do."""
        mask, odds = self._room()
        return _look(self._first_to_act(self._agreed, record, mask, odds), mask, odds)

    def moved(self, record: Array, seat: int, number: int) -> Look:
        """The same after a move, which is made there; the mover is `REFUSED` if it is illegal."""
        mask, odds = self._room()
        return _look(self._advance(self._agreed, record, seat, number, mask, odds), mask, odds)

    def features(self, record: Array, seat: int) -> Array:
        """What a seat sees, and after that what it remembers, if the kernel does."""
        features = np.zeros(self._width, np.int16)
        self._observe(self._agreed, record, seat, features)
        return features

    def imagine(self, record: Array, seat: int, believed: Array, seed: int) -> None:
        """Overwrite what a seat cannot see with a sample; `believed` is what the kernel made."""
        self._imagine(self._agreed, record, seat, believed, key_of(seed), 0)

    def ranks(self, records: Array, seed: int = 0) -> list[list[int]]:
        """The ranks in games that are over; others are played out there by uniform chance."""
        results = np.zeros(len(records), RESULT)
        self._finish(self._agreed, records, results, key_of(seed), 0)
        ranks: list[list[int]] = results["ranks"][:, : self._seats].tolist()
        return ranks

    def _room(self) -> tuple[Array, Array]:
        """For each call its own: several threads may play, and compiled code holds no lock."""
        return np.zeros(self._size, np.uint8), np.zeros(self._size, np.uint32)


def _look(mover: int, mask: Array, odds: Array) -> Look:
    if mover != NATURE:
        return Look(int(mover), mask.nonzero()[0].tolist(), [])
    numbers = odds.nonzero()[0]
    return Look(NATURE, numbers.tolist(), odds[numbers].tolist())


def copies(record: Array, times: int = 1) -> Array:
    """So many copies of a record, byte by byte; NumPy would copy it field by field."""
    return np.frombuffer(bytearray(record.tobytes() * times), record.dtype)


@lru_cache(maxsize=SETUPS)
def stepper_of(game: str, setup: Setup[Any]) -> Stepper:
    """The one stepper of a setup."""
    return Stepper(game, setup)
