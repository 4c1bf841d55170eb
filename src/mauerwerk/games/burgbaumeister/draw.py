"""Burgbaumeister, drawn from a view: the table as a picture, and as text for a terminal.

Here the parts of the picture are put together: the depot on its cloth, below it the viewer's own
wall, beside or below that the walls of the others.
"""

from collections.abc import Sequence
from typing import Final

from mauerwerk.core.drawing import (
    NAME,
    POINTS,
    SMALL,
    TOUCH,
    Drawing,
    Node,
    cut,
    ems,
    group,
    hit,
    label,
    node,
    picture,
    target,
    use,
    wrap,
)
from mauerwerk.core.game import Seat
from mauerwerk.core.words import counted, signed
from mauerwerk.games.burgbaumeister.draw_cards import (
    HIGH,
    WIDE,
    Block,
    Offers,
    Words,
    back,
    chalked,
    clip,
    face,
    wall,
)
from mauerwerk.games.burgbaumeister.draw_text import text, wall_words, when
from mauerwerk.games.burgbaumeister.layouts import HEIGHT, RECTANGLE, WIDTH, Layout, Spot, spread
from mauerwerk.games.burgbaumeister.notation import (
    TITLE,
    ask,
    card_name,
    place_name,
    places,
    say,
    write,
)
from mauerwerk.games.burgbaumeister.values import (
    PLACES,
    Action,
    Appoint,
    Card,
    HoldFire,
    Leave,
    Task,
    Turn,
    View,
)

__all__ = ["svg", "text"]

_WIDTH: Final = 1080
_NARROW: Final = 700
"""What is not wider than this is drawn for a phone: everything in one column."""
_SIDE: Final = 424
_UPRIGHT: Final = 560
"""On a cloth narrower than this a chaotic depot lies upright, or its cards would be too small."""
_GAP: Final = 14
_FRAME: Final = 6
_UP: Final = 1.32
"""How much larger a card is that lies face up."""


def svg(
    view: View, legal: Sequence[Action], names: Sequence[str], /, *, width: float = _WIDTH
) -> Drawing:
    """The table as a picture, with the word of each legal action on its target.

    It is drawn for this width: in a narrow one the walls of the others stand below.
    """
    offers = {action: (write(action), say(action)) for action in legal}
    main = width if width <= _NARROW else width - _SIDE - _GAP
    column = [_cloth(view, offers, names, main)]
    if view.seat is not None:
        column.append(_tray(view, view.seat, offers, main))
    side = width if width <= _NARROW else _SIDE
    others = [Seat(seat) for seat in range(len(view.walls)) if seat != view.seat]
    panels = [_panel(view, seat, offers, names, side) for seat in others]
    left = _stacked(column)
    if width <= _NARROW:
        whole = _stacked([left, *panels])
        return picture(width, whole.height, TITLE, clip(), whole.body)
    right = _stacked(panels)
    beside = group(right.body, x=main + _GAP)
    return picture(width, max(left.height, right.height), TITLE, clip(), left.body, beside)


def _stacked(blocks: Sequence[Block]) -> Block:
    y = 0.0
    parts: list[Node] = []
    for block in blocks:
        parts.append(group(block.body, y=y))
        y += block.height + _GAP
    return Block(group(*parts), y - _GAP)


# --- The depot -------------------------------------------------------------------------------


def _cloth(view: View, offers: Offers, names: Sequence[str], width: float) -> Block:
    """The question, and under it the cards of the depot."""
    inner = width - 2 * _FRAME
    buttons = [
        (name, offers[action])
        for name, action in (("leave", Leave()), ("hold-fire", HoldFire()))
        if action in offers
    ]
    caption = _caption(view, names, inner, buttons)
    lying = _depot(view, offers, inner)
    height = caption.height + lying.height + 8
    return Block(
        group(
            node("rect", width=width, height=height + 2 * _FRAME, rx=7, fill="var(--tray)"),
            group(
                node("rect", width=inner, height=height, rx=3, fill="var(--cloth)"),
                caption.body,
                group(lying.body, y=caption.height),
                x=_FRAME,
                y=_FRAME,
            ),
            id="depot",
        ),
        height + 2 * _FRAME,
    )


