"""Where the people who run a server write down what they decide, beside running servers.

    with transaction_at(place, by="command") as transaction:
        transaction.block(Blocked.GUEST, guest, "insults", until=None)

All of it is one transaction, and every action is a line of the audit log. Servers look for new
lines every second (`features.moderation.service`), so that all follow, wherever it was done.
"""

import secrets
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache
from typing import Any, Final, TypeVar

import msgspec
import sqlalchemy as sa

from mauerwerk.server.database import batches, schema
from mauerwerk.server.database.database import entries_of, stored_of
from mauerwerk.server.database.metadata import NAMED
from mauerwerk.server.database.schema import (
    ENTRIES,
    OWNERS,
    SECRET,
    SECRET_BYTES,
    SERVER_STATE,
    TABLES,
)
from mauerwerk.server.database.store import OvertakenError, Stored
from mauerwerk.server.engine.blocklist import Block, Blocked
from mauerwerk.server.features.accounts.schema import ENDED
from mauerwerk.server.features.moderation.schema import AUDIT, BLOCKS, GUEST_STATUS, REPORTS
from mauerwerk.server.features.moderation.state import (
    Action,
    AdminError,
    AuditEntry,
    Decisions,
    Report,
)
from mauerwerk.server.features.notifications.schema import without_address
from mauerwerk.server.keys import GuestStatus
from mauerwerk.server.tables import requests
from mauerwerk.server.tables.errors import OtherRulesError, RefusedError
from mauerwerk.server.tables.folding import fold
from mauerwerk.server.tables.log import Ending, Entry
from mauerwerk.server.tables.requests import PendingEntries
from mauerwerk.server.tables.table import Status
from mauerwerk.server.tables.transcript import transcript

CLOSED: Final = "closed"
FORMER: Final = "secret-before"
"""The names of settings. The former secret has the time until which it counts before it."""

TIME_BYTES: Final = 8
DAY: Final = 86_400_000

_Made = TypeVar("_Made")

Write = Callable[[PendingEntries], object]
"""Looks at a table, and adds entries."""


