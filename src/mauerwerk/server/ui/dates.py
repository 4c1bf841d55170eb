"""Days and spans of time in words."""

from datetime import UTC, datetime
from typing import Final

from mauerwerk.core.language import Language, message, messages
from mauerwerk.server.tables.clocks import Clock

MONTHS: Final = (
    message("{day} January"),
    message("{day} February"),
    message("{day} March"),
    message("{day} April"),
    message("{day} May"),
    message("{day} June"),
    message("{day} July"),
    message("{day} August"),
    message("{day} September"),
    message("{day} October"),
    message("{day} November"),
    message("{day} December"),
)

SHORT_MONTHS: Final = (
    message("{day} Jan"),
    message("{day} Feb"),
    message("{day} Mar"),
    message("{day} Apr"),
    message("{day} May"),
    message("{day} Jun"),
    message("{day} Jul"),
    message("{day} Aug"),
    message("{day} Sep"),
    message("{day} Oct"),
    message("{day} Nov"),
    message("{day} Dec"),
)
"""For tables."""

PACES: Final = (
    (86_400, messages("{number} day per move", "{number} days per move")),
    (3_600, messages("{number} hour per move", "{number} hours per move")),
    (60, messages("{number} minute per move", "{number} minutes per move")),
    (1, messages("{number} second per move", "{number} seconds per move")),
)
"""How long a move may take, by the largest unit that fits."""

MINUTE: Final = 60_000
HOUR: Final = 60 * MINUTE
DAY: Final = 24 * HOUR
SOON: Final = 6 * HOUR
"""What is left is urgent below this."""


def day_of(at: int, now: int, language: Language, *, short: bool = False) -> str:
    """The day of a time in milliseconds since 1970; with its year, if that is another one."""
    day = datetime.fromtimestamp(at / 1_000, UTC)
    said = language((SHORT_MONTHS if short else MONTHS)[day.month - 1], day=day.day)
    same = day.year == datetime.fromtimestamp(now / 1_000, UTC).year
    return said if same else f"{said} {day.year}"


def pace_of(seconds: int, language: Language) -> str:
    """How long a move may take."""
    for unit, (one, several) in PACES:
        if seconds >= unit:
            return language.many(seconds // unit, one, several)
    return language("no time limit on your moves")


def clock_of(pace: int, clock: Clock, language: Language) -> str:
    """How long the players of a table may take."""
    if not clock.total:
        return pace_of(pace, language)
    minutes = clock.total // 60
    if not clock.increment:
        return language("{number} min each", number=minutes)
    return language("{number} min each + {more} s a move", number=minutes, more=clock.increment)


def time_left(milliseconds: int, language: Language) -> str:
    """How long there is still, in whole units."""
    if milliseconds >= DAY:
        return language.many(milliseconds // DAY, "{number} day left", "{number} days left")
    if milliseconds >= HOUR:
        return language("{number} h left", number=milliseconds // HOUR)
    return language("{number} min left", number=max(1, milliseconds // MINUTE))
