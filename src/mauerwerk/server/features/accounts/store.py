"""People who keep their games: passkeys, recovery codes, and the devices on which they are known.

A guest becomes a person here with the first of these. No password is stored, and of a recovery code
only its hash. Each function is part of the transaction of a `Transaction`.
"""

import secrets
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any, Final

import msgspec
import sqlalchemy as sa
from msgspec.structs import asdict

from mauerwerk.core.game import Value
from mauerwerk.server.database import personal_data
from mauerwerk.server.database.changes import ACCOUNT_CHANGES, ChangeKind, record_change
from mauerwerk.server.database.personal_data import of_guest
from mauerwerk.server.database.queries import command, query
from mauerwerk.server.database.schema import DEVICES, ENTRIES, METADATA, NAMED, TABLES
from mauerwerk.server.database.transaction import Transaction
from mauerwerk.server.features.moderation import store as moderation
from mauerwerk.server.features.moderation.state import Action
from mauerwerk.server.features.notifications import store as subscribers
from mauerwerk.server.features.notifications.store import PUSH_DEVICES
from mauerwerk.server.features.retention.store import tables_naming
from mauerwerk.server.keys import DAY, LIFETIME, new_id
from mauerwerk.server.tables.charter import Charter, Guest
from mauerwerk.server.tables.log import GONE, Kind
from mauerwerk.server.tables.table import Card

ACCOUNTS: Final = sa.Table(
    "accounts",
    METADATA,
    sa.Column("guest", sa.Text, primary_key=True, info={NAMED: True}),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("handle", sa.Text, nullable=False),  # what their passkeys know them by; random
    sa.Column("since", sa.BigInteger, nullable=False),
    sa.Column("listed", sa.Boolean, nullable=False),  # whether the leaderboard names them
)

PASSKEYS: Final = sa.Table(
    "passkeys",
    METADATA,
    sa.Column("id", sa.Text, primary_key=True),  # base64url, as the browser says it
    sa.Column("guest", sa.Text, nullable=False),
    sa.Column("public_key", sa.LargeBinary, nullable=False),
    sa.Column("sign_count", sa.BigInteger, nullable=False),
    sa.Column("label", sa.Text, nullable=False),  # the browser and system that made it
    sa.Column("created", sa.BigInteger, nullable=False),
    sa.Column("used", sa.BigInteger, nullable=False),
    sa.Index("passkeys_by_guest", "guest"),
)

RECOVERY_CODES: Final = sa.Table(
    "recovery_codes",
    METADATA,
    sa.Column("hash", sa.Text, primary_key=True),  # SHA-256; a code has 80 random bits
    sa.Column("guest", sa.Text, nullable=False),
    sa.Column("created", sa.BigInteger, nullable=False),
    sa.Index("recovery_codes_by_guest", "guest"),
)

DEVICE_LINKS: Final = sa.Table(
    "device_links",
    METADATA,
    sa.Column("hash", sa.Text, primary_key=True),  # SHA-256 of what the link ends with
    sa.Column("guest", sa.Text, nullable=False),
    sa.Column("expires", sa.BigInteger, nullable=False),
    sa.Column("state", sa.Text, nullable=False),  # open, asked, allowed
    sa.Column("browser", sa.Text, nullable=False),  # SHA-256 of what the new device keeps
    sa.Column("label", sa.Text, nullable=False),  # of the new device
    sa.Column("phone", sa.Boolean, nullable=False),
    sa.Column("code", sa.Text, nullable=False),  # both devices show it
    sa.Index("device_links_by_guest", "guest"),
)

USED_CHALLENGES: Final = sa.Table(
    "used_challenges",
    METADATA,
    sa.Column("hash", sa.Text, primary_key=True),  # of something signed that is good for one use
    sa.Column("until", sa.BigInteger, nullable=False),  # it is not valid after that anyway
)

CODES: Final = 8
"""Recovery codes that a person gets at a time."""
MOST_PASSKEYS: Final = 12
"""The most passkeys of one person; for another one they first remove one."""
MOST_DEVICES: Final = 30
"""The most devices of one person; one more signs out the one that was used least lately."""


