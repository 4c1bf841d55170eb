"""Burgbaumeister, drawn from a view: the depot on its cloth, and the walls, the own one first."""

from collections.abc import Sequence
from typing import Final

from mauerwerk.core.game import Seat
from mauerwerk.core.language import ENGLISH, Language, points, signed
from mauerwerk.core.svg import (
    FRAME,
    NAME,
    POINTS,
    SMALL,
    Drawing,
    Node,
    framed,
    group,
    label,
    node,
    picture,
    use,
)
from mauerwerk.core.svg.fitting import cut, ems, wrap
from mauerwerk.games.burgbaumeister import drawing, notation
from mauerwerk.games.burgbaumeister.drawing.cards import Block, Reader, clip, depot, wall
from mauerwerk.games.burgbaumeister.drawing.text import text, wall_words, when
from mauerwerk.games.burgbaumeister.events import Task, View

__all__ = ["svg", "text"]
_WIDTH: Final = 1080
_SIDE: Final = 424
_GAP: Final = 14


def svg(view: View, names: Sequence[str], language: Language = ENGLISH, /) -> Drawing:
    """The table as a picture."""
    reader = Reader({}, language)
    main = _WIDTH - _SIDE - _GAP
    column = [_cloth(view, reader, names, main)]
    if view.seat is not None:
        column.append(_tray(view, view.seat, reader, main))
    others = [Seat(seat) for seat in range(len(view.walls)) if seat != view.seat]
    left = _stacked(column)
    right = _stacked([_panel(view, seat, reader, names, _SIDE) for seat in others])
    height, beside = max(left.height, right.height), group(right.body, x=main + _GAP)
    return picture(drawing.PIECES, _WIDTH, height, notation.TITLE, clip(), left.body, beside)


def _stacked(blocks: Sequence[Block]) -> Block:
    y = 0.0
    parts: list[Node] = []
    for block in blocks:
        parts.append(group(block.body, y=y))
        y += block.height + _GAP
    return Block(group(*parts), y - _GAP)


# --- The depot -------------------------------------------------------------------------------


def _cloth(view: View, reader: Reader, names: Sequence[str], width: float) -> Block:
    inner = width - 2 * FRAME
    asked, told = notation.ask(view, names, reader.language), when(view, reader.language)
    caption = _caption(asked, told, inner)
    lying = depot(view, reader, inner)
    height = caption.height + lying.height + 8 + 2 * FRAME
    parts = (caption.body, group(lying.body, y=caption.height))
    return Block(framed("depot", width, height, "cloth", *parts), height)


def _caption(asked: str, told: str, width: float) -> Block:
    room = width - 28
    lines = wrap(asked, room / NAME, ems)
    parts = [
        label(14, 26 + 22 * line, words, size=NAME, fill="chalk", bold=True, serif=True)
        for line, words in enumerate(lines)
    ]
    under = 26 + 22 * len(lines)
    below = wrap(told, room / SMALL, ems)
    parts += [
        label(14, under - 2 + 18 * line, words, size=SMALL, fill="chalk")
        for line, words in enumerate(below)
    ]
    return Block(group(*parts), max(under + 18 * len(below) - 8, 60))


# --- The walls -------------------------------------------------------------------------------


def _tray(view: View, seat: Seat, reader: Reader, width: float) -> Block:
    """The viewer's own wall, large, and what of it is safe."""
    inner = width - 20
    language = reader.language
    row = wall(view, seat, reader, inner, line="tray-deep")
    card = inner / 10
    parts = [
        node("rect", width=width, height=row.height + 46, rx=7, fill="var(--tray)"),
        _turn_bar(view, seat, width),
        label(14, 28, language("Your wall"), size=NAME, fill="tray-ink", bold=True, serif=True),
        label(
            width - 14, 28, _sum(view, seat, language), size=SMALL, fill="tray-ink", anchor="end"
        ),
        group(row.body, x=10, y=40),
    ]
    height = row.height + 52.0
    if view.variant and view.walls[seat]:
        parts.append(_guard(view, seat, card, row.height + 46, language))
        height += 22
    parts[0].set("height", f"{height:.2f}")
    return Block(group(*parts, id="tray"), height)


def _guard(view: View, seat: Seat, card: float, y: float, language: Language) -> Node:
    """A line under what is safe, dots under what a cannon can hit (BB-25)."""
    safe, cards = view.safe[seat], len(view.walls[seat])
    ends = (10.0, 10 + card * (safe + 1), 10 + card * (cards + 1))
    parts: list[Node] = []
    if safe:
        parts += [
            _line(ends[0], ends[1], y, dashes=None),
            use("i-shield", ends[0], y + 3, 16, 16, color="var(--tray-ink)"),
            label(ends[0] + 20, y + 16, language("safe"), size=SMALL, fill="tray-ink", bold=True),
        ]
    if cards > safe:
        start = ends[1] if safe else 10 + card
        parts += [
            _line(start, ends[2], y, dashes="3 3"),
            label(start + 2, y + 16, language("open"), size=SMALL, fill="tray-ink", bold=True),
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


def _panel(view: View, seat: Seat, reader: Reader, names: Sequence[str], width: float) -> Block:
    inner = width - 24
    row = wall(view, seat, reader, inner, line="mortar-2")
    told = _standing(view, seat, reader.language)
    name = signed(names[seat], reader.language, own=seat == view.seat)
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
    return Block(group(*parts, id=f"seat-{seat}"), row.height + 62)


def _sum(view: View, seat: Seat, language: Language) -> str:
    far = _standing(view, seat, language)
    return f"{points(view.points[seat], language)}, {far}" if view.variant else far


def _standing(view: View, seat: Seat, language: Language) -> str:
    words = wall_words(view, seat, language)
    if view.task is not Task.NOTHING:
        return words
    return f"{words}, {language('rank {rank}', rank=notation.places(view)[seat])}"


def _turn_bar(view: View, seat: Seat, width: float) -> Node:
    turn = seat == view.player and view.task is not Task.NOTHING
    return node("rect", width=width if turn else 0, height=4, rx=2, fill="var(--brick)")
