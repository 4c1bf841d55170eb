"""Burgbaumeister drawn, the depot: cards that lie face down, and the one that is turned up."""

from typing import Final, TypeAlias

from mauerwerk.core.language.translation import Language
from mauerwerk.core.svg import NAME, Node, group, hit, label, node, target
from mauerwerk.games.burgbaumeister.drawing.cards import (
    HIGH,
    WIDE,
    Block,
    Reader,
    back,
    chalked,
    face,
)
from mauerwerk.games.burgbaumeister.events import Lying, View
from mauerwerk.games.burgbaumeister.layouts import HEIGHT, RECTANGLE, WIDTH, Layout, Spot, spread
from mauerwerk.games.burgbaumeister.notation import card_name, place_name
from mauerwerk.games.burgbaumeister.values import PLACES, Card, Turn

_UP: Final = 1.32
"""How much larger a card is that lies face up."""
_REACH: Final = 76
"""So wide a card of a chaotic depot answers, which on a small phone is a finger's width."""

Box: TypeAlias = tuple[float, float, float, float]
"""Left, top, width and height."""


def depot(view: View, reader: Reader, width: float) -> Block:
    """All cards of the depot; one that is turned lies above the others."""
    layout, across, down = _laid(view)
    scale = width / across
    cards = [lying(view, place, layout, scale, reader) for place in PLACES]
    up = (
        []
        if view.turned is None
        else [face_up(view.turned, layout, scale, (across, down), reader.language)]
    )
    return Block(group(*cards, *up), down * scale)


def _laid(view: View) -> tuple[Layout, int, int]:
    """Where the cards lie, and how large the cloth is there."""
    layout = spread(view.layout)
    if view.layout is None:
        left, top = RECTANGLE.spots[0].x - 50, RECTANGLE.spots[0].y - 62
        spots = tuple(Spot(spot.x - left, spot.y - top, 0) for spot in layout.spots)
        return Layout(layout.width, layout.height, spots), WIDTH - 2 * left, HEIGHT - 2 * top
    return layout, WIDTH, HEIGHT


def lying(view: View, place: int, layout: Layout, scale: float, reader: Reader) -> Node:
    """A card, or where one was; what was turned before cannot be seen (BB-9)."""
    spot = layout.spots[place]
    wide, high = layout.width * scale, layout.height * scale
    name, where = f"place-{place_name(place)}", place_name(place)
    at = f"translate({spot.x * scale:.2f} {spot.y * scale:.2f})"
    turn = f"{at} rotate({spot.angle})" if spot.angle else at
    box = (-wide / 2, -high / 2, wide, high)
    if place not in view.depot or (view.turned is not None and view.turned.place == place):
        gone = [node("rect", x=box[0], y=box[1], width=wide, height=high, rx=5, fill_opacity=0.13)]
        return node("g", *(gone if view.layout is None else []), transform=turn, id=name)
    card = node("g", back(box[0], box[1], wide), class_="lift")
    seen = known(view, place)
    aid = [] if seen is None else [_aid(seen, spot.angle)]
    shown = card_name(seen, reader.language) if seen else ""
    told = reader.language("face down at {place}", place=where)
    words = reader.offers.get(Turn(place))
    if words is None:
        told = f"{told}: {shown}" if shown else told
        body = node("g", node("title", told), card, *aid, role="img", aria_label=told, id=name)
    else:
        word, said = words
        said = f"{said}, {shown}" if shown else said
        around = chalked(*box, filled=False)
        body = target(name, word, said, card, *aid, around, hit(*_reach(view, box, scale)))
    return node("g", body, transform=turn)


def _reach(view: View, box: Box, scale: float) -> Box:
    """Where a card answers: in a chaotic depot a little beyond its edges."""
    x, y, wide, high = box
    more = 0 if view.layout is None else max(_REACH * scale - wide, 0)
    return x - more / 2, y, wide + more, high


def known(view: View, place: int) -> Card | None:
    """What the memory aid says of a place; nothing where the table did without it (BB-9)."""
    return {each.place: each.card for each in view.seen or ()}.get(place)


def _aid(card: Card, angle: int) -> Node:
    """The memory aid writes the number on the back (BB-9)."""
    plate = node("rect", x=-16, y=-14, width=32, height=26, rx=3, fill="var(--chalk)")
    number = label(
        0, 6, f"{card.number}", size=NAME, fill="piece-line", anchor="middle", bold=True, serif=True
    )
    upright = node("g", plate, number, class_="upright")
    return node("g", upright, transform=f"rotate({-angle})" if angle else None)


def face_up(
    turned: Lying, layout: Layout, scale: float, cloth: tuple[int, int], language: Language
) -> Node:
    """The card in question, upright and larger, kept on the cloth."""
    spot, card = layout.spots[turned.place], turned.card
    wide = max(layout.width * scale, 56) * _UP
    high = wide * HIGH / WIDE
    across, down = (side * scale for side in cloth)
    x = min(max(spot.x * scale - wide / 2, 6), across - wide - 6)
    y = min(max(spot.y * scale - high / 2, 6), down - high - 6)
    rim = node(
        "rect",
        x=x - 4,
        y=y - 4,
        width=wide + 8,
        height=high + 8,
        rx=9,
        fill="var(--chalk)",
        class_="lift",
    )
    told = card_name(card, language) if card else language("a card is being turned")
    drawn = face(card, x, y, wide) if card else back(x, y, wide)
    upright = node("g", rim, drawn, class_="upright")
    return node("g", node("title", told), upright, id="turned", role="img", aria_label=told)
