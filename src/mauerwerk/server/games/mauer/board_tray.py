"""The viewer's own pieces, on a shelf."""

from typing import Final

from mauerwerk.core.language.translation import Language
from mauerwerk.core.svg.drawing import Node, node, use
from mauerwerk.games.mauer.drawing.blocks import Offers
from mauerwerk.games.mauer.drawing.hands import height_of
from mauerwerk.games.mauer.drawing.picture import IN_TRAY, offer_of
from mauerwerk.games.mauer.drawing.pieces import PIECES
from mauerwerk.games.mauer.events import Task, View
from mauerwerk.games.mauer.notation import piece_name
from mauerwerk.games.mauer.values import PENALTY, Hand, Piece, Plan
from mauerwerk.server.games.markup import classes, head, image, pressed, sign

HIGH: Final = 124
"""The height of a piece's symbol."""


def tray(view: View, offers: Offers, language: Language) -> list[Node]:
    """The shelf with a place for each kind of piece and one for the empty fist."""
    hand = None if view.seat is None else view.hands[view.seat]
    if view.seat is None or hand is None or view.task in {Task.LOT, Task.NOTHING}:
        return []
    cost = sum(PENALTY[piece] for piece in hand)
    slots = [_slot(kind, hand, _where(view, kind, language), offers, language) for kind in IN_TRAY]
    more = language("Cost if the round ended now: {cost}", cost=cost)
    return [
        node(
            "section",
            head(language("Your pieces"), more),
            node("ul", *slots, class_="mine"),
            class_="tray",
            id="tray",
            aria_label=language("Your pieces"),
        )
    ]


def _where(view: View, kind: Piece | None, language: Language) -> str:
    """Where the piece is that one has planned; nothing for the others."""
    if view.seat is None or view.fists[view.seat] != Plan(kind):
        return ""
    if view.task is Task.PLAN:
        return language("in fist")
    return language("in your hand") if kind else ""


def _slot(
    kind: Piece | None,
    hand: Hand,
    where: str,
    offers: Offers,
    language: Language,
) -> Node:
    """A kind of piece, its outline when none is left, or the empty fist."""
    offer = offer_of(kind, offers)
    if kind is None:
        name, count, meant = "hand-empty", 1, language("the empty fist")
        drawn = image((60, 64), [use("hand-fist", 0, 2, 60, 61)])
        # Its word would run into that of the piece beside it, which may be in the hand meanwhile.
        state = where or (language("empty") if offer else "")
    else:
        name, count = f"hand-{kind.value}", hand.count(kind)
        meant = language(
            "{piece}: {number} in hand", piece=piece_name(kind, language), number=count
        )
        drawn = sign(f"{'piece' if count > bool(where) else 'ghost'}-{kind.value}")
        high, wide = height_of(kind) + 6, PIECES.size_of(f"piece-{kind.value}")[0]
        drawn.set("viewBox", f"0 {HIGH - high:g} {wide:g} {high:g}")
        state = where or ("" if count else language("gone"))
    times = [node("b", f"{count}\N{MULTIPLICATION SIGN}", class_="times")] if count > 1 else []
    drawn.set("class", f"high-{height_of(kind):g}" if kind else "high-58")
    # A button's name says already that the fist is empty, and the prompt that it is chosen.
    known = "true" if kind is None and offer is not None else None
    said = node("span", state, class_="said", aria_hidden=known)
    if offer is None:
        drawn.set("role", "img")
        drawn.set("aria-label", meant)
        drawn.attrib.pop("aria-hidden", None)
        inner = node("div", drawn, *times, said, id=name, class_="slot")
    else:
        inner = pressed(name, offer, drawn, *times, said, class_="slot")
    return node("li", inner, class_=classes(not count and "spent", bool(where) and "held"))
