"""Bots at tables think in processes of their own, so that nothing but their seat waits for them.

A bot that is late, dies or answers nonsense disturbs no other: the greedy bot plays in its place.
If it is a bot of other people, it has lost its game.
Bots at tables with people come first, and those who open many tables share their processes fairly
with all others (`FairQueue`). A bot that has waited too long plays by rules of thumb.
"""

import asyncio
import logging
import time
from collections import Counter
from collections.abc import AsyncGenerator, Callable, Hashable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from functools import partial
from typing import Final, Protocol, TypeVar

from msgspec.structs import replace

from mauerwerk.bots import can_search, levels, note_unusable, why_no_search
from mauerwerk.bots.hints import Hint
from mauerwerk.core.game import Seat, shown
from mauerwerk.games import GAMES
from mauerwerk.lab.workers import AsyncWorkers, WorkerDiedError, WorkError
from mauerwerk.server.engine import thinking as thoughts
from mauerwerk.server.engine.limits import HostLimits
from mauerwerk.server.tables import errors, requests, table_views
from mauerwerk.server.tables.table import Table

_log = logging.getLogger(__name__)

_Task = TypeVar("_Task")
_Answer = TypeVar("_Answer")

IN_SERIES: Final = 8
"""A bot thinks this many times shorter about the next of several moves that are one decision."""

GRACE: Final = 20.0
"""Seconds beyond its time after which a bot is late: its process may have to start and load."""

NICE: Final = 10
"""The nice level of the process that compiles: it lets everything else go first."""


class ForfeitError(Exception):
    """A bot of other people raised an exception, hung, ended or cheated: it has lost its game."""


class Jobs(Protocol):
    """Where jobs are done, as by `AsyncWorkers`."""

    async def run(
        self,
        work: Callable[[_Task], _Answer],
        task: _Task,
        *,
        within: float | None = None,
        near: Hashable | None = None,
    ) -> _Answer:
        """The answer to a task."""
        ...

    def close(self) -> None:
        """End what runs or waits."""
        ...


