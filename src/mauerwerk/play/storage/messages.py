"""Messages that wait to be sent: claimed by one server, with a result that is written down.

A server that claims a message has until its lease ends to say how it went. If it was killed in
between, nobody knows whether the message went out. A push is then sent again, since the device
shows only the last one about a table; an e-mail is not, since it would come twice.
"""

from enum import StrEnum
from typing import Final

import msgspec
import sqlalchemy as sa

from mauerwerk.core.game import Value
from mauerwerk.play.storage.call_tables import MESSAGES
from mauerwerk.play.storage.call_times import Calling
from mauerwerk.play.storage.callees import Device, calling_of, devices_of, drop_device
from mauerwerk.play.storage.calls import CONFIRM, PUSH, Turn, turns_of, unseen
from mauerwerk.play.storage.ledger import Ledger

LEASE: Final = 60_000
"""Milliseconds in which a server that claims a message says how it went."""

AGAIN: Final = (60_000, 5 * 60_000, 30 * 60_000, 2 * 3_600_000, 6 * 3_600_000)
"""Milliseconds after which a message is tried again that could not be sent; then it has failed."""

KEPT: Final = 7 * 86_400_000
"""Milliseconds for which it is known how a message went."""


class Result(StrEnum):
    """How it went."""

    SENT = "sent"
    GONE = "gone"
    """There is no such device or address any more."""

    LATER = "later"
    """It may work another time."""

    FAILED = "failed"
    """It will not work another time either."""


class State(StrEnum):
    """How far a message is."""

    WAITING = "waiting"
    SENDING = "sending"
    SENT = "sent"
    FAILED = "failed"
    MOOT = "moot"
    """It was not sent, since there was nothing to say any more."""

    UNKNOWN = "unknown"
    """A server was killed while it sent it."""


class Message(Value, tag=False):
    """A message that this server has to send now."""

    id: str
    channel: str
    calling: Calling
    device: Device | None
    """Where a push goes."""

    turns: tuple[Turn, ...]
    """What it is about."""

    also: tuple[Turn, ...]
    """Other tables that wait for the same person."""


def claim(ledger: Ledger, channels: frozenset[str], most: int, now: int) -> tuple[Message, ...]:
    """Messages that this server is to send now; no other server gets them."""
    _give_up_leases(ledger, now)
    ledger.connection.execute(
        sa.delete(MESSAGES).where(MESSAGES.c.lease.is_(None), MESSAGES.c.due < now - KEPT)
    )
    wanted = (
        sa.select(MESSAGES)
        .where(MESSAGES.c.state == State.WAITING, MESSAGES.c.due <= now)
        .where(MESSAGES.c.channel.in_(sorted(channels)))
        .order_by(MESSAGES.c.due, MESSAGES.c.id)
        .limit(most)
    )
    claimed: list[Message] = []
    for row in ledger.connection.execute(wanted).all():
        calling = calling_of(ledger, row.guest)
        tables = msgspec.json.decode(row.tables, type=tuple[str, ...])
        turns = unseen(ledger, row.guest, tables)
        device = devices_of(ledger, row.guest).get(row.target) if row.channel == PUSH else None
        moot = calling is None or not (turns or row.channel == CONFIRM)
        reached = device if row.channel == PUSH else calling and calling.address == row.target
        if calling is None or moot or not reached:
            _set(ledger, row.id, state=State.MOOT, due=now)
            continue
        _set(ledger, row.id, state=State.SENDING, attempts=row.attempts + 1, lease=now + LEASE)
        about = {turn.card.id for turn in turns}
        also = tuple(each for each in turns_of(ledger, row.guest) if each.card.id not in about)
        claimed.append(Message(row.id, row.channel, calling, device, turns, also))
    return tuple(claimed)


def _give_up_leases(ledger: Ledger, now: int) -> None:
    """Deal with messages that a server had claimed when it was killed."""
    left = (MESSAGES.c.state == State.SENDING, MESSAGES.c.lease < now)
    pushed = MESSAGES.c.channel == PUSH
    for where, state in ((pushed, State.WAITING), (~pushed, State.UNKNOWN)):
        given_up = sa.update(MESSAGES).where(*left, where)
        ledger.connection.execute(given_up.values(state=state, lease=None, due=now))


def note_result(ledger: Ledger, message: Message, result: Result, now: int) -> State:
    """Write down how it went; how far the message is now."""
    wanted = sa.select(MESSAGES.c.attempts).where(MESSAGES.c.id == message.id)
    attempts: int | None = ledger.connection.scalar(wanted)
    if attempts is None:  # the person was forgotten meanwhile
        return State.MOOT
    state, due = State.FAILED, now
    if result is Result.SENT:
        state = State.SENT
    elif result is Result.LATER and attempts <= len(AGAIN):
        state, due = State.WAITING, now + AGAIN[attempts - 1]
    elif result is Result.GONE and message.device is not None:
        drop_device(ledger, message.device.id)
    _set(ledger, message.id, state=state, due=due, lease=None)
    return state


def _set(ledger: Ledger, message: str, **values: object) -> None:
    ledger.connection.execute(sa.update(MESSAGES).where(MESSAGES.c.id == message).values(**values))


def count_messages(ledger: Ledger, since: int) -> dict[str, int]:
    """How many messages there are of each state, of those that were sent or tried since then."""
    wanted = (
        sa.select(MESSAGES.c.state, sa.func.count())
        .where(MESSAGES.c.due >= since)
        .group_by(MESSAGES.c.state)
    )
    return {row[0]: row[1] for row in ledger.connection.execute(wanted)}
