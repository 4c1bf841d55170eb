"""Where the points of Die Mauer come from: each round is scored by itself (DM-2)."""

from collections.abc import Sequence

from mauerwerk.core.language.translation import Language
from mauerwerk.games.mauer.events import Event, RoundEnded
from mauerwerk.server.games.sources import Source


def sources(events: Sequence[Event], seats: int, language: Language, /) -> tuple[Source, ...]:
    """The penalty points of each round."""
    del seats  # a round is scored for every seat
    sheet = [event.points for event in events if isinstance(event, RoundEnded)]
    return tuple(
        Source(language("Round {number}", number=number), points)
        for number, points in enumerate(sheet, 1)
    )
