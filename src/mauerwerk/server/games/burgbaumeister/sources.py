"""Where the points of Burgbaumeister come from: cards, and in the variant pictures (BB-20)."""

from collections.abc import Mapping, Sequence
from typing import Final

from mauerwerk.core.language.translation import Language, message
from mauerwerk.games.burgbaumeister.cards import EXTRA
from mauerwerk.games.burgbaumeister.events import Added, Event, Fired, Inserted
from mauerwerk.games.burgbaumeister.values import Card, Picture
from mauerwerk.server.games.sources import Source

_PICTURES: Final[Mapping[str, tuple[Picture, ...]]] = {
    message("King, queen"): (Picture.KING, Picture.QUEEN),
    message("Knights, damsels"): (Picture.KNIGHT, Picture.DAMSEL),
    message("Ravens"): (Picture.RAVEN, Picture.TWO_RAVENS),
}
"""The pictures that are worth extra points (BB-21 to BB-23)."""


def sources(events: Sequence[Event], seats: int, language: Language, /) -> tuple[Source, ...]:
    """A point for each card, and what its picture adds; nothing for what was destroyed (BB-27)."""
    walls = _walls(events, seats)
    found = [Source(language("Cards"), tuple(len(wall) for wall in walls))]
    if any(card.picture for wall in walls for card in wall):
        found += [
            Source(language(title), tuple(_extra(wall, pictures) for wall in walls))
            for title, pictures in _PICTURES.items()
        ]
    return tuple(found)


def _walls(events: Sequence[Event], seats: int) -> tuple[list[Card], ...]:
    """The cards of each wall, in the order in which they came."""
    walls: tuple[list[Card], ...] = tuple([] for _ in range(seats))
    for event in events:
        match event:
            case Added(seat=seat, card=card) | Inserted(seat=seat, card=card):
                walls[seat].append(card)
            case Fired(victim=victim, card=card):
                walls[victim].remove(card)
            case _:
                pass
    return walls


def _extra(wall: Sequence[Card], pictures: Sequence[Picture]) -> int:
    """What these pictures add; a knight and a damsel are worth one more together (BB-22)."""
    shown = [card.picture for card in wall if card.picture in pictures]
    pairs = min(shown.count(Picture.KNIGHT), shown.count(Picture.DAMSEL))
    return sum(EXTRA[picture] for picture in shown if picture) + pairs
