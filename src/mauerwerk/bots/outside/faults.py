"""Games that bots of other people lost because they failed: counted, and told once for each bot.

A worker tells the process that it works for, which tells the user. So a traceback is shown once,
however many workers there are.
"""

import sys
from collections import Counter
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from typing import Final

from mauerwerk.bots.outside.player import OutsideBot
from mauerwerk.bots.outside.process import BotFault

Failure = tuple[str, str, str]
"""The word of a bot, why it lost, and its traceback."""

_SHOWN: Final[set[str]] = set()
_LOST: Final = Counter[str]()
_HELD_BACK: Final[list[list[Failure]]] = []


def faults_of(bots: Sequence[object]) -> dict[int, BotFault]:
    """The seats of the bots that have lost by a fault, and why."""
    return {
        seat: bot.fault
        for seat, bot in enumerate(bots)
        if isinstance(bot, OutsideBot) and bot.fault is not None
    }


def show_faults(bots: Sequence[object]) -> None:
    """Count the games that bots have lost, and tell the user why."""
    for bot in bots:
        if isinstance(bot, OutsideBot) and bot.fault:
            show_fault(bot.word, bot.fault.why, bot.fault.trace)


def show_fault(word: str, why: str, trace: str) -> None:
    """Count a game that a bot lost; tell the user why, with its traceback, once for each bot."""
    if _HELD_BACK:
        _HELD_BACK[-1].append((word, why, trace))
        return
    _LOST[word] += 1
    if word not in _SHOWN:
        _SHOWN.add(word)
        said = f"{trace}\n" if trace else ""
        sys.stderr.write(f"{said}mauerwerk: the bot {word} loses a game: {why}\n")
        sys.stderr.flush()


@contextmanager
def held_back() -> Generator[list[Failure], None, None]:
    """Collect the games that are lost meanwhile, for `show_fault` in another process."""
    failures: list[Failure] = []
    _HELD_BACK.append(failures)
    try:
        yield failures
    finally:
        _HELD_BACK.pop()


def count_anew() -> Counter[str]:
    """How many games each bot loses from now on, counted as they are lost."""
    _LOST.clear()
    return _LOST
