"""Clocks: how long players may take, for a decision or for the whole game, and days off.

A clock runs only while its seat must act and a person plays it. Players who choose together each
have their own clock, which stops when they have chosen. Everything is measured between entries of
the log, so it is the same wherever a table is folded; what a page or a network takes is not known
here.

While a player asks whether a move may be taken back, and while no server runs (`Kind.PAUSE`), all
clocks stand still. A move that is taken back gives no time back.
"""

from typing import Annotated, Final, TypeVar

import msgspec
from msgspec import Meta

from mauerwerk.core.game import Seat, Value

_Item = TypeVar("_Item")

MINUTE: Final = 60_000
DAY: Final = 24 * 60 * MINUTE
NIGHT: Final = 8 * 60 * MINUTE
"""How long a night is in which no clock runs."""

AWAKE: Final = -1
"""The night of a table at which clocks run at night, too."""


class Clock(Value):
    """How time is measured, beside the seconds for a decision."""

    total: Annotated[int, Meta(ge=0, le=1_000_000)] = 0
    """Seconds that each player has for the whole game; 0: no such limit."""

    increment: Annotated[int, Meta(ge=0, le=86_400)] = 0
    """Seconds that a player gains with each decision."""

    forfeits: bool = False
    """Whether a player who has used up the total comes last; a bot plays on either way."""

    days_off: Annotated[int, Meta(ge=0, le=100)] = 0
    """Days off that each player may take, each of which adds a day to one decision."""

    night: Annotated[int, Meta(ge=-1, lt=1_440)] = AWAKE
    """The minute of the day, in UTC, at which eight hours begin that do not count; -1: all count.
    """


class SeatClock(Value):
    """The clock of one seat."""

    left: int = 0
    """Milliseconds for the rest of the game, when it last started; unused without a total."""

    since: int = 0
    """When it last started, in milliseconds since 1970."""

    extra: int = 0
    """Milliseconds that days off add to the present decision."""

    off: int = 0
    """Days off that can still be taken."""


Clocks = tuple[SeatClock, ...]


def started(clock: Clock, seats: int) -> Clocks:
    """All clocks as the game begins."""
    return (SeatClock(left=1_000 * clock.total, off=clock.days_off),) * seats


def asked(clocks: Clocks, at: int) -> Clocks:
    """All clocks when a new question is put."""
    return tuple([msgspec.structs.replace(each, since=at, extra=0) for each in clocks])


def shifted(clocks: Clocks, pause: int) -> Clocks:
    """All clocks after they stood still for this many milliseconds."""
    return tuple([msgspec.structs.replace(each, since=each.since + pause) for each in clocks])


def stopped(clocks: Clocks, seat: Seat, at: int, gained: int = 0) -> Clocks:
    """A seat has acted, or a bot acts for it: its time since then is spent."""
    clock = clocks[seat]
    left = max(0, clock.left - max(0, at - clock.since)) + gained
    return with_item(clocks, seat, msgspec.structs.replace(clock, left=left, since=at))


def restarted(clocks: Clocks, seat: Seat, at: int, lost: int = 0) -> Clocks:
    """A seat must act from now on; it loses what it gained with a move that was taken back."""
    clock = clocks[seat]
    left = max(0, clock.left - lost)
    return with_item(clocks, seat, msgspec.structs.replace(clock, left=left, since=at))


def rested(clocks: Clocks, seat: Seat) -> Clocks:
    """A seat takes a day off."""
    clock = clocks[seat]
    rested = msgspec.structs.replace(clock, extra=clock.extra + DAY, off=clock.off - 1)
    return with_item(clocks, seat, rested)


def with_item(items: tuple[_Item, ...], place: int, item: _Item) -> tuple[_Item, ...]:
    """The same items, but for one."""
    return (*items[:place], item, *items[place + 1 :])


def runs_out(clock: Clock, pace: int, of_seat: SeatClock, asked_at: int) -> int | None:
    """When the time of a seat that must act is up; None where there is no limit."""
    if clock.total:
        return of_seat.since + of_seat.left
    if not pace:
        return None
    return awake_until(asked_at, 1_000 * pace + of_seat.extra, clock.night)


def awake_until(start: int, length: int, night: int) -> int:
    """When this many milliseconds have passed, not counting nights.

    >>> noon, six_hours = DAY // 2, DAY // 4
    >>> awake_until(noon, six_hours, 22 * 60) == awake_until(noon, six_hours, AWAKE)
    True
    >>> (awake_until(noon, 3 * six_hours, 22 * 60) - noon) // (60 * MINUTE)
    26
    """
    if night == AWAKE:
        return start + length
    while True:
        hours = (start - night * MINUTE) % DAY
        if hours < NIGHT:
            start, hours = start + NIGHT - hours, NIGHT
        if length <= DAY - hours:
            return start + length
        start, length = start + DAY - hours, length - (DAY - hours)
