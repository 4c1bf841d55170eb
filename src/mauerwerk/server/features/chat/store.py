"""What is said at tables, in the database."""

import asyncio
from collections.abc import Sequence

import sqlalchemy as sa

from mauerwerk.core.game import Seat
from mauerwerk.server.database import rows
from mauerwerk.server.database.queries import query
from mauerwerk.server.database.store import Store
from mauerwerk.server.database.transaction import Transaction
from mauerwerk.server.features.chat.messages import Form, Message, Side
from mauerwerk.server.features.chat.schema import CHAT_MESSAGES


def say(store: Store, table: str, message: Message, dropped: Sequence[int]) -> asyncio.Future[None]:
    """Store what is said at a table, and no longer the messages of these numbers.

    Raises OvertakenError where another message has this number.
    """
    row = (
        table,
        message.number,
        message.at,
        message.side.value,
        message.seat,
        message.guest,
        message.name,
        message.form.value,
        message.word,
    )
    return store.put(
        rows.addition(table, CHAT_MESSAGES, row, [(table, number) for number in dropped])
    )


@query
def messages_at(transaction: Transaction, table: str, after: int) -> tuple[Message, ...]:
    """What was said at a table after that number."""
    wanted = (
        sa.select(*list(CHAT_MESSAGES.c)[1:])
        .where(CHAT_MESSAGES.c.table_id == table, CHAT_MESSAGES.c.number > after)
        .order_by(CHAT_MESSAGES.c.number)
    )
    return tuple(
        Message(
            row.number,
            row.at,
            Side(row.side),
            None if row.seat is None else Seat(row.seat),
            row.guest,
            row.name,
            Form(row.form),
            row.word,
        )
        for row in transaction.execute(wanted)
    )
