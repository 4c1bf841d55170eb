"""Which guild cards a player likes: those played most often, and what they brought."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from mauerwerk.core.game import Step
from mauerwerk.core.language.translation import Language
from mauerwerk.games.mauerbauer.events import Event, Played
from mauerwerk.games.mauerbauer.guild import Card
from mauerwerk.games.mauerbauer.naming import title_of
from mauerwerk.games.mauerbauer.values import State
from mauerwerk.server.games.tally import Tally, TallyLine

POINTS: Final = "points-"
"""Before the word of a card: the points that it brought."""


def count(steps: Sequence[Step[State, Event]], seats: int, /) -> tuple[Mapping[str, float], ...]:
    """How often each card was played, and its points."""
    found: tuple[Counter[str], ...] = tuple(Counter() for _ in range(seats))
    for step in steps:
        for event in step.events:
            if isinstance(event, Played):
                own = found[event.seat]
                own[event.card.value] += 1
                own[f"{POINTS}{event.card.value}"] += event.points
    return found


def lines(sums: Mapping[str, float], language: Language, /) -> tuple[TallyLine, ...]:
    """The favourite card, and what it brings on average."""
    cards = [card for card in Card if sums.get(card.value)]
    if not cards:
        return ()
    best = max(cards, key=lambda card: sums[card.value])
    played = int(sums[best.value])
    points = sums.get(f"{POINTS}{best.value}", 0) / played
    return (
        TallyLine(
            language("Favourite card"),
            title_of(best, language),
            language(
                "played {number} times, {points} points each", number=played, points=f"{points:.1f}"
            ),
        ),
    )


TALLY: Final = Tally(count, lines)
