"""Burgbaumeister drawn, the cards: faces and backs, walls laid edge to edge, and the depot."""

from collections.abc import Mapping
from typing import Final, NamedTuple, TypeAlias

from mauerwerk.core.game import Seat
from mauerwerk.core.language import Language
from mauerwerk.core.svg import NAME, Node, group, hit, label, node, target, use
from mauerwerk.games.burgbaumeister import events, notation, values
from mauerwerk.games.burgbaumeister.cards import EXTRA
from mauerwerk.games.burgbaumeister.events import Lying, View
from mauerwerk.games.burgbaumeister.layouts import HEIGHT, RECTANGLE, WIDTH, Layout, Spot, spread
from mauerwerk.games.burgbaumeister.notation import card_name, place_name
from mauerwerk.games.burgbaumeister.values import PLACES, Card, Turn

Words: TypeAlias = tuple[str, str]
"""An action's word, and what a player would say."""
Offers: TypeAlias = Mapping[values.Action, Words]
"""What may be done now."""
WIDE: Final = 90
HIGH: Final = 120
"""The size of a card as it is drawn, before it is scaled."""
_SMALL: Final = 60
"""Cards narrower than this have a larger number and no coins."""


class Reader(NamedTuple):
    """For whom it is drawn: what may be done now, and in which language."""

    offers: Offers
    language: Language


class Block(NamedTuple):
    """A part of the picture."""

    body: Node
    height: float


# --- One card --------------------------------------------------------------------------------

FIGURES: Final[Mapping[values.Picture, str]] = {
    picture: f"fig-{picture.value}" for picture in values.Picture
} | {values.Picture.TWO_RAVENS: "fig-ravens"}


def clip() -> Node:
    """The rounded edge that every face is cut to; it stands once in a picture."""
    edge = node("rect", width=WIDE, height=HIGH, rx=6.5)
    return node("defs", node("clipPath", edge, id="castle-card"))


def scaled(x: float, y: float, width: float, *content: Node) -> Node:
    """A card of this width with its corner here."""
    return node("g", *content, transform=f"translate({x:.2f} {y:.2f}) scale({width / WIDE:.4f})")


def face(card: values.Card, x: float, y: float, width: float) -> Node:
    """Sky, figure behind the merlons, number on the plaque, a coin for each extra point."""
    small = width < _SMALL
    extra = EXTRA.get(card.picture, 0) if card.picture and not small else 0
    number = label(
        WIDE / 2,
        113 if small else 112.4,
        f"{card.number}",
        size=37 if small else 33,
        fill="piece-line",
        anchor="middle",
        bold=True,
        serif=True,
    )
    gold = [
        node(
            "circle",
            cx=81,
            cy=9 + 10.5 * coin,
            r=4.6,
            fill="var(--gold,#E2AC35)",
            stroke="var(--piece-line)",
            stroke_width=1.3,
        )
        for coin in range(extra)
    ]
    inside = [_figure(card.picture), use("card-wall", 0, 0, WIDE, HIGH), *gold, number]
    return scaled(x, y, width, *_framed(inside))


def start_tower(seat: Seat, x: float, y: float, width: float) -> Node:
    """The left end of a wall, with its owner's mark (BB-2)."""
    inside = [
        _figure(values.Picture.TOWER),
        use("card-wall", 0, 0, WIDE, HIGH),
        use(f"mark-{seat + 1}", 32, 88, 26, 26, color="var(--piece-line)"),
    ]
    return scaled(x, y, width, *_framed(inside))


def small_face(card: values.Card | None, seat: Seat) -> list[Node]:
    """A card 60 wide and 86 high, for small walls; None is the start tower of this seat."""
    picture = values.Picture.TOWER if card is None else card.picture
    figure = use(FIGURES[picture], 8, 3, 44, 54) if picture else use("card-cloud", 0, 8, 60, 40)
    ink = {"fill": "none", "stroke": "var(--piece-line)", "stroke_width": "1.5"}
    mark = (
        use(f"mark-{seat + 1}", 18, 57, 24, 24, color="var(--piece-line)")
        if card is None
        else label(
            30,
            79,
            f"{card.number}",
            size=27,
            fill="piece-line",
            anchor="middle",
            bold=True,
            serif=True,
        )
    )
    return [
        node("rect", width=60, height=86, rx=4, fill="var(--card-sky)"),
        figure,
        node("path", d=_MERLONS, fill="#D2C4AC", stroke="#5F5140", stroke_width=1.5),
        mark,
        node("rect", x=0.8, y=0.8, width=58.4, height=84.4, rx=4, **ink),
    ]


_MERLONS: Final = "M0 86V56H4V49H17V56H24V49H37V56H44V49H57V56H60V86Z"
"""The wall of a small card."""


def back(x: float, y: float, width: float) -> Node:
    """A card that lies face down; every back is like every other."""
    return scaled(x, y, width, use("card-back", 0, 0, WIDE, HIGH))


def _figure(picture: values.Picture | None) -> Node:
    if picture is None:
        return use("card-cloud", 0, 10, WIDE, 60)
    if picture is values.Picture.TOWER:
        return use(FIGURES[picture], 8, -4, 74, 91)
    return use(FIGURES[picture], 14, 3, 62, 76.5)


