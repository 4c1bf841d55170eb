"""Who is notified about which turn: preferences, devices, turns, and messages that wait.

A server that claims a message has until its lease ends to say how it went. If it was killed in
between, another one sends the message: of two pushes about a table, the device shows only the last.
An e-mail would come twice. So it is marked right before the mail server takes it (`mark_sent`); if
the server is killed in the moment after that, nobody knows whether it went out, and it is not sent
again. A link that confirms an address may come twice.
"""

import secrets
from base64 import urlsafe_b64encode
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from enum import StrEnum
from hashlib import sha256
from typing import Any, Final
from urllib.parse import urlsplit

import msgspec
import sqlalchemy as sa
from msgspec.structs import asdict, replace

from mauerwerk.core.game import Seat, Value
from mauerwerk.server.database.changes import ChangeKind, record_change
from mauerwerk.server.database.queries import command, query
from mauerwerk.server.database.schema import GUEST_STATUS, METADATA, OWNERS, TABLES
from mauerwerk.server.database.transaction import Transaction
from mauerwerk.server.features.notifications import addresses, relays, schedule
from mauerwerk.server.features.notifications.schedule import NotificationPreferences
from mauerwerk.server.http.outgoing import service_at
from mauerwerk.server.keys import DAY, new_id
from mauerwerk.server.tables.table import Card, Status

PREFERENCES: Final = sa.Table(
    "notification_preferences",
    METADATA,
    sa.Column("guest", sa.Text, primary_key=True),
    sa.Column("pace", sa.Text, nullable=False),  # now, daily or never
    sa.Column("quiet_from", sa.Integer, nullable=False),  # minutes after midnight
    sa.Column("quiet_to", sa.Integer, nullable=False),
    sa.Column("zone", sa.Text, nullable=False),
    sa.Column("language", sa.Text, nullable=False),
    sa.Column("address", sa.Text, nullable=False),  # for e-mail; empty for none
    sa.Column("confirmed", sa.BigInteger),  # when its owner confirmed the address
    sa.Column("proof", sa.Text, nullable=False),  # ends the link that confirms the address
    sa.Column("stop", sa.Text, nullable=False),  # ends the link against further e-mail
    sa.Index("notification_preferences_by_proof", "proof"),
    sa.Index("notification_preferences_by_stop", "stop"),
)

PUSH_DEVICES: Final = sa.Table(
    "push_devices",
    METADATA,
    sa.Column("id", sa.Text, primary_key=True),  # the hash of the address
    sa.Column("guest", sa.Text, nullable=False),
    sa.Column("endpoint", sa.Text, nullable=False),  # where its push service takes messages
    sa.Column("key", sa.Text, nullable=False),  # p256dh, by which messages are encrypted
    sa.Column("auth", sa.Text, nullable=False),
    sa.Column("since", sa.BigInteger, nullable=False),
    sa.Column("device", sa.Text, nullable=False, server_default=""),  # as in `devices`, if known
    sa.Index("push_devices_by_guest", "guest", "since"),
)

TURNS: Final = sa.Table(
    "turns",
    METADATA,
    sa.Column("guest", sa.Text, primary_key=True),
    sa.Column("table_id", sa.Text, primary_key=True),
    sa.Column("asked", sa.BigInteger, nullable=False),  # when the question was put: which turn
    sa.Column("due", sa.BigInteger),  # when to notify; none once sent, or never mind
    sa.Column("seen", sa.BigInteger, nullable=False),  # when the guest last saw the table
    sa.Index("turns_by_due", "due"),
    sqlite_with_rowid=False,
)

OUTBOX: Final = sa.Table(
    "outbox",
    METADATA,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("guest", sa.Text, nullable=False),
    sa.Column("channel", sa.Text, nullable=False),  # push, email, or confirm
    sa.Column("target", sa.Text, nullable=False),  # the id of a device, or an e-mail address
    sa.Column("tables", sa.Text, nullable=False),  # JSON: the tables that it is about
    sa.Column("due", sa.BigInteger, nullable=False),  # when to send it; once done, when it was
    sa.Column("state", sa.Text, nullable=False),
    sa.Column("attempts", sa.Integer, nullable=False),
    sa.Column("lease", sa.BigInteger),  # until when the server that sends it must say how it went
    sa.Column("service", sa.Text, nullable=False, server_default=""),  # as in `services`
    sa.Index("outbox_by_state", "state", "due"),
    sa.Index("outbox_by_guest", "guest"),
    sa.Index("outbox_by_service", "service"),
)

