"""Mauerbauer: what a seat holds, drawn small, and which choices are private."""

from collections import Counter

from mauerwerk.core.game import Seat
from mauerwerk.core.language.translation import Language
from mauerwerk.core.svg import Node, node
from mauerwerk.games.mauerbauer import events, guild, naming, scoring
from mauerwerk.games.mauerbauer.drawing.hand import ART, worth_of
from mauerwerk.server.ui.markup import classes, sign, times


def hand(view: events.View, seat: Seat, language: Language) -> list[Node]:
    """What a seat holds, with what each card would score."""
    held = view.hands[seat] or ()
    worth = dict(zip(held, view.worth, strict=True))
    return [
        _card(card, count, worth_of(card, worth[card], view, language), language)
        for card, count in Counter(held).items()
    ]


def _card(card: guild.Card, count: int, worth: tuple[str, str, str], language: Language) -> Node:
    """A guild card: its picture, its title, and what it would score."""
    _, shown, counts = worth
    return node(
        "li",
        sign(ART[card]),
        node("span", naming.title_of(card, language)),
        *times(count),
        *([node("b", shown, class_="num", title=counts)] if shown else []),
        class_=classes("held", scoring.is_city_card(card) and "c"),
    )


# --- At a device that several people share ---------------------------------------------------


def private(view: events.View) -> str:
    """Every choice is made with one's cards in sight; all look when a city has been scored."""
    return f"turn {view.turns}, scoring" if view.city else f"turn {view.turns}"