class Passkey(Value, tag=False):
    """A passkey of a person."""

    id: str
    guest: str
    public_key: bytes
    sign_count: int
    label: str
    used: int = 0
    created: int = 0


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


class Proved(Value):
    """A person who has proved who they are."""

    person: Person
    since: int
    """When the passkey or recovery code was created by which they did."""


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
    devices = (
        sa.select(DEVICES)
        .where(DEVICES.c.guest == guest, DEVICES.c.ended.is_(None))
        .order_by(DEVICES.c.seen.desc(), DEVICES.c.id)
    )
    return Person(
        guest=Guest(guest, found.name),
        handle=found.handle,
        listed=found.listed,
        passkeys=tuple(transaction.scalars(passkeys)),
        codes=transaction.count(RECOVERY_CODES, RECOVERY_CODES.c.guest == guest),
        devices=transaction.values(Device, devices),
    )


@command(by="guest")
def open_account(transaction: Transaction, guest: Guest, handle: str = "") -> None:
    """Make a guest a person, under their present name and with this handle, unless they are one."""
    if not transaction.has(ACCOUNTS, ACCOUNTS.c.guest == guest.id):
        values = {"handle": handle or new_handle(), "since": transaction.now, "listed": False}
        transaction.insert(ACCOUNTS, guest=guest.id, name=guest.name, **values)


@command(by="guest")
def rename(transaction: Transaction, guest: Guest) -> bool:
    """Call a person by another name on all their devices; False for a guest who is none."""
    if not transaction.update(ACCOUNTS, ACCOUNTS.c.guest == guest.id, name=guest.name):
        return False
    moderation.set_status(transaction, guest.id, name=guest.name, renamed=transaction.now)
    transaction.audit(Action.PERSON, "", "")
    return True


@command(by="guest")
def set_listed(transaction: Transaction, guest: Guest, *, listed: bool) -> None:
    """Join the leaderboard, or leave it."""
    open_account(transaction, guest)
    transaction.update(ACCOUNTS, ACCOUNTS.c.guest == guest.id, listed=listed, name=guest.name)


# --- Passkeys --------------------------------------------------------------------------------


@command(by="guest")
def add_passkey(transaction: Transaction, passkey: Passkey) -> bool:
    """Keep a new passkey; False if there is one of this id, or the person has as many as may be."""
    full = transaction.count(PASSKEYS, PASSKEYS.c.guest == passkey.guest) >= MOST_PASSKEYS
    if full or transaction.has(PASSKEYS, PASSKEYS.c.id == passkey.id):
        return False
    values = {**asdict(passkey), "created": transaction.now, "used": transaction.now}
    transaction.insert(PASSKEYS, **values)
    record_change(transaction, passkey.guest, ChangeKind.PASSKEY_MADE, passkey.label)
    return True


@query
def passkey_of(transaction: Transaction, id_: str) -> Passkey | None:
    """The passkey of this id."""
    return transaction.value(Passkey, sa.select(PASSKEYS).where(PASSKEYS.c.id == id_))


@command(by="guest")
def register_passkey(
    transaction: Transaction, guest: Guest, passkey: Passkey, challenge: Challenge
) -> bool:
    """Keep the passkey that a browser made; False if its challenge was used, or its id is taken."""
    if not _spend(transaction, challenge):
        return False
    open_account(transaction, guest, challenge.handle)
    return add_passkey(transaction, passkey)


@command(by="guest")
def sign_in(
    transaction: Transaction, passkey: Passkey, sign_count: int, challenge: Challenge
) -> Proved | None:
    """The person whose passkey signed a challenge; None if the challenge was used before."""
    if not _spend(transaction, challenge):
        return None
    used = {"sign_count": sign_count, "used": transaction.now}
    transaction.update(PASSKEYS, PASSKEYS.c.id == passkey.id, **used)
    person = person_of(transaction, passkey.guest)
    return Proved(person, passkey.created) if person else None