SERVICES: Final = sa.Table(
    "services",
    METADATA,
    sa.Column("service", sa.Text, primary_key=True),  # host and port, as in the address
    sa.Column("answered", sa.BigInteger),  # when it last answered, about
    sa.Column("failures", sa.Integer, nullable=False),  # how often in a row it did not answer
    sa.Column("until", sa.BigInteger, nullable=False),  # nothing is sent there before
)
"""Services at addresses that people gave, such as push services.

One that answers in time is *proven*. All others are tried one message at a time, in places of their
own, so that nobody waits for them."""

MOST_OF_GUEST: Final = 2
"""The most messages of one person that are being sent at the same time."""
MOST_DEVICES: Final = 8
"""The most devices of one person that take pushes; one more replaces the oldest."""
LINK_BYTES: Final = 18
PUSH_KEY: Final = "push-key"
"""The name of the setting with the key by which push services know this server."""
PUSH: Final = "push"
EMAIL: Final = "email"
CONFIRM: Final = "confirm"
CONFIRMATIONS_AN_HOUR: Final = 100
"""How many messages a server sends in an hour that ask to confirm an address."""
LEASE: Final = 60_000
"""Milliseconds in which a server that claims a message says how it went."""
AGAIN: Final = (60_000, 5 * 60_000, 30 * 60_000, 2 * 3_600_000, 6 * 3_600_000)
"""Milliseconds after which a message is tried again that could not be sent; then it has failed."""
KEPT: Final = 7 * DAY
"""Milliseconds for which it is known how a message went."""


class Result(StrEnum):
    """How it went."""

    SENT = "sent"
    GONE = "gone"
    """There is no such device or address any more."""
    LATER = "later"
    """It may work another time."""
    SILENT = "silent"
    """Nobody answered in time; nor would they answer other messages now."""
    FAILED = "failed"
    """It will not work another time either."""
    MOOT = "moot"
    """It was not sent: there was nothing to say any more, or another server had it by then."""


class State(StrEnum):
    """How far a message is."""

    WAITING = "waiting"
    SENDING = "sending"
    HANDING = "handing"
    """The mail server takes it at this moment."""
    SENT = "sent"
    FAILED = "failed"
    MOOT = "moot"
    """It was not sent, since there was nothing to say any more."""
    UNKNOWN = "unknown"
    """A server was killed in the moment in which it handed it over."""


class Device(Value, tag=False):
    """A browser that is notified while no page is open, by way of its maker's push service."""

    endpoint: str
    key: str
    auth: str

    @property
    def id(self) -> str:
        """The name under which it is kept."""
        return urlsafe_b64encode(sha256(self.endpoint.encode()).digest()[:LINK_BYTES]).decode()

    @property
    def service(self) -> str:
        """The service that takes messages for it."""
        return service_at(urlsplit(self.endpoint))


@query
def preferences_of(transaction: Transaction, guest: str) -> NotificationPreferences | None:
    """How a guest wants to be notified; None where they never said."""
    return _found(transaction, PREFERENCES.c.guest == guest)


def _found(
    transaction: Transaction, where: "sa.ColumnElement[bool]"
) -> NotificationPreferences | None:
    return transaction.value(NotificationPreferences, sa.select(PREFERENCES).where(where))


@command(by="notifications")
def store_preferences(
    transaction: Transaction,
    wanted: NotificationPreferences,
    now: int,
    most: int = CONFIRMATIONS_AN_HOUR,
) -> NotificationPreferences:
    """Notify a guest like this from now on; as it is kept.

    A new address counts once it is confirmed, and a message asks for that; at most so many of them
    are sent in an hour. The schedule of waiting turns is worked out again. Raises AddressError.
    """
    before = preferences_of(transaction, wanted.guest) or NotificationPreferences(wanted.guest)
    if wanted.address == before.address:
        links = {"confirmed": before.confirmed, "proof": before.proof, "stop": before.stop}
    else:
        proof = secrets.token_urlsafe(LINK_BYTES) if wanted.address else ""
        links = {"confirmed": None, "proof": proof, "stop": secrets.token_urlsafe(LINK_BYTES)}
        _drop_mail(transaction, wanted.guest)
    kept = replace(wanted, **links)
    transaction.remove(PREFERENCES, PREFERENCES.c.guest == kept.guest)
    transaction.insert(PREFERENCES, **asdict(kept))
    if kept.proof and kept.address != before.address:
        addresses.admit(transaction, kept.address, now, most)
        record_change(transaction, kept.guest, ChangeKind.ADDRESS)
        put_item(transaction, kept.guest, CONFIRM, kept.address, (), now)
    transaction.update(TURNS, TURNS.c.guest == kept.guest, TURNS.c.due.is_not(None), due=0)
    return kept


