"""How a process applies what its hosts decide, here, by a command or at another server.

Whatever they do is a line of the audit log in the database. Each process looks for new lines every
second and then does its part: it knows new blocks and keys, reads what was written at a table, and
lets go of a table that was deleted.
"""

import asyncio
import logging
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from mauerwerk.core.game import Value
from mauerwerk.server.background import Background, BackgroundService
from mauerwerk.server.database.backup import last_decision, note_decisions
from mauerwerk.server.engine.blocklist import Blocklist
from mauerwerk.server.engine.events import AccessChanged, AuditLogGrew, NamesChanged
from mauerwerk.server.engine.host import Host
from mauerwerk.server.engine.live_tables import LiveTable
from mauerwerk.server.features.moderation import state, store
from mauerwerk.server.features.moderation.state import Action, AuditEntry, Decisions
from mauerwerk.server.features.replay.analyses import Analyses
from mauerwerk.server.http import errors, identity, limits, seats
from mauerwerk.server.http.request import AppState, Request
from mauerwerk.server.keys import Keys, new_id
from mauerwerk.server.tables import folding, log
from mauerwerk.server.tables.charter import Guest
from mauerwerk.server.tables.table import Status, Table

_log = logging.getLogger(__name__)
LOOK: Final = 1.0
"""Seconds between two looks at the audit log."""
FAREWELL: Final = 2.0
"""Seconds for which a deleted table is still shown as ended to those who look at it."""
RENAMES: Final = {Action.RENAME, Action.RENAME_TABLE, Action.REWRITE_TABLE, Action.MAINTENANCE}
"""After these, what was told before may have other names in it."""


class Moderation(BackgroundService):
    """Applies in this process what the hosts of the server decide."""

    def __init__(self, host: Host, backups: str = "") -> None:
        """Nothing is known yet. In the folder of backups, decisions are noted as they are made."""
        super().__init__(_log, "could not look for what the host decided")
        self._host = host
        self._backups = backups
        self._noted = 0
        self._noting = Background(_log, "could not note beside the backups what was decided")
        self._known = self._applied = Decisions()
        self._looking = asyncio.Lock()
        host.events.subscribe(AuditLogGrew, lambda _: self.catch_up())

    async def begin(self) -> None:
        """Apply what was decided before, and look for more from now on."""
        self._known = await self._host.store.read(store.decisions)
        self._apply(renamed=False)
        self._background.repeat(self.catch_up, LOOK, first=LOOK)
        if self._backups:  # what cannot be noted now is tried again shortly, and with each backup
            self._noting.repeat(self.note_decisions, LOOK, first=LOOK)

    async def __aexit__(self, *_: object) -> None:
        """Look no more; what was decided in the last moment is noted."""
        await super().__aexit__()
        await self._noting.end()
        if self._backups:
            await asyncio.wait((self._noting.begin(self.note_decisions()),))

    def _apply(self, *, renamed: bool) -> None:
        """Let all that is known hold from now on; names may have gone from tables."""
        before, now = self._applied, self._known
        self._applied = now
        self._host.blocklist = Blocklist(now.blocks, self._host.clock)
        self._host.closed = now.closed
        if renamed:
            self._host.events.publish(NamesChanged())
        if before.who_may_enter == now.who_may_enter:
            return  # most of what is done concerns tables alone
        guest_statuses = {each.guest: each for each in now.guest_statuses}
        self._host.keys = Keys(now.secret, now.former, guest_statuses, self._host.clock, now.ended)
        self._host.events.publish(AccessChanged())

    async def catch_up(self) -> None:
        """Apply what was decided since the last look."""
        async with self._looking:
            known = self._known
            expired = known.former and self._host.clock() * 1_000 >= known.former_until
            if not expired and await self._host.store.last_audit_entry() == known.last:
                return
            self._known, entries = await self._host.store.read(
                lambda transaction: (
                    store.decisions(transaction),
                    store.audit_log(transaction, after=known.last),
                )
            )
            renamed = any(entry.action in RENAMES for entry in entries)
            try:
                for entry in reversed(entries):
                    if entry.action is Action.MAINTENANCE:
                        await self._drop_shortened()
                    elif entry.action.at_table and (live := self._host.live_tables.get(entry.what)):
                        await self._try_to_see(live, entry)
            finally:  # comes last: what is drawn after it shows the tables as they are now
                self._apply(renamed=renamed)

    async def _drop_shortened(self) -> None:
        """Let go of tables at rest that were thinned or deleted."""
        resting = {
            live.table.charter.id: live.table.seq
            for live in self._host.live_tables
            if live.table.status is not Status.RUNNING
        }
        stored = await store.lengths(self._host.store, tuple(resting))
        for table, length in resting.items():
            if stored.get(table, -1) < length:
                self._host.live_tables.drop(table)

    async def note_decisions(self) -> None:
        """Note beside the backups what must hold also after one of them is restored."""
        last = await self._host.store.read(last_decision)
        if last != self._noted:
            folder, after = Path(self._backups), self._noted
            self._noted = await self._host.store.read(
                lambda transaction: note_decisions(transaction.connection, folder, after)
            )

    async def _try_to_see(self, live: LiveTable, entry: AuditEntry) -> None:
        """The same; what cannot be read now is read with the next request to the table."""
        try:
            await self._see(live, entry)
        except Exception:  # noqa: BLE001 - other tables must not suffer for this one
            live.doubtful = True
            _log.exception("could not read what others wrote at table %s...", entry.what[:6])

    async def _see(self, live: LiveTable, entry: AuditEntry) -> None:
        tables = self._host.live_tables
        async with live.lock:
            match entry.action:
                case Action.DELETE_TABLE if live.table.status is Status.RUNNING:
                    # It is stored no more, but those who look at it are to know why it is gone.
                    gone = log.Entry(live.table.seq, entry.at, log.Kind.END, word=log.Ending.HOST)
                    live.advance(folding.after(live.table, gone))
                    loop = asyncio.get_running_loop()
                    loop.call_later(FAREWELL, tables.drop, entry.what)
                    return
                case Action.DELETE_TABLE:
                    tables.drop(entry.what)
                    return
                case Action.REWRITE_TABLE:
                    await tables.read_again(live)
                case _:
                    await tables.catch_up(live)
        self._host.attend(live)


