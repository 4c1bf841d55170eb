"""What is done to keep a database small: tables deleted, ended or thinned, guests forgotten.

Each function changes one table, in one transaction, so that it takes a moment and may
be done beside running servers, by several of them. It first looks whether there is still something
to do, and says whether there was.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from typing import Any, Final, NamedTuple

import msgspec
import sqlalchemy as sa

from mauerwerk.core.game import Seat
from mauerwerk.core.language.words import counted
from mauerwerk.server.database import personal_data
from mauerwerk.server.database.rows import size_of
from mauerwerk.server.database.schema import ENTRIES, OWNERS, TABLES
from mauerwerk.server.database.transaction import Transaction
from mauerwerk.server.features.chat.schema import CHAT_MESSAGES
from mauerwerk.server.features.moderation import store as moderation
from mauerwerk.server.features.moderation.state import Action
from mauerwerk.server.features.retention import policy
from mauerwerk.server.tables import errors, requests, thinning, transcript
from mauerwerk.server.tables.charter import Charter
from mauerwerk.server.tables.log import Ending, Entry
from mauerwerk.server.tables.table import Card, Status

# --- Tables ----------------------------------------------------------------------------------


def delete(transaction: Transaction, table: str, status: Status, days: int) -> bool:
    """Delete a table of this status that has rested for this many days."""
    if not _rests(transaction, table, status, days):
        return False
    return transaction.delete(table)


def end(transaction: Transaction, table: str, days: int) -> bool:
    """End a game without a winner that nobody has played on for this many days."""
    if not _rests(transaction, table, Status.RUNNING, days):
        return False
    return moderation.end_table(transaction, table, why=Ending.ABANDONED)


def thin(transaction: Transaction, table: str, days: int) -> bool:
    """Keep the record of a finished game, its result and its players, no more of log and chat.

    Raises OtherRulesError where this program cannot read the log.
    """
    if not _rests(transaction, table, Status.OVER, days):
        return False
    row = _row(transaction, table)
    stored = transaction.load(table)
    if stored is None or row is None or row.record is None or row.thinned is not None:
        return False
    charter = msgspec.json.decode(row.charter, type=Charter)
    card = msgspec.json.decode(row.card, type=Card)
    moves = len(transcript.moves_in(row.record))
    log = thinning.thinned(charter, stored.entries, moves, row.changed)
    for detail in (ENTRIES, CHAT_MESSAGES):
        transaction.execute(sa.delete(detail).where(detail.c.table_id == table))
    _insert(transaction, table, *log)
    _update(
        transaction,
        table,
        length=len(log) + moves,
        size=size_of(charter, card, row.record, log),
        thinned=transaction.now,
    )
    return True


def _rests(transaction: Transaction, table: str, status: Status, days: int) -> bool:
    """Whether a table has this status, and has not changed for this many days."""
    wanted = sa.select(TABLES.c.id).where(
        TABLES.c.id == table, TABLES.c.status == status, policy.is_resting(days, transaction.now)
    )
    return transaction.execute(wanted.with_for_update()).first() is not None


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
    others = sa.select(OWNERS.c.guest).where(OWNERS.c.table_id == table)
    theirs = row.status == Status.OPEN and row.opener in {guest, ""}
    if theirs and transaction.execute(others).first() is None:
        moderation.delete_table(transaction, table)
    return left


def forget(transaction: Transaction, table: str, guest: str) -> bool:
    """Remove a guest's name from a table, and what they said; the game remains for the others."""
    row = _row(transaction, table)
    if row is None:
        return False
    log = transaction.log(table)
    changed = thinning.forgotten(log, guest)
    charter = msgspec.json.decode(row.charter, type=Charter)
    card = msgspec.json.decode(row.card, type=Card)
    seats = sa.select(OWNERS.c.seat).where(OWNERS.c.table_id == table, OWNERS.c.guest == guest)
    owned = [each.seat for each in transaction.execute(seats)]
    for entry in changed:
        transaction.execute(
            sa.update(ENTRIES)
            .where(ENTRIES.c.table_id == table, ENTRIES.c.seq == entry.seq)
            .values(guest=entry.guest, word=entry.word, key=entry.key)
        )
    for theirs in (OWNERS, CHAT_MESSAGES):
        transaction.execute(
            sa.delete(theirs).where(theirs.c.table_id == table, theirs.c.guest == guest)
        )
    without = thinning.without_opener(charter, guest)
    _update(
        transaction,
        table,
        charter=_json(without),
        opener=without.opener,
        card=_json(thinning.without_name(card, owned)),
    )
    transaction.audit(Action.REWRITE_TABLE, table, "")
    return True


