"""The end of Mauerbauer: why it is over, where the points came from, what is counted."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from mauerwerk.core.game import Step
from mauerwerk.core.language import Language, local, message, sentence
from mauerwerk.games.mauerbauer.events import Event, Played, RolledEarly, View
from mauerwerk.games.mauerbauer.guild import KINDS, Card
from mauerwerk.games.mauerbauer.naming import title_of, why_over
from mauerwerk.games.mauerbauer.notation import ask
from mauerwerk.games.mauerbauer.scoring import is_city_card
from mauerwerk.games.mauerbauer.values import State
from mauerwerk.server.games.room import Ended, Source, Tally, TallyLine


def ended(view: View, names: Sequence[str], language: Language, /) -> Ended:
    """The end is decided by the last piece of a kind, even when some come back later (MB-70)."""
    why = why_over(view, language)
    told = [sentence(why)] if why else []
    most = max(view.points)
    best = [held for held, points in zip(view.counts, view.points, strict=True) if points == most]
    if len(set(best)) > 1:
        told.append(language("If points are equal, more cards in hand decide."))  # MB-73
    return Ended(ask(view, names, language), " ".join(told))


# --- Where the points came from --------------------------------------------------------------


_SIZES: Final = (Card.CITY_1, Card.CITY_2, Card.CITY_3, Card.CITY_7)
_HOUSES: Final = (
    *(Card.LAND_YELLOW, Card.LAND_GREEN, Card.LAND_BLUE, Card.LAND_PINK, Card.LAND_RED),
    *(Card.LAND_WEST, Card.LAND_MIDDLE, Card.LAND_EAST),
)
_WALLS: Final = (Card.LAND_WALLS, Card.CITIES)

_SORTS: Final[Mapping[str, tuple[Card, ...]]] = {
    message("City sizes"): _SIZES,
    message("In cities"): tuple(
        card for card in KINDS if is_city_card(card) and card not in _SIZES
    ),
    message("Houses"): _HOUSES,
    message("Towers"): tuple(
        card for card in KINDS if not is_city_card(card) and card not in (*_HOUSES, *_WALLS)
    ),
    message("Walls, cities"): _WALLS,
}
"""Every guild card is of one sort."""


def sources(events: Sequence[Event], seats: int, language: Language, /) -> tuple[Source, ...]:
    """What each sort of card scored, and what rolling early cost (MB-14)."""
    scored = [event for event in events if isinstance(event, Played)]
    found = [
        Source(
            language(title),
            tuple(
                sum(each.points for each in scored if each.seat == seat and each.card in cards)
                for seat in range(seats)
            ),
        )
        for title, cards in _SORTS.items()
    ]
    early = [event for event in events if isinstance(event, RolledEarly)]
    lost = tuple(-sum(each.lost for each in early if each.seat == seat) for seat in range(seats))
    return (*found, *([Source(language("Rolled early"), lost)] if any(lost) else []))


# --- Which guild cards a player likes --------------------------------------------------------


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
            language.many(
                played,
                "played {number} time, {points} points",
                "played {number} times, {points} points each",
                points=local(f"{points:.1f}", language),
            ),
        ),
    )


TALLY: Final = Tally(count, lines)
