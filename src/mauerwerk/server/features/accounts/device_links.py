"""A link that makes another browser a device of the same person: short-lived, for one use.

The new device opens the link and asks; both show the same number; the first device allows it. Only
then does the new one get a cookie. The database holds hashes, so nobody who reads it can join.
"""

import secrets
from typing import Any, Final

import sqlalchemy as sa

from mauerwerk.core.game import Value
from mauerwerk.server.database.transaction import Ledger
from mauerwerk.server.features.accounts.schema import DEVICE_LINKS
from mauerwerk.server.features.accounts.store import add_device, hashed, keep, person_of
from mauerwerk.server.tables.orders import Guest

MINUTES: Final = 5
OPEN: Final = "open"
ASKED: Final = "asked"
ALLOWED: Final = "allowed"


class DeviceLink(Value, tag=False):
    """A link, and how far it is."""

    guest: str
    name: str
    state: str
    label: str
    """The device that asks."""

    code: str
    """The number that both devices show."""


def open_link(ledger: Ledger, guest: Guest) -> str:
    """A new link instead of an older one; what its address ends with."""
    keep(ledger, guest)
    close_links(ledger, guest.id)
    token = secrets.token_urlsafe(16)
    ledger.connection.execute(
        sa.insert(DEVICE_LINKS).values(
            hash=hashed(token),
            guest=guest.id,
            expires=ledger.now + MINUTES * 60_000,
            state=OPEN,
            browser="",
            label="",
            phone=False,
            code="",
        )
    )
    return token


def close_links(ledger: Ledger, guest: str) -> None:
    """Make a guest's link invalid, and remove those that are too old."""
    ledger.connection.execute(
        sa.delete(DEVICE_LINKS).where(
            sa.or_(DEVICE_LINKS.c.guest == guest, DEVICE_LINKS.c.expires < ledger.now)
        )
    )


def link_at(ledger: Ledger, token: str) -> DeviceLink | None:
    """The link of this address; None if it is no longer valid."""
    return _link(ledger, _row(ledger, DEVICE_LINKS.c.hash == hashed(token)))


def link_of(ledger: Ledger, guest: str) -> DeviceLink | None:
    """The link that a guest has open."""
    return _link(ledger, _row(ledger, DEVICE_LINKS.c.guest == guest))


def _row(ledger: Ledger, which: "sa.ColumnElement[bool]") -> "sa.Row[Any] | None":
    wanted = sa.select(DEVICE_LINKS).where(which, DEVICE_LINKS.c.expires >= ledger.now)
    return ledger.connection.execute(wanted).first()


def _link(ledger: Ledger, row: "sa.Row[Any] | None") -> DeviceLink | None:
    person = person_of(ledger, row.guest) if row else None
    if row is None or person is None:
        return None
    return DeviceLink(row.guest, person.guest.name, row.state, row.label, row.code)


def ask(ledger: Ledger, token: str, browser: str, label: str, *, phone: bool) -> bool:
    """A browser asks to join; False if another did before, or the link is no longer valid."""
    asked = ledger.connection.execute(
        sa.update(DEVICE_LINKS)
        .where(DEVICE_LINKS.c.hash == hashed(token), DEVICE_LINKS.c.state == OPEN)
        .where(DEVICE_LINKS.c.expires >= ledger.now)
        .values(
            state=ASKED,
            browser=hashed(browser),
            label=label,
            phone=phone,
            code=f"{secrets.randbelow(10_000):04}",
        )
    )
    return bool(asked.rowcount)


def allow(ledger: Ledger, guest: str, code: str) -> bool:
    """The first device lets in the one that shows this number."""
    allowed = ledger.connection.execute(
        sa.update(DEVICE_LINKS)
        .where(DEVICE_LINKS.c.guest == guest, DEVICE_LINKS.c.code == code)
        .where(DEVICE_LINKS.c.state == ASKED, DEVICE_LINKS.c.expires >= ledger.now)
        .values(state=ALLOWED)
    )
    return bool(allowed.rowcount)


def is_of(ledger: Ledger, token: str, browser: str) -> bool:
    """Whether this browser is the one that asked."""
    mine = DEVICE_LINKS.c.browser == hashed(browser)
    return _row(ledger, sa.and_(DEVICE_LINKS.c.hash == hashed(token), mine)) is not None


def enter(ledger: Ledger, token: str, browser: str) -> tuple[Guest, str] | None:
    """The person and the new device, for the browser that was let in; the link is used up."""
    row = _row(
        ledger,
        sa.and_(
            DEVICE_LINKS.c.hash == hashed(token),
            DEVICE_LINKS.c.browser == hashed(browser),
            DEVICE_LINKS.c.state == ALLOWED,
        ),
    )
    person = person_of(ledger, row.guest) if row else None
    if row is None or person is None:
        return None
    close_links(ledger, row.guest)
    return person.guest, add_device(ledger, row.guest, row.label, phone=row.phone)
