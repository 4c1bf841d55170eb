"""What a seat can prepare for, and playing it some time after the others have done just that.

It may prepare for what others may do before it is asked again, as far as nobody learns anything
from it. Listing such moves tells nothing. A move of which nobody learns anything is possible in
every world that fits what is known (`core.laws`), so that its being there says nothing about the
world; and one that is missing here would have shown something, whether it is possible or not.

A move that came at once would tell that it was prepared. So it comes after some minutes, like one
of a person who was just notified; how many is drawn anew each time and stored.
"""

import asyncio
import logging
import secrets
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import islice
from typing import Any, Final

from mauerwerk.core.errors import MoveError
from mauerwerk.core.game import NATURE, AnyGame, Ephemeral, Seat, Step, Value
from mauerwerk.core.record import Move
from mauerwerk.server.background import BackgroundService
from mauerwerk.server.database.errors import StorageError
from mauerwerk.server.engine.events import TableChanged, WrittenElsewhere
from mauerwerk.server.engine.host import Host
from mauerwerk.server.engine.live_tables import LiveTable
from mauerwerk.server.features.conditions import store
from mauerwerk.server.features.conditions.store import Condition
from mauerwerk.server.http.errors import HttpError
from mauerwerk.server.tables.charter import SLOW
from mauerwerk.server.tables.errors import NoTableError, OtherRulesError, RefusedError
from mauerwerk.server.tables.table import Status, Table

_log = logging.getLogger(__name__)

# --- What can be prepared for -----------------------------------------------------------------

DEPTH: Final = 4
"""The most moves of others in a line."""
MOST: Final = 40
"""The most lines that are offered."""
WORK: Final = 120
"""The most moves that show nothing and are followed to find them.

Others do not count: how many there are may be a secret."""


class PossibleLine(Value, tag=False):
    """What others do, and what the seat may do then."""

    moves: tuple[Move, ...]
    replies: tuple[str, ...]
    """Words, in canonical order."""

    @property
    def words(self) -> str:
        """The moves as in a record: `1:< 2:>`."""
        return " ".join(map(str, self.moves))


def may_prepare(table: Table) -> bool:
    """Whether moves can be prepared at a table: people play there over days."""
    return table.charter.seconds_per_move >= SLOW and table.charter.dice == "server"


def lines_for(table: Table, seat: Seat) -> tuple[PossibleLine, ...]:
    """All lines that a seat may prepare for now; none while it is asked itself."""
    if table.status is not Status.RUNNING or seat in table.waiting or not may_prepare(table):
        return ()
    tried = iter(range(WORK))
    found = _lines(table.game, table.setup.seats, table.state, seat, (), tried)
    return tuple(islice(found, MOST))


def _lines(  # noqa: PLR0913, PLR0917 - where it is, and how it came there
    game: AnyGame,
    seats: int,
    state: Any,  # noqa: ANN401 - the game's own
    seat: Seat,
    moves: tuple[Move, ...],
    tried: Iterator[int],
) -> Iterator[PossibleLine]:
    acting = game.to_act(state)
    if acting == (seat,):
        if moves:
            replies = tuple(game.write(action) for action in game.legal(state, seat))
            yield PossibleLine(moves, replies)
        return
    if len(acting) != 1 or NATURE in acting or len(moves) >= DEPTH:
        return
    for action in game.legal(state, acting[0]):
        step = game.apply(state, acting[0], action)
        if shows_nothing(game, seats, step):
            if next(tried, None) is None:
                return
            further = (*moves, Move(acting[0], game.write(action)))
            yield from _lines(game, seats, step.state, seat, further, tried)


def shows_nothing(game: AnyGame, seats: int, step: Step[Any, Any]) -> bool:
    """Whether everybody sees all of a move, and nobody learns from it what was hidden."""
    viewers = (None, *map(Seat, range(seats)))
    return all(
        not game.reveals(event)
        and not isinstance(event, Ephemeral)
        and all(game.seen(event, viewer) == event for viewer in viewers)
        for event in step.events
    )


def fits(table: Table, base: int, words: Sequence[str]) -> bool | None:
    """Whether just this has happened since a position; None: it may still."""
    if len(table.plays) < base:
        return False
    since = [str(Move(play.seat, play.word)) for play in table.plays[base:]]
    if since == [*words]:
        return True
    return None if since == [*words[: len(since)]] else False


# --- When it is played ------------------------------------------------------------------------