def put_item(  # noqa: PLR0913, PLR0917 - the columns of a message
    transaction: Transaction,
    guest: str,
    channel: str,
    target: str,
    tables: tuple[str, ...],
    now: int,
    service: str = "",
) -> None:
    """Have a message sent: now, or when its service is tried again."""
    about = msgspec.json.encode(tables).decode()
    what = {"id": new_id(), "guest": guest, "channel": channel, "target": target, "tables": about}
    silent = sa.select(SERVICES.c.until).where(SERVICES.c.service == service)
    due = max(now, (transaction.scalar(silent) or 0) if service else 0)
    transaction.insert(OUTBOX, **what, due=due, state=State.WAITING, attempts=0, service=service)


@query
def subscriber_to_confirm(transaction: Transaction, proof: str) -> NotificationPreferences | None:
    """Whose address a link confirms; None for a wrong link."""
    return _found(transaction, PREFERENCES.c.proof == proof) if proof else None


@command(by="notifications")
def confirm(transaction: Transaction, proof: str, now: int) -> NotificationPreferences | None:
    """The owner of an address says that it is theirs; None for a wrong link."""
    found = subscriber_to_confirm(transaction, proof)
    if found is not None and found.confirmed is None:
        transaction.update(PREFERENCES, PREFERENCES.c.guest == found.guest, confirmed=now)
    return found


@query
def subscriber_to_stop(transaction: Transaction, stop: str) -> NotificationPreferences | None:
    """Whose e-mail a link switches off; None for a wrong link."""
    return _found(transaction, PREFERENCES.c.stop == stop) if stop else None


@command(by="notifications")
def stop_mail(transaction: Transaction, stop: str) -> NotificationPreferences | None:
    """Send no more e-mail to the address of this link, which stays valid; None for a wrong one."""
    found = subscriber_to_stop(transaction, stop)
    if found is not None:
        forget_address(transaction, found.guest)
        _drop_mail(transaction, found.guest)
    return found


@command(by="notifications")
def allow_address(transaction: Transaction, token: str) -> bool:
    """Let people have e-mail sent again to the address of this link; False for a wrong one."""
    if not addresses.is_token(transaction, token):
        return False
    addresses.set_blocked(transaction, token, blocked=False)
    return True


@command(by="notifications")
def block_address(transaction: Transaction, token: str) -> bool:
    """Nobody has e-mail sent any more to the address of this link; False for a wrong one."""
    if not addresses.is_token(transaction, token):
        return False
    addresses.set_blocked(transaction, token, blocked=True)
    given = sa.select(PREFERENCES.c.guest, PREFERENCES.c.address).where(PREFERENCES.c.address != "")
    for row in transaction.execute(given).all():
        if addresses.token_of(transaction, row.address) == token:
            forget_address(transaction, row.guest)
            _drop_mail(transaction, row.guest)
    return True


@command(by="notifications", lasting="forget-address")
def forget_address(transaction: Transaction, guest: str) -> bool:
    """Forget the e-mail address of a guest, or say that there is none.

    What still waits to be sent there is not sent.
    """
    nothing = {"address": "", "confirmed": None, "proof": ""}
    given = (PREFERENCES.c.guest == guest, PREFERENCES.c.address != "")
    return bool(transaction.update(PREFERENCES, *given, **nothing))


def forget_addresses(transaction: Transaction, guest: str) -> None:
    """The same, and for all other addresses that they gave: somebody else may read there now."""
    forget_address(transaction, guest)
    relays.drop_relay(transaction, guest)


def _drop_mail(transaction: Transaction, guest: str) -> None:
    mail = OUTBOX.c.channel.in_([EMAIL, CONFIRM])
    transaction.remove(OUTBOX, OUTBOX.c.guest == guest, mail, OUTBOX.c.state == State.WAITING)


# --- Devices ---------------------------------------------------------------------------------


@query
def devices_of(transaction: Transaction, guest: str) -> dict[str, Device]:
    """The devices of a guest by their ids, the latest first; none from before they logged out."""
    status = sa.select(GUEST_STATUS.c.logged_out).where(GUEST_STATUS.c.guest == guest)
    logged_out = transaction.scalar(status) or 0
    wanted = (
        sa.select(PUSH_DEVICES)
        .where(PUSH_DEVICES.c.guest == guest, PUSH_DEVICES.c.since > logged_out)
        .order_by(PUSH_DEVICES.c.since.desc())
    )
    return {row.id: Device(row.endpoint, row.key, row.auth) for row in transaction.execute(wanted)}