def _caption(
    view: View, names: Sequence[str], width: float, buttons: Sequence[tuple[str, Words]]
) -> Block:
    """What is asked, how things stand, and what can be pressed."""
    pressed = 116 if buttons else 0
    least = 84 if width < _UPRIGHT else 60  # so that the cards stay where they are
    room = width - 28 - pressed
    lines = wrap(ask(view, names), room / NAME, ems)
    parts = [
        label(14, 26 + 22 * line, words, size=NAME, fill="chalk", bold=True, serif=True)
        for line, words in enumerate(lines)
    ]
    under = 26 + 22 * len(lines)
    told = wrap(when(view), room / SMALL, ems)
    parts += [
        label(14, under - 2 + 18 * line, words, size=SMALL, fill="chalk")
        for line, words in enumerate(told)
    ]
    parts += [_button(width - 118, 8, name, words) for name, words in buttons]
    return Block(group(*parts), max(under + 18 * len(told) - 8, least))


def _button(x: float, y: float, name: str, words: Words) -> Node:
    """A brick to press."""
    wide, high = 106, TOUCH
    told = words[1]
    return target(
        name,
        *words,
        node("rect", x=x, y=y, width=wide, height=high, rx=3, fill="var(--brick-deep)"),
        node("rect", x=x, y=y, width=wide, height=high - 3, rx=3, fill="var(--brick)"),
        label(
            x + wide / 2,
            y + 27,
            f"{told[:1].upper()}{told[1:]}",
            size=NAME,
            fill="on-brick",
            anchor="middle",
            bold=True,
        ),
        hit(x, y, wide, high),
    )


def _depot(view: View, offers: Offers, width: float) -> Block:
    """All cards of the depot; one that is turned lies above the others."""
    layout, across, down = _laid(view, width)
    scale = width / across
    cards = [_place(view, place, layout, scale, offers) for place in PLACES]
    up = [] if view.turned is None else [_face_up(view, layout, scale, (across, down))]
    return Block(group(*cards, *up), down * scale)


def _laid(view: View, width: float) -> tuple[Layout, int, int]:
    """Where the cards lie, and how large the cloth is there."""
    layout = spread(view.layout)
    if view.layout is None:
        left, top = RECTANGLE.spots[0].x - 50, RECTANGLE.spots[0].y - 62
        spots = tuple(Spot(spot.x - left, spot.y - top, 0) for spot in layout.spots)
        return Layout(layout.width, layout.height, spots), WIDTH - 2 * left, HEIGHT - 2 * top
    if width >= _UPRIGHT:
        return layout, WIDTH, HEIGHT
    upright = tuple(Spot(HEIGHT - spot.y, spot.x, spot.angle + 90) for spot in layout.spots)
    return Layout(layout.width, layout.height, upright), HEIGHT, WIDTH


def _place(view: View, place: int, layout: Layout, scale: float, offers: Offers) -> Node:
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
    seen = {lying.place: lying.card for lying in view.seen or ()}.get(place)
    aid = [] if seen is None else [_aid(seen, spot.angle)]
    told = f"face down at {where}" if seen is None else f"face down at {where}: {card_name(seen)}"
    words = offers.get(Turn(place))
    if words is None:
        body = node("g", node("title", told), card, *aid, role="img", aria_label=told, id=name)
    else:
        word, said = words
        said = said if seen is None else f"{said}, {card_name(seen)}"
        around = chalked(*box, filled=False)
        body = target(name, word, said, card, *aid, around, hit(*box))
    return node("g", body, transform=turn)


def _aid(card: Card, angle: int) -> Node:
    """The memory aid writes the number on the back (BB-9)."""
    plate = node("rect", x=-16, y=-14, width=32, height=26, rx=3, fill="var(--chalk)")
    number = label(
        0, 6, f"{card.number}", size=NAME, fill="piece-line", anchor="middle", bold=True, serif=True
    )
    return node("g", plate, number, transform=f"rotate({-angle})" if angle else None)


def _face_up(view: View, layout: Layout, scale: float, cloth: tuple[int, int]) -> Node:
    """The card in question, upright and larger, kept on the cloth."""
    assert view.turned is not None
    spot, card = layout.spots[view.turned.place], view.turned.card
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
    told = card_name(card) if card else "a card is being turned"
    drawn = face(card, x, y, wide) if card else back(x, y, wide)
    return node("g", node("title", told), rim, drawn, id="turned", role="img", aria_label=told)


# --- The walls -------------------------------------------------------------------------------


