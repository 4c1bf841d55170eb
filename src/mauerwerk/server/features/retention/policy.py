"""How long things are kept: the policy of a server, and what it says is due.

    with reading_at(place) as transaction:
        due = due_work(transaction, Retention(), transaction.now)

Nothing is changed here; `maintenance` does what is due.
"""

from typing import Annotated, Any, Final

import sqlalchemy as sa
from msgspec import Meta

from mauerwerk.core.game import Value
from mauerwerk.server.database.queries import query
from mauerwerk.server.database.schema import DEVICES, ENTRIES, TABLES
from mauerwerk.server.database.transaction import Transaction
from mauerwerk.server.features.chat.schema import CHAT_MESSAGES
from mauerwerk.server.features.notifications.schema import PREFERENCES, PUSH_DEVICES
from mauerwerk.server.features.results.schema import RESULTS
from mauerwerk.server.features.spectating.schema import FOLLOWS
from mauerwerk.server.tables.log import GONE
from mauerwerk.server.tables.table import Status

DAY: Final = 86_400_000
"""Milliseconds."""

AT_ONCE: Final = 500
"""The most tables, and guests, of one kind in one round."""


class Retention(Value):
    """How long things are kept, in days since they last changed. 0: for ever."""

    open_days: Annotated[
        int, Meta(ge=0, le=36_500, description="tables that wait for players; then deleted")
    ] = 14
    running_days: Annotated[
        int,
        Meta(ge=0, le=36_500, description="games nobody plays on; then ended without a winner"),
    ] = 90
    log_days: Annotated[
        int,
        Meta(
            ge=0,
            le=36_500,
            description="all details of finished games; then the record, result and players",
        ),
    ] = 30
    finished_days: Annotated[
        int, Meta(ge=0, le=36_500, description="finished games; then deleted")
    ] = 0
    guest_days: Annotated[
        int,
        Meta(
            ge=0,
            le=36_500,
            description="guests since the last change at any of their tables; then nameless",
        ),
    ] = 365


class Gone(Value):
    """A guest who has not come back, and every table that names them."""

    guest: str
    tables: tuple[str, ...]


class DueWork(Value):
    """What is due."""

    expired: tuple[str, ...] = ()
    """Tables that waited for players."""

    abandoned: tuple[str, ...] = ()
    """Games that nobody plays on."""

    thinned: tuple[str, ...] = ()
    """Finished games whose log is no longer kept whole."""

    deleted: tuple[str, ...] = ()
    """Finished games that are no longer kept."""

    forgotten: tuple[Gone, ...] = ()

    @property
    def any(self) -> bool:
        """Whether there is anything to do."""
        return any((self.expired, self.abandoned, self.thinned, self.deleted, self.forgotten))


@query
def due_work(transaction: Transaction, keep: Retention, now: int) -> DueWork:
    """What is due now, the oldest first, as much as fits into one round."""
    connection = transaction.connection
    deleted = _resting(connection, Status.OVER, keep.finished_days, now)
    whole = (TABLES.c.thinned.is_(None), TABLES.c.record.is_not(None))
    return DueWork(
        expired=_resting(connection, Status.OPEN, keep.open_days, now),
        abandoned=_resting(connection, Status.RUNNING, keep.running_days, now),
        thinned=tuple(
            table
            for table in _resting(connection, Status.OVER, keep.log_days, now, *whole)
            if table not in deleted
        ),
        deleted=deleted,
        forgotten=tuple(
            Gone(guest, tables_naming(transaction, guest))
            for guest in _gone(connection, keep.guest_days, now)
        ),
    )


def is_resting(days: int, now: int) -> "sa.ColumnElement[bool]":
    """That a table has not changed for this many days."""
    return TABLES.c.changed < now - days * DAY


def _resting(
    connection: sa.Connection,
    status: Status,
    days: int,
    now: int,
    *more: Any,  # noqa: ANN401
) -> tuple[str, ...]:
    """Tables of this status that have not changed for this many days."""
    if not days:
        return ()
    wanted = sa.select(TABLES.c.id).where(TABLES.c.status == status, is_resting(days, now), *more)
    rows = connection.execute(wanted.order_by(TABLES.c.changed).limit(AT_ONCE))
    return tuple(row.id for row in rows)


SEEN: Final = (
    (DEVICES.c.guest, DEVICES.c.seen),
    (RESULTS.c.guest, RESULTS.c.ended),
    (PREFERENCES.c.guest, PREFERENCES.c.confirmed),
    (PUSH_DEVICES.c.guest, PUSH_DEVICES.c.since),
    (FOLLOWS.c.guest, FOLLOWS.c.at),
)
"""When somebody was there, by what stays after their tables are deleted."""


def _gone(connection: sa.Connection, days: int, now: int) -> tuple[str, ...]:
    """Guests at whose tables nothing has changed for this many days, and who did not look in."""
    if not days:
        return ()
    seated = sa.select(ENTRIES.c.guest, TABLES.c.changed).join(TABLES)
    opened = sa.select(TABLES.c.opener, TABLES.c.changed).where(TABLES.c.opener != "")
    chatted = sa.select(CHAT_MESSAGES.c.guest, TABLES.c.changed).join(TABLES)
    seated = seated.where(ENTRIES.c.guest != "", ENTRIES.c.guest != GONE)
    elsewhere = [
        sa.select(guest, at).where(guest.not_in(["", GONE]), at.is_not(None)) for guest, at in SEEN
    ]
    known = seated.union_all(opened, chatted, *elsewhere).subquery()
    wanted = (
        sa.select(known.c.guest)
        .group_by(known.c.guest)
        .having(sa.func.max(known.c.changed) < now - days * DAY)
        .limit(AT_ONCE)
    )
    return tuple(row.guest for row in connection.execute(wanted))


def looked_in(connection: sa.Connection, guest: str, days: int, now: int) -> bool:
    """Whether a person who keeps their games has looked at their page in the last days."""
    seen = sa.select(sa.func.max(DEVICES.c.seen)).where(DEVICES.c.guest == guest)
    return (connection.scalar(seen) or 0) >= now - days * DAY


@query
def tables_naming(transaction: Transaction, guest: str) -> tuple[str, ...]:
    """Every table whose log, charter or chat names a guest."""
    sat = sa.select(ENTRIES.c.table_id).where(ENTRIES.c.guest == guest, ENTRIES.c.guest != "")
    opened = sa.select(TABLES.c.id).where(TABLES.c.opener == guest)
    chatted = sa.select(CHAT_MESSAGES.c.table_id).where(CHAT_MESSAGES.c.guest == guest)
    rows = transaction.execute(sat.union(opened, chatted))
    return tuple(sorted({row[0] for row in rows}))
