"""Bots think in processes of their own, so that nobody waits for them but their seat.

A worker is told what the seat's bot may know (`Sight`) and nothing else of the table.
"""

import asyncio
import logging
import multiprocessing
import multiprocessing.process
import os
import random
import secrets
from collections.abc import Callable, Mapping
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
from functools import cache
from importlib import import_module
from typing import Any, Final, NamedTuple, TypeVar

import msgspec

from mauerwerk.bots import can_search
from mauerwerk.bots.hints import Hint, hints
from mauerwerk.bots.levels import LEVELS, sit
from mauerwerk.core.game import Chance, Seat, Setup
from mauerwerk.core.language.translation import language_of
from mauerwerk.core.sight import Sight
from mauerwerk.games import GAMES
from mauerwerk.lab.workers.processes import end_with_parent
from mauerwerk.play.tables.errors import TooManyError
from mauerwerk.play.tables.sights import sight
from mauerwerk.play.tables.table import Table

T = TypeVar("T")
Given = TypeVar("Given")

_Process = multiprocessing.process.BaseProcess
_CONTEXT: Final = multiprocessing.get_context("spawn")

_log = logging.getLogger(__name__)

GRACE: Final = 20.0
"""Seconds beyond its time after which a bot is no longer waited for; the first compiles."""

MOST_ADVISED: Final = 2
"""So many a worker may wait for advice; more of them would keep the bots from their turns."""


class BotAtSeat(NamedTuple):
    """A bot at a seat.

    What it is made with is the same each time it is asked, so that what it has forgotten it has
    forgotten. What it does then is chance.
    """

    level: str
    character: str
    ahead: bool
    """Whether it may search; while that is being compiled, rules of thumb must do."""


class BotWorkers:
    """Worker processes, started when first needed and again should one die."""

    def __init__(self, workers: int) -> None:
        """With this many bots thinking at once; the rest wait in line."""
        self._workers = workers
        self._free = asyncio.Semaphore(workers)
        """Who waits in line is not thinking yet, and does not run out of time."""

        self._advised = 0
        self._pool: ProcessPoolExecutor | None = None
        self._compiling: _Process | None = None

    def begin(self) -> None:
        """Compile the search, beside everything else. Until then nobody waits for it."""
        if can_search():
            self._compiling = _CONTEXT.Process(target=_compile, daemon=True)
            self._compiling.start()

    @property
    def _ahead(self) -> bool:
        return self._compiling is None or not self._compiling.is_alive()

    async def choose(self, table: Table, seat: Seat, level: str) -> str:
        """The word that the bot at this seat plays; any legal one if it fails."""
        seen = sight(table, seat)
        who = BotAtSeat(level, f"{table.charter.id}/{seat}", self._ahead)
        within = LEVELS[level].seconds + GRACE
        try:
            word = await self._run(within, _choose, table, seen, who)
            table.game.apply(table.state, seat, table.game.parse(word))
        except Exception:  # noqa: BLE001 - whatever befalls a bot, its table goes on
            _log.exception("a bot failed", extra={"game": table.charter.game, "level": level})
            return table.game.write(secrets.choice(seen.legal))
        return word

    async def advise(
        self, table: Table, seat: Seat, seconds: float, language: str = "en"
    ) -> tuple[Hint, ...]:
        """What a strong bot would do at this seat, best first, in words of this language.

        Raises TooManyError where many wait for advice already.
        """
        if self._advised >= MOST_ADVISED * self._workers:
            raise TooManyError("many ask for advice right now; ask again")
        self._advised += 1
        try:
            seen = sight(table, seat)
            seconds = seconds if self._ahead else 0.0
            return await self._run(seconds + GRACE, _advise, table, seen, (seconds, language))
        finally:
            self._advised -= 1

    async def _run(
        self,
        within: float,
        work: Callable[[str, Setup[Any], Sight[Any, Any, Any], Given], T],
        table: Table,
        seen: Sight[Any, Any, Any],
        given: Given,
    ) -> T:
        loop = asyncio.get_running_loop()
        async with self._free:
            pool = self._pool = self._pool or ProcessPoolExecutor(
                self._workers, mp_context=_CONTEXT, initializer=end_with_parent
            )
            try:
                job = loop.run_in_executor(pool, work, table.charter.game, table.setup, seen, given)
                return await asyncio.wait_for(job, within)
            except (BrokenExecutor, TimeoutError):
                if self._pool is pool:  # else somebody has begun anew already
                    self._pool = None
                    _end(pool)
                raise

    def close(self) -> None:
        """Let nobody think any longer."""
        if self._compiling is not None:
            self._compiling.kill()
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)


def _end(pool: ProcessPoolExecutor) -> None:
    """Let nobody of this pool think any longer: one of them has died, or thinks for ever."""
    # Nothing that is public ends them.
    processes: Mapping[int, _Process] = getattr(pool, "_processes", None) or {}
    for process in list(processes.values()):
        process.kill()
    pool.shutdown(wait=False, cancel_futures=True)


def _compile() -> None:
    """Compile the search of every game, out of everybody's way; it is kept on disk."""
    end_with_parent()
    os.nice(10)
    for name in GAMES:
        _warm(name)


@cache
def _warm(name: str) -> None:
    """Compile the search of a game, or load it, once a process: not in the time of a decision."""
    game = GAMES[name]
    warm = import_module("mauerwerk.kernels.search.search").warm
    warm(game, Setup(game.SEATS[0], game.OPTIONS()))


def _choose(name: str, setup: Setup[Any], seen: Sight[Any, Any, Any], who: BotAtSeat) -> str:
    game = GAMES[name]
    level = LEVELS[who.level]
    if not who.ahead:
        level = msgspec.structs.replace(level, looks_ahead=False)
    source: Chance = random.Random(who.character).randrange  # noqa: S311 - no secret

    def draw(bound: int, /) -> int:
        return source(bound)

    if level.looks_ahead and can_search():
        _warm(name)
    bot = sit(level, game, setup, draw)
    source = _draw()
    return game.write(bot.act(seen, level.seconds))


def _advise(
    name: str, setup: Setup[Any], seen: Sight[Any, Any, Any], asked: tuple[float, str]
) -> tuple[Hint, ...]:
    seconds, code = asked
    if seconds > 0 and can_search():
        _warm(name)
    return hints(GAMES[name], setup, seen, _draw(), seconds, language=language_of(code))


def _draw() -> Chance:
    return random.SystemRandom().randrange
