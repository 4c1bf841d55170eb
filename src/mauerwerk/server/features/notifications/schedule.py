"""When to notify somebody: at once or once a day, and never in their quiet hours."""

from datetime import UTC, datetime, timedelta
from enum import StrEnum
from functools import lru_cache
from typing import Final
from zoneinfo import ZoneInfo

from mauerwerk.core.game import Value

GRACE: Final = 10_000
"""Milliseconds in which people who are at the table see by themselves that it is their turn."""
DIGEST: Final = 18 * 60
"""When people are notified who want one notification a day: minutes after midnight."""
DAY_MINUTES: Final = 24 * 60


class Pace(StrEnum):
    """How often somebody wants to be notified."""

    AT_ONCE = "now"
    DAILY = "daily"
    NEVER = "never"


class NotificationPreferences(Value, tag=False):
    """How somebody wants to be notified when it is their turn."""

    guest: str
    pace: Pace = Pace.AT_ONCE
    quiet_from: int = 22 * 60
    quiet_to: int = 7 * 60 + 30
    """Minutes after midnight. Where both are the same, no hours are quiet."""
    zone: str = "UTC"
    language: str = "en"
    address: str = ""
    """For e-mail; empty for none."""
    confirmed: int | None = None
    """When the owner of the address confirmed it; None: nothing is sent there yet."""
    proof: str = ""
    """Ends the link by which the address is confirmed; empty if there is nothing to confirm."""
    stop: str = ""
    """Ends the link by which e-mail is switched off."""


def when_to_notify(preferences: NotificationPreferences, turn: int, now: int) -> int:
    """When to notify somebody about a turn, in milliseconds since 1970: now, or later."""
    zone = zone_of(preferences.zone)
    first = turn + GRACE
    if preferences.pace is Pace.DAILY:
        first = _next(first, DIGEST, zone)
    first = max(first, now)
    return _next(first, preferences.quiet_to, zone) if is_quiet_at(preferences, first) else first


def is_quiet_at(preferences: NotificationPreferences, at: int) -> bool:
    """Whether somebody wants quiet at this time, in milliseconds since 1970."""
    local = datetime.fromtimestamp(at / 1_000, zone_of(preferences.zone))
    minute = local.hour * 60 + local.minute
    begin, end = preferences.quiet_from, preferences.quiet_to
    if begin <= end:
        return begin <= minute < end
    return minute >= begin or minute < end  # past midnight


def _next(at: int, minute: int, zone: ZoneInfo) -> int:
    """The first time from then on at which the clocks there show this minute of the day."""
    day = datetime.fromtimestamp(at / 1_000, zone).date()
    while True:
        # Clocks are put forward over some minutes; going by way of UTC leads behind the gap. They
        # are put back to show some minutes twice.
        local = datetime(day.year, day.month, day.day, minute // 60, minute % 60, tzinfo=zone)
        for each in (local, local.replace(fold=1)):
            found = int(each.astimezone(UTC).timestamp() * 1_000)
            if found >= at:
                return found
        day += timedelta(days=1)


@lru_cache(maxsize=256)
def zone_of(name: str) -> ZoneInfo:
    """The time zone of this name; UTC where there is none."""
    try:
        return ZoneInfo(name)
    except (KeyError, OSError, ValueError):
        return ZoneInfo("UTC")
