"""Every hand at once, small: what a tray shows large for one seat.

Each hand is drawn from what its own seat sees. In Burgbaumeister nobody holds anything: what is
open there are the cards of the depot.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from mauerwerk.core.game import Seat
from mauerwerk.core.language.translation import Language
from mauerwerk.core.language.words import capital
from mauerwerk.core.svg.drawing import Node, node
from mauerwerk.games import mauer, mauerbauer
from mauerwerk.games.mauer.drawing.picture import IN_TRAY
from mauerwerk.games.mauer.notation import piece_name
from mauerwerk.games.mauer.values import Piece
from mauerwerk.games.mauer.values import Task as Planned
from mauerwerk.games.mauerbauer.drawing.hand import ART, worth_of
from mauerwerk.games.mauerbauer.guild import Card
from mauerwerk.games.mauerbauer.naming import title_of
from mauerwerk.games.mauerbauer.scoring import is_city_card
from mauerwerk.web.games.markup import classes, head, html, sign


def hands(own: Sequence[Any], names: Sequence[str], language: Language) -> str:
    """The hands of all seats, from what each of them sees; empty where nobody holds anything."""
    drawn = [_hand(view, Seat(seat), language) for seat, view in enumerate(own)]
    if not any(drawn):
        return ""
    rows = [
        node(
            "li",
            node("span", sign(f"mark-{seat + 1}"), class_="tile"),
            node("b", capital(language.called(names[seat]))),
            node("ul", *held),
            id=f"hand-of-{seat}",
        )
        for seat, held in enumerate(drawn)
    ]
    title = language("Every hand")
    return html(
        node(
            "section",
            head(title),
            node("ol", *rows),
            class_="tray hands",
            id="hands",
            aria_label=title,
        )
    )


def _hand(view: Any, seat: Seat, language: Language) -> list[Node]:  # noqa: ANN401 - of any game
    match view:
        case mauerbauer.View():
            hand = view.hands[seat] or ()
            worth = dict(zip(hand, view.worth, strict=True))
            return [
                _card(card, count, worth_of(card, worth[card], view, language), language)
                for card, count in Counter(hand).items()
            ]
        case mauer.View() if view.task is not Planned.NOTHING:
            held = Counter(view.hands[seat] or ())
            return [_piece(kind, held[kind], language) for kind in IN_TRAY if kind and held[kind]]
        case _:
            return []


def _card(card: Card, count: int, worth: tuple[str, str, str], language: Language) -> Node:
    """A guild card: its picture, its title, and what it would score."""
    _, shown, counts = worth
    return node(
        "li",
        sign(ART[card]),
        node("span", title_of(card, language)),
        *_times(count),
        *([node("b", shown, class_="num", title=counts)] if shown else []),
        class_=classes("held", is_city_card(card) and "c"),
    )


def _piece(kind: Piece, count: int, language: Language) -> Node:
    """A piece of Die Mauer, and how many of it."""
    drawn = sign(f"piece-{kind.value}", words=piece_name(kind, language))
    return node("li", drawn, *_times(count), class_="held")


def _times(count: int) -> list[Node]:
    return [node("b", f"{count}\N{MULTIPLICATION SIGN}")] if count > 1 else []
