"""Where the points of Mauerbauer come from: guild cards of five sorts (MB-50 to MB-64)."""

from collections.abc import Mapping, Sequence
from typing import Final

from mauerwerk.core.language.translation import Language, message
from mauerwerk.games.mauerbauer.events import Event, Played, RolledEarly
from mauerwerk.games.mauerbauer.guild import KINDS, Card
from mauerwerk.games.mauerbauer.scoring import is_city_card
from mauerwerk.server.games.sources import Source

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
