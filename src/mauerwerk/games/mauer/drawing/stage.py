"""Die Mauer drawn, the stage: the fists in the sky, the wall on its ground, the question.

Blocks are drawn from their own corner and return their height; the caller moves them into place.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from mauerwerk.core.game import Seat
from mauerwerk.core.language import Language, message, signed
from mauerwerk.core.svg import (
    FRAME,
    NAME,
    PROMPT,
    SMALL,
    TEXT,
    Node,
    framed,
    group,
    hit,
    label,
    node,
    target,
    use,
)
from mauerwerk.core.svg.fitting import cut, ems, rows, wrap
from mauerwerk.games.mauer.drawing import PIECES, hands, text
from mauerwerk.games.mauer.drawing.hands import NARROW, Block, Offers, Words
from mauerwerk.games.mauer.events import Task, View
from mauerwerk.games.mauer.notation import ask, piece_name
from mauerwerk.games.mauer.values import Appoint, Build, End, Piece


def stage(
    view: View, offers: Offers, names: Sequence[str], width: float, language: Language
) -> Block:
    """Everything that all see."""
    inner = width - 2 * FRAME
    above = fists(view, offers, names, inner, language)
    wall = _wall(view, offers, inner, language)
    prompt = _prompt(view, names, inner, language)
    top = 38.0
    ground = top + above.height + wall.height
    height = ground + prompt.height + 2 * FRAME
    sun = [node("circle", cx=inner - 54, cy=50, r=32, fill="var(--sun)")] if width > NARROW else []
    body = (
        *sun,
        _hills(top + above.height - 56, 56 + wall.height, inner),
        label(14, 25, text.when(view, language), fill="ink-2"),
        group(above.body, y=top),
        group(wall.body, y=top + above.height),
        group(prompt.body, y=ground),
    )
    return Block(framed("stage", width, height, "sky", *body, rx=None), height)


def _hills(top: float, height: float, width: float) -> Node:
    far = "M-40 100C60 20 240 10 380 56S640 100 800 46 1120 20 1300 86V150H-40Z"
    near = "M-40 120C90 76 260 64 430 96S760 126 930 88 1180 76 1300 112V150H-40Z"
    return group(
        node(
            "svg",
            node("path", d=far, fill="var(--hill-1)"),
            node("path", d=near, fill="var(--hill-2)"),
            width=width,
            height=150,
            viewBox="0 0 1240 150",
            preserveAspectRatio="none",
        ),
        node("rect", y=149, width=width, height=max(height - 149, 0), fill="var(--hill-2)"),
        y=top,
        aria_hidden="true",
    )


def _prompt(view: View, names: Sequence[str], width: float, language: Language) -> Block:
    words = ask(view, [cut(name, 12, ems) for name in names], language).replace("….", "…")
    lines = wrap(words, (width - 40) / PROMPT, ems)
    height = 24 + 28 * len(lines)
    asked = view.seat is not None and view.seat in view.waiting
    bar = node("rect", width=width, height=4, y=height - 4, fill="var(--brick)")
    return Block(
        group(
            node("rect", y=-1, width=width, height=height + 1, fill="var(--ground)"),
            *(_centred(width / 2, 26 + 28 * row, line) for row, line in enumerate(lines)),
            *([bar] if asked else []),
            id="prompt",
        ),
        height,
    )


def _centred(x: float, y: float, line: str) -> Node:
    return label(x, y, line, size=PROMPT, fill="chalk", anchor="middle", bold=True, serif=True)


# --- The wall --------------------------------------------------------------------------------

_STRIP: Final = 32
"""The ground under a course."""

_ENDS: Final[Mapping[str, str]] = {
    "end-left": message("Left end"),
    "end-right": message("Right end"),
}
_HERE: Final = message("Here")


def _wall(view: View, offers: Offers, width: float, language: Language) -> Block:
    """The wall in as many courses as it needs, with its open ends in chalk."""
    scale = 1.18 if width > NARROW else 0.8
    line = wall_line(view, offers)
    widths = [
        max(scale * PIECES.size_of(f"piece-{piece.value}")[0] + 16, 80)
        if offer
        else scale * PIECES.size_of(f"piece-{piece.value}")[0]
        for _, piece, offer in line
    ]
    high = scale * hands.FOOT
    ground = high + 6
    parts = [_strip(ground, width)]
    for number, row in enumerate(rows(widths, width - 24, 1)):
        if number:
            ground += _STRIP + high + 16
            parts.append(_strip(ground, width))
        x = (width - sum(widths[place] for place in row) - len(row) + 1) / 2
        for place in row:
            name, piece, offer = line[place]
            foot = hands.Foot(x + widths[place] / 2, ground, scale)
            if offer:
                parts.append(_site(name, piece, offer, foot, end_name(view, name, language)))
            else:
                built = [hands.standing(piece, foot), *signature(view, place, offers, foot)]
                words = piece_name(piece, language)
                parts.append(
                    node("g", *built, id=name, class_="lift", role="img", aria_label=words)
                )
            x += widths[place] + 1
    whole = group(*parts, id="wall", role="group", aria_label=language("The wall"))
    return Block(whole, ground + _STRIP)


def wall_line(view: View, offers: Offers) -> list[tuple[str, Piece, Words | None]]:
    """The pieces of the wall by name, and before and behind them where one may build."""
    line: list[tuple[str, Piece, Words | None]] = [
        (stone_name(place - view.left), piece, None) for place, piece in enumerate(view.wall)
    ]
    if view.piece is not None and Build(End.LEFT) in offers:
        line.insert(0, ("end-left", view.piece, offers[Build(End.LEFT)]))
    if view.piece is not None and Build(End.RIGHT) in offers:
        line.append(("end-right", view.piece, offers[Build(End.RIGHT)]))
    return line


def end_name(view: View, name: str, language: Language) -> str:
    """What is written at an end where one may build."""
    return language(_ENDS[name] if view.wall else _HERE)


def stone_name(place: int) -> str:
    """A piece keeps its name while the wall grows at either end: the first is 0."""
    return f"wall-left-{-place}" if place < 0 else f"wall-{place}"


def _strip(ground: float, width: float) -> Node:
    return node("rect", y=ground, width=width, height=_STRIP + 1, fill="var(--ground)")


def signature(view: View, place: int, offers: Offers, foot: hands.Foot) -> list[Node]:
    """The builder's mark on the piece at this place of the line, if it was built last."""
    if view.last is None:
        return []
    seat, end = view.last
    first = int(Build(End.LEFT) in offers)
    newest = first if end is End.LEFT else first + len(view.wall) - 1
    if place != newest:
        return []
    y = foot.y - foot.scale * hands.height_of(view.wall[place - first]) - 18
    disc = {"fill": "var(--chalk)", "stroke": "var(--piece-line)", "stroke_width": "2"}
    return [
        node("circle", cx=foot.x, cy=y, r=13, **disc),
        use(f"mark-{seat + 1}", foot.x - 8, y - 8, 16, 16, color="#2A211A"),
    ]


