"""Tables whose rules this program does not have: they can be looked at, and ended."""

import msgspec
import sqlalchemy as sa

from mauerwerk.games import GAMES, game_of
from mauerwerk.server.database.queries import command, query
from mauerwerk.server.database.schema import OWNERS, TABLES
from mauerwerk.server.database.transaction import Transaction
from mauerwerk.server.features.moderation import store as moderation
from mauerwerk.server.tables import errors, log, unsupported
from mauerwerk.server.tables.charter import Charter, Guest
from mauerwerk.server.tables.table import Card


@query
def unsupported_table(transaction: Transaction, table: str) -> unsupported.UnsupportedTable:
    """What is known of such a table. Raises NoTableError."""
    wanted = sa.select(TABLES.c.charter, TABLES.c.card, TABLES.c.record)
    row = transaction.connection.execute(wanted.where(TABLES.c.id == table)).first()
    if row is None:
        raise errors.NoTableError
    charter = msgspec.json.decode(row.charter, type=Charter)
    present = GAMES.get(charter.game)
    return unsupported.unsupported_table(
        charter,
        msgspec.json.decode(row.card, type=Card),
        transaction.log(table),
        row.record,
        None if present is None else present.RULES,
    )


@query
def may_end(transaction: Transaction, table: str, guest: Guest | None) -> bool:
    """Whether a guest sits at a table, or has opened it."""
    if guest is None:
        return False
    sits = sa.select(OWNERS.c.seat).where(OWNERS.c.table_id == table, OWNERS.c.guest == guest.id)
    opened = sa.select(TABLES.c.id).where(TABLES.c.id == table, TABLES.c.opener == guest.id)
    return any(transaction.connection.execute(each).first() for each in (sits, opened))


@command(by="guest")
def end(transaction: Transaction, table: str, guest: Guest) -> None:
    """End such a table without a winner. Raises NoTableError, NotYoursError, RequestError."""
    known = unsupported_table(transaction, table).charter
    if game_of(known.game, known.rules) is not None:
        raise errors.RequestError(errors.Reason.PLAYABLE)
    if not may_end(transaction, table, guest):
        raise errors.NotYoursError(errors.Reason.NOT_AT_TABLE)
    moderation.end_table(transaction, table, why=log.Ending.RULES)
