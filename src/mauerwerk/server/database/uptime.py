"""When no server ran: noted as long as one does, so that nobody's clock runs meanwhile."""

from typing import Final

import msgspec
import sqlalchemy as sa

from mauerwerk.core.game import Value
from mauerwerk.server.database.schema import SETTINGS
from mauerwerk.server.database.transaction import Ledger

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


def begin(ledger: Ledger, now: int) -> tuple[Outage, ...]:
    """A server begins at that time: all outages so far, among them the one that ends now."""
    outages = _read(ledger)
    alive = _alive(ledger)
    if alive and now - alive > SHORTEST:
        outages = (*outages, Outage(alive, now))[-REMEMBERED:]
        _write(ledger, OUTAGES, msgspec.json.encode(outages))
    beat(ledger, now)
    return outages


def beat(ledger: Ledger, now: int) -> None:
    """A server runs at that time."""
    _write(ledger, ALIVE, max(now, _alive(ledger)).to_bytes(8))


def _alive(ledger: Ledger) -> int:
    return int.from_bytes(_value(ledger, ALIVE))


def _read(ledger: Ledger) -> tuple[Outage, ...]:
    return msgspec.json.decode(_value(ledger, OUTAGES) or b"[]", type=tuple[Outage, ...])


def _value(ledger: Ledger, name: str) -> bytes:
    found = ledger.connection.scalar(sa.select(SETTINGS.c.value).where(SETTINGS.c.name == name))
    return bytes(found or b"")


def _write(ledger: Ledger, name: str, value: bytes) -> None:
    ledger.connection.execute(sa.delete(SETTINGS).where(SETTINGS.c.name == name))
    ledger.connection.execute(sa.insert(SETTINGS).values(name=name, value=value))