SOONEST: Final = 60_000
LATEST: Final = 900_000
"""Milliseconds after which a prepared move is played: between these."""
SWEEP: Final = 15.0
"""Seconds between two looks for moves that are due."""
RESERVE: Final = 120_000
"""Milliseconds before the player's time is up at which it is played at the latest."""


class Conditions(BackgroundService):
    """Keeps what is prepared, and plays it."""

    def __init__(self, host: Host) -> None:
        super().__init__(_log, "could not see to a prepared move")
        self._host = host

    async def begin(self) -> None:
        """Look for moves that are due from now on."""
        self._background.repeat(self._play_due, SWEEP)

    async def lines_for(self, table: Table, seat: Seat) -> tuple[PossibleLine, ...]:
        """What a seat can prepare for now."""
        return await asyncio.to_thread(lines_for, table, seat)

    async def prepare(self, table: Table, seat: Seat, line: str, word: str) -> None:
        """Prepare a move. It is on disk when this returns. Raises HttpError."""
        offered = {each.words: each for each in await self.lines_for(table, seat)}
        if line not in offered:
            raise HttpError(
                422,
                "this cannot be prepared for: it does not come to that, or "
                "somebody would learn something on the way",
            )
        if word not in offered[line].replies:
            raise HttpError(422, "that move is not possible then")
        occupant = table.occupants[seat]
        made = Condition(
            id="",
            table_id=table.charter.id,
            seat=seat,
            guest=occupant.guest,
            tenure=occupant.tenure,
            base=len(table.plays),
            line=line,
            word=word,
            due=None,
        )
        if not await store.prepare(self._host.store, made):
            raise HttpError(409, f"you can prepare {store.MOST} moves at a time")
        # The others may have moved meanwhile.
        await self.look_at(await self._host.table(table.charter.id))

    def table_changed(self, event: TableChanged | WrittenElsewhere) -> None:
        """See whether what was prepared for has happened; whoever moved need not wait for it."""
        if may_prepare(event.live.table):
            self._background.begin(self._look_later(event.live))

    async def _look_later(self, live: LiveTable) -> None:
        """At the table as it is after the conditions were read: one that is older lacks moves."""
        kept = await store.conditions_at(self._host.store, live.table.charter.id)
        await self._judge(live.table, kept)

    async def look_at(self, table: Table) -> None:
        """See what has become of the moves that are prepared at a table."""
        await self._judge(table, await store.conditions_at(self._host.store, table.charter.id))

    async def _judge(self, table: Table, kept: tuple[Condition, ...]) -> None:
        gone: list[str] = []
        for each in kept:
            happened = self._happened(table, each)
            if happened is False:
                gone.append(each.id)
            elif happened and each.due is None:
                await store.set_due(self._host.store, each.id, self._when(table, each))
            elif not happened and each.due is not None:
                await store.set_due(self._host.store, each.id, None)
        if gone:
            await store.lapse(self._host.store, tuple(gone))

    def _happened(self, table: Table, each: Condition) -> bool | None:
        """Whether it is to be played; None: not yet."""
        occupant = table.occupants[each.seat]
        theirs = occupant.guest == each.guest and occupant.tenure == each.tenure
        if not theirs or occupant.level or table.status is not Status.RUNNING:
            return False
        happened = fits(table, each.base, each.line.split())
        if happened and (table.waiting != (each.seat,) or table.proposal is not None):
            return None
        return happened

    def _when(self, table: Table, each: Condition) -> int:
        later = self._host.now() + SOONEST + secrets.randbelow(LATEST - SOONEST)
        limit = table.runs_out(each.seat)
        return later if limit is None else min(later, limit - RESERVE)

    async def _play_due(self) -> None:
        with suppress(StorageError):
            for each in await store.due_conditions(self._host.store, self._host.now()):
                await self._play(each)

    async def _play(self, each: Condition) -> None:
        """Play it, if that is still what was prepared for; then it is forgotten."""
        try:
            table = await self._host.table(each.table_id)
        except (NoTableError, OtherRulesError):
            return
        if self._happened(table, each) is not True:
            await self.look_at(table)
            return
        version = table.number(each.seat)
        with suppress(MoveError, RefusedError):  # the player was faster
            await self._host.move(
                each.table_id,
                each.seat,
                each.word,
                version,
                f"prepared {each.id}",
                tenure=each.tenure,
            )
        await store.lapse(self._host.store, (each.id,))
