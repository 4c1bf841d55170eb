"""Which puzzles there are, and which three are for a day.

A day's puzzles follow from the day and from the puzzles that there were before it, so all readers
have the same. Days are those of UTC.
"""

from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime
from functools import cache
from hashlib import sha256
from importlib import resources
from typing import Final

import msgspec

from mauerwerk.games import GAMES
from mauerwerk.lab.analysis.puzzles import Puzzle

PER_DAY: Final = 3
FIRST: Final = date(2026, 11, 1)
"""There are no puzzles for days before this one."""


def today() -> date:
    """The day, which is the same for everybody."""
    return datetime.now(UTC).date()


@cache
def shipped() -> tuple[Puzzle, ...]:
    """The puzzles that come with the program, mixed: neighbours in the file are of one game."""
    lines = (
        resources.files("mauerwerk.server.features.puzzles")
        .joinpath("puzzles.jsonl")
        .read_bytes()
        .splitlines()
    )
    mixed = sorted(lines, key=lambda line: sha256(line).digest())
    return tuple(msgspec.json.decode(line, type=Puzzle) for line in mixed)


def for_day(day: date, added: Sequence[Puzzle] = ()) -> tuple[Puzzle, ...]:
    """The puzzles of a day: one of each game in turn, each in the order in which they came."""
    pools = _by_game((*shipped(), *added))
    names = [name for name in GAMES if name in pools]
    number = day.toordinal()
    found: list[Puzzle] = []
    for place in range(PER_DAY if names else 0):
        name = names[(number + place) % len(names)]
        pool = pools[name]
        turn = number + place // len(names)  # where there are fewer games than puzzles
        found.append(pool[turn % len(pool)])
    return tuple(found)


def _by_game(puzzles: Sequence[Puzzle]) -> Mapping[str, Sequence[Puzzle]]:
    pools: dict[str, list[Puzzle]] = {}
    for puzzle in puzzles:
        pools.setdefault(puzzle.record.partition("/")[0], []).append(puzzle)
    return pools