def forget_elsewhere(transaction: Transaction, guest: str) -> None:
    """Remove a guest from what is kept beside tables."""
    for each in personal_data.everything():
        each.forget(transaction, guest)


def forget_if_gone(transaction: Transaction, table: str, guest: str, days: int) -> bool:
    """Remove the name of a guest from a table, unless they came back in the last days."""
    theirs = policy.tables_naming(transaction, guest)
    wanted = sa.select(TABLES.c.id).where(
        TABLES.c.id.in_(theirs), ~policy.is_resting(days, transaction.now)
    )
    back = policy.looked_in(transaction.connection, guest, days, transaction.now)
    if back or transaction.execute(wanted).first() is not None:
        return False
    if len(theirs) == 1:
        forget_elsewhere(transaction, guest)
    return leave_and_forget(transaction, table, guest)


def forget_if_away(transaction: Transaction, guest: str, days: int) -> bool:
    """Remove a person who has no table any more, unless they looked in in the last days."""
    if policy.tables_naming(transaction, guest) or policy.looked_in(
        transaction.connection, guest, days, transaction.now
    ):
        return False
    forget_elsewhere(transaction, guest)
    return True


def leave_and_forget(transaction: Transaction, table: str, guest: str) -> bool:
    """Let a guest get up from a table, and remove their name there."""
    with suppress(errors.OtherRulesError):  # nobody can play there anyway
        leave(transaction, table, guest)
    return forget(transaction, table, guest)


# --- All that is due -------------------------------------------------------------------------


class Step(NamedTuple):
    """One thing to do, in a transaction of its own."""

    kind: str
    """What it is counted as: a field of `DueWork`."""

    what: str
    """The table that it changes."""

    work: Callable[[Transaction], bool]


def steps(due: policy.DueWork, keep: policy.Retention) -> Iterator[Step]:
    """Everything that is due, step by step."""
    for table in due.expired:
        yield Step("expired", table, partial(_delete_open, table=table, days=keep.open_days))
    for table in due.abandoned:
        yield Step("abandoned", table, partial(end, table=table, days=keep.running_days))
    for table in due.deleted:
        yield Step(
            "deleted", table, partial(_delete_finished, table=table, days=keep.finished_days)
        )
    for table in due.thinned:
        yield Step("thinned", table, partial(thin, table=table, days=keep.log_days))
    for gone in due.forgotten:
        if not gone.tables:
            work = partial(forget_if_away, guest=gone.guest, days=keep.guest_days)
            yield Step("forgotten", gone.guest, work)
        for table in gone.tables:
            work = partial(forget_if_gone, table=table, guest=gone.guest, days=keep.guest_days)
            yield Step("forgotten", table, work)


def _delete_open(transaction: Transaction, table: str, days: int) -> bool:
    return delete(transaction, table, Status.OPEN, days)


def _delete_finished(transaction: Transaction, table: str, days: int) -> bool:
    return delete(transaction, table, Status.OVER, days)


WORDS: Final[Mapping[str, tuple[str, str]]] = {
    "expired": ("open table deleted", "open tables deleted"),
    "abandoned": ("game ended without a winner", "games ended without a winner"),
    "deleted": ("finished game deleted", "finished games deleted"),
    "thinned": ("log thinned", "logs thinned"),
    "forgotten": ("name removed from a table", "names removed from tables"),
}


def summed_up(done: Mapping[str, int]) -> str:
    """What was done, in words; empty where it was nothing."""
    return ", ".join(counted(done[kind], *WORDS[kind]) for kind in WORDS if done.get(kind))


# --- Rows ------------------------------------------------------------------------------------


def _row(transaction: Transaction, table: str) -> "sa.Row[Any] | None":
    wanted = sa.select(TABLES).where(TABLES.c.id == table).with_for_update()
    return transaction.execute(wanted).first()


def _update(transaction: Transaction, table: str, **values: object) -> None:
    transaction.execute(sa.update(TABLES).where(TABLES.c.id == table).values(**values))


def _insert(transaction: Transaction, table: str, *entries: Entry) -> None:
    rows = [{"table_id": table, **msgspec.structs.asdict(entry)} for entry in entries]
    transaction.execute(sa.insert(ENTRIES), rows)


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()