# --- Reports ---------------------------------------------------------------------------------

LONGEST_TEXT: Final = 300
"""The most characters that a reporter may add."""


async def report(request: Request, seat: int | None, about: state.Subject, text: str = "") -> None:
    """Report the player at a seat, or with None the whole table. Raises HttpError."""
    table = await request.host.table(request.table)
    reporter, whom = seats.player_of(request, table), Guest("", "")
    if seat is not None:
        if not 0 <= seat < table.setup.seats or not table.occupants[seat].guest:
            raise errors.HttpError(422, "nobody sits there who could be reported", code="seat")
        whom = Guest(table.occupants[seat].guest, table.occupants[seat].name)
    text = identity.cleaned(text, LONGEST_TEXT)
    await send_report(
        request, table, about=about, reporter=reporter, whom=whom, seat=seat, text=text
    )


async def send_report(  # noqa: PLR0913 - all that hosts are told
    request: Request,
    table: Table,
    *,
    about: state.Subject,
    reporter: Guest,
    whom: Guest,
    seat: int | None,
    text: str,
    said: str = "",
) -> None:
    """Let the hosts know of something; `said` is what was said at the table. Raises HttpError."""
    if whom.id == reporter.id:
        raise errors.HttpError(422, "that is you", code="seat")
    request.app.limiter.report(request.client)
    made = state.Report(
        id=new_id(),
        at=request.host.now(),
        table=table.charter.id,
        game=table.charter.game,
        seat=seat,
        guest=whom.id,
        name=whom.name,
        about=about,
        text=text,
        said=said,
        reporter=reporter.id,
        reporter_name=reporter.name,
    )
    await store.add_report(request.host.store, made)


# --- Queues ----------------------------------------------------------------------------------


class Share(Value, tag=False):
    """How much of a queue one guest or client takes."""

    who: str
    count: int


class Queue(Value, tag=False):
    """Something that can be full."""

    name: str
    held: int
    limit: int | None
    """How many there may be of all; None: there is no limit."""
    limit_of_one: int | None
    """How many one guest or client may have."""
    shares: tuple[Share, ...]
    """Those who have most, the first ones first."""


TOP: Final = 5


def queues_of(app: AppState) -> tuple[Queue, ...]:
    """All queues of this process. Guests are named by their ids, clients by their addresses."""
    host, most = app.host, app.settings.limits
    return (
        _queue("bots thinking", host.bots.queue.served, host.bots.size, None),
        _queue("bots waiting", host.bots.queue.users(), None, None),
        _queue("analyses", host.service(Analyses).who_waits, most.all_analyses, most.analyses),
        _queue("connections", app.host.service(limits.Connections).held, None, most.connections),
        _queue("streams", app.limiter.streams.held, most.all_streams, most.streams),
        _queue("tables in memory", host.openers(), most.live_tables, None),
    )


def _queue(name: str, held: Mapping[str, int], limit: int | None, of_one: int | None) -> Queue:
    top = Counter(held).most_common(TOP)
    shares = tuple(Share(who, count) for who, count in top)
    return Queue(name, sum(held.values()), limit, of_one, shares)
