"""A board on trial: a kernel plays many random games on it, in a process of its own."""

import asyncio
from collections import Counter, OrderedDict
from collections.abc import Sequence
from contextlib import closing
from functools import partial
from importlib import import_module
from typing import Any, Final

from mauerwerk.core.game import Setup, Value
from mauerwerk.games import mauerbauer
from mauerwerk.lab.intervals import Estimate, mean_of, share_of
from mauerwerk.lab.workers import jobs, mapping
from mauerwerk.server.tables.errors import TooManyError

USUAL: Final = "default"
"""The board with which others are compared."""

GAMES: Final = 10_000
"""A number of games that takes about a second."""

SEATS: Final = 3
SEED: Final = 1
"""Always the same, so that everybody with the link of a board sees the same figures."""

MOST_WAITING: Final = 6
"""How many boards may wait for their trial."""

MOST_KEPT: Final = 200
"""How many trials are kept."""

SECONDS: Final = 240.0
"""After this time a trial is given up; the first one may have to compile the kernel."""

NICE: Final = 5
"""The nice level of a trial: everything else goes first."""


class Trial(Value):
    """The figures of the games on a board."""

    games: int
    turns: Estimate
    """The length of a game."""
    winner: Estimate
    """The points of the winner."""
    last: Estimate
    """The points of the last player."""
    wins: tuple[Estimate, ...]
    """How often each seat wins, shared wins divided; the first seat begins."""
    endings: tuple[tuple[str, float], ...]
    """The reasons why games ended, and how often, as a share; the most frequent first."""


class TrialFailedError(RuntimeError):
    """The process ended without a result."""


def tried(word: str, games: int = GAMES) -> Trial:
    """Play this many random games on a board. Raises SetupError."""
    batch: Any = import_module("mauerwerk.kernels.play.batch")
    setup = Setup(SEATS, mauerbauer.Options(board=word, first=0))
    played = batch.run(mauerbauer, setup, games, seed=SEED, threads=1)
    points: list[list[int]] = played.points.tolist()
    ranks: list[list[int]] = played.ranks.tolist()
    reasons = Counter(played.reason_words[reason] for reason in played.reasons.tolist())
    return Trial(
        games=games,
        turns=mean_of(played.turns.tolist()),
        winner=mean_of([max(each) for each in points]),
        last=mean_of([min(each) for each in points]),
        wins=tuple(
            share_of([_share(each, seat) for each in ranks], games) for seat in range(SEATS)
        ),
        endings=tuple((reason, count / games) for reason, count in reasons.most_common()),
    )


def _share(ranks: Sequence[int], seat: int) -> float:
    """What a seat has of the win of one game."""
    return 1 / ranks.count(1) if ranks[seat] == 1 else 0.0


class Trials:
    """The trials of a server: one runs, a few wait, and the latest are kept."""

    def __init__(self, games: int = GAMES) -> None:
        """With this many games each."""
        self._games = games
        self._one = asyncio.Semaphore(1)
        self._under_way: dict[str, asyncio.Task[None]] = {}
        self._kept: OrderedDict[str, Trial] = OrderedDict()

    async def beside_usual(self, word: str, within: float) -> tuple[Trial, Trial] | None:
        """The trials of a board and of the usual one.

        None if that takes longer than `within` seconds; the trial goes on. Raises TooManyError if
        too many wait, and TrialFailedError.
        """
        if not {word, USUAL} <= self._kept.keys():
            task = self._under_way.get(word) or self._begun(word)
            await asyncio.wait([task], timeout=within)
            if not task.done():
                return None
            task.result()
        return self._kept[word], self._kept[USUAL]

    def _begun(self, word: str) -> "asyncio.Task[None]":
        if len(self._under_way) >= MOST_WAITING:
            raise TooManyError("many boards are on trial right now; ask again")
        task = self._under_way[word] = asyncio.create_task(self._try(word))
        task.add_done_callback(lambda _: self._under_way.pop(word))
        return task

    async def _try(self, word: str) -> None:
        async with self._one:
            words = [each for each in dict.fromkeys((word, USUAL)) if each not in self._kept]
            if words:
                try:
                    found = await asyncio.wait_for(_apart(words, self._games), SECONDS)
                except TimeoutError:
                    raise TrialFailedError(f"the trial of {words[0]} took too long") from None
                self._kept |= zip(words, found, strict=True)
        while len(self._kept) > MOST_KEPT:
            self._kept.pop(next(each for each in self._kept if each != USUAL))


async def _apart(words: Sequence[str], games: int) -> list[Trial]:
    """Play in a process of its own, which ends with the trial."""
    with closing(jobs.AsyncWorkers(1, NICE)) as workers:
        try:
            return await workers.run(partial(_all_tried, games=games), words)
        except mapping.WorkError as fault:
            failed = TrialFailedError(f"the trial of {words[0]} ended without a result")
            raise failed from fault


def _all_tried(words: Sequence[str], games: int) -> list[Trial]:
    return [tried(word, games) for word in words]
