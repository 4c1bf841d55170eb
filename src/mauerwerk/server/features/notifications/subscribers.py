"""People who want to be notified when it is their turn: how, where, and on which devices."""

import secrets
from base64 import urlsafe_b64encode
from collections.abc import Callable
from hashlib import sha256
from typing import Final

import msgspec
import sqlalchemy as sa

from mauerwerk.core.game import Value
from mauerwerk.server.database.queries import command, query
from mauerwerk.server.database.schema import SERVER_STATE
from mauerwerk.server.database.transaction import Transaction
from mauerwerk.server.features.moderation.schema import GUEST_STATUS
from mauerwerk.server.features.notifications.schedule import NotificationPreferences
from mauerwerk.server.features.notifications.schema import (
    OUTBOX,
    PREFERENCES,
    PUSH_DEVICES,
    TURNS,
    without_address,
)
from mauerwerk.server.keys import new_id

MOST_DEVICES: Final = 8
"""The most devices of one person that take pushes; one more replaces the oldest."""

LINK_BYTES: Final = 18
PUSH_KEY: Final = "push-key"
"""The name of the setting with the key by which push services know this server."""


class Device(Value, tag=False):
    """A browser that is notified while no page is open, by way of its maker's push service."""

    endpoint: str
    key: str
    auth: str

    @property
    def id(self) -> str:
        """The name under which it is kept."""
        return urlsafe_b64encode(sha256(self.endpoint.encode()).digest()[:LINK_BYTES]).decode()


@query
def preferences_of(transaction: Transaction, guest: str) -> NotificationPreferences | None:
    """How a guest wants to be notified; None where they never said."""
    return _found(transaction, PREFERENCES.c.guest == guest)


def _found(
    transaction: Transaction, where: "sa.ColumnElement[bool]"
) -> NotificationPreferences | None:
    row = transaction.connection.execute(sa.select(PREFERENCES).where(where)).mappings().first()
    return None if row is None else preferences_in(row)


def preferences_in(row: "sa.RowMapping") -> NotificationPreferences:
    """How somebody wants to be notified, as it is kept."""
    return msgspec.convert(
        {name: row[name] for name in NotificationPreferences.__struct_fields__},
        NotificationPreferences,
    )


@command(by="notifications")
def store_preferences(
    transaction: Transaction, wanted: NotificationPreferences, now: int
) -> NotificationPreferences:
    """Notify a guest like this from now on; as it is kept.

    A new address counts once it is confirmed, and a message asks for that. The schedule of
    waiting turns is worked out again.
    """
    before = preferences_of(transaction, wanted.guest) or NotificationPreferences(wanted.guest)
    if wanted.address == before.address:
        links = {"confirmed": before.confirmed, "proof": before.proof, "stop": before.stop}
    else:
        proof = secrets.token_urlsafe(LINK_BYTES) if wanted.address else ""
        links = {"confirmed": None, "proof": proof, "stop": secrets.token_urlsafe(LINK_BYTES)}
        _drop_mail(transaction, wanted.guest)
    kept = msgspec.structs.replace(wanted, **links)
    transaction.connection.execute(sa.delete(PREFERENCES).where(PREFERENCES.c.guest == kept.guest))
    transaction.connection.execute(sa.insert(PREFERENCES).values(**msgspec.structs.asdict(kept)))
    if kept.proof and kept.address != before.address:
        put_item(transaction, kept.guest, "confirm", kept.address, (), now)
    again = sa.update(TURNS).where(TURNS.c.guest == kept.guest, TURNS.c.due.is_not(None))
    transaction.connection.execute(again.values(due=0))
    return kept


def put_item(  # noqa: PLR0913, PLR0917 - the columns of a message
    transaction: Transaction,
    guest: str,
    channel: str,
    target: str,
    tables: tuple[str, ...],
    now: int,
) -> None:
    """Have a message sent."""
    about = msgspec.json.encode(tables).decode()
    what = {"id": new_id(), "guest": guest, "channel": channel, "target": target, "tables": about}
    new = sa.insert(OUTBOX).values(**what, due=now, state="waiting", attempts=0)
    transaction.connection.execute(new)