@command(by="notifications")
def store_device(
    transaction: Transaction, guest: str, device: Device, now: int, signed_in: str = ""
) -> None:
    """Push to this device too; `signed_in` names it among those of the guest, if known."""
    drop_device(transaction, device.id)
    values = {**asdict(device), "id": device.id, "guest": guest, "since": now}
    transaction.insert(PUSH_DEVICES, **values, device=signed_in)
    for surplus in tuple(devices_of(transaction, guest))[MOST_DEVICES:]:
        drop_device(transaction, surplus)


@command(by="notifications")
def add_device(
    transaction: Transaction,
    otherwise: NotificationPreferences,
    device: Device,
    now: int,
    known_as: str,
) -> None:
    """Send to this browser too; a guest who has not said how wants it `otherwise`."""
    if preferences_of(transaction, otherwise.guest) is None:
        store_preferences(transaction, otherwise, now)
    store_device(transaction, otherwise.guest, device, now, known_as)


@command(by="notifications")
def add_relay(
    transaction: Transaction, otherwise: NotificationPreferences, relay: relays.Relay
) -> None:
    """Send to this address too; a guest who has not said how wants it `otherwise`."""
    if preferences_of(transaction, otherwise.guest) is None:
        store_preferences(transaction, otherwise, relay.since)
    record_change(transaction, relay.guest, ChangeKind.RELAY, relay.kind)
    relays.store_relay(transaction, relay)


@command(by="notifications")
def drop_device(transaction: Transaction, device: str, guest: str | None = None) -> None:
    """Push nothing to a device any more; of this guest, if one is given."""
    whose = () if guest is None else (PUSH_DEVICES.c.guest == guest,)
    transaction.remove(PUSH_DEVICES, PUSH_DEVICES.c.id == device, *whose)


class Turn(Value, tag=False):
    """A table at which it is a guest's turn. There is nothing on a card that is a secret."""

    guest: str
    seat: Seat
    card: Card

    @property
    def asked(self) -> int:
        """When the question was put; it tells this turn from others."""
        return self.card.turn or self.card.changed

    @property
    def deadline(self) -> int | None:
        """When the time is up; None without a clock."""
        # While a bot is to move as well, the table acts by itself when the bot does.
        return None if any(self.card.levels[seat] for seat in self.card.waiting) else self.card.due


class PendingWork(Value, tag=False):
    """What there is to do."""

    subscribers: frozenset[str] = frozenset()
    """Everybody who wants to be notified, and whom a message can reach."""
    turns: tuple[Turn, ...] = ()
    """Turns that are not written down yet."""
    due: bool = False
    """Whether somebody is to be notified, or something to be sent."""


REACHED: Final = sa.and_(
    PREFERENCES.c.pace != schedule.Pace.NEVER,
    sa.or_(
        PREFERENCES.c.confirmed.is_not(None),
        PREFERENCES.c.guest.in_(sa.select(relays.RELAYS.c.guest)),
        PREFERENCES.c.guest.in_(sa.select(PUSH_DEVICES.c.guest)),
    ),
)


@query
def subscribers_in(transaction: Transaction) -> frozenset[str]:
    """Everybody who wants to be notified, and whom a message can reach."""
    who = sa.select(PREFERENCES.c.guest).where(REACHED)
    return frozenset(transaction.scalars(who))


@query
def survey(transaction: Transaction, known: frozenset[str], since: int, now: int) -> PendingWork:
    """What there is to do at tables changed since then, and at all tables of new subscribers."""
    subscribers = subscribers_in(transaction)
    waits = (
        sa.exists().where(TURNS.c.due <= now),
        sa.exists().where(OUTBOX.c.state == State.WAITING, OUTBOX.c.due <= now),
        sa.exists().where(OUTBOX.c.state.in_([State.SENDING, State.HANDING]), OUTBOX.c.lease < now),
    )
    due = bool(transaction.scalar(sa.select(sa.or_(*waits))))
    turns = (
        _new_turns(transaction, since if subscribers <= known else 0, now) if subscribers else []
    )
    return PendingWork(subscribers, tuple(turns), due)