def _site(name: str, piece: Piece, words: Words, foot: hands.Foot, end: str) -> Node:
    wide = foot.scale * PIECES.size_of(f"ghost-{piece.value}")[0]
    high = foot.scale * hands.height_of(piece)
    return target(
        name,
        *words,
        hands.ghost(piece, foot, class_="chalk glow", fill="var(--glow)", fill_opacity=".4"),
        label(foot.x, foot.y + 21, end, fill="chalk", anchor="middle", bold=True),
        hit(foot.x - wide / 2, foot.y - high, wide, high + 28),
    )


# --- The players: each hand in the sky, and its plate with name and state --------------------


_FIST: Final = 204
"""The height of a hand with its plate."""
_PLATE: Final = 130
"""A plate that is not wider than this has its name set smaller."""


def fists(
    view: View, offers: Offers, names: Sequence[str], width: float, language: Language
) -> Block:
    """All players in the order of the seats; the stone lies beside the master builder's hand."""
    levels = rows([118] * len(view.counts), width - 12)
    slot = min((width - 12) / max(map(len, levels)), 206)
    players: list[Node] = []
    stone: list[Node] = []
    for level, row in enumerate(levels):
        left = (width - slot * len(row)) / 2
        for place in row:
            seat = Seat(place)
            x, y = left + slot * (place - row.start) + 4, level * (_FIST + 8)
            player = _player(view, seat, names[seat], slot - 8, language)
            players.append(group(_appointed(seat, player, slot - 8, offers), x=x, y=y))
            if seat == view.master and view.task is not Task.NOTHING:
                beside = x + min(slot / 2 + 54, slot - 48)
                stone.append(_stone(beside, y + 76, language))
    return Block(group(*players, *stone, id="fists"), (_FIST + 8) * len(levels))


