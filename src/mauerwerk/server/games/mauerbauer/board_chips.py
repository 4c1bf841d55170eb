"""Mauerbauer for the page: where a place has several answers, a chip for each beside it."""

from collections.abc import Sequence

from mauerwerk.core.language.translation import Language
from mauerwerk.core.language.words import capital
from mauerwerk.core.svg.drawing import Node
from mauerwerk.games.mauerbauer.drawing.targets import Offers, several
from mauerwerk.games.mauerbauer.naming import house_name, tower_name
from mauerwerk.games.mauerbauer.values import COLOURS, TOWERS, PlaceHouse, PlaceTower
from mauerwerk.server.games.markup import plate, sign


def plates(offers: Offers, language: Language) -> list[Node]:
    """A plate of chips for each place that waits for a piece of one's choice."""
    return [_plate(place, answers, offers, language) for place, answers in several(offers).items()]


def opens(place: str, offers: Offers, language: Language) -> tuple[str, str]:
    """The plate that a place opens, and what it asks."""
    return f"chips-{place}", _question(place, several(offers)[place], language)


def _question(place: str, answers: Sequence[PlaceTower | PlaceHouse], language: Language) -> str:
    if isinstance(answers[0], PlaceTower):
        return language("Which tower on {point}?", point=place)
    return language("Which house on field {field}?", field=place)


def _plate(
    place: str, answers: Sequence[PlaceTower | PlaceHouse], offers: Offers, language: Language
) -> Node:
    chips = [
        (offers[answer][0], *_piece(answer, language)) for answer in sorted(answers, key=_rank)
    ]
    return plate(
        f"chips-{place}",
        _question(place, answers, language),
        language("Keys 1 to {number} choose, Esc goes back.", number=len(chips)),
        [(word, words, sign(symbol)) for word, words, symbol in chips],
    )


def _rank(answer: PlaceTower | PlaceHouse) -> int:
    """Colours always come in the same order; those out of supply are no answers."""
    if isinstance(answer, PlaceTower):
        return TOWERS.index(answer.tower)
    return COLOURS.index(answer.colour)


def _piece(answer: PlaceTower | PlaceHouse, language: Language) -> tuple[str, str]:
    """A piece in words, and its symbol."""
    if isinstance(answer, PlaceTower):
        tower = answer.tower
        return capital(tower_name(tower, language)), f"tower-{tower.name.lower()}"
    colour = answer.colour
    return capital(house_name(colour, language)), f"house-{colour.name.lower()}"
