"""What guests can ask about themselves: to get their data, and to be forgotten."""

from functools import partial
from typing import Final

from mauerwerk.server.database.transaction import Transaction
from mauerwerk.server.engine.host import Host
from mauerwerk.server.features.accounts import store
from mauerwerk.server.features.accounts.export import own_data, zipped
from mauerwerk.server.features.retention import maintenance
from mauerwerk.server.features.retention.policy import tables_naming
from mauerwerk.server.tables.charter import Guest

BY: Final = "guest"
"""Names the actor in the audit log, which does not say which guest it was."""


async def export(host: Host, guest: Guest) -> bytes:
    """A ZIP file with all that is stored about a guest."""

    def collect(transaction: Transaction) -> bytes:
        return zipped(*own_data(transaction, guest.id, guest.name))

    return await host.read(collect)


async def tables_of(host: Host, guest: Guest) -> int:
    """How many tables name a guest."""
    return len(await host.read(lambda transaction: tables_naming(transaction.connection, guest.id)))


async def forget(host: Host, guest: Guest) -> int:
    """Remove a guest from everything that is stored; from how many tables.

    Where a game goes on, a bot plays in their place. It is done table by table, so that nobody else
    has to wait for all of it. At the end no token of the guest is valid any more.
    """

    def finish(transaction: Transaction) -> None:
        store.log_out_everywhere(transaction, guest.id)
        maintenance.forget_elsewhere(transaction, guest.id)

    tables = await host.read(lambda transaction: tables_naming(transaction.connection, guest.id))
    for table in tables:
        await host.write(BY, partial(maintenance.leave_and_forget, table=table, guest=guest.id))
    await host.write(BY, finish)
    return len(tables)
