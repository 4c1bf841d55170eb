"""Every hand at once, small: what a tray shows large for one seat."""

from collections.abc import Sequence
from typing import Any

from mauerwerk.core.game import Seat
from mauerwerk.core.language.translation import Language
from mauerwerk.core.language.words import capital
from mauerwerk.core.svg import node
from mauerwerk.server.games.room import WebGame
from mauerwerk.server.ui.markup import html, sign


def hands(room: WebGame, own: Sequence[Any], names: Sequence[str], language: Language) -> str:
    """The hands of all seats, each drawn from its own view; empty where no seat holds anything."""
    if room.hand is None:
        return ""
    drawn = [room.hand(view, Seat(seat), language) for seat, view in enumerate(own)]
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
            node("ol", *rows),
            class_="hands",
            id="hands",
            aria_label=title,
        )
    )