def _stone(x: float, y: float, language: Language) -> Node:
    lying = node("g", use("stone", 0, 0, 44, 40), class_="lift")
    named = language("the master builder's stone")
    return group(lying, x=x, y=y, id="masters-stone", class_="glide", role="img", aria_label=named)


def _player(view: View, seat: Seat, name: str, width: float, language: Language) -> Node:
    over = view.task is Task.NOTHING
    held = hands.left_over(view, seat, width) if over else hands.hand(view, seat, width)
    words = f"{language.called(name)}: {hands.told(view, seat, language)}"
    waited = seat in view.waiting or (over and text.places(view)[seat] == 1)
    bar = "brick" if waited else "mortar-2" if seat == view.master and not over else "paper"
    size = NAME if width > _PLATE else TEXT
    short = cut(name, 0.92 * width / size - 4 * (view.seat == seat), ems)
    under = next(
        (line for line in hands.status(view, seat, language) if ems(line) * SMALL <= width),
        cut(hands.status(view, seat, language)[-1], width / SMALL, ems),
    )
    middle, name = width / 2, signed(short, language, own=seat == view.seat)
    parts = (
        group(*held, x=middle - 70, y=-2, class_="lift"),
        node("rect", y=125, width=width, height=76, rx=3, fill="rgb(var(--shadow))", opacity=".22"),
        node("rect", y=124, width=width, height=75, rx=3, fill="var(--paper)"),
        node("rect", y=124, width=width, height=4, rx=1, fill=f"var(--{bar})"),
        label(middle, 148, name, size=size, anchor="middle", bold=True),
        label(middle, 169, under, size=SMALL, fill="ink-2", anchor="middle"),
        *_left(view, seat, middle, language),
    )
    return node("g", *parts, id=f"fist-{seat}", role="img", aria_label=words)


def _left(view: View, seat: Seat, middle: float, language: Language) -> list[Node]:
    words = hands.pieces_left(view, seat, language)
    if not words:
        return []
    held = hands.pips(view, seat)
    x = middle - (10 * len(held) + 6 + SMALL * ems(words)) / 2
    empty = {"fill": "none", "stroke": "var(--mortar-2)", "stroke_dasharray": "2 2"}
    full = {"fill": "var(--wood)", "stroke": "var(--wood-line)"}
    row = [
        node("rect", x=x + 10 * place, y=180, width=7, height=9, **(full if each else empty))
        for place, each in enumerate(held)
    ]
    told = label(x + 10 * len(held) + 6, 189, words, size=SMALL, fill="ink-2")
    return [node("g", *row, class_="pips"), told]


def _appointed(seat: Seat, player: Node, width: float, offers: Offers) -> Node:
    """The player, as a target while the lot may fall on them (DM-3)."""
    words = offers.get(Appoint(seat))
    if words is None:
        return player
    return target(f"fist-{seat}", *words, *player, hit(0, 0, width, _FIST - 5))