@command(by="guest", lasting="drop-passkey")
def drop_passkey(transaction: Transaction, guest: str, id_: str) -> bool:
    """Remove a passkey, with which nobody can sign in any more; False if it is none of theirs."""
    mine = (PASSKEYS.c.id == id_, PASSKEYS.c.guest == guest)
    if not transaction.remove(PASSKEYS, *mine):
        return False
    record_change(transaction, guest, ChangeKind.PASSKEY_REMOVED)
    return True


def _spend(transaction: Transaction, challenge: Challenge) -> bool:
    """Use a challenge, which is good for one use; False if it was used before, or is too old."""
    hash_ = hashed(challenge.bytes.hex())
    transaction.remove(USED_CHALLENGES, USED_CHALLENGES.c.until < transaction.now)
    used = transaction.has(USED_CHALLENGES, USED_CHALLENGES.c.hash == hash_)
    if used or challenge.until < transaction.now:
        return False
    transaction.insert(USED_CHALLENGES, hash=hash_, until=challenge.until)
    return True


# --- Recovery codes --------------------------------------------------------------------------


@command(by="guest")
def keep_codes(transaction: Transaction, guest: Guest, codes: tuple[str, ...]) -> None:
    """Keep new recovery codes instead of the old ones, as hashes."""
    open_account(transaction, guest)
    drop_codes(transaction, guest.id)
    transaction.execute(
        sa.insert(RECOVERY_CODES),
        [
            {"hash": hashed(plain_code(code)), "guest": guest.id, "created": transaction.now}
            for code in codes
        ],
    )
    record_change(transaction, guest.id, ChangeKind.CODES_MADE)


@command(by="guest")
def show_codes(transaction: Transaction, ticket: Challenge, codes: tuple[str, ...]) -> bool:
    """Whether the codes of a ticket may be shown: once, and only while they are valid."""
    valid = RECOVERY_CODES.c.hash == hashed(plain_code(codes[0]))
    return _spend(transaction, ticket) and transaction.has(RECOVERY_CODES, valid)


@command(by="guest", lasting="drop-codes")
def drop_codes(transaction: Transaction, guest: str) -> bool:
    """Make the recovery codes of a guest invalid; False if there are none."""
    return bool(transaction.remove(RECOVERY_CODES, RECOVERY_CODES.c.guest == guest))


@command(by="guest", lasting="spend-code")
def _spend_code(transaction: Transaction, hash_: str) -> bool:
    return bool(transaction.remove(RECOVERY_CODES, RECOVERY_CODES.c.hash == hash_))


def plain_code(said: str) -> str:
    """A code as it is hashed, however somebody typed it.

    >>> plain_code(" 7k3m-o1il 0000-zzzz")
    '7K3M01110000ZZZZ'
    """
    looks = str.maketrans({"O": "0", "I": "1", "L": "1"})
    return "".join(said.upper().translate(looks).replace("-", " ").split())


@command(by="guest")
def use_code(transaction: Transaction, said: str) -> Proved | None:
    """The person whose recovery code this is, which is used up then; None if it is nobody's."""
    mine = RECOVERY_CODES.c.hash == hashed(plain_code(said))
    row = transaction.execute(sa.select(RECOVERY_CODES).where(mine)).first()
    if row is None:
        return None
    _spend_code(transaction, row.hash)
    person = person_of(transaction, row.guest)
    return Proved(person, row.created) if person else None


@query
def has_proof(transaction: Transaction, guest: str) -> bool:
    """Whether a guest has a passkey or a recovery code."""
    return any(transaction.has(each, each.c.guest == guest) for each in (PASSKEYS, RECOVERY_CODES))


# --- Devices ---------------------------------------------------------------------------------


