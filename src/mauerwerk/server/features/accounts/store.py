"""People who keep their games: passkeys, recovery codes, and the devices on which they are known.

A guest becomes a person here with the first of these. No password is stored, and of a recovery code
only its hash. Each function is part of the transaction of a `Transaction`.
"""

import secrets
from hashlib import sha256
from typing import Any, Final

import sqlalchemy as sa

from mauerwerk.core.game import Value
from mauerwerk.server.database.queries import command, query
from mauerwerk.server.database.schema import DEVICES
from mauerwerk.server.database.transaction import Transaction
from mauerwerk.server.features.accounts.schema import (
    ACCOUNTS,
    DEVICE_LINKS,
    PASSKEYS,
    RECOVERY_CODES,
    USED_CHALLENGES,
)
from mauerwerk.server.features.moderation import store as moderation
from mauerwerk.server.features.moderation.state import Action
from mauerwerk.server.features.notifications import store as subscribers
from mauerwerk.server.features.notifications.schema import PUSH_DEVICES, without_address
from mauerwerk.server.keys import new_id
from mauerwerk.server.tables.charter import Guest
from mauerwerk.server.tables.log import GONE

CODES: Final = 8
"""Recovery codes that a person gets at a time."""

LETTERS: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Of a code: without those that look like another (Crockford's base 32)."""

GROUPS: Final = 4
GROUP: Final = 4
"""A code has four groups of four letters: 80 bits, which nobody can guess."""

YEAR: Final = 365 * 86_400_000
MOST_DEVICES: Final = 30
"""The most devices of one person; one more signs out the one that was used least lately."""


class Passkey(Value, tag=False):
    """A passkey of a person."""

    id: str
    guest: str
    public_key: bytes
    sign_count: int
    label: str


class Challenge(Value):
    """What a browser has to sign."""

    bytes: bytes
    until: int
    handle: str
    """For a new passkey: the person's handle."""


class Device(Value, tag=False):
    """A browser in which a person is known."""

    id: str
    label: str
    phone: bool
    seen: int


class Person(Value, tag=False):
    """What is kept about a guest, so that they are known again."""

    guest: Guest
    handle: str
    since: int
    listed: bool
    passkeys: tuple[str, ...]
    """Their ids."""

    codes: int
    """How many recovery codes are left."""

    devices: tuple[Device, ...]
    """Those that are not signed out."""

    @property
    def kept(self) -> bool:
        """Whether they can be known again in another browser."""
        return bool(self.passkeys or self.codes)


def hashed(secret: str) -> str:
    """What is stored of something secret and long that nobody could guess."""
    return sha256(secret.encode()).hexdigest()


def new_handle() -> str:
    """What passkeys know a person by: random, so that it says nothing about them."""
    return secrets.token_urlsafe(32)


# --- People ----------------------------------------------------------------------------------


@query
def person_of(transaction: Transaction, guest: str) -> Person | None:
    """What is kept about a guest; None for one who keeps nothing."""
    found = transaction.execute(sa.select(ACCOUNTS).where(ACCOUNTS.c.guest == guest)).first()
    if found is None:
        return None
    passkeys = sa.select(PASSKEYS.c.id).where(PASSKEYS.c.guest == guest).order_by(PASSKEYS.c.id)
    codes = sa.select(sa.func.count()).where(RECOVERY_CODES.c.guest == guest)
    devices = (
        sa.select(DEVICES)
        .where(DEVICES.c.guest == guest, DEVICES.c.ended.is_(None))
        .order_by(DEVICES.c.seen.desc(), DEVICES.c.id)
    )
    return Person(
        guest=Guest(guest, found.name),
        handle=found.handle,
        since=found.since,
        listed=found.listed,
        passkeys=tuple(row.id for row in transaction.execute(passkeys)),
        codes=transaction.scalar(codes) or 0,
        devices=tuple(
            Device(row.id, row.label, row.phone, row.seen) for row in transaction.execute(devices)
        ),
    )


@command(by="guest")
def keep(transaction: Transaction, guest: Guest, handle: str = "") -> Person:
    """Make a guest a person, under their present name and with this handle, unless they are one."""
    known = person_of(transaction, guest.id)
    if known is None:
        values = {"handle": handle or new_handle(), "since": transaction.now, "listed": False}
        transaction.execute(sa.insert(ACCOUNTS).values(guest=guest.id, name=guest.name, **values))
        known = person_of(transaction, guest.id)
    if known is None:
        raise AssertionError
    return known


@command(by="guest")
def rename(transaction: Transaction, guest: Guest) -> bool:
    """Call a person by another name on all their devices; False for a guest who is none."""
    changed = transaction.execute(
        sa.update(ACCOUNTS).where(ACCOUNTS.c.guest == guest.id).values(name=guest.name)
    )
    if not changed.rowcount:
        return False
    moderation.set_status(transaction, guest.id, name=guest.name, renamed=transaction.now)
    transaction.audit(Action.PERSON, "", "")
    return True


@command(by="guest")
def set_listed(transaction: Transaction, guest: Guest, *, listed: bool) -> None:
    """Join the leaderboard, or leave it."""
    keep(transaction, guest)
    transaction.execute(
        sa.update(ACCOUNTS)
        .where(ACCOUNTS.c.guest == guest.id)
        .values(listed=listed, name=guest.name)
    )


# --- Passkeys --------------------------------------------------------------------------------


@command(by="guest")
def add_passkey(transaction: Transaction, passkey: Passkey) -> bool:
    """Keep a new passkey; False if there is one of this id."""
    if passkey_of(transaction, passkey.id) is not None:
        return False
    values = {name: getattr(passkey, name) for name in Passkey.__struct_fields__}
    transaction.execute(
        sa.insert(PASSKEYS).values(created=transaction.now, used=transaction.now, **values)
    )
    return True


@query
def passkey_of(transaction: Transaction, id_: str) -> Passkey | None:
    """The passkey of this id."""
    row = transaction.execute(sa.select(PASSKEYS).where(PASSKEYS.c.id == id_)).first()
    return None if row is None else _passkey(row)


@command(by="guest")
def register_passkey(
    transaction: Transaction, guest: Guest, passkey: Passkey, challenge: Challenge
) -> bool:
    """Keep the passkey that a browser made; False if its challenge was used, or its id is taken."""
    if not spend(transaction, challenge.bytes.hex(), challenge.until):
        return False
    keep(transaction, guest, challenge.handle)
    return add_passkey(transaction, passkey)


@command(by="guest")
def sign_in(
    transaction: Transaction, passkey: Passkey, sign_count: int, challenge: Challenge
) -> Person | None:
    """The person whose passkey signed a challenge; None if the challenge was used before."""
    if not spend(transaction, challenge.bytes.hex(), challenge.until):
        return None
    use_passkey(transaction, passkey.id, sign_count)
    return person_of(transaction, passkey.guest)


def _passkey(row: "sa.Row[Any]") -> Passkey:
    return Passkey(row.id, row.guest, bytes(row.public_key), row.sign_count, row.label)


@query
def passkeys_used(transaction: Transaction, guest: str) -> tuple[tuple[Passkey, int], ...]:
    """The passkeys of a guest and when each was last used, the latest first."""
    wanted = sa.select(PASSKEYS).where(PASSKEYS.c.guest == guest)
    rows = transaction.execute(wanted.order_by(PASSKEYS.c.used.desc(), PASSKEYS.c.id))
    return tuple((_passkey(row), row.used) for row in rows)


@command(by="guest")
def drop_passkey(transaction: Transaction, guest: str, id_: str) -> bool:
    """Remove a passkey, with which nobody can sign in any more; False if it is none of theirs."""
    mine = (PASSKEYS.c.id == id_, PASSKEYS.c.guest == guest)
    return bool(transaction.execute(sa.delete(PASSKEYS).where(*mine)).rowcount)


def use_passkey(transaction: Transaction, id_: str, sign_count: int) -> None:
    """Note that a passkey was used, and how often by its own count."""
    transaction.execute(
        sa.update(PASSKEYS)
        .where(PASSKEYS.c.id == id_)
        .values(sign_count=sign_count, used=transaction.now)
    )


def spend(transaction: Transaction, secret: str, until: int) -> bool:
    """Use something that is good for one use until then; False if it was used before."""
    transaction.execute(sa.delete(USED_CHALLENGES).where(USED_CHALLENGES.c.until < transaction.now))
    used = sa.select(USED_CHALLENGES.c.hash).where(USED_CHALLENGES.c.hash == hashed(secret))
    if until < transaction.now or transaction.execute(used).first() is not None:
        return False
    transaction.execute(sa.insert(USED_CHALLENGES).values(hash=hashed(secret), until=until))
    return True


# --- Recovery codes --------------------------------------------------------------------------


@command(by="guest")
def new_codes(transaction: Transaction, guest: Guest) -> tuple[str, ...]:
    """New recovery codes instead of the old ones, which are shown once and stored as hashes."""
    keep(transaction, guest)
    codes = tuple(_new_code() for _ in range(CODES))
    transaction.execute(sa.delete(RECOVERY_CODES).where(RECOVERY_CODES.c.guest == guest.id))
    transaction.execute(
        sa.insert(RECOVERY_CODES),
        [
            {"hash": hashed(plain_code(code)), "guest": guest.id, "created": transaction.now}
            for code in codes
        ],
    )
    return codes


def _new_code() -> str:
    groups = ("".join(secrets.choice(LETTERS) for _ in range(GROUP)) for _ in range(GROUPS))
    return "-".join(groups)


def plain_code(said: str) -> str:
    """A code as it is hashed, however somebody typed it.

    >>> plain_code(" 7k3m-o1il 0000-zzzz")
    '7K3M01110000ZZZZ'
    """
    looks = str.maketrans({"O": "0", "I": "1", "L": "1"})
    return "".join(said.upper().translate(looks).replace("-", " ").split())


@command(by="guest")
def use_code(transaction: Transaction, said: str) -> Person | None:
    """The person whose recovery code this is, which is used up then; None if it is nobody's."""
    mine = RECOVERY_CODES.c.hash == hashed(plain_code(said))
    row = transaction.execute(sa.select(RECOVERY_CODES.c.guest).where(mine)).first()
    if row is None:
        return None
    transaction.execute(sa.delete(RECOVERY_CODES).where(mine))
    return person_of(transaction, row.guest)


# --- Devices ---------------------------------------------------------------------------------


@command(by="guest")
def add_device(transaction: Transaction, guest: str, label: str, *, phone: bool) -> str:
    """Let a person be known on one more device; its id."""
    transaction.execute(
        sa.delete(DEVICES).where(
            DEVICES.c.ended < transaction.now - YEAR
        )  # so long does a cookie last
    )
    device = new_id()
    values = {"created": transaction.now, "seen": transaction.now, "ended": None}
    theirs = sa.select(DEVICES.c.id).where(DEVICES.c.guest == guest, DEVICES.c.ended.is_(None))
    surplus = theirs.order_by(DEVICES.c.seen.desc(), DEVICES.c.id).offset(MOST_DEVICES - 1)
    for row in transaction.execute(surplus).all():
        end_device(transaction, guest, row.id)
    transaction.execute(
        sa.insert(DEVICES).values(id=device, guest=guest, label=label, phone=phone, **values)
    )
    return device


@command(by="guest")
def see_device(transaction: Transaction, device: str) -> None:
    """Note that a device was used now."""
    transaction.execute(
        sa.update(DEVICES).where(DEVICES.c.id == device).values(seen=transaction.now)
    )


@command(by="guest")
def end_device(transaction: Transaction, guest: str, device: str) -> bool:
    """Sign out one device of a person; False if it is none of theirs."""
    ended = transaction.execute(
        sa.update(DEVICES)
        .where(DEVICES.c.id == device, DEVICES.c.guest == guest, DEVICES.c.guest != GONE)
        .where(DEVICES.c.ended.is_(None))
        .values(ended=transaction.now)
    )
    if ended.rowcount:
        pushed = sa.delete(PUSH_DEVICES).where(PUSH_DEVICES.c.device == device)
        transaction.execute(pushed)  # nobody is notified on that device any more
        transaction.audit(Action.PERSON, "", "")
    return bool(ended.rowcount)


@command(by="guest")
def log_out_everywhere(transaction: Transaction, guest: str) -> None:
    """Make every cookie, token and personal link of a guest invalid, on all devices."""
    transaction.execute(
        sa.update(DEVICES)
        .where(DEVICES.c.guest == guest, DEVICES.c.ended.is_(None))
        .values(ended=transaction.now)
    )
    moderation.set_status(transaction, guest, logged_out=transaction.now)
    transaction.execute(without_address(guest))  # who reads there now would get new links
    transaction.audit(Action.PERSON, "", "")


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
    keep(transaction, guest)
    close_links(transaction, guest.id)
    token = secrets.token_urlsafe(16)
    transaction.execute(
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


@command(by="guest")
def close_links(transaction: Transaction, guest: str) -> None:
    """Make a guest's link invalid, and remove those that are too old."""
    transaction.execute(
        sa.delete(DEVICE_LINKS).where(
            sa.or_(DEVICE_LINKS.c.guest == guest, DEVICE_LINKS.c.expires < transaction.now)
        )
    )


@query
def link_at(transaction: Transaction, token: str) -> DeviceLink | None:
    """The link of this address; None if it is no longer valid."""
    return _link(transaction, _row(transaction, DEVICE_LINKS.c.hash == hashed(token)))


@query
def link_of(transaction: Transaction, guest: str) -> DeviceLink | None:
    """The link that a guest has open."""
    return _link(transaction, _row(transaction, DEVICE_LINKS.c.guest == guest))


@query
def devices_of(
    transaction: Transaction, guest: str
) -> tuple[Person | None, DeviceLink | None, tuple[tuple[Passkey, int], ...]]:
    """What is kept about a guest, the link that they have open, and their passkeys."""
    return (
        person_of(transaction, guest),
        link_of(transaction, guest),
        passkeys_used(transaction, guest),
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
    end_device(transaction, guest, device)
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
    log_out_everywhere(transaction, guest)
    close_links(transaction, guest)
    if person_of(transaction, guest) is None:
        return "", mailed
    return add_device(transaction, guest, label, phone=phone), mailed


def _row(transaction: Transaction, which: "sa.ColumnElement[bool]") -> "sa.Row[Any] | None":
    wanted = sa.select(DEVICE_LINKS).where(which, DEVICE_LINKS.c.expires >= transaction.now)
    return transaction.execute(wanted).first()


def _link(transaction: Transaction, row: "sa.Row[Any] | None") -> DeviceLink | None:
    person = person_of(transaction, row.guest) if row else None
    if row is None or person is None:
        return None
    return DeviceLink(row.guest, person.guest.name, row.state, row.label, row.code)


@command(by="guest")
def ask(transaction: Transaction, token: str, browser: str, label: str, *, phone: bool) -> bool:
    """A browser asks to join; False if another did before, or the link is no longer valid."""
    asked = transaction.execute(
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


@command(by="guest")
def allow(transaction: Transaction, guest: str, code: str) -> bool:
    """The first device lets in the one that shows this number."""
    allowed = transaction.execute(
        sa.update(DEVICE_LINKS)
        .where(DEVICE_LINKS.c.guest == guest, DEVICE_LINKS.c.code == code)
        .where(DEVICE_LINKS.c.state == ASKED, DEVICE_LINKS.c.expires >= transaction.now)
        .values(state=ALLOWED)
    )
    return bool(allowed.rowcount)


@query
def is_of(transaction: Transaction, token: str, browser: str) -> bool:
    """Whether this browser is the one that asked."""
    mine = DEVICE_LINKS.c.browser == hashed(browser)
    return _row(transaction, sa.and_(DEVICE_LINKS.c.hash == hashed(token), mine)) is not None


@command(by="guest")
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