def _new_turns(transaction: Transaction, since: int, now: int) -> list[Turn]:
    """Turns of people whom a message can reach, that are not written down yet.

    A turn is left out for a moment: where people play at once, nothing need be written.
    """
    wanted = (
        sa.select(OWNERS.c.guest, OWNERS.c.seat, TABLES.c.card, TURNS.c.asked)
        .join(TABLES, TABLES.c.id == OWNERS.c.table_id)
        .join(PREFERENCES, PREFERENCES.c.guest == OWNERS.c.guest)
        .outerjoin(
            TURNS,
            sa.and_(TURNS.c.guest == OWNERS.c.guest, TURNS.c.table_id == OWNERS.c.table_id),
        )
        .where(TABLES.c.status == Status.RUNNING, TABLES.c.changed >= since, REACHED)
    )
    found: list[Turn] = []
    for row in transaction.execute(wanted):
        turn = _turn(row.guest, row.seat, row.card)
        new = turn is not None and (row.asked is None or row.asked < turn.asked)
        if turn is not None and new and turn.asked + schedule.GRACE <= now:
            found.append(turn)
    return found


def _turn(guest: str, seat: int, card: str) -> Turn | None:
    """The turn of a person at a table; None if it is not theirs, or a bot plays for them."""
    read = msgspec.json.decode(card, type=Card)
    theirs = read.status is Status.RUNNING and seat in read.waiting and not read.levels[seat]
    return Turn(guest, Seat(seat), read) if theirs else None


@query
def turns_of(transaction: Transaction, guest: str) -> tuple[Turn, ...]:
    """The tables at which it is a guest's turn, those first at which they have the least time."""
    wanted = (
        sa.select(OWNERS.c.seat, TABLES.c.card)
        .join(TABLES, TABLES.c.id == OWNERS.c.table_id)
        .where(OWNERS.c.guest == guest, TABLES.c.status == Status.RUNNING)
    )
    rows = transaction.execute(wanted)
    found = [turn for row in rows if (turn := _turn(guest, row.seat, row.card))]
    first = {
        turn.card.id: turn for turn in reversed(found)
    }  # two seats at a table are one notification
    return tuple(sorted(first.values(), key=lambda each: (each.deadline or 2**62, each.asked)))


@command(by="notifications")
def mark_seen(transaction: Transaction, guest: str, table: str, now: int) -> None:
    """The guest sees the table now: they need not be notified about what was asked until now."""
    mine = (TURNS.c.guest == guest, TURNS.c.table_id == table)
    if transaction.update(TURNS, *mine, seen=now, due=None):
        return
    if transaction.has(OWNERS, OWNERS.c.guest == guest, OWNERS.c.table_id == table):
        transaction.insert(TURNS, guest=guest, table_id=table, asked=0, seen=now)


@command(by="notifications")
def snooze(transaction: Transaction, guest: str, at: int) -> None:
    """Notify a guest once more about what waits for them, at this time, unless they look before."""
    for turn in turns_of(transaction, guest):
        mine = (TURNS.c.guest == guest, TURNS.c.table_id == turn.card.id)
        unseen_yet = (TURNS.c.asked == turn.asked, TURNS.c.seen < turn.asked)
        transaction.update(TURNS, *mine, *unseen_yet, TURNS.c.due.is_(None), due=at)


# --- From turns to messages ------------------------------------------------------------------


@command(by="notifications")
def record_turns(transaction: Transaction, turns: tuple[Turn, ...]) -> None:
    """Note turns about which people are to be notified, unless they have seen them."""
    for turn in turns:
        mine = (TURNS.c.guest == turn.guest, TURNS.c.table_id == turn.card.id)
        row = transaction.execute(sa.select(TURNS).where(*mine)).first()
        if row is None:
            values = {"guest": turn.guest, "table_id": turn.card.id, "seen": 0}
            transaction.insert(TURNS, asked=turn.asked, due=0, **values)
        elif row.asked < turn.asked:
            due = None if row.seen >= turn.asked else 0
            transaction.update(TURNS, *mine, asked=turn.asked, due=due)


