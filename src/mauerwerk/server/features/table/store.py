"""Seats that are kept for somebody who left, and tables whose rules this program does not have."""

from collections.abc import Sequence

import msgspec
import sqlalchemy as sa

from mauerwerk.core.game import Seat, Value
from mauerwerk.core.record import Move
from mauerwerk.games import GAMES, game_of
from mauerwerk.server.database.queries import command, query
from mauerwerk.server.database.schema import ENTRIES, OWNERS, TABLES
from mauerwerk.server.database.transaction import Transaction
from mauerwerk.server.features.moderation import store as moderation
from mauerwerk.server.tables import errors, log
from mauerwerk.server.tables.charter import Charter, Guest
from mauerwerk.server.tables.table import KEPT, Card, Status

# --- Seats that are kept for somebody who left --------------------------------------------------


class ReservedSeat(Value, tag=False):
    """A seat that a guest left in the middle of a game, and may take back."""

    card: Card
    seat: Seat
    until: int
    """When it is free for others, in milliseconds since 1970."""


@query
def reserved_seats(transaction: Transaction, guest: str, now: int) -> tuple[ReservedSeat, ...]:
    """The seats that are kept for a guest now, those first that are kept for the longest."""
    sat = sa.select(ENTRIES.c.table_id).where(
        ENTRIES.c.guest == guest, ENTRIES.c.kind == log.Kind.SIT.value
    )
    wanted = sa.select(TABLES.c.id, TABLES.c.card).where(
        TABLES.c.id.in_(sat),
        TABLES.c.status == Status.RUNNING.value,
        TABLES.c.changed > now - KEPT,
    )
    found: list[ReservedSeat] = []
    for row in transaction.execute(wanted):
        card = msgspec.json.decode(row.card, type=Card)
        if card.game in GAMES:
            found += [
                ReservedSeat(card=card, seat=seat, until=left + KEPT)
                for seat, left in _left_by(transaction, row.id, guest).items()
                if now < left + KEPT
            ]
    return tuple(sorted(found, key=lambda each: (-each.until, each.card.id, each.seat)))


def _left_by(transaction: Transaction, table: str, guest: str) -> dict[Seat, int]:
    """The seats at which this guest was the last person and a bot plays now; when they left."""
    seated = sa.select(ENTRIES.c.seat, ENTRIES.c.kind, ENTRIES.c.guest, ENTRIES.c.at).where(
        ENTRIES.c.table_id == table,
        ENTRIES.c.kind.in_([log.Kind.SIT.value, log.Kind.STAND.value, log.Kind.BOT.value]),
    )
    holders: dict[Seat, str] = {}
    left: dict[Seat, int] = {}
    for row in transaction.execute(seated.order_by(ENTRIES.c.seq)):
        seat = Seat(row.seat)
        former = holders.pop(seat, "")
        left.pop(seat, None)
        if row.kind == log.Kind.SIT.value:
            holders[seat] = row.guest
        elif row.kind == log.Kind.BOT.value and former == guest:
            left[seat] = row.at
    return left


# --- Tables whose rules this program does not have ----------------------------------------------


class UnsupportedTable(Value):
    """What is known of a table whose rules are missing.

    It cannot be played on, and it is never read by other rules. While it goes on, nothing of its
    log is told, since only the rules know what each seat may see.
    """

    charter: Charter
    card: Card
    moves: int
    """How many moves its log has, those that were taken back included."""
    here: int | None
    """The revision of the rules that this program has; None where it does not have the game."""
    ended: str
    """Why it was ended without a winner (`Ending`); empty if it was not."""
    text: str
    """The moves as they are stored, once it is over."""


@query
def unsupported_table(transaction: Transaction, table: str) -> UnsupportedTable:
    """What is known of such a table. Raises NoTableError."""
    wanted = sa.select(TABLES.c.charter, TABLES.c.card, TABLES.c.record)
    row = transaction.execute(wanted.where(TABLES.c.id == table)).first()
    if row is None:
        raise errors.NoTableError
    charter = msgspec.json.decode(row.charter, type=Charter)
    card = msgspec.json.decode(row.card, type=Card)
    entries = transaction.log(table)
    present = GAMES.get(charter.game)
    over = card.status is Status.OVER
    return UnsupportedTable(
        charter=charter,
        card=card,
        moves=sum(entry.kind is log.Kind.MOVE for entry in entries),
        here=None if present is None else present.RULES,
        ended=next((entry.word for entry in entries if entry.kind is log.Kind.END), ""),
        text=(row.record or log_text(charter, entries)) if over else "",
    )


def log_text(charter: Charter, entries: Sequence[log.Entry]) -> str:
    """The moves of a log, one a line with its number, and which of them were taken back.

    It is no record: what else goes with a move that is taken back, only the rules know.
    """
    words = {"seats": str(len(charter.chairs)), **charter.options}
    head = [f"{charter.game}/{charter.rules}", *(f"{name}={word}" for name, word in words.items())]
    lines = [" ".join(head)]
    for entry in entries:
        match entry.kind:
            case log.Kind.MOVE if entry.seat is not None:
                instead = "" if entry.number is None else f", instead of {entry.number}"
                lines.append(f"{Move(entry.seat, entry.word)}  # {entry.seq}{instead}")
            case log.Kind.UNDO:
                lines.append(f"# {entry.seq}: {entry.number} was taken back, and what followed")
            case _:
                pass
    return "".join(f"{line}\n" for line in lines)


@query
def may_end(transaction: Transaction, table: str, guest: Guest | None) -> bool:
    """Whether a guest sits at a table, or has opened it."""
    if guest is None:
        return False
    sits = transaction.has(OWNERS, OWNERS.c.table_id == table, OWNERS.c.guest == guest.id)
    return sits or transaction.has(TABLES, TABLES.c.id == table, TABLES.c.opener == guest.id)


@command(by="guest")
def end(transaction: Transaction, table: str, guest: Guest) -> None:
    """End such a table without a winner. Raises NoTableError, NotYoursError, RequestError."""
    known = unsupported_table(transaction, table).charter
    if game_of(known.game, known.rules) is not None:
        raise errors.RequestError(errors.Reason.PLAYABLE)
    if not may_end(transaction, table, guest):
        raise errors.NotYoursError(errors.Reason.NOT_AT_TABLE)
    moderation.end_table(transaction, table, why=log.Ending.RULES)