@command(by="guest")
def add_device(
    transaction: Transaction, guest: str, label: str, *, phone: bool, device: str = ""
) -> str:
    """Let a person be known on one more device; its id, a new one unless it has one."""
    transaction.remove(DEVICES, DEVICES.c.ended < transaction.now - LIFETIME - DAY)
    device = device or new_id()
    values = {"created": transaction.now, "seen": transaction.now, "ended": None}
    theirs = sa.select(DEVICES.c.id).where(DEVICES.c.guest == guest, DEVICES.c.ended.is_(None))
    surplus = theirs.order_by(DEVICES.c.seen.desc(), DEVICES.c.id).offset(MOST_DEVICES - 1)
    for each in transaction.scalars(surplus).all():
        end_device(transaction, guest, each)
    transaction.insert(DEVICES, id=device, guest=guest, label=label, phone=phone, **values)
    return device


@command(by="guest")
def listed_device(  # noqa: PLR0913 - the columns of a device
    transaction: Transaction, guest: str, before: str, label: str, *, phone: bool, anew: bool
) -> str:
    """The device of a browser among those of a person: the one it was before, or a new one.

    If it is `anew`, the one before is signed out. Somebody may have a copy of its cookie.
    """
    if before and not anew:
        if not transaction.has(DEVICES, DEVICES.c.id == before):
            add_device(transaction, guest, label, phone=phone, device=before)
        return before
    device = add_device(transaction, guest, label, phone=phone)
    if before:
        transaction.update(PUSH_DEVICES, PUSH_DEVICES.c.device == before, device=device)
        end_device(transaction, guest, before)
    return device


@command(by="guest")
def see_device(transaction: Transaction, device: str) -> None:
    """Note that a device was used now."""
    transaction.update(DEVICES, DEVICES.c.id == device, seen=transaction.now)


@command(by="guest", lasting="end-device")
def end_device(transaction: Transaction, guest: str, device: str) -> bool:
    """Sign out one device of a person; False if it is none of theirs."""
    mine = (DEVICES.c.id == device, DEVICES.c.guest == guest, DEVICES.c.guest != GONE)
    ended = transaction.update(DEVICES, *mine, DEVICES.c.ended.is_(None), ended=transaction.now)
    if not ended and (device != guest or transaction.has(DEVICES, *mine)):
        return False
    if not ended:  # the first device, which has no row while it is the only one
        times = dict.fromkeys(("created", "seen", "ended"), transaction.now)
        transaction.insert(DEVICES, id=device, guest=guest, label="", phone=False, **times)
    transaction.remove(PUSH_DEVICES, PUSH_DEVICES.c.device == device)  # nor is it notified
    transaction.audit(Action.PERSON, "", "")
    return True


@command(by="guest", lasting="log-out-everywhere")
def log_out_everywhere(transaction: Transaction, guest: str) -> None:
    """Make every cookie, token and personal link of a guest invalid, on all devices."""
    mine = (DEVICES.c.guest == guest, DEVICES.c.ended.is_(None))
    transaction.update(DEVICES, *mine, ended=transaction.now)
    moderation.set_status(transaction, guest, logged_out=transaction.now)
    subscribers.forget_addresses(transaction, guest)  # who reads there now would get new links
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
    browser: str
    """The hash of what the device that asks keeps."""
    label: str
    """The device that asks."""
    phone: bool
    code: str
    """The number that both devices show."""


@command(by="guest")
def open_link(transaction: Transaction, guest: Guest) -> str:
    """A new link instead of an older one; what its address ends with."""
    open_account(transaction, guest)
    close_links(transaction, guest.id)
    token = secrets.token_urlsafe(16)
    new = DeviceLink(guest.id, guest.name, OPEN, browser="", label="", phone=False, code="")
    values = {**asdict(new), "hash": hashed(token), "expires": transaction.now + MINUTES * 60_000}
    del values["name"]  # which is that of the account
    transaction.insert(DEVICE_LINKS, **values)
    return token


@command(by="guest")
def close_links(transaction: Transaction, guest: str) -> None:
    """Make a guest's link invalid, and remove those that are too old."""
    old = DEVICE_LINKS.c.expires < transaction.now
    transaction.remove(DEVICE_LINKS, old | (DEVICE_LINKS.c.guest == guest))