class BotWorkers:
    """The processes in which the bots of a server think."""

    def __init__(
        self,
        size: int,
        limits: HostLimits | None = None,
        *,
        workers: Callable[..., Jobs] = AsyncWorkers,
    ) -> None:
        """With this many bots thinking at once; the others wait for their turn."""
        self._limits = limits or HostLimits()
        self.size = size
        self._workers = workers(size)
        self.queue = FairQueue(size)
        """Who thinks and who waits, by who opened the tables; those with people are first."""

        self.hurried = 0
        """How often a bot has waited too long, and played by rules of thumb."""

        self._compiler = workers(1, nice=NICE)
        self._advised = 0
        self._cold: set[str] = set()
        """Games whose search is not compiled yet; their bots play by rules of thumb."""

        self._searched: set[str] = set()
        """Games whose search has given advice here, so that no process has to compile it."""

        self._compiling: asyncio.Task[None] | None = None
        self._reported: set[tuple[str, str, str]] = set()
        """Failures that were logged: the game, the level and the cause."""

    def begin(self) -> None:
        """Compile the search of every game in the background. Until then no bot waits for it."""
        if can_search():
            self._cold.update(GAMES)
            self._compiling = asyncio.create_task(self._compile())
        else:
            _log.warning("bots that look ahead play by rules of thumb: %s", why_no_search())

    async def _compile(self) -> None:
        for game in GAMES:
            try:
                await self._compiler.run(thoughts.warm, game)
            except (OSError, WorkError) as fault:
                _log.exception("a search could not be compiled", extra={"game": game})
                if not isinstance(fault, WorkerDiedError):
                    note_unusable(game)
                    continue
            # If its process died, perhaps for want of memory, the first bot compiles the rest.
            self._cold.discard(game)
        self._compiler.close()

    async def choose(self, table: Table, seat: Seat, level: str, *, attended: bool = True) -> str:
        """The word that the bot at this seat plays, or the greedy bot if it cannot be asked.

        `attended` says whether people play or watch. Raises ForfeitError if a bot of other people
        failed; once it has, the greedy bot plays on for it.
        """
        game = table.charter.game
        turn = _turn(table, seat)
        known = levels.level_of(level)
        place = f"{table.charter.id}/{seat}"
        if table.occupants[seat].forfeited:
            return self._fallback(turn, level)
        bot = thoughts.BotAtSeat(known, place, game not in self._cold, self._limits.bot_threads)
        if requests.is_in_series(table, seat):  # it has thought about all of it already
            known = replace(known, seconds=known.seconds / IN_SERIES)
            bot = bot._replace(level=known)
        within = known.seconds + GRACE
        patience = self._limits.bot_wait if attended else self._limits.bot_wait_alone
        try:
            async with AsyncExitStack() as stack:
                slot = self.queue.slot(table.charter.opener, first=attended, within=patience)
                try:
                    await stack.enter_async_context(slot)
                except TimeoutError:
                    self.hurried += 1
                    return self._fallback(turn, level)
                return _checked(
                    turn,
                    await self._workers.run(
                        partial(thoughts.choose, bot), turn, within=within, near=bot.character
                    ),
                )
        except Exception as fault:
            self._report(fault, game, level)
            if known.word and not isinstance(fault, (WorkerDiedError, TimeoutError)):
                raise ForfeitError from fault
            return self._fallback(turn, level)

    def _fallback(self, turn: thoughts.Turn, level: str) -> str:
        """The word of the greedy bot, which takes about a millisecond and needs no process."""
        try:
            return thoughts.choose_simply("greedy", turn)
        except Exception as fault:  # noqa: BLE001 - as above
            self._report(fault, turn.game, level)
            return thoughts.choose_simply("uniform", turn)

    def _report(self, fault: Exception, game: str, level: str) -> None:
        """Log a failure once per cause: what fails at one table mostly fails at many."""
        cause = type(fault).__name__
        if type(fault) is WorkError:
            cause, *_ = str(fault).split(":")
        if (game, level, cause) in self._reported:
            return
        self._reported.add((game, level, cause))
        if isinstance(fault, TimeoutError):  # nothing is wrong with the program
            _log.warning(
                "a bot was not ready in time, so the greedy bot plays for it: game %s, level %s. "
                "If bots often are, the machine has too much to do",
                game,
                level,
                extra={"game": game, "level": level},
            )
        else:
            _log.error("a bot failed", exc_info=fault, extra={"game": game, "level": level})

    async def advise(
        self, table: Table, seat: Seat, seconds: float, language: str = "en"
    ) -> tuple[Hint, ...]:
        """What a strong bot would do at this seat, best first, in words of this language.

        If the people who run the server chose a bot of their own for it, what that one would do.

        Raises TooManyError if many wait for advice already, or if the advice does not come;
        WarmingUpError if it does not come because a search is being compiled.
        """
        if self._advised >= self._limits.hints * self.size:
            raise errors.TooManyError("many ask for advice right now; ask again")
        self._advised += 1
        try:
            turn = _turn(table, seat)
            guest = table.occupants[seat].guest
            if (adviser := levels.adviser_in(turn.game)) is not None:
                work = partial(thoughts.advise_as, adviser, language)
                within = adviser.seconds + GRACE
                try:
                    async with self.queue.slot(guest, first=True, within=GRACE):
                        return await self._workers.run(work, turn, within=within)
                except WorkError as fault:
                    self._report(fault, turn.game, adviser.name)  # our own bot advises instead
            seconds = 0.0 if turn.game in self._cold else seconds
            work = partial(thoughts.advise, seconds, language)
            async with self.queue.slot(guest, first=True, within=GRACE):
                found = await self._workers.run(work, turn, within=seconds + GRACE)
        except (WorkerDiedError, TimeoutError):
            if self._cold or (seconds and table.charter.game not in self._searched):
                raise errors.WarmingUpError from None
            raise errors.TooManyError("nobody has time for advice right now; ask again") from None
        else:
            if seconds:
                self._searched.add(turn.game)
            return found
        finally:
            self._advised -= 1

    def close(self) -> None:
        """End all processes, and what they think about."""
        if self._compiling is not None:
            self._compiling.cancel()
        self._compiler.close()
        self._workers.close()