@command(by="notifications")
def fill_outbox(transaction: Transaction, channels: frozenset[str], now: int, most: int) -> bool:
    """Make one message of all turns of a person that are due, for each way to reach them.

    It does this for at most `most` people, and says whether there may be more.
    """
    first = (
        sa.select(TURNS.c.guest)
        .where(TURNS.c.due <= now)
        .group_by(TURNS.c.guest)
        .order_by(sa.func.min(TURNS.c.due), TURNS.c.guest)
        .limit(most)
    )
    people = transaction.scalars(first).all()
    for guest in people:
        due = sa.select(TURNS).where(TURNS.c.due <= now, TURNS.c.guest == guest)
        preferences = preferences_of(transaction, guest) or NotificationPreferences(
            guest, schedule.Pace.NEVER
        )
        still = {turn.card.id: turn.asked for turn in turns_of(transaction, guest)}
        tables: list[str] = []
        for row in transaction.execute(due).all():
            asked = still.get(row.table_id) == row.asked
            wanted = asked and preferences.pace is not schedule.Pace.NEVER
            at = schedule.when_to_notify(preferences, row.asked, now) if wanted else now
            if wanted and at <= now:
                tables.append(row.table_id)
            mine = (TURNS.c.guest == guest, TURNS.c.table_id == row.table_id)
            transaction.update(TURNS, *mine, due=at if at > now else None)
        if tables:
            _put_items(transaction, preferences, tuple(tables), channels, now)
    return len(people) == most


def _put_items(
    transaction: Transaction,
    preferences: NotificationPreferences,
    tables: tuple[str, ...],
    channels: frozenset[str],
    now: int,
) -> None:
    """A message for each device and the address; what still waits there becomes part of it."""
    devices = devices_of(transaction, preferences.guest)
    targets = [(PUSH, id_, device.service) for id_, device in devices.items()]
    own = relays.relays_of(transaction, preferences.guest)
    targets += [(kind, relay.address, relay.service) for kind, relay in own.items()]
    if preferences.address and preferences.confirmed is not None:
        targets.append((EMAIL, preferences.address, ""))
    for channel, target, service in targets:
        if channel not in channels:
            continue
        same = (
            OUTBOX.c.guest == preferences.guest,
            OUTBOX.c.channel == channel,
            OUTBOX.c.target == target,
            OUTBOX.c.state == State.WAITING,
        )
        older: list[str] = []
        for row in transaction.execute(sa.select(OUTBOX).where(*same)):
            older += msgspec.json.decode(row.tables, type=list[str])
        transaction.remove(OUTBOX, *same)
        about = tuple(dict.fromkeys((*tables, *older)))
        put_item(transaction, preferences.guest, channel, target, about, now, service)


def unseen(
    transaction: Transaction, turns: tuple[Turn, ...], tables: tuple[str, ...]
) -> tuple[Turn, ...]:
    """Of the turns of a guest, those at one of these tables at which they have not looked."""
    there = [turn for turn in turns if turn.card.id in tables]
    if not there:
        return ()
    wanted = sa.select(TURNS.c.table_id, TURNS.c.seen).where(TURNS.c.guest == there[0].guest)
    seen = {row.table_id: row.seen for row in transaction.execute(wanted)}
    return tuple(turn for turn in there if seen.get(turn.card.id, 0) < turn.asked)


@command(by="notifications")
def clean_up(transaction: Transaction) -> None:
    """Forget turns where nobody plays, addresses that were not confirmed, services not used."""
    running = sa.select(TABLES.c.id).where(TABLES.c.status == Status.RUNNING)
    transaction.remove(TURNS, TURNS.c.table_id.not_in(running))
    asked = sa.select(OUTBOX.c.guest).where(OUTBOX.c.channel == CONFIRM)
    unconfirmed = (PREFERENCES.c.address != "", PREFERENCES.c.confirmed.is_(None))
    long_ago = PREFERENCES.c.guest.not_in(asked)
    transaction.update(PREFERENCES, *unconfirmed, long_ago, address="", proof="")
    used = sa.func.coalesce(SERVICES.c.answered, SERVICES.c.until)
    transaction.remove(SERVICES, used < transaction.now - KEPT)


# --- The outbox ------------------------------------------------------------------------------


class OutboxItem(Value, tag=False):
    """A message that this server has to send now."""

    id: str
    channel: str
    attempt: int
    """The number of the attempt, from 1: it tells who has claimed the message last."""
    preferences: NotificationPreferences
    device: Device | None
    turns: tuple[Turn, ...]
    also: tuple[Turn, ...]
    """Other tables that wait for the same person."""
    service: str = ""
    """Who takes it; empty for e-mail."""
    relay: relays.Relay | None = None


class Lane(Value, tag=False):
    """Places for messages that may wait for each other."""

    channels: frozenset[str]
    places: int
    proven: bool | None = None
    """Only for services that are proven, or only for others; None: these channels have none."""
    of_service: int = 0
    """The most of these places that messages to one service have; 0: no limit."""


