"""People who want to be notified, a clock that can be moved, and a box that takes notifications."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import UTC, datetime

from tests.support.driven_table import ADA, GUESTS
from tests.support.hosts import opened, set_up

from mauerwerk.core.game import Seat
from mauerwerk.server.engine.host import Host
from mauerwerk.server.features.notifications.schedule import NotificationPreferences
from mauerwerk.server.features.notifications.service import Notifications
from mauerwerk.server.features.notifications.store import (
    Device,
    OutboxItem,
    Result,
    count_items,
    store_device,
    store_preferences,
)

PHONE = Device("https://push.example/phone", "key", "auth")
TABLET = Device("https://push.example/tablet", "key", "auth")

CHANNELS = frozenset({"push", "email", "confirm"})

ALWAYS = NotificationPreferences(ADA.id, quiet_from=0, quiet_to=0)
BY_MAIL = NotificationPreferences(ADA.id, quiet_from=0, quiet_to=0, address="ada@post.example")
BOB = GUESTS[Seat(1)]


class Clock:
    """What time it is, as the test says."""

    def __init__(self, said: str = "2026-11-16 12:00") -> None:
        """Begin at this time, in UTC."""
        self.now = 0.0
        self.set(said)

    def __call__(self) -> float:
        """Seconds since 1970."""
        return self.now

    def set(self, said: str) -> None:
        """It is this time now."""
        self.now = datetime.fromisoformat(said).replace(tzinfo=UTC).timestamp()

    def pass_by(self, seconds: float) -> None:
        """So much time passes."""
        self.now += seconds


class Postbox:
    """Takes messages, and answers as the test says."""

    def __init__(self) -> None:
        """Nothing sent yet."""
        self.sent: list[OutboxItem] = []
        self.result = Result.SENT
        self.answers = asyncio.Event()
        self.answers.set()
        """Until it is set, messages are taken and not answered."""

    async def __call__(self, item: OutboxItem) -> Result:
        """Take a message."""
        self.sent.append(item)
        await self.answers.wait()
        return self.result

    def post_from(self, host: Host) -> None:
        """Let a house send by this, but only when the test says so."""
        host.service(Notifications).deliver = self
        host.service(Notifications).channels = CHANNELS

    @property
    def tables(self) -> list[tuple[str, ...]]:
        """What each message was about."""
        return [tuple(turn.card.id for turn in item.turns) for item in self.sent]


async def wants_notifications(
    host: Host, preferences: NotificationPreferences | None = None, *devices: Device, mail: str = ""
) -> None:
    """Ada wants to be notified, on these devices; without any, on her phone or by e-mail."""
    wanted = preferences or ALWAYS
    now = host.now()
    await store_preferences(host.store, wanted, now)
    for device in devices or (() if mail else (PHONE,)):
        await store_device(host.store, ADA.id, device, now)


async def notify(host: Host) -> None:
    """Let the house look for people to notify, and send."""
    await host.service(Notifications).look()
    await host.service(Notifications).finish()


@asynccontextmanager
async def notifying(place: str, clock: Clock, postbox: Postbox) -> AsyncGenerator[Host, None]:
    """A house that notifies when the test says so."""
    async with opened(place, clock=clock) as host:
        postbox.post_from(host)
        yield host


async def table_of_two(host: Host) -> str:
    """Die Mauer at which Ada has one seat and Bob the others; both are asked at once."""
    table = await set_up(host, ADA, "hoo", mine=(Seat(0),))
    for seat in (1, 2):
        await host.sit(table, Seat(seat), BOB)
    return table


async def states(host: Host) -> dict[str, int]:
    """How many messages there are of each state."""
    return await count_items(host.store, 0)