def _turn(table: Table, seat: Seat) -> thoughts.Turn:
    sight = table_views.sight(table, seat)
    return thoughts.Turn(table.charter.game, table.charter.rules, table.setup, sight)


def _checked(turn: thoughts.Turn, word: str) -> str:
    """The word of a bot, if it is legal. Raises NotAWordError or WorkError."""
    if turn.played.parse(word) not in turn.sight.legal:
        raise WorkError(f"illegal move: a bot chose {shown(word)}")
    return word


# --- Waiting for a process --------------------------------------------------------------------

HALF_LIFE: Final = 60.0
"""Seconds in which half of the time that somebody has used is forgotten."""

FORGOTTEN: Final = 0.01
"""Less time than this counts as none, and its user is no longer remembered."""


@dataclass(eq=False)
class Waiting:
    """Somebody who waits for a slot."""

    user: str
    first: bool
    turn: "asyncio.Future[None]"


class FairQueue:
    """A few slots that are shared fairly: nobody who uses many keeps the others waiting.

        async with queue.slot("ada", first=True, within=5.0):
            ...

    A slot that becomes free goes to those who are to be first, then to the user who has had the
    least time lately, then to whoever has waited longest.
    """

    def __init__(self, size: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._free = size
        self._clock = clock
        self._waiting: list[Waiting] = []
        self._used: dict[str, float] = {}
        self._counted = clock()
        self.served: dict[str, int] = {}
        """How many slots each user has now."""

    def users(self) -> dict[str, int]:
        """How often each user waits."""
        return dict(Counter(each.user for each in self._waiting))

    def waiting(self, *, first: bool) -> int:
        """The number of those who wait, either to be first or not."""
        return sum(each.first == first for each in self._waiting)

    @asynccontextmanager
    async def slot(
        self, user: str, *, first: bool, within: float | None
    ) -> AsyncGenerator[None, None]:
        """Wait for a slot, and hold it. Raises TimeoutError if there is none in time."""
        if self._free and not self._waiting:
            self._free -= 1
        else:
            await self._wait(user, first=first, within=within)
        began = self._clock()
        self.served[user] = self.served.get(user, 0) + 1
        try:
            yield
        finally:
            self.served[user] -= 1
            if not self.served[user]:
                del self.served[user]
            self._forget()
            self._used[user] = self._used.get(user, 0.0) + self._clock() - began
            self._free += 1
            self._serve()

    async def _wait(self, user: str, *, first: bool, within: float | None) -> None:
        waiting = Waiting(user, first, asyncio.get_running_loop().create_future())
        self._waiting.append(waiting)
        try:
            async with asyncio.timeout(within):
                await waiting.turn
        except BaseException:
            if waiting in self._waiting:
                self._waiting.remove(waiting)
            elif not waiting.turn.cancelled():  # it was served in the same moment
                self._free += 1
                self._serve()
            raise

    def _serve(self) -> None:
        """Give the free slots to those who are next."""
        while self._free and self._waiting:
            chosen = min(
                self._waiting, key=lambda each: (not each.first, self._used.get(each.user, 0.0))
            )
            self._waiting.remove(chosen)
            if not chosen.turn.done():
                self._free -= 1
                chosen.turn.set_result(None)

    def _forget(self) -> None:
        """Let the past count less, the longer it is ago."""
        now = self._clock()
        left = 0.5 ** ((now - self._counted) / HALF_LIFE)
        self._counted = now
        used = {user: seconds * left for user, seconds in self._used.items()}
        self._used = {user: seconds for user, seconds in used.items() if seconds > FORGOTTEN}
