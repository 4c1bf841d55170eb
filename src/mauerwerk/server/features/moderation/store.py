"""What hosts decide, in the database: blocks, reports, names, tables ended or deleted, the secret.

Every action is a line of the audit log. Servers look for new lines every second (`service`), so
that all of them follow, wherever it was done.
"""

import secrets
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, Final, TypeVar

import msgspec
import sqlalchemy as sa

from mauerwerk.server.database import rows
from mauerwerk.server.database.queries import command, query
from mauerwerk.server.database.schema import (
    AUDIT,
    ENDED,
    ENTRIES,
    GUEST_STATUS,
    METADATA,
    NAMED,
    OWNERS,
    SECRET,
    SECRET_BYTES,
    SERVER_STATE,
    TABLES,
)
from mauerwerk.server.database.transaction import Transaction
from mauerwerk.server.engine.blocklist import Block, Blocked
from mauerwerk.server.features.moderation.schema import BLOCKS, REPORTS
from mauerwerk.server.features.moderation.state import (
    Action,
    AdminError,
    AuditEntry,
    Decisions,
    Report,
)
from mauerwerk.server.features.notifications.schema import without_address
from mauerwerk.server.keys import GuestStatus
from mauerwerk.server.tables import errors, folding, log, requests
from mauerwerk.server.tables.table import Card, Status
from mauerwerk.server.tables.transcript import transcript

CLOSED: Final = "closed"
FORMER: Final = "secret-before"
"""Names in `server_state`. The former secret has the time until which it counts before it."""

TIME_BYTES: Final = 8
DAY: Final = 86_400_000

_Made = TypeVar("_Made")

Write = Callable[[requests.PendingEntries], object]
"""Looks at a table, and adds entries."""


# --- Reading -----------------------------------------------------------------------------


@query
def decisions(transaction: Transaction) -> Decisions:
    """All that servers have to apply."""
    held = {row.name: bytes(row.value) for row in _rows(transaction, sa.select(SERVER_STATE))}
    former = held.get(FORMER, bytes(TIME_BYTES))
    until = int.from_bytes(former[:TIME_BYTES])
    blocks = (_made(Block, BLOCKS, row) for row in _rows(transaction, sa.select(BLOCKS)))
    return Decisions(
        last=transaction.scalar(sa.select(sa.func.max(AUDIT.c.id))) or 0,
        blocks=tuple(block for block in blocks if block.holds(transaction.now)),
        guest_statuses=tuple(
            _made(GuestStatus, GUEST_STATUS, row)
            for row in _rows(transaction, sa.select(GUEST_STATUS))
        ),
        closed=CLOSED in held,
        secret=held.get(SECRET, b""),
        former=former[TIME_BYTES:] if transaction.now < until else b"",
        former_until=until,
        ended=tuple(row.id for row in _rows(transaction, ENDED)),
    )


@query
def audit_log(
    transaction: Transaction, *, after: int = 0, most: int | None = None
) -> tuple[AuditEntry, ...]:
    """The audit log beyond that number, the last first."""
    wanted = sa.select(AUDIT).where(AUDIT.c.id > after).order_by(AUDIT.c.id.desc())
    return tuple(_made(AuditEntry, AUDIT, row) for row in _rows(transaction, wanted.limit(most)))


def _rows(transaction: Transaction, wanted: "sa.Select[Any]") -> Sequence[sa.Row[Any]]:
    return transaction.execute(wanted).all()


# --- Tables ----------------------------------------------------------------------------------


@command(by="page")
def end_table(
    transaction: Transaction, table: str, reason: str = "", why: log.Ending = log.Ending.HOST
) -> bool:
    """End a running game, whose players are told so. Raises AdminError."""
    try:
        return write_at(
            transaction, table, Action.END_TABLE, lambda it: requests.end(it, why), detail=reason
        )
    except errors.OtherRulesError:
        return _end_unsupported(transaction, table, why)