def _tray(view: View, seat: Seat, offers: Offers, width: float) -> Block:
    """The viewer's own wall, large, and what of it is safe."""
    inner = width - 20
    row = wall(view, seat, offers, inner, line="tray-deep")
    card = inner / 10
    parts = [
        node("rect", width=width, height=row.height + 46, rx=7, fill="var(--tray)"),
        _turn_bar(view, seat, width),
        label(14, 28, "Your wall", size=NAME, fill="tray-ink", bold=True, serif=True),
        label(width - 14, 28, _sum(view, seat), size=SMALL, fill="tray-ink", anchor="end"),
        group(row.body, x=10, y=40),
    ]
    height = row.height + 52.0
    if view.variant and view.walls[seat]:
        parts.append(_guard(view, seat, card, row.height + 46))
        height += 22
    parts[0].set("height", f"{height:.2f}")
    return Block(group(*parts, id="tray"), height)


def _guard(view: View, seat: Seat, card: float, y: float) -> Node:
    """A line under what is safe, dots under what a cannon can hit (BB-25)."""
    safe, cards = view.safe[seat], len(view.walls[seat])
    ends = (10.0, 10 + card * (safe + 1), 10 + card * (cards + 1))
    parts: list[Node] = []
    if safe:
        parts += [
            _line(ends[0], ends[1], y, dashes=None),
            use("i-shield", ends[0], y + 3, 16, 16, color="var(--tray-ink)"),
            label(ends[0] + 20, y + 16, "safe", size=SMALL, fill="tray-ink", bold=True),
        ]
    if cards > safe:
        start = ends[1] if safe else 10 + card
        parts += [
            _line(start, ends[2], y, dashes="3 3"),
            label(start + 2, y + 16, "open", size=SMALL, fill="tray-ink", bold=True),
        ]
    return node("g", *parts)


def _line(start: float, end: float, y: float, *, dashes: str | None) -> Node:
    return node(
        "path",
        d=f"M{start + 2:.2f} {y:.2f}H{end - 2:.2f}",
        stroke="var(--tray-ink)",
        stroke_width=3,
        stroke_dasharray=dashes,
    )


def _panel(view: View, seat: Seat, offers: Offers, names: Sequence[str], width: float) -> Block:
    """Somebody's wall, with name and points."""
    inner = width - 24
    row = wall(view, seat, offers, inner, line="mortar-2")
    told = _standing(view, seat)
    name = signed(names[seat], own=seat == view.seat)
    name = cut(name, (width - 118 - SMALL * ems(told)) / NAME, ems)
    card, safe = inner / 10, view.safe[seat]
    guard = node(
        "path",
        d=f"M14 {row.height + 53:.2f}H{10 + card * (safe + 1):.2f}",
        stroke="var(--ink)",
        stroke_width=3,
    )
    parts = [
        node("rect", width=width, height=row.height + 62, rx=7, fill="var(--paper)"),
        _turn_bar(view, seat, width),
        use(f"mark-{seat + 1}", 14, 15, 20, 20, color="var(--ink)"),
        label(42, 31, name, size=NAME, bold=True),
        label(width - 60, 30, told, size=SMALL, fill="ink-2", anchor="end"),
        label(
            width - 14, 35, f"{view.points[seat]}", size=POINTS, anchor="end", bold=True, serif=True
        ),
        group(row.body, x=12, y=46),
        *([guard] if safe else []),
    ]
    lot = offers.get(Appoint(seat))
    if lot is not None:
        area = (0, 0, width, row.height + 62)
        parts += [target(f"appoint-{seat}", *lot, chalked(*area, filled=False), hit(*area))]
    return Block(group(*parts, id=f"seat-{seat}"), row.height + 62)


def _sum(view: View, seat: Seat) -> str:
    """What the viewer's own wall is worth, and how far it has come."""
    worth = counted(view.points[seat], "point")
    return f"{worth}, {_standing(view, seat)}" if view.variant else _standing(view, seat)


def _standing(view: View, seat: Seat) -> str:
    """How far a wall has come; when it is over, its rank."""
    words = wall_words(view, seat)
    return f"{words}, rank {places(view)[seat]}" if view.task is Task.NOTHING else words


def _turn_bar(view: View, seat: Seat, width: float) -> Node:
    """A course of brick above the wall of whoever's turn it is."""
    turn = seat == view.player and view.task is not Task.NOTHING
    return node("rect", width=width if turn else 0, height=4, rx=2, fill="var(--brick)")
