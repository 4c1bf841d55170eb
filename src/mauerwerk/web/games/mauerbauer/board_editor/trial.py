"""A board on trial: many games on it by chance, played by a kernel in a process of its own."""

import asyncio
import multiprocessing
import os
import threading
from collections import Counter, OrderedDict
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from multiprocessing.connection import Connection
from typing import Any, Final

import msgspec

from mauerwerk.core.game import Setup, Value
from mauerwerk.games import mauerbauer
from mauerwerk.games.mauerbauer import Options
from mauerwerk.lab.intervals import Estimate, mean_of, share_of
from mauerwerk.play.tables.errors import TooManyError

USUAL: Final = "default"
"""The board beside which others are seen."""

GAMES: Final = 10_000
"""As many games as a second has room for."""

SEATS: Final = 3
SEED: Final = 1
"""The same board is always played alike, so that whoever has its link sees the same figures."""

MOST_WAITING: Final = 6
"""So many boards may wait for their trial."""

MOST_KEPT: Final = 200
"""So many trials are kept."""

SECONDS: Final = 240.0
"""After so long a trial is given up; the first of all has to be compiled."""

_CONTEXT: Final = multiprocessing.get_context("spawn")


class Trial(Value):
    """How games on a board went."""

    games: int
    turns: Estimate
    """A game's."""
    winner: Estimate
    """The points of whoever won."""
    last: Estimate
    """The points of whoever was last."""
    wins: tuple[Estimate, ...]
    """The share in the win of each seat; the first begins."""
    endings: tuple[tuple[str, float], ...]
    """Why games ended, and how many of them, as a share; the most frequent first."""


class TrialFailedError(RuntimeError):
    """The process ended without a result."""


def tried(word: str, games: int = GAMES) -> Trial:
    """Play so many games on a board, each choice by chance. Raises SetupError."""
    batch: Any = import_module("mauerwerk.kernels.play.batch")
    setup = Setup(SEATS, Options(board=word, first=0))
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
    """A seat's share in the win of one game."""
    return 1 / ranks.count(1) if ranks[seat] == 1 else 0.0


class Trials:
    """The trials of a server: one at a time, few that wait, and the last ones kept."""

    def __init__(self, games: int = GAMES) -> None:
        """With so many games each."""
        self._games = games
        self._one = asyncio.Semaphore(1)
        self._under_way: dict[str, asyncio.Task[None]] = {}
        self._kept: OrderedDict[str, Trial] = OrderedDict()

    async def beside_usual(self, word: str, within: float) -> tuple[Trial, Trial] | None:
        """The trials of a board and of the usual one.

        None if that takes longer; it goes on meanwhile. Raises TooManyError where too many wait,
        and TrialFailedError.
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


# --- A process of its own --------------------------------------------------------------------


async def _apart(words: Sequence[str], games: int) -> list[Trial]:
    """Play in another process, which ends when nobody waits any longer."""
    loop = asyncio.get_running_loop()
    answered: asyncio.Future[bytes] = loop.create_future()
    ours, theirs = _CONTEXT.Pipe(duplex=False)
    process = _CONTEXT.Process(target=_answer, args=(theirs, words, games), daemon=True)
    process.start()
    theirs.close()

    def hear() -> None:
        with suppress(EOFError, OSError):
            said = ours.recv_bytes()
            with suppress(RuntimeError):  # nobody listens any longer
                loop.call_soon_threadsafe(_settle, answered, said)
            return
        with suppress(RuntimeError):
            loop.call_soon_threadsafe(_settle, answered, b"")

    threading.Thread(target=hear, daemon=True).start()
    try:
        said = await answered
    finally:
        process.kill()
    if not said:
        raise TrialFailedError(f"the trial of {words[0]} ended without a result")
    return msgspec.json.decode(said, type=list[Trial])


def _settle(answered: "asyncio.Future[bytes]", said: bytes) -> None:
    if not answered.done():
        answered.set_result(said)


def _answer(way: Connection, words: Sequence[str], games: int) -> None:
    """In the process: play, out of everybody's way, and say how it went."""
    os.nice(5)
    way.send_bytes(msgspec.json.encode([tried(word, games) for word in words]))