@query
def link_of(transaction: Transaction, guest: str) -> DeviceLink | None:
    """The link that a guest has open."""
    return _link(transaction, DEVICE_LINKS.c.guest == guest)


def _link(transaction: Transaction, which: "sa.ColumnElement[bool]") -> DeviceLink | None:
    wanted = sa.select(DEVICE_LINKS, ACCOUNTS.c.name).join(
        ACCOUNTS, ACCOUNTS.c.guest == DEVICE_LINKS.c.guest
    )
    valid = wanted.where(which, DEVICE_LINKS.c.expires >= transaction.now)
    return transaction.value(DeviceLink, valid)


@query
def devices_of(
    transaction: Transaction, guest: str
) -> tuple[Person | None, DeviceLink | None, tuple[Passkey, ...]]:
    """What is kept about a guest, the link that they have open, and their passkeys."""
    theirs = sa.select(PASSKEYS).where(PASSKEYS.c.guest == guest)
    latest_first = theirs.order_by(PASSKEYS.c.used.desc(), PASSKEYS.c.id)
    passkeys = transaction.values(Passkey, latest_first)
    return person_of(transaction, guest), link_of(transaction, guest), passkeys


@query
def link_and_owner(
    transaction: Transaction, token: str, browser: str
) -> tuple[DeviceLink | None, bool]:
    """The link of this address, and whether this browser is the one that asked."""
    link = _link(transaction, DEVICE_LINKS.c.hash == hashed(token))
    return link, link is not None and link.browser == hashed(browser)


@command(by="guest")
def sign_out(transaction: Transaction, guest: str, device: str) -> None:
    """Sign out one device of a person, and close the link by which it may have let another in."""
    end_device(transaction, guest, device)
    close_links(transaction, guest)


class Alone(Value):
    """What remains after somebody was logged out everywhere else."""

    device: str
    """This one; empty for a guest who keeps nothing."""
    mailed: bool
    """Whether there was an e-mail address, which is forgotten now."""
    codes: bool = False
    """Whether the new recovery codes replaced others."""


@command(by="guest")
def log_out_elsewhere(  # noqa: PLR0913 - the columns of a device, and the means of a proof
    transaction: Transaction,
    guest: Guest,
    label: str,
    codes: tuple[str, ...],
    *,
    phone: bool,
    since: int | None,
) -> Alone:
    """Log out everywhere and be known on this device alone.

    For somebody who has proved who they are, these codes also replace their recovery codes, and
    passkeys are removed that were created later than what they proved it with (`since`): a thief
    may have made them.
    """
    preferences = subscribers.preferences_of(transaction, guest.id)
    mailed = bool(preferences and preferences.address)
    log_out_everywhere(transaction, guest.id)
    close_links(transaction, guest.id)
    person = person_of(transaction, guest.id)
    if person is None:
        return Alone("", mailed)
    record_change(transaction, guest.id, ChangeKind.SIGNED_OUT, label)
    renews = since is not None and person.codes > 0
    if since is not None:
        newer = (PASSKEYS.c.guest == guest.id, PASSKEYS.c.created > since)
        for passkey in transaction.scalars(sa.select(PASSKEYS.c.id).where(*newer)).all():
            drop_passkey(transaction, guest.id, passkey)
    if renews:
        keep_codes(transaction, guest, codes)
    return Alone(add_device(transaction, guest.id, label, phone=phone), mailed, renews)


@command(by="guest")
def ask(transaction: Transaction, token: str, browser: str, label: str, *, phone: bool) -> bool:
    """A browser asks to join; False if another did before, or the link is no longer valid."""
    mine = (DEVICE_LINKS.c.hash == hashed(token), DEVICE_LINKS.c.state == OPEN)
    valid = DEVICE_LINKS.c.expires >= transaction.now
    device = {"browser": hashed(browser), "label": label, "phone": phone}
    code = f"{secrets.randbelow(10_000):04}"
    asked = transaction.update(DEVICE_LINKS, *mine, valid, state=ASKED, code=code, **device)
    return bool(asked)