@command(by="notifications")
def claim(
    transaction: Transaction,
    lane: Lane,
    most: int,
    now: int,
    busy: Sequence["OutboxItem"] = (),
) -> tuple["OutboxItem", ...]:
    """Messages that this server is to send now, beside those that it sends; no other gets them.

    Everybody's first message comes before anybody's second. What is tried again comes last: it may
    be for a device that never answers.
    """
    _give_up_leases(transaction, now)
    transaction.remove(OUTBOX, OUTBOX.c.lease.is_(None), OUTBOX.c.due < now - KEPT)
    again = sa.case((OUTBOX.c.attempts > 0, 1), else_=0)
    order = (again, OUTBOX.c.due, OUTBOX.c.id)
    waiting = (
        sa.select(
            OUTBOX,
            again.label("again"),
            _place(OUTBOX.c.guest, order).label("of_guest"),
            _place(OUTBOX.c.service, order).label("of_service"),
        )
        .outerjoin(SERVICES, SERVICES.c.service == OUTBOX.c.service)
        .where(OUTBOX.c.state == State.WAITING, OUTBOX.c.due <= now)
        .where(OUTBOX.c.channel.in_(sorted(lane.channels)))
        .where(OUTBOX.c.guest.not_in(_full((i.preferences.guest for i in busy), MOST_OF_GUEST)))
    )
    if lane.proven is not None:
        answers = SERVICES.c.answered.is_not(None)
        waiting = waiting.where(answers if lane.proven else sa.not_(answers))
        full = _full((each.service for each in busy), lane.of_service)
        waiting = waiting.where(OUTBOX.c.service.not_in(full))
    found = waiting.subquery()
    wanted = (
        sa.select(found)
        .where(found.c.of_guest <= MOST_OF_GUEST)
        .order_by(found.c.again, found.c.of_guest, found.c.due, found.c.id)
        .limit(most)
    )
    if lane.of_service:
        wanted = wanted.where(found.c.of_service <= lane.of_service)
    claimed: list[OutboxItem] = []
    for row in transaction.execute(wanted).all():
        item = _item(transaction, row)
        if item is None:
            _set(transaction, row.id, state=State.MOOT, due=now)
            continue
        whose = item.preferences
        due = [schedule.when_to_notify(whose, turn.asked, now) for turn in item.turns]
        if min(due, default=now) > now:  # it was made before the quiet hours
            _set(transaction, row.id, due=min(due))
            continue
        _set(transaction, row.id, state=State.SENDING, attempts=item.attempt, lease=now + LEASE)
        claimed.append(item)
    return tuple(claimed)


def _full(taken: Iterable[str], most: int) -> list[str]:
    return [each for each, number in Counter(taken).items() if number >= most]


def _place(of: "sa.Column[Any]", order: Sequence["sa.ColumnElement[Any]"]) -> "sa.Over[int]":
    """The place of a message among those of a person or a service, from 1."""
    return sa.func.row_number().over(partition_by=of, order_by=order)


def _item(transaction: Transaction, row: sa.Row[Any]) -> OutboxItem | None:
    """A message to be sent; None if there is nothing to say, or nobody who wants to hear it."""
    preferences, device = preferences_of(transaction, row.guest), None
    relay: relays.Relay | None = None
    if row.channel == PUSH:
        device = devices_of(transaction, row.guest).get(row.target)
        reached = device is not None
    elif row.channel in relays.KINDS:
        relay = relays.relays_of(transaction, row.guest).get(row.channel)
        reached = relay is not None and relay.address == row.target
    else:
        reached = preferences is not None and preferences.address == row.target
    if preferences is None or not reached:
        return None
    if row.channel != PUSH:
        token = addresses.token_of(transaction, preferences.address)
        if addresses.is_blocked(transaction, token):
            return None
    waiting = turns_of(transaction, row.guest)
    turns = unseen(transaction, waiting, msgspec.json.decode(row.tables, type=tuple[str, ...]))
    if row.channel != CONFIRM and (not turns or preferences.pace is schedule.Pace.NEVER):
        return None
    about = {turn.card.id for turn in turns}
    also = tuple(each for each in waiting if each.card.id not in about)
    attempt = row.attempts + 1
    return OutboxItem(
        row.id, row.channel, attempt, preferences, device, turns, also, row.service, relay
    )


def _give_up_leases(transaction: Transaction, now: int) -> None:
    left = (OUTBOX.c.state.in_([State.SENDING, State.HANDING]), OUTBOX.c.lease < now)
    lost = (OUTBOX.c.state == State.HANDING) & (OUTBOX.c.channel != CONFIRM)
    for where, state in ((lost, State.UNKNOWN), (~lost, State.WAITING)):
        transaction.update(OUTBOX, *left, where, state=state, lease=None, due=now)


