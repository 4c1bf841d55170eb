"""Messages that wait to be sent: claimed by one server, with a result that is written down.

A server that claims a message has until its lease ends to say how it went. If it was killed in
between, another one sends the message: of two pushes about a table, the device shows only the last.
An e-mail would come twice. So it is marked right before the mail server takes it (`mark_sent`); if
the server is killed in the moment after that, nobody knows whether it went out, and it is not sent
again. A link that confirms an address may come twice.
"""

from collections.abc import Sequence
from enum import StrEnum
from typing import Final

import msgspec
import sqlalchemy as sa

from mauerwerk.core.game import Value
from mauerwerk.server.database.queries import command, query
from mauerwerk.server.database.transaction import Transaction
from mauerwerk.server.features.notifications import schedule, store
from mauerwerk.server.features.notifications.schema import OUTBOX
from mauerwerk.server.features.notifications.store import CONFIRM, PUSH, Turn, turns_of, unseen

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


class OutboxItem(Value, tag=False):
    """A message that this server has to send now."""

    id: str
    channel: str
    attempt: int
    """The number of the attempt, from 1: it tells who has claimed the message last."""

    preferences: schedule.NotificationPreferences
    device: store.Device | None
    """Where a push goes."""

    turns: tuple[Turn, ...]
    """What it is about."""

    also: tuple[Turn, ...]
    """Other tables that wait for the same person."""


@command(by="notifications")
def claim(
    transaction: Transaction, channels: frozenset[str], most: int, now: int
) -> tuple[OutboxItem, ...]:
    """Messages that this server is to send now; no other server gets them."""
    _give_up_leases(transaction, now)
    transaction.execute(
        sa.delete(OUTBOX).where(OUTBOX.c.lease.is_(None), OUTBOX.c.due < now - KEPT)
    )
    wanted = (
        sa.select(OUTBOX)
        .where(OUTBOX.c.state == State.WAITING, OUTBOX.c.due <= now)
        .where(OUTBOX.c.channel.in_(sorted(channels)))
        # What is tried again comes last: it may be for a device that never answers.
        .order_by(OUTBOX.c.attempts, OUTBOX.c.due, OUTBOX.c.id)
        .limit(most)
    )
    claimed: list[OutboxItem] = []
    for row in transaction.execute(wanted).all():
        preferences = store.preferences_of(transaction, row.guest)
        tables = msgspec.json.decode(row.tables, type=tuple[str, ...])
        waiting = turns_of(transaction, row.guest)
        turns = unseen(transaction, waiting, tables)
        device = (
            store.devices_of(transaction, row.guest).get(row.target)
            if row.channel == PUSH
            else None
        )
        reached = (
            device if row.channel == PUSH else preferences and preferences.address == row.target
        )
        if preferences is None or not reached or not _is_of_use(row.channel, preferences, turns):
            _set(transaction, row.id, state=State.MOOT, due=now)
            continue
        if (due := _when(preferences, turns, now)) > now:  # it was made before the quiet hours
            _set(transaction, row.id, due=due)
            continue
        attempt = row.attempts + 1
        _set(transaction, row.id, state=State.SENDING, attempts=attempt, lease=now + LEASE)
        about = {turn.card.id for turn in turns}
        also = tuple(each for each in waiting if each.card.id not in about)
        claimed.append(OutboxItem(row.id, row.channel, attempt, preferences, device, turns, also))
    return tuple(claimed)


def _is_of_use(
    channel: str, preferences: schedule.NotificationPreferences, turns: tuple[Turn, ...]
) -> bool:
    """Whether there is anything to say, to somebody who wants to hear it."""
    return channel == CONFIRM or (bool(turns) and preferences.pace is not schedule.Pace.NEVER)


def _when(preferences: schedule.NotificationPreferences, turns: tuple[Turn, ...], now: int) -> int:
    """When to send a message about these turns: now, or after the quiet hours."""
    return min(
        (schedule.when_to_notify(preferences, turn.asked, now) for turn in turns), default=now
    )


def _give_up_leases(transaction: Transaction, now: int) -> None:
    """Deal with messages that a server had claimed when it was killed."""
    left = (OUTBOX.c.state.in_([State.SENDING, State.HANDING]), OUTBOX.c.lease < now)
    lost = (OUTBOX.c.state == State.HANDING) & (OUTBOX.c.channel != CONFIRM)
    for where, state in ((lost, State.UNKNOWN), (~lost, State.WAITING)):
        given_up = sa.update(OUTBOX).where(*left, where)
        transaction.execute(given_up.values(state=state, lease=None, due=now))


@command(by="notifications")
def mark_sent(transaction: Transaction, item: OutboxItem, now: int) -> bool:
    """Note that the mail server takes a message now; False if it is not to be sent any more."""
    mine = sa.select(OUTBOX.c.tables).where(*_held(item), OUTBOX.c.state == State.SENDING)
    row = transaction.execute(mine.with_for_update()).first()
    if row is None:
        return False
    preferences = store.preferences_of(transaction, item.preferences.guest)
    tables = msgspec.json.decode(row.tables, type=tuple[str, ...])
    turns = unseen(transaction, turns_of(transaction, item.preferences.guest), tables)
    same = preferences is not None and preferences.address == item.preferences.address
    if preferences is None or not same or not _is_of_use(item.channel, preferences, turns):
        return False
    _set(transaction, item.id, state=State.HANDING, lease=now + LEASE)
    return True


def _held(item: OutboxItem) -> "tuple[sa.ColumnElement[bool], ...]":
    """That no other server has claimed a message since."""
    return OUTBOX.c.id == item.id, OUTBOX.c.attempts == item.attempt


@command(by="notifications")
def record_result(transaction: Transaction, item: OutboxItem, result: Result, now: int) -> State:
    """Write down how it went; how far the message is now."""
    if transaction.scalar(sa.select(OUTBOX.c.id).where(*_held(item))) is None:
        return State.MOOT  # the person was forgotten meanwhile, or another server has it
    state, due = State.FAILED, now
    if result is Result.SENT:
        state = State.SENT
    elif result is Result.MOOT:
        state = State.MOOT
    elif result is Result.LATER and item.attempt <= len(AGAIN):
        state, due = State.WAITING, now + AGAIN[item.attempt - 1]
    elif result is Result.GONE and item.device is not None:
        store.drop_device(transaction, item.device.id)
    _set(transaction, item.id, state=state, due=due, lease=None)
    return state


@command(by="notifications")
def record_results(
    transaction: Transaction, results: Sequence[tuple[OutboxItem, Result]], now: int
) -> list[State]:
    """The same for several messages."""
    return [record_result(transaction, item, result, now) for item, result in results]


def _set(transaction: Transaction, item: str, **values: object) -> None:
    transaction.execute(sa.update(OUTBOX).where(OUTBOX.c.id == item).values(**values))


@query
def count_items(transaction: Transaction, since: int) -> dict[str, int]:
    """How many messages there are of each state, of those that were sent or tried since then."""
    wanted = (
        sa.select(OUTBOX.c.state, sa.func.count())
        .where(OUTBOX.c.due >= since)
        .group_by(OUTBOX.c.state)
    )
    return {row[0]: row[1] for row in transaction.execute(wanted)}
