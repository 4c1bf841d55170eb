"""A link that makes another browser a device of the same person: short-lived, for one use.

The new device opens the link and asks; both show the same number; the first device allows it. Only
then does the new one get a cookie. The database holds hashes, so nobody who reads it can join.
"""

import secrets
from typing import Any, Final

import sqlalchemy as sa

from mauerwerk.core.game import Value
from mauerwerk.server.database.queries import command, query
from mauerwerk.server.database.transaction import Transaction
from mauerwerk.server.features.accounts import store
from mauerwerk.server.features.accounts.schema import DEVICE_LINKS
from mauerwerk.server.features.notifications import subscribers
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


@command(by="guest")
def open_link(transaction: Transaction, guest: Guest) -> str:
    """A new link instead of an older one; what its address ends with."""
    store.keep(transaction, guest)
    close_links(transaction, guest.id)
    token = secrets.token_urlsafe(16)
    transaction.connection.execute(
        sa.insert(DEVICE_LINKS).values(
            hash=store.hashed(token),
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


@command(by="guest")
def close_links(transaction: Transaction, guest: str) -> None:
    """Make a guest's link invalid, and remove those that are too old."""
    transaction.connection.execute(
        sa.delete(DEVICE_LINKS).where(
            sa.or_(DEVICE_LINKS.c.guest == guest, DEVICE_LINKS.c.expires < transaction.now)
        )
    )


@query
def link_at(transaction: Transaction, token: str) -> DeviceLink | None:
    """The link of this address; None if it is no longer valid."""
    return _link(transaction, _row(transaction, DEVICE_LINKS.c.hash == store.hashed(token)))


@query
def link_of(transaction: Transaction, guest: str) -> DeviceLink | None:
    """The link that a guest has open."""
    return _link(transaction, _row(transaction, DEVICE_LINKS.c.guest == guest))


@query
def devices_of(
    transaction: Transaction, guest: str
) -> tuple[store.Person | None, DeviceLink | None, tuple[tuple[store.Passkey, int], ...]]:
    """What is kept about a guest, the link that they have open, and their passkeys."""
    return (
        store.person_of(transaction, guest),
        link_of(transaction, guest),
        store.passkeys_used(transaction, guest),
    )


@query
def link_and_owner(
    transaction: Transaction, token: str, browser: str
) -> tuple[DeviceLink | None, bool]:
    """The link of this address, and whether this browser is the one that asked."""
    return link_at(transaction, token), is_of(transaction, token, browser)


@command(by="guest")
def sign_out(transaction: Transaction, guest: str, device: str) -> None:
    """Sign out one device of a person, and close the link by which it may have let another in."""
    store.end_device(transaction, guest, device)
    close_links(transaction, guest)


@command(by="guest")
def log_out_elsewhere(
    transaction: Transaction, guest: str, label: str, *, phone: bool
) -> tuple[str, bool]:
    """Log out everywhere and be known on this device alone.

    Returns its id, empty for a guest who keeps nothing, and whether there was an e-mail address.
    """
    preferences = subscribers.preferences_of(transaction, guest)
    mailed = bool(preferences and preferences.address)
    store.log_out_everywhere(transaction, guest)
    close_links(transaction, guest)
    if store.person_of(transaction, guest) is None:
        return "", mailed
    return store.add_device(transaction, guest, label, phone=phone), mailed


def _row(transaction: Transaction, which: "sa.ColumnElement[bool]") -> "sa.Row[Any] | None":
    wanted = sa.select(DEVICE_LINKS).where(which, DEVICE_LINKS.c.expires >= transaction.now)
    return transaction.connection.execute(wanted).first()


def _link(transaction: Transaction, row: "sa.Row[Any] | None") -> DeviceLink | None:
    person = store.person_of(transaction, row.guest) if row else None
    if row is None or person is None:
        return None
    return DeviceLink(row.guest, person.guest.name, row.state, row.label, row.code)


@command(by="guest")
def ask(transaction: Transaction, token: str, browser: str, label: str, *, phone: bool) -> bool:
    """A browser asks to join; False if another did before, or the link is no longer valid."""
    asked = transaction.connection.execute(
        sa.update(DEVICE_LINKS)
        .where(DEVICE_LINKS.c.hash == store.hashed(token), DEVICE_LINKS.c.state == OPEN)
        .where(DEVICE_LINKS.c.expires >= transaction.now)
        .values(
            state=ASKED,
            browser=store.hashed(browser),
            label=label,
            phone=phone,
            code=f"{secrets.randbelow(10_000):04}",
        )
    )
    return bool(asked.rowcount)


@command(by="guest")
def allow(transaction: Transaction, guest: str, code: str) -> bool:
    """The first device lets in the one that shows this number."""
    allowed = transaction.connection.execute(
        sa.update(DEVICE_LINKS)
        .where(DEVICE_LINKS.c.guest == guest, DEVICE_LINKS.c.code == code)
        .where(DEVICE_LINKS.c.state == ASKED, DEVICE_LINKS.c.expires >= transaction.now)
        .values(state=ALLOWED)
    )
    return bool(allowed.rowcount)


@query
def is_of(transaction: Transaction, token: str, browser: str) -> bool:
    """Whether this browser is the one that asked."""
    mine = DEVICE_LINKS.c.browser == store.hashed(browser)
    return _row(transaction, sa.and_(DEVICE_LINKS.c.hash == store.hashed(token), mine)) is not None


@command(by="guest")
def enter(transaction: Transaction, token: str, browser: str) -> tuple[Guest, str] | None:
    """The person and the new device, for the browser that was let in; the link is used up."""
    row = _row(
        transaction,
        sa.and_(
            DEVICE_LINKS.c.hash == store.hashed(token),
            DEVICE_LINKS.c.browser == store.hashed(browser),
            DEVICE_LINKS.c.state == ALLOWED,
        ),
    )
    person = store.person_of(transaction, row.guest) if row else None
    if row is None or person is None:
        return None
    close_links(transaction, row.guest)
    return person.guest, store.add_device(transaction, row.guest, row.label, phone=row.phone)