def _end_unsupported(transaction: Transaction, table: str, why: log.Ending) -> bool:
    """End a game whose log cannot be read here; a program with its rules reads it as any other."""
    wanted = sa.select(TABLES).where(TABLES.c.id == table).with_for_update()
    row = transaction.execute(wanted).first()
    if row is None or row.status != Status.RUNNING:
        return False
    entry = log.Entry(row.length, transaction.now, log.Kind.END, word=why)
    card = msgspec.structs.replace(
        msgspec.json.decode(row.card, type=Card),
        status=Status.OVER,
        changed=transaction.now,
        waiting=(),
        due=None,
    )
    values = {
        "status": Status.OVER.value,
        "changed": transaction.now,
        "due": None,
        "length": row.length + 1,
        "card": msgspec.json.encode(card).decode(),
        "size": row.size + rows.log_size([entry]),
    }
    added = {"table_id": table, **msgspec.structs.asdict(entry)}
    for statement in (
        sa.update(TABLES).where(TABLES.c.id == table).values(**values),
        sa.insert(ENTRIES).values(**added),
        sa.update(OWNERS).where(OWNERS.c.table_id == table).values(changed=transaction.now),
    ):
        transaction.execute(statement)
    transaction.audit(Action.END_TABLE, table, "")
    return True


@command(by="page")
def delete_table(transaction: Transaction, table: str, reason: str = "") -> None:
    """Delete a table with its log. Raises AdminError."""
    if not transaction.delete(table):
        raise AdminError(f"there is no table {table}")
    transaction.audit(Action.DELETE_TABLE, table, reason)


def write_at(
    transaction: Transaction, table: str, action: Action, write: Write, *, detail: str
) -> bool:
    """Write at a table as a server would; whether there was anything to write."""
    stored = transaction.load(table)
    if stored is None:
        raise AdminError(f"there is no table {table}")
    before = folding.fold(stored.charter, stored.entries)
    pending = requests.PendingEntries(before, stored.seed, transaction.now)
    try:
        write(pending)
    except errors.RefusedError as fault:
        raise AdminError(f"table {table} is not running") from fault
    if not pending.entries:
        return False
    after = pending.table
    over = after.status is Status.OVER and before.status is not Status.OVER
    record = transcript(after, stored.seed) if over else None
    transaction.put(rows.change(table, pending.entries, after.card(), after.owners, record))
    transaction.audit(action, table, detail)
    return True


def _at_tables_of(
    transaction: Transaction, guest: str, action: Action, write: Write, *statuses: Status
) -> int:
    """Write at the tables where a guest sits; at how many."""
    theirs = sa.select(OWNERS.c.table_id).where(OWNERS.c.guest == guest)
    wanted = sa.select(TABLES.c.id).where(
        TABLES.c.id.in_(theirs), TABLES.c.status.in_([status.value for status in statuses])
    )
    done = 0
    for row in _rows(
        transaction, wanted.order_by(TABLES.c.id)
    ):  # locked in order, as all writers do
        with suppress(errors.OtherRulesError):  # nobody can play there
            done += write_at(transaction, row.id, action, write, detail=guest)
    return done


# --- Guests and networks ---------------------------------------------------------------------


@command(by="page")
def block(
    transaction: Transaction, kind: Blocked, what: str, reason: str, until: int | None
) -> None:
    """Keep a guest or a network out, until then; bots play on for a guest.

    Raises AdminError.
    """
    if not what:  # it would be all who have no name yet
        raise AdminError(f"say whom to block: the id of a {kind}")
    if until is not None and until <= transaction.now:
        raise AdminError("a block ends in the future, or never")
    _drop(transaction, BLOCKS, BLOCKS.c.kind == kind, BLOCKS.c.what == what)
    values = {"reason": reason, "since": transaction.now, "until": until}
    transaction.execute(sa.insert(BLOCKS).values(kind=kind, what=what, **values))
    transaction.audit(Action.BLOCK, f"{kind} {what}", reason)
    if kind is Blocked.GUEST:
        _at_tables_of(
            transaction,
            what,
            Action.SEND_AWAY_TABLE,
            lambda it: requests.send_away(it, what),
            Status.OPEN,
            Status.RUNNING,
        )


@command(by="page")
def unblock(transaction: Transaction, kind: Blocked, what: str) -> None:
    """Let a guest or a network in again. Raises AdminError."""
    if not _drop(transaction, BLOCKS, BLOCKS.c.kind == kind, BLOCKS.c.what == what):
        raise AdminError(f"the {kind} {what} is not blocked")
    transaction.audit(Action.UNBLOCK, f"{kind} {what}", "")


