"""How long things are kept: what is due by the policy of a server, and how it is done.

    with reading_at(place) as transaction:
        due = due_work(transaction, Retention(), transaction.now)

Tables are deleted, ended or thinned, and guests forgotten. Each function changes one table, in one
transaction, so that it takes a moment and may be done beside running servers, by several of them.
It first looks whether there is still something to do, and says whether there was.
"""

from contextlib import suppress
from typing import Annotated, Any, Final

import msgspec
import sqlalchemy as sa
from msgspec import Meta

from mauerwerk.core.game import Seat, Value
from mauerwerk.server.database import personal_data
from mauerwerk.server.database.queries import query
from mauerwerk.server.database.rows import size_of
from mauerwerk.server.database.schema import DEVICES, ENTRIES, OWNERS, TABLES
from mauerwerk.server.database.transaction import Transaction
from mauerwerk.server.features.chat.store import CHAT_MESSAGES
from mauerwerk.server.features.moderation import store as moderation
from mauerwerk.server.features.moderation.state import Action
from mauerwerk.server.features.notifications.relays import RELAYS
from mauerwerk.server.features.notifications.store import PREFERENCES, PUSH_DEVICES
from mauerwerk.server.features.results.store import RESULTS
from mauerwerk.server.features.spectating.store import FOLLOWS
from mauerwerk.server.tables import errors, requests, thinning, transcript
from mauerwerk.server.tables.charter import Charter
from mauerwerk.server.tables.log import GONE, Ending
from mauerwerk.server.tables.table import Card, Status

DAY: Final = 86_400_000
"""Milliseconds."""
AT_ONCE: Final = 500
"""The most tables, and guests, of one kind in one round."""
Days = Annotated[int, Meta(ge=0, le=36_500)]


class Retention(Value):
    """How long things are kept, in days since they last changed. 0: for ever."""

    open_days: Days = 14
    """Tables that wait for players; then deleted."""
    running_days: Days = 90
    """Games nobody plays on; then ended without a winner."""
    log_days: Days = 30
    """All details of finished games; then the record, result and players."""
    finished_days: Days = 0
    """Finished games; then deleted."""
    guest_days: Days = 365
    """Guests since the last change at any of their tables; then nameless."""


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


# --- What is due -----------------------------------------------------------------------------


@query
def due_work(transaction: Transaction, keep: Retention, now: int) -> DueWork:
    """What is due now, the oldest first, as much as fits into one round."""

    def resting(status: Status, days: int, *more: "sa.ColumnElement[bool]") -> tuple[str, ...]:
        if not days:
            return ()
        wanted = sa.select(TABLES.c.id).where(TABLES.c.status == status, _rests(days, now), *more)
        return tuple(transaction.scalars(wanted.order_by(TABLES.c.changed).limit(AT_ONCE)))

    deleted = resting(Status.OVER, keep.finished_days)
    whole = resting(
        Status.OVER, keep.log_days, TABLES.c.thinned.is_(None), TABLES.c.record.is_not(None)
    )
    return DueWork(
        expired=resting(Status.OPEN, keep.open_days),
        abandoned=resting(Status.RUNNING, keep.running_days),
        thinned=tuple(table for table in whole if table not in deleted),
        deleted=deleted,
        forgotten=tuple(
            Gone(guest, tables_naming(transaction, guest))
            for guest in _gone(transaction, keep.guest_days, now)
        ),
    )


def _rests(days: int, now: int) -> "sa.ColumnElement[bool]":
    return TABLES.c.changed < now - days * DAY


SEEN: Final = (
    (DEVICES.c.guest, DEVICES.c.seen),
    (RESULTS.c.guest, RESULTS.c.ended),
    (PREFERENCES.c.guest, PREFERENCES.c.confirmed),
    (PUSH_DEVICES.c.guest, PUSH_DEVICES.c.since),
    (RELAYS.c.guest, RELAYS.c.since),
    (FOLLOWS.c.guest, FOLLOWS.c.at),
)
"""When somebody was there, by what stays after their tables are deleted."""


def _gone(transaction: Transaction, days: int, now: int) -> tuple[str, ...]:
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
    return tuple(transaction.scalars(wanted))


def _looked_in(transaction: Transaction, guest: str, days: int) -> bool:
    """Whether a person who keeps their games has looked at their page in the last days."""
    seen = sa.select(sa.func.max(DEVICES.c.seen)).where(DEVICES.c.guest == guest)
    return (transaction.scalar(seen) or 0) >= transaction.now - days * DAY


@query
def tables_naming(transaction: Transaction, guest: str) -> tuple[str, ...]:
    """Every table whose log, charter or chat names a guest."""
    sat = sa.select(ENTRIES.c.table_id).where(ENTRIES.c.guest == guest, ENTRIES.c.guest != "")
    opened = sa.select(TABLES.c.id).where(TABLES.c.opener == guest)
    chatted = sa.select(CHAT_MESSAGES.c.table_id).where(CHAT_MESSAGES.c.guest == guest)
    return tuple(sorted(transaction.scalars(sat.union(opened, chatted))))


# --- Tables ----------------------------------------------------------------------------------


def delete(transaction: Transaction, table: str, status: Status, days: int) -> bool:
    """Delete a table of this status that has rested for this many days."""
    return _resting(transaction, table, status, days) is not None and transaction.delete(table)