class Transaction:
    """What was decided, and how to decide more, in one transaction."""

    def __init__(self, connection: sa.Connection, by: str, now: int) -> None:
        """Write in this transaction, for somebody who acts in this way."""
        self.connection = connection
        self.now = now
        self._by = by
        self.audited = False
        """Whether it has added to the audit log."""

    # --- Reading -----------------------------------------------------------------------------

    def decisions(self) -> Decisions:
        """All that servers have to apply."""
        held = {row.name: bytes(row.value) for row in self._rows(sa.select(SERVER_STATE))}
        former = held.get(FORMER, bytes(TIME_BYTES))
        until = int.from_bytes(former[:TIME_BYTES])
        blocks = (_made(Block, BLOCKS, row) for row in self._rows(sa.select(BLOCKS)))
        return Decisions(
            last=self.connection.scalar(sa.select(sa.func.max(AUDIT.c.id))) or 0,
            blocks=tuple(block for block in blocks if block.holds(self.now)),
            guest_statuses=tuple(
                _made(GuestStatus, GUEST_STATUS, row) for row in self._rows(sa.select(GUEST_STATUS))
            ),
            closed=CLOSED in held,
            secret=held.get(SECRET, b""),
            former=former[TIME_BYTES:] if self.now < until else b"",
            former_until=until,
            ended=tuple(row.id for row in self._rows(ENDED)),
        )

    def audit_log(self, *, after: int = 0, most: int | None = None) -> tuple[AuditEntry, ...]:
        """The audit log beyond that number, the last first."""
        wanted = sa.select(AUDIT).where(AUDIT.c.id > after).order_by(AUDIT.c.id.desc())
        return tuple(_made(AuditEntry, AUDIT, row) for row in self._rows(wanted.limit(most)))

    def _rows(self, wanted: "sa.Select[Any]") -> Sequence[sa.Row[Any]]:
        return self.connection.execute(wanted).all()

    # --- Tables ------------------------------------------------------------------------------

    def end_table(self, table: str, reason: str = "", why: Ending = Ending.HOST) -> bool:
        """End a running game, whose players are told so. Raises AdminError."""
        try:
            return self.act(
                table, Action.END_TABLE, lambda it: requests.end(it, why), detail=reason
            )
        except OtherRulesError:
            from mauerwerk.server.features.table.end_unsupported import end_unread  # noqa: PLC0415 - builds upon this

            return end_unread(self, table, why)

    def delete_table(self, table: str, reason: str = "") -> None:
        """Delete a table with its log. Raises AdminError."""
        for owned in schema.OF_TABLE:
            self.connection.execute(sa.delete(owned).where(owned.c.table_id == table))
        if not self.connection.execute(sa.delete(TABLES).where(TABLES.c.id == table)).rowcount:
            raise AdminError(f"there is no table {table}")
        self.audit(Action.DELETE_TABLE, table, reason)

    def act(self, table: str, action: Action, write: Write, *, detail: str) -> bool:
        """Write at a table as a server would; whether there was anything to write."""
        stored = self.stored(table)
        before = fold(stored.charter, stored.entries)
        pending = PendingEntries(before, stored.seed, self.now)
        try:
            write(pending)
        except RefusedError as fault:
            raise AdminError(f"table {table} is not running") from fault
        if not pending.entries:
            return False
        after = pending.table
        over = after.status is Status.OVER and before.status is not Status.OVER
        record = transcript(after, stored.seed) if over else None
        self._put(batches.change(table, pending.entries, after.card(), after.owners, record))
        self.audit(action, table, detail)
        return True

    def stored(self, table: str, *, held: bool = True) -> Stored:
        """A table as it is kept; if `held`, nobody changes it meanwhile. Raises AdminError."""
        wanted = sa.select(*schema.STORED).where(TABLES.c.id == table)
        row = self.connection.execute(wanted.with_for_update() if held else wanted).first()
        if row is None:
            raise AdminError(f"there is no table {table}")
        return stored_of(tuple(row), self.log(table))

    def log(self, table: str) -> tuple[Entry, ...]:
        """The log of a table, of which the record has the moves if it was thinned."""
        log = sa.select(*list(ENTRIES.c)[1:]).where(ENTRIES.c.table_id == table)
        return entries_of([tuple(each) for each in self._rows(log.order_by(ENTRIES.c.seq))])

    def _put(self, batch: batches.Batch) -> None:
        say = _statements(self.connection.dialect.name)
        cursor = self.connection.connection.cursor()
        for statement, rows in say.writing([batch]):
            cursor.executemany(statement.sql, rows)
            if statement is say.update_table and cursor.rowcount < len(rows):
                raise OvertakenError("somebody has just played there; try again")

    def _at_tables_of(self, guest: str, action: Action, write: Write, *statuses: Status) -> int:
        """Write at the tables where a guest sits; at how many."""
        theirs = sa.select(OWNERS.c.table_id).where(OWNERS.c.guest == guest)
        wanted = sa.select(TABLES.c.id).where(
            TABLES.c.id.in_(theirs), TABLES.c.status.in_([status.value for status in statuses])
        )
        done = 0
        for row in self._rows(wanted.order_by(TABLES.c.id)):  # locked in order, as all who write do
            with suppress(OtherRulesError):  # nobody can play there
                done += self.act(row.id, action, write, detail=guest)
        return done

    # --- Guests and networks -----------------------------------------------------------------

    def block(self, kind: Blocked, what: str, reason: str, until: int | None) -> None:
        """Keep a guest or a network out, until then; bots play on for a guest.

        Raises AdminError.
        """
        if not what:  # it would be all who have no name yet
            raise AdminError(f"say whom to block: the id of a {kind}")
        if until is not None and until <= self.now:
            raise AdminError("a block ends in the future, or never")
        self._drop(BLOCKS, BLOCKS.c.kind == kind, BLOCKS.c.what == what)
        values = {"reason": reason, "since": self.now, "until": until}
        self.connection.execute(sa.insert(BLOCKS).values(kind=kind, what=what, **values))
        self.audit(Action.BLOCK, f"{kind} {what}", reason)
        if kind is Blocked.GUEST:
            self._at_tables_of(
                what,
                Action.SEND_AWAY_TABLE,
                lambda it: requests.send_away(it, what),
                Status.OPEN,
                Status.RUNNING,
            )

    def unblock(self, kind: Blocked, what: str) -> None:
        """Let a guest or a network in again. Raises AdminError."""
        if not self._drop(BLOCKS, BLOCKS.c.kind == kind, BLOCKS.c.what == what):
            raise AdminError(f"the {kind} {what} is not blocked")
        self.audit(Action.UNBLOCK, f"{kind} {what}", "")

    def log_out(self, guest: str) -> None:
        """Make every cookie, token and personal link of a guest invalid, and send no more."""
        self.set_status(guest, logged_out=self.now)
        self.connection.execute(without_address(guest))
        self.audit(Action.LOG_OUT, guest, "")

    def rename(self, guest: str, name: str) -> None:
        """Call a guest by another name, here and at all their tables that are not over."""
        self.set_status(guest, name=name, renamed=self.now)
        for whose in NAMED:
            named = sa.update(whose.table).where(whose == guest)
            self.connection.execute(named.values(name=name))
        self.audit(Action.RENAME, guest, name)
        self._at_tables_of(
            guest,
            Action.RENAME_TABLE,
            lambda it: requests.rename(it, guest, name),
            Status.OPEN,
            Status.RUNNING,
        )

    def set_status(self, guest: str, **changes: int | str) -> None:
        """Change what holds for a guest, without a line in the audit log."""
        mine = GUEST_STATUS.c.guest == guest
        found = self.connection.execute(sa.select(GUEST_STATUS).where(mine)).first()
        status = _made(GuestStatus, GUEST_STATUS, found) if found else GuestStatus(guest)
        changed = msgspec.structs.asdict(msgspec.structs.replace(status, **changes))
        self._drop(GUEST_STATUS, mine)
        self.connection.execute(sa.insert(GUEST_STATUS).values(**changed))

    # --- Reports -----------------------------------------------------------------------------

    def add_report(self, report: Report) -> None:
        """Keep what a player reports, instead of what they reported of the same before.

        It is no action of the host, and not in the audit log.
        """
        same = (
            REPORTS.c.reporter == report.reporter,
            REPORTS.c.table_id == report.table,
            REPORTS.c.guest == report.guest,
            REPORTS.c.about == report.about,
            REPORTS.c.resolved == "",
        )
        self._drop(REPORTS, *same)
        values = msgspec.structs.asdict(report)
        table = values.pop("table")
        self.connection.execute(sa.insert(REPORTS).values(table_id=table, **values))

    def resolve(self, report: str, how: str) -> Report:
        """Note how a report was dealt with. Raises AdminError."""
        row = self.connection.execute(sa.select(REPORTS).where(REPORTS.c.id == report)).first()
        if row is None:
            raise AdminError(f"there is no report {report}")
        self.connection.execute(
            sa.update(REPORTS).where(REPORTS.c.id == report).values(resolved=how)
        )
        self.audit(Action.RESOLVE, report, how)
        return report_in(row)

    # --- The server --------------------------------------------------------------------------

    def close(self, *, closed: bool) -> None:
        """Take no new tables from now on, or take them again."""
        self._set(CLOSED, b"1" if closed else None)
        self.audit(Action.CLOSE if closed else Action.REOPEN, "", "")

    def rotate_secret(self, grace: int) -> None:
        """Sign with a new secret; the old one stays valid for this many milliseconds."""
        old = self.connection.scalar(
            sa.select(SERVER_STATE.c.value).where(SERVER_STATE.c.name == SECRET)
        )
        until = (self.now + grace).to_bytes(TIME_BYTES)
        self._set(FORMER, until + bytes(old) if old and grace else None)
        self._set(SECRET, secrets.token_bytes(SECRET_BYTES))
        said = f"old links are valid for {grace // DAY} days" if grace else "old links are invalid"
        self.audit(Action.ROTATE, "", said)

    # --- Writing -----------------------------------------------------------------------------

    def audit(self, action: Action, what: str, detail: str) -> None:
        """Add a line to the audit log."""
        last = self.connection.scalar(sa.select(sa.func.max(AUDIT.c.id))) or 0
        values = {"at": self.now, "by": self._by, "what": what, "detail": detail}
        self.connection.execute(sa.insert(AUDIT).values(id=last + 1, action=action, **values))
        self.audited = True

    def _set(self, name: str, value: bytes | None) -> None:
        self._drop(SERVER_STATE, SERVER_STATE.c.name == name)
        if value is not None:
            self.connection.execute(sa.insert(SERVER_STATE).values(name=name, value=value))

    def _drop(self, table: sa.Table, *where: "sa.ColumnElement[bool]") -> int:
        return self.connection.execute(sa.delete(table).where(*where)).rowcount


def report_in(row: sa.Row[Any]) -> Report:
    """A report as it is kept."""
    values = _values(REPORTS, row)
    values["table"] = values.pop("table_id")
    return msgspec.convert(values, Report)


def _made(kind: type[_Made], table: sa.Table, row: sa.Row[Any]) -> _Made:
    return msgspec.convert(_values(table, row), kind)


def _values(table: sa.Table, row: sa.Row[Any]) -> dict[str, Any]:
    return {str(column.name): value for column, value in zip(table.columns, row, strict=True)}


@cache
def _statements(database: str) -> schema.Statements:
    """What a store says to this kind of database."""
    if database == "sqlite":
        return schema.Statements("sqlite://", "qmark")
    return schema.Statements("postgresql+psycopg://", "format")
