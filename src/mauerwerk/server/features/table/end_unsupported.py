"""Ending a game whose rules this program does not have."""

import msgspec
import sqlalchemy as sa

from mauerwerk.server.database.batches import log_size
from mauerwerk.server.database.schema import ENTRIES, OWNERS, TABLES
from mauerwerk.server.database.transaction import Transaction
from mauerwerk.server.features.moderation.state import Action
from mauerwerk.server.tables.log import Ending, Entry, Kind
from mauerwerk.server.tables.table import Card, Status


def end_unread(transaction: Transaction, table: str, why: Ending) -> bool:
    """End a game whose log cannot be read here; a program with its rules reads it as any other."""
    wanted = sa.select(TABLES).where(TABLES.c.id == table).with_for_update()
    row = transaction.connection.execute(wanted).first()
    if row is None or row.status != Status.RUNNING:
        return False
    entry = Entry(row.length, transaction.now, Kind.END, word=why)
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
        "size": row.size + log_size([entry]),
    }
    added = {"table_id": table, **msgspec.structs.asdict(entry)}
    for statement in (
        sa.update(TABLES).where(TABLES.c.id == table).values(**values),
        sa.insert(ENTRIES).values(**added),
        sa.update(OWNERS).where(OWNERS.c.table_id == table).values(changed=transaction.now),
    ):
        transaction.connection.execute(statement)
    transaction.audit(Action.END_TABLE, table, "")
    return True