def end(transaction: Transaction, table: str, days: int) -> bool:
    """End a game without a winner that nobody has played on for this many days."""
    if _resting(transaction, table, Status.RUNNING, days) is None:
        return False
    return moderation.end_table(transaction, table, why=Ending.ABANDONED)


def thin(transaction: Transaction, table: str, days: int) -> bool:
    """Of a finished game keep record, result and players, not the log. Raises OtherRulesError."""
    row = _resting(transaction, table, Status.OVER, days)
    stored = transaction.load(table) if row else None
    if stored is None or row is None or row.record is None or row.thinned is not None:
        return False
    charter = msgspec.json.decode(row.charter, type=Charter)
    card = msgspec.json.decode(row.card, type=Card)
    moves = len(transcript.moves_in(row.record))
    log = thinning.thinned(charter, stored.entries, moves, row.changed)
    for detail in (ENTRIES, CHAT_MESSAGES):
        transaction.remove(detail, detail.c.table_id == table)
    entries = [{"table_id": table, **msgspec.structs.asdict(entry)} for entry in log]
    transaction.execute(sa.insert(ENTRIES), entries)
    size = size_of(charter, card, row.record, log)
    transaction.update(
        TABLES, TABLES.c.id == table, length=len(log) + moves, size=size, thinned=transaction.now
    )
    return True


def _resting(
    transaction: Transaction, table: str, status: Status, days: int
) -> "sa.Row[Any] | None":
    rests = (TABLES.c.status == status, _rests(days, transaction.now))
    return _row(transaction, table, *rests)


# --- Guests ----------------------------------------------------------------------------------


def leave(transaction: Transaction, table: str, guest: str) -> bool:
    """Let a guest get up from a table. If it is theirs, waits for players and has none, delete it.

    In a running game a bot plays on. Raises OtherRulesError.
    """

    def stand(pending: requests.PendingEntries) -> None:
        for seat, owner in enumerate(pending.table.owners):
            if owner == guest:
                requests.stand(pending, Seat(seat))

    row = _row(transaction, table)
    if row is None or row.status == Status.OVER:
        return False
    left = moderation.write_at(transaction, table, Action.REWRITE_TABLE, stand, detail="")
    theirs = row.status == Status.OPEN and row.opener in {guest, ""}
    if theirs and not transaction.has(OWNERS, OWNERS.c.table_id == table):
        moderation.delete_table(transaction, table)
    return left


def forget(transaction: Transaction, table: str, guest: str) -> bool:
    """Remove a guest's name from a table, and what they said; the game remains for the others."""
    row = _row(transaction, table)
    if row is None:
        return False
    card = msgspec.json.decode(row.card, type=Card)
    seats = sa.select(OWNERS.c.seat).where(OWNERS.c.table_id == table, OWNERS.c.guest == guest)
    owned = transaction.scalars(seats).all()
    for entry in thinning.forgotten(transaction.log(table), guest):
        there = (ENTRIES.c.table_id == table, ENTRIES.c.seq == entry.seq)
        changed = {"guest": entry.guest, "word": entry.word, "key": entry.key}
        transaction.update(ENTRIES, *there, **changed)
    for theirs in (OWNERS, CHAT_MESSAGES):
        transaction.remove(theirs, theirs.c.table_id == table, theirs.c.guest == guest)
    charter = thinning.without_opener(msgspec.json.decode(row.charter, type=Charter), guest)
    transaction.update(
        TABLES,
        TABLES.c.id == table,
        charter=msgspec.json.encode(charter).decode(),
        opener=charter.opener,
        card=msgspec.json.encode(thinning.without_name(card, owned)).decode(),
    )
    transaction.audit(Action.REWRITE_TABLE, table, "")
    return True


def forget_elsewhere(transaction: Transaction, guest: str) -> None:
    """Remove a guest from what is kept beside tables."""
    for each in personal_data.everything():
        each.forget(transaction, guest)


def forget_if_gone(transaction: Transaction, table: str, guest: str, days: int) -> bool:
    """Remove the name of a guest from a table, unless they came back in the last days."""
    theirs = tables_naming(transaction, guest)
    lately = (TABLES.c.id.in_(theirs), ~_rests(days, transaction.now))
    if _looked_in(transaction, guest, days) or transaction.has(TABLES, *lately):
        return False
    if len(theirs) == 1:
        forget_elsewhere(transaction, guest)
    return leave_and_forget(transaction, table, guest)


def forget_if_away(transaction: Transaction, guest: str, days: int) -> bool:
    """Remove a person who has no table any more, unless they looked in in the last days."""
    if tables_naming(transaction, guest) or _looked_in(transaction, guest, days):
        return False
    forget_elsewhere(transaction, guest)
    return True


def leave_and_forget(transaction: Transaction, table: str, guest: str) -> bool:
    """Let a guest get up from a table, and remove their name there."""
    with suppress(errors.OtherRulesError):  # nobody can play there anyway
        leave(transaction, table, guest)
    return forget(transaction, table, guest)


def _row(
    transaction: Transaction, table: str, *more: "sa.ColumnElement[bool]"
) -> "sa.Row[Any] | None":
    wanted = sa.select(TABLES).where(TABLES.c.id == table, *more).with_for_update()
    return transaction.execute(wanted).first()
