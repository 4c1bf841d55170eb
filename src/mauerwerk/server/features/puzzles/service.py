"""The puzzles of one server: those that are shipped, those of its public games, and three a day.

A day's puzzles follow from the day and from the puzzles that there were before it, so all readers
have the same. Days are those of UTC.
"""

import asyncio
import logging
from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime
from functools import cache
from hashlib import sha256
from importlib import resources
from typing import Final

import msgspec

from mauerwerk.games import GAMES
from mauerwerk.lab.analysis import fingerprint
from mauerwerk.lab.analysis.puzzles import Puzzle, cut
from mauerwerk.server.background import BackgroundService
from mauerwerk.server.engine.host import Host
from mauerwerk.server.features.puzzles import store
from mauerwerk.server.features.replay.analyses import GameAnalysed
from mauerwerk.server.ui.cache import Recent

_log = logging.getLogger(__name__)

PER_DAY: Final = 3
FIRST: Final = date(2026, 11, 1)
"""There are no puzzles for days before this one."""
DAYS: Final = 8
"""How many days are kept in memory: what was there when a day began does not change."""


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


class Puzzles(BackgroundService):
    """Finds the puzzles of a day."""

    def __init__(self, host: Host) -> None:
        super().__init__(_log, "could not keep puzzles")
        self._host = host
        self._days = Recent[tuple[Puzzle, ...]](DAYS)

    async def of(self, day: date) -> tuple[Puzzle, ...]:
        """The puzzles of a day."""
        known = self._days.get(day)
        if known is None:
            known = for_day(day, await store.before(self._host.store, day))
            self._days.put(day, known)
        return known

    def keep(self, analysed: GameAnalysed) -> asyncio.Task[None]:
        """Cut puzzles from a public game meanwhile, for the days to come."""
        return self._background.begin(self._keep(analysed))

    async def _keep(self, analysed: GameAnalysed) -> None:
        found = await asyncio.to_thread(cut, analysed.record, analysed.result.positions)
        if found:
            await store.add(self._host.store, fingerprint(analysed.record), found)
