"""A link that makes another browser a device of the same person: short-lived, for one use.

The new device opens the link and asks; both show the same number; the first device allows it. Only
then does the new one get a cookie. The database holds hashes, so nobody who reads it can join.
"""

import secrets
from typing import Any, Final

import sqlalchemy as sa

from mauerwerk.core.game import Value
from mauerwerk.server.database.transaction import Transaction
from mauerwerk.server.features.accounts.schema import DEVICE_LINKS
from mauerwerk.server.features.accounts.store import add_device, hashed, keep, person_of
from mauerwerk.server.tables.charter import Guest

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


def open_link(transaction: Transaction, guest: Guest) -> str:
    """A new link instead of an older one; what its address ends with."""
    keep(transaction, guest)
    close_links(transaction, guest.id)
    token = secrets.token_urlsafe(16)
    transaction.connection.execute(
        sa.insert(DEVICE_LINKS).values(
            hash=hashed(token),
            guest=guest.id,
            expires=transaction.now + MINUTES * 60_000,
            state=OPEN,
            browser="",
            label="",
            phone=False,
            code="",
        )
    )
    return token


def close_links(transaction: Transaction, guest: str) -> None:
    """Make a guest's link invalid, and remove those that are too old."""
    transaction.connection.execute(
        sa.delete(DEVICE_LINKS).where(
            sa.or_(DEVICE_LINKS.c.guest == guest, DEVICE_LINKS.c.expires < transaction.now)
        )
    )


def link_at(transaction: Transaction, token: str) -> DeviceLink | None:
    """The link of this address; None if it is no longer valid."""
    return _link(transaction, _row(transaction, DEVICE_LINKS.c.hash == hashed(token)))


def link_of(transaction: Transaction, guest: str) -> DeviceLink | None:
    """The link that a guest has open."""
    return _link(transaction, _row(transaction, DEVICE_LINKS.c.guest == guest))


def _row(transaction: Transaction, which: "sa.ColumnElement[bool]") -> "sa.Row[Any] | None":
    wanted = sa.select(DEVICE_LINKS).where(which, DEVICE_LINKS.c.expires >= transaction.now)
    return transaction.connection.execute(wanted).first()


def _link(transaction: Transaction, row: "sa.Row[Any] | None") -> DeviceLink | None:
    person = person_of(transaction, row.guest) if row else None
    if row is None or person is None:
        return None
    return DeviceLink(row.guest, person.guest.name, row.state, row.label, row.code)


def ask(transaction: Transaction, token: str, browser: str, label: str, *, phone: bool) -> bool:
    """A browser asks to join; False if another did before, or the link is no longer valid."""
    asked = transaction.connection.execute(
        sa.update(DEVICE_LINKS)
        .where(DEVICE_LINKS.c.hash == hashed(token), DEVICE_LINKS.c.state == OPEN)
        .where(DEVICE_LINKS.c.expires >= transaction.now)
        .values(
            state=ASKED,
            browser=hashed(browser),
            label=label,
            phone=phone,
            code=f"{secrets.randbelow(10_000):04}",
        )
    )
    return bool(asked.rowcount)


def allow(transaction: Transaction, guest: str, code: str) -> bool:
    """The first device lets in the one that shows this number."""
    allowed = transaction.connection.execute(
        sa.update(DEVICE_LINKS)
        .where(DEVICE_LINKS.c.guest == guest, DEVICE_LINKS.c.code == code)
        .where(DEVICE_LINKS.c.state == ASKED, DEVICE_LINKS.c.expires >= transaction.now)
        .values(state=ALLOWED)
    )
    return bool(allowed.rowcount)


def is_of(transaction: Transaction, token: str, browser: str) -> bool:
    """Whether this browser is the one that asked."""
    mine = DEVICE_LINKS.c.browser == hashed(browser)
    return _row(transaction, sa.and_(DEVICE_LINKS.c.hash == hashed(token), mine)) is not None


def enter(transaction: Transaction, token: str, browser: str) -> tuple[Guest, str] | None:
    """The person and the new device, for the browser that was let in; the link is used up."""
    row = _row(
        transaction,
        sa.and_(
            DEVICE_LINKS.c.hash == hashed(token),
            DEVICE_LINKS.c.browser == hashed(browser),
            DEVICE_LINKS.c.state == ALLOWED,
        ),
    )
    person = person_of(transaction, row.guest) if row else None
    if row is None or person is None:
        return None
    close_links(transaction, row.guest)
    return person.guest, add_device(transaction, row.guest, row.label, phone=row.phone)