@command(by="notifications")
def mark_sent(transaction: Transaction, item: OutboxItem, now: int) -> bool:
    """Note that the mail server takes a message now; False if it is not to be sent any more."""
    mine = sa.select(OUTBOX).where(*_held(item), OUTBOX.c.state == State.SENDING)
    row = transaction.execute(mine.with_for_update()).first()
    if row is None or _item(transaction, row) is None:
        return False
    _set(transaction, item.id, state=State.HANDING, lease=now + LEASE)
    return True


def _held(item: OutboxItem) -> "tuple[sa.ColumnElement[bool], ...]":
    """That no other server has claimed a message since."""
    return OUTBOX.c.id == item.id, OUTBOX.c.attempts == item.attempt


class Attempt(Value, tag=False):
    """A message that was tried, and how it went."""

    item: OutboxItem
    result: Result
    quick: bool = True
    """Whether there was an answer at once."""


@command(by="notifications")
def record_results(transaction: Transaction, attempts: Sequence[Attempt], now: int) -> list[State]:
    """Write down how messages went; how far each is now."""
    return [_state_after(transaction, each, now) for each in attempts]


def _state_after(transaction: Transaction, attempt: Attempt, now: int) -> State:
    item, result = attempt.item, attempt.result
    again = _note_service(transaction, attempt, now) if item.service else 0
    if not transaction.has(OUTBOX, *_held(item)):
        return State.MOOT  # the person was forgotten meanwhile, or another server has it
    state, due = State.FAILED, now
    if result in {Result.SENT, Result.MOOT}:
        state = State(result)
    elif result in {Result.LATER, Result.SILENT} and item.attempt <= len(AGAIN):
        state, due = State.WAITING, max(again, now + AGAIN[item.attempt - 1])
    elif result is Result.GONE and item.device is not None:
        drop_device(transaction, item.device.id)
    elif result is Result.GONE and item.relay is not None:
        relays.drop_relay(transaction, item.relay.guest, item.relay.kind)
    _set(transaction, item.id, state=state, due=due, lease=None)
    return state


def _note_service(transaction: Transaction, attempt: Attempt, now: int) -> int:
    """Note whether a service answers, and when it is tried again if not; 0 if it does.

    All messages that wait for a silent service have been tried with the one that was.
    """
    service, result = attempt.item.service, attempt.result
    this = SERVICES.c.service == service
    known = transaction.execute(sa.select(SERVICES).where(this)).first()
    if result in {Result.GONE, Result.MOOT}:  # nothing was asked of it, or it does not matter
        return 0
    if result is not Result.SILENT:
        lately = known is not None and (known.answered or 0) > now - DAY
        if not (lately and attempt.quick):
            _set_service(transaction, service, now if attempt.quick else None, 0, 0)
        return 0
    if known is not None and known.until > now:
        return int(known.until)  # another message was sent there at the same time
    failures = 1 if known is None else known.failures + 1
    until = now + AGAIN[min(failures, len(AGAIN)) - 1]
    _set_service(transaction, service, None, failures, until)
    waiting = (OUTBOX.c.service == service, OUTBOX.c.state == State.WAITING)
    tried = OUTBOX.c.attempts + 1
    transaction.update(OUTBOX, *waiting, OUTBOX.c.due < until, attempts=tried, due=until)
    transaction.update(
        OUTBOX, *waiting, OUTBOX.c.attempts > len(AGAIN), state=State.FAILED, due=now
    )
    return until


def _set_service(
    transaction: Transaction, service: str, answered: int | None, failures: int, until: int
) -> None:
    transaction.remove(SERVICES, SERVICES.c.service == service)
    values = {"answered": answered, "failures": failures, "until": until}
    transaction.insert(SERVICES, service=service, **values)


def _set(transaction: Transaction, item: str, **values: object) -> None:
    transaction.update(OUTBOX, OUTBOX.c.id == item, **values)


@query
def count_items(
    transaction: Transaction, since: int, channels: Collection[str] | None = None
) -> dict[str, int]:
    """How many messages there are of each state, of those that were sent or tried since then.

    If `channels` are named, only of these.
    """
    which = () if channels is None else (OUTBOX.c.channel.in_(channels),)
    wanted = (
        sa.select(OUTBOX.c.state, sa.func.count())
        .where(OUTBOX.c.due >= since, *which)
        .group_by(OUTBOX.c.state)
    )
    return {row[0]: row[1] for row in transaction.execute(wanted)}