@command(by="page")
def log_out(transaction: Transaction, guest: str) -> None:
    """Make every cookie, token and personal link of a guest invalid, and send no more."""
    set_status(transaction, guest, logged_out=transaction.now)
    transaction.execute(without_address(guest))
    transaction.audit(Action.LOG_OUT, guest, "")


@command(by="page")
def rename(transaction: Transaction, guest: str, name: str) -> None:
    """Call a guest by another name, here and at all their tables that are not over."""
    set_status(transaction, guest, name=name, renamed=transaction.now)
    for table in METADATA.sorted_tables:
        for whose in table.c:
            if whose.info.get(NAMED):
                renamed = sa.update(table).where(whose == guest).values(name=name)
                transaction.execute(renamed)
    transaction.audit(Action.RENAME, guest, name)
    _at_tables_of(
        transaction,
        guest,
        Action.RENAME_TABLE,
        lambda it: requests.rename(it, guest, name),
        Status.OPEN,
        Status.RUNNING,
    )


def set_status(transaction: Transaction, guest: str, **changes: int | str) -> None:
    """Change what holds for a guest, without a line in the audit log."""
    mine = GUEST_STATUS.c.guest == guest
    found = transaction.execute(sa.select(GUEST_STATUS).where(mine)).first()
    status = _made(GuestStatus, GUEST_STATUS, found) if found else GuestStatus(guest)
    changed = msgspec.structs.asdict(msgspec.structs.replace(status, **changes))
    _drop(transaction, GUEST_STATUS, mine)
    transaction.execute(sa.insert(GUEST_STATUS).values(**changed))


# --- Reports ---------------------------------------------------------------------------------


@command(by="")
def add_report(transaction: Transaction, report: Report) -> None:
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
    _drop(transaction, REPORTS, *same)
    values = msgspec.structs.asdict(report)
    table = values.pop("table")
    transaction.execute(sa.insert(REPORTS).values(table_id=table, **values))


@command(by="page")
def resolve(transaction: Transaction, report: str, how: str) -> Report:
    """Note how a report was dealt with. Raises AdminError."""
    row = transaction.execute(sa.select(REPORTS).where(REPORTS.c.id == report)).first()
    if row is None:
        raise AdminError(f"there is no report {report}")
    transaction.execute(sa.update(REPORTS).where(REPORTS.c.id == report).values(resolved=how))
    transaction.audit(Action.RESOLVE, report, how)
    return report_in(row)


# --- The server ------------------------------------------------------------------------------


@command(by="page")
def close(transaction: Transaction, *, closed: bool) -> None:
    """Take no new tables from now on, or take them again."""
    _set(transaction, CLOSED, b"1" if closed else None)
    transaction.audit(Action.CLOSE if closed else Action.REOPEN, "", "")


@command(by="page")
def rotate_secret(transaction: Transaction, grace: int) -> None:
    """Sign with a new secret; the old one stays valid for this many milliseconds."""
    old = transaction.scalar(sa.select(SERVER_STATE.c.value).where(SERVER_STATE.c.name == SECRET))
    until = (transaction.now + grace).to_bytes(TIME_BYTES)
    _set(transaction, FORMER, until + bytes(old) if old and grace else None)
    _set(transaction, SECRET, secrets.token_bytes(SECRET_BYTES))
    said = f"old links are valid for {grace // DAY} days" if grace else "old links are invalid"
    transaction.audit(Action.ROTATE, "", said)


# --- Rows ------------------------------------------------------------------------------------


def _set(transaction: Transaction, name: str, value: bytes | None) -> None:
    _drop(transaction, SERVER_STATE, SERVER_STATE.c.name == name)
    if value is not None:
        transaction.execute(sa.insert(SERVER_STATE).values(name=name, value=value))


def _drop(transaction: Transaction, table: sa.Table, *where: "sa.ColumnElement[bool]") -> int:
    return transaction.execute(sa.delete(table).where(*where)).rowcount


def report_in(row: sa.Row[Any]) -> Report:
    """A report as it is kept."""
    values = _values(REPORTS, row)
    values["table"] = values.pop("table_id")
    return msgspec.convert(values, Report)


def _made(kind: type[_Made], table: sa.Table, row: sa.Row[Any]) -> _Made:
    return msgspec.convert(_values(table, row), kind)


def _values(table: sa.Table, row: sa.Row[Any]) -> dict[str, Any]:
    return {str(column.name): value for column, value in zip(table.columns, row, strict=True)}