@query
def subscriber_to_confirm(transaction: Transaction, proof: str) -> NotificationPreferences | None:
    """Whose address a link confirms; None for a wrong link."""
    return _found(transaction, PREFERENCES.c.proof == proof) if proof else None


@command(by="notifications")
def confirm(transaction: Transaction, proof: str, now: int) -> NotificationPreferences | None:
    """The owner of an address says that it is theirs; None for a wrong link."""
    found = subscriber_to_confirm(transaction, proof)
    if found is not None and found.confirmed is None:
        mine = PREFERENCES.c.guest == found.guest
        transaction.connection.execute(sa.update(PREFERENCES).where(mine).values(confirmed=now))
    return found


@query
def subscriber_to_stop(transaction: Transaction, stop: str) -> NotificationPreferences | None:
    """Whose e-mail a link switches off; None for a wrong link."""
    return _found(transaction, PREFERENCES.c.stop == stop) if stop else None


@command(by="notifications")
def stop_mail(transaction: Transaction, stop: str) -> bool:
    """Send no more e-mail to the address whose messages had this link; False for a wrong one.

    The link itself stays valid, so that those who follow it twice are not told that it is wrong.
    """
    found = subscriber_to_stop(transaction, stop)
    if found is None:
        return False
    transaction.connection.execute(without_address(found.guest))
    _drop_mail(transaction, found.guest)
    return True


def _drop_mail(transaction: Transaction, guest: str) -> None:
    transaction.connection.execute(
        sa.delete(OUTBOX).where(
            OUTBOX.c.guest == guest, OUTBOX.c.channel != "push", OUTBOX.c.state == "waiting"
        )
    )


# --- Devices ---------------------------------------------------------------------------------


@query
def devices_of(transaction: Transaction, guest: str) -> dict[str, Device]:
    """The devices of a guest by their ids, the latest first; none from before they logged out."""
    status = sa.select(GUEST_STATUS.c.logged_out).where(GUEST_STATUS.c.guest == guest)
    logged_out = transaction.connection.scalar(status) or 0
    wanted = (
        sa.select(PUSH_DEVICES)
        .where(PUSH_DEVICES.c.guest == guest, PUSH_DEVICES.c.since > logged_out)
        .order_by(PUSH_DEVICES.c.since.desc())
    )
    return {
        row.id: Device(row.endpoint, row.key, row.auth)
        for row in transaction.connection.execute(wanted)
    }


@command(by="notifications")
def store_device(
    transaction: Transaction, guest: str, device: Device, now: int, signed_in: str = ""
) -> None:
    """Push to this device too; `signed_in` names it among those of the guest, if known."""
    drop_device(transaction, device.id)
    values = msgspec.structs.asdict(device)
    transaction.connection.execute(
        sa.insert(PUSH_DEVICES).values(
            id=device.id, guest=guest, since=now, device=signed_in, **values
        )
    )
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
def drop_device(transaction: Transaction, device: str, guest: str | None = None) -> None:
    """Push nothing to a device any more; of this guest, if one is given."""
    whose = () if guest is None else (PUSH_DEVICES.c.guest == guest,)
    transaction.connection.execute(
        sa.delete(PUSH_DEVICES).where(PUSH_DEVICES.c.id == device, *whose)
    )


@command(by="notifications")
def made_once(transaction: Transaction, name: str, make: Callable[[], bytes]) -> bytes:
    """A setting of the database, made by the first who needs it."""
    wanted = sa.select(SERVER_STATE.c.value).where(SERVER_STATE.c.name == name)
    kept = transaction.connection.scalar(wanted)
    if kept is None:
        kept = make()
        transaction.connection.execute(sa.insert(SERVER_STATE).values(name=name, value=kept))
    return bytes(kept)