def _framed(inside: list[Node]) -> list[Node]:
    sky = node("rect", width=WIDE, height=HIGH, fill="var(--card-sky)")
    frame = node(
        "rect",
        x=0.9,
        y=0.9,
        width=WIDE - 1.8,
        height=HIGH - 1.8,
        rx=6,
        fill="none",
        stroke="var(--piece-line)",
        stroke_width=1.6,
    )
    return [node("g", sky, *inside, clip_path="url(#castle-card)"), frame]


def chalked(x: float, y: float, width: float, height: float, *, filled: bool = True) -> Node:
    """Dashes around what can be done."""
    return node(
        "rect",
        x=x + 1.5,
        y=y + 1.5,
        width=width - 3,
        height=height - 3,
        rx=5,
        class_="chalk glow" if filled else "chalk",
        fill="var(--glow)" if filled else "none",
        fill_opacity=".38" if filled else None,
    )


# --- A wall ----------------------------------------------------------------------------------


def wall(view: events.View, seat: Seat, reader: Reader, width: float, *, line: str) -> Block:
    """Start tower, cards, and places for more; with targets where something can be done.

    `line` is the colour of what is not there yet.
    """
    offers, language = reader
    card = width / (view.full_wall + 1)
    high = card * HIGH / WIDE
    cards = view.walls[seat]
    own = seat == view.seat
    parts = [start_tower(seat, 0, 0, card)]
    parts += [_standing(each, card * (index + 1), card, reader) for index, each in enumerate(cards)]
    free = range(len(cards) + 1, view.full_wall + 1)
    adds = values.Add() in offers and own
    parts += [_free(place, card, high, line) for place in free if not (adds and place == free[0])]
    turned = view.turned.card if view.turned else None
    if adds and turned is not None:
        here = _add(card * free[0], (card, high), turned, language("here"))
        area = hit(card * free[0], 0, card, high)
        parts.append(target("add", *offers[values.Add()], *here, area))
    if values.Insert() in offers and own and turned is not None:
        place = sum(each.number < turned.number for each in cards) + 1
        parts.append(_insert(card * place, high, turned, offers[values.Insert()]))
    return Block(group(*parts, id=f"wall-{seat}"), high)


def _standing(card: values.Card, x: float, width: float, reader: Reader) -> Node:
    """A card in a wall; a target where a cannon can hit it (BB-24)."""
    drawn = face(card, x, 0, width)
    name, high = f"card-{card.number}", width * HIGH / WIDE
    shot = reader.offers.get(values.Fire(card.number))
    if shot is None:
        return node("g", node("title", notation.card_name(card, reader.language)), drawn, id=name)
    rim = node(  # chalk alone would not show on paper
        "rect",
        x=x + 1.5,
        y=1.5,
        width=width - 3,
        height=high - 3,
        rx=4,
        fill="none",
        stroke="var(--brick)",
        stroke_width=5,
    )
    around = chalked(x, 0, width, high, filled=False)
    return target(name, *shot, drawn, rim, around, hit(x, 0, width, high))


def _free(place: int, width: float, high: float, line: str) -> Node:
    edge = node(
        "rect",
        x=width * place + 1,
        y=1,
        width=width - 2,
        height=high - 2,
        rx=5,
        fill="none",
        stroke=f"var(--{line})",
        stroke_width=1.5,
        stroke_dasharray="5 4",
    )
    if width < _SMALL:
        return edge
    x, y = width * (place + 0.5), high / 2 + 5
    return node("g", edge, label(x, y, f"{place}", fill="tray-ink", anchor="middle"))


def _add(x: float, place: tuple[float, float], card: values.Card, words: str) -> list[Node]:
    """The next place of one's own wall (BB-7)."""
    width, high = place
    size = 17 if width >= _SMALL else 13
    number = label(
        x + width / 2,
        high / 2 + 1,
        f"{card.number}",
        size=size,
        fill="piece-line",
        anchor="middle",
        bold=True,
    )
    here = label(x + width / 2, high / 2 + 18, words, size=13, fill="piece-line", anchor="middle")
    return [chalked(x, 0, width, high), number, here]


def _insert(x: float, high: float, card: values.Card, words: Words) -> Node:
    """The gap where the wizard would put the card (BB-26)."""
    wide = 30
    plate = node(
        "rect", x=x - wide / 2, y=high / 2 - 14, width=wide, height=28, rx=3, fill="var(--brick)"
    )
    number = label(
        x, high / 2 + 6, f"{card.number}", size=17, fill="on-brick", anchor="middle", bold=True
    )
    gap = node("path", d=f"M{x:.2f} -4V{high + 4:.2f}", class_="chalk glow", fill="none")
    return target("insert", *words, gap, plate, number, hit(x - wide / 2, 0, wide, high))


# --- The depot: cards that lie face down, and the one that is turned up ----------------------


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
    cards = [lying(view, place, layout, scale, reader) for place in PLACES[: view.cards]]
    up = (
        []
        if view.turned is None
        else [face_up(view.turned, layout, scale, (across, down), reader.language)]
    )
    return Block(group(*cards, *up), down * scale)


def _laid(view: View) -> tuple[Layout, int, int]:
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
