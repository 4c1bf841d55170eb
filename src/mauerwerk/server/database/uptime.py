"""When no server ran: noted as long as one does, so that nobody's clock runs meanwhile."""

from typing import Final

import msgspec
import sqlalchemy as sa

from mauerwerk.core.game import Value
from mauerwerk.server.database.queries import command
from mauerwerk.server.database.schema import SERVER_STATE
from mauerwerk.server.database.transaction import Transaction

ALIVE: Final = "alive"
OUTAGES: Final = "outages"
"""The names of settings: when a server was last seen, and when none was."""

SHORTEST: Final = 15_000
"""Milliseconds without a server from which on clocks stood still."""

REMEMBERED: Final = 200
"""How many outages are remembered, the last ones."""


class Outage(Value, tag=False):
    """A while in which no server ran, in milliseconds since 1970."""

    since: int
    until: int


@command(by="policy")
def begin(transaction: Transaction, now: int) -> tuple[Outage, ...]:
    """A server begins at that time: all outages so far, among them the one that ends now."""
    outages = _read(transaction)
    alive = _alive(transaction)
    if alive and now - alive > SHORTEST:
        outages = (*outages, Outage(alive, now))[-REMEMBERED:]
        _write(transaction, OUTAGES, msgspec.json.encode(outages))
    beat(transaction, now)
    return outages


@command(by="policy")
def beat(transaction: Transaction, now: int) -> None:
    """A server runs at that time."""
    _write(transaction, ALIVE, max(now, _alive(transaction)).to_bytes(8))


def _alive(transaction: Transaction) -> int:
    return int.from_bytes(_value(transaction, ALIVE))


def _read(transaction: Transaction) -> tuple[Outage, ...]:
    return msgspec.json.decode(_value(transaction, OUTAGES) or b"[]", type=tuple[Outage, ...])


def _value(transaction: Transaction, name: str) -> bytes:
    found = transaction.connection.scalar(
        sa.select(SERVER_STATE.c.value).where(SERVER_STATE.c.name == name)
    )
    return bytes(found or b"")


def _write(transaction: Transaction, name: str, value: bytes) -> None:
    transaction.connection.execute(sa.delete(SERVER_STATE).where(SERVER_STATE.c.name == name))
    transaction.connection.execute(sa.insert(SERVER_STATE).values(name=name, value=value))
