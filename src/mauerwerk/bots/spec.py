"""Who is to play, as a word: a bot or a level, `greedy`, `search:0.2s`, `journeyman`."""

import re
from typing import Any, Final

from mauerwerk.bots import BOTS, levels
from mauerwerk.bots.bot import Player
from mauerwerk.bots.levels import LEVELS
from mauerwerk.core.game import AnyGame, Draw, Setup, SetupError, Value, shown

SECONDS: Final = 1.0
"""How long a bot may think over a decision where nobody says otherwise."""

LONGEST: Final = 600.0
"""The longest that can be asked for, in seconds."""

NAMES: Final = (*BOTS, *LEVELS)
"""Whoever can be asked to play."""

UNITS: Final = {"s": 1.0, "ms": 0.001}


class Spec(Value):
    """Who is to play, and how long they may think over each decision."""

    word: str
    """As it was written, such as `search:0.2s`."""
    name: str
    """One of `BOTS` or of `LEVELS`."""
    seconds: float


def read(word: str) -> Spec:
    """Read one word. Raises SetupError.

    >>> read("uniform:200ms")
    Spec(word='uniform:200ms', name='uniform', seconds=0.2)
    >>> read("uniform").seconds
    1.0
    """
    name, colon, time = word.partition(":")
    if name not in NAMES:
        raise SetupError(f"there is no bot {shown(name)}; there is {', '.join(NAMES)}")
    if colon:
        return Spec(word, name, _seconds(time))
    return Spec(word, name, LEVELS[name].seconds if name in LEVELS else SECONDS)


def _seconds(time: str) -> float:
    """How long, from a word such as `0.2s` or `50ms`."""
    given = re.fullmatch(r"(\d{1,6}(?:\.\d{1,6})?)(s|ms)", time, re.ASCII)
    seconds = float(given[1]) * UNITS[given[2]] if given else 0.0
    if not 0 < seconds <= LONGEST:
        raise SetupError(
            f"a bot thinks for a time like 0.2s or 50ms, at most {LONGEST:.0f}s, not {shown(time)}"
        )
    return seconds


def sit(spec: Spec, game: AnyGame, setup: Setup[Any], draw: Draw) -> Player:
    """Let somebody sit down at a table, with chance of their own."""
    if spec.name in LEVELS:
        return Player(levels.sit(LEVELS[spec.name], game, setup, draw), spec.seconds)
    return Player(BOTS[spec.name](game, setup, draw), spec.seconds)