@command(by="guest")
def allow(transaction: Transaction, guest: str, code: str) -> None:
    """The first device lets in the one that shows this number."""
    mine = (DEVICE_LINKS.c.guest == guest, DEVICE_LINKS.c.code == code)
    asks = (DEVICE_LINKS.c.state == ASKED, DEVICE_LINKS.c.expires >= transaction.now)
    transaction.update(DEVICE_LINKS, *mine, *asks, state=ALLOWED)


@command(by="guest")
def enter(transaction: Transaction, token: str, browser: str) -> tuple[Guest, str] | None:
    """The person and the new device, for the browser that was let in; the link is used up."""
    link, ours = link_and_owner(transaction, token, browser)
    if link is None or not ours or link.state != ALLOWED:
        return None
    close_links(transaction, link.guest)
    device = add_device(transaction, link.guest, link.label, phone=link.phone)
    record_change(transaction, link.guest, ChangeKind.JOINED, link.label)
    return Guest(link.guest, link.name), device


# --- What belongs to a person ----------------------------------------------------------------


def _forget_devices(transaction: Transaction, guest: str) -> None:
    """They are signed out; what remains says that, and not whose they were."""
    ended = sa.func.coalesce(DEVICES.c.ended, transaction.now)
    transaction.update(DEVICES, DEVICES.c.guest == guest, guest=GONE, label="", ended=ended)


PERSONAL_DATA: Final = (
    of_guest("person", ACCOUNTS, "handle"),
    of_guest("passkeys", PASSKEYS, "public_key", "sign_count"),
    of_guest("recovery_codes", RECOVERY_CODES, "hash"),
    of_guest("devices", DEVICES, "id")._replace(forget=_forget_devices),
    of_guest("account_changes", ACCOUNT_CHANGES, "id"),
    of_guest("device_links", DEVICE_LINKS, "hash", "browser", "code"),
)


@query
def data_of(
    transaction: Transaction, guest: str, name: str
) -> tuple[dict[str, Any], dict[str, str]]:
    """Everything that names a guest, and the records of their games by file name."""
    records: dict[str, str] = {}
    tables: list[dict[str, Any]] = []
    for table in tables_naming(transaction, guest):
        row = transaction.execute(sa.select(TABLES).where(TABLES.c.id == table)).one()
        charter = msgspec.json.decode(row.charter, type=Charter)
        card = msgspec.json.decode(row.card, type=Card)
        sat = _sat(transaction, table, guest)
        day = datetime.fromtimestamp(row.created / 1_000, UTC).strftime("%Y-%m-%d")
        file = f"games/{day}-{row.game}-{table}.txt" if row.record else ""
        if row.record:
            records[file] = row.record
        tables.append(
            {
                "table": table,
                "game": row.game,
                "rules": row.rules,
                "status": row.status,
                "created": row.created,
                "changed": row.changed,
                "opened": charter.opener == guest,
                # The names under which they sat there, and where.
                "names": tuple(dict.fromkeys(name for name, _ in sat)),
                "seats": tuple(dict.fromkeys(seat for _, seat in sat)),
                "record": file,
                "ranks": card.ranks,
                "points": card.points,
            }
        )
    personal = {each.name: each.taken(transaction, guest) for each in personal_data.everything()}
    return {"guest": guest, "name": name, "tables": tables, **personal}, records


def _sat(transaction: Transaction, table: str, guest: str) -> list[tuple[str, int]]:
    """The names and seats of a guest at a table. The log may be long, and is not read for it."""
    wanted = (
        sa.select(ENTRIES.c.word, ENTRIES.c.seat)
        .where(ENTRIES.c.table_id == table, ENTRIES.c.guest == guest, ENTRIES.c.guest != "")
        .where(ENTRIES.c.kind == Kind.SIT)
        .order_by(ENTRIES.c.seq)
    )
    return [(row.word, row.seat) for row in transaction.execute(wanted)]
