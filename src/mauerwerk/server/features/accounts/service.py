"""What guests can ask about themselves: to get their data, and to be forgotten."""

from mauerwerk.server.database.queries import command, query
from mauerwerk.server.database.store import Store
from mauerwerk.server.database.transaction import Transaction
from mauerwerk.server.features.accounts import store
from mauerwerk.server.features.accounts.personal_data import data_of, zipped
from mauerwerk.server.features.retention import store as retention
from mauerwerk.server.tables.charter import Guest


@query
def export(transaction: Transaction, guest: Guest) -> bytes:
    """A ZIP file with all that is stored about a guest."""
    return zipped(*data_of(transaction, guest.id, guest.name))


@command(by="guest")
def _leave_and_forget(transaction: Transaction, table: str, guest: str) -> None:
    retention.leave_and_forget(transaction, table, guest)


@command(by="guest")
def _finish(transaction: Transaction, guest: str) -> None:
    store.log_out_everywhere(transaction, guest)
    retention.forget_elsewhere(transaction, guest)


async def tables_of(database: Store, guest: Guest) -> int:
    """How many tables name a guest."""
    return len(await retention.tables_naming(database, guest.id))


async def forget(database: Store, guest: Guest) -> int:
    """Remove a guest from everything that is stored; from how many tables.

    Where a game goes on, a bot plays in their place. It is done table by table, so that nobody else
    has to wait for all of it. At the end no token of the guest is valid any more.
    """
    tables = await retention.tables_naming(database, guest.id)
    for table in tables:
        await _leave_and_forget(database, table, guest.id)
    await _finish(database, guest.id)
    return len(tables)
