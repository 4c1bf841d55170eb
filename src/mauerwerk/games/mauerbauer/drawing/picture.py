"""Mauerbauer, drawn from a view: the table as a picture, and as text for a terminal.

Here the parts of the picture are put together: the question and its buttons above, the board on the
sea with players, dice and supply beside it or around it, and the viewer's cards below.
"""

from collections.abc import Sequence
from typing import Final

from mauerwerk.core.game import Seat
from mauerwerk.core.language import ENGLISH, YOU, Language, capital, cards, is_you, signed
from mauerwerk.core.svg import (
    FRAME,
    NAME,
    POINTS,
    PROMPT,
    SMALL,
    TEXT,
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
from mauerwerk.games.mauerbauer import drawing, notation, values
from mauerwerk.games.mauerbauer.board import board_of
from mauerwerk.games.mauerbauer.drawing.board import land
from mauerwerk.games.mauerbauer.drawing.geometry import size
from mauerwerk.games.mauerbauer.drawing.ground import ground
from mauerwerk.games.mauerbauer.drawing.hand import tray
from mauerwerk.games.mauerbauer.drawing.text import standing, text
from mauerwerk.games.mauerbauer.events import Task, View
from mauerwerk.games.mauerbauer.values import COLOURS, TOWERS

__all__ = ["answer", "bare", "svg", "text"]
_WIDTH: Final = 1080
_TALLEST: Final = 620
_ROW: Final = 120
_GAP: Final = 14
_SIDE: Final = 228
"""The width of what stands beside the board."""
_TRACK: Final = 76
"""The height of the score track."""
Block = tuple[Node, float]
"""A part of the picture, and its height."""


def svg(view: View, names: Sequence[str], language: Language = ENGLISH, /) -> Drawing:
    """The table as a picture."""
    blocks = [_sea(view, names, language)]
    hand = None if view.seat is None else view.hands[view.seat]
    if hand is not None and view.builder is not None:
        blocks.append(tray(view, hand, _WIDTH, language))
    y = 0.0
    parts: list[Node] = []
    for body, height in blocks:
        parts.append(group(body, y=y))
        y += height + _GAP
    return picture(drawing.PIECES, _WIDTH, y - _GAP, notation.TITLE, *parts)


def bare(word: str, language: Language = ENGLISH, /) -> Drawing:
    """A board before the first wall is built."""
    board = board_of(word)
    left, top, wide, high = size(board)
    sea = node("rect", width=wide, height=high, rx=7, fill="var(--sea)")
    lies = group(*ground(board), x=-left, y=-top)
    return picture(drawing.PIECES, wide, high, language(board.title), sea, lies)


# --- The sea and what lies on it -------------------------------------------------------------


def _sea(view: View, names: Sequence[str], language: Language) -> Block:
    inner = _WIDTH - 2 * FRAME
    asked, y = _caption(view, notation.ask(view, names, language), inner, language)
    parts = [asked]
    players, high = _players(view, names, _SIDE, language)
    dice = _dice(view, names, language)
    supply, deep = _supply(view, language)
    drawn, tall = _board(view, inner - 2 * (_SIDE + 2 * _GAP), language)
    tall = max(tall, high + 110, deep + 20)
    if high + 180 < tall:
        parts.append(use("boat", _GAP + 70, y + (high + tall - 90) / 2 - 40, 80, 80))
    parts.append(_waves(inner, y, tall))
    parts.append(group(players, x=_GAP, y=y))
    if dice is not None:
        parts.append(group(dice, x=_GAP, y=y + tall - 92))
    parts.append(group(drawn, x=_SIDE + 2 * _GAP, y=y))
    parts.append(group(supply, x=inner - _SIDE - _GAP, y=y))
    height = y + tall + 10 + 2 * FRAME
    return framed("table", _WIDTH, height, "sea", *parts), height


def _waves(width: float, y: float, tall: float) -> Node:
    spots = ((40, 0.62), (170, 0.7), (90, 0.9), (width - 200, 0.72), (width - 90, 0.82))
    drawn = "".join(f"M{x:.0f} {y + part * tall:.0f}q7-6 14 0t14 0t14 0" for x, part in spots)
    return node("path", d=drawn, fill="none", stroke="var(--sea-2)", stroke_width=2.4)


def _board(view: View, room: float, language: Language) -> Block:
    left, top, wide, high = size(board_of(view.board))
    scale = min(room / wide, _TALLEST / high)
    x = (room - wide * scale) / 2 - left * scale
    moved = f"translate({x:.2f} {-top * scale:.2f}) scale({scale:.4f})"
    return node("g", land(view, (), language), transform=moved), high * scale


def _caption(view: View, asked: str, width: float, language: Language) -> Block:
    lines = wrap(asked, (width - 28) / PROMPT, ems)
    parts = [
        label(14, 30 + 26 * line, words, size=PROMPT, fill="chalk", bold=True, serif=True)
        for line, words in enumerate(lines)
    ]
    y = 30.0 + 26 * len(lines)
    told = wrap(standing(view, language), (width - 28) / SMALL, ems)
    parts += [
        label(14, y - 4 + 18 * line, words, size=SMALL, fill="chalk")
        for line, words in enumerate(told)
    ]
    y += 18 * len(told) - 6
    if view.seat is not None:
        y = max(y, _ROW)
    return group(*parts, id="question"), y + 4


def answer(action: values.Action, said: str, language: Language) -> str:
    """What a button for this action says."""
    match action:
        case values.Done():
            return language("Done")
        case values.Join(city=None):
            return language("Join none")
        case values.Choose(city=None):
            return language("Choose none")
        case _:
            return capital(said)


# --- Around the board: players, score track, dice and supply ---------------------------------


Entry = tuple[str, tuple[float, float], int]
"""A piece of the supply: its symbol, its size, and the number left."""


def _players(view: View, names: Sequence[str], width: float, language: Language) -> Block:
    parts: list[Node] = []
    y = 0.0
    for seat in (Seat(each) for each in range(len(view.counts))):
        told = seat_words(view, seat, language)
        fill = "paper-2" if seat in view.waiting else "paper"
        name = cut(signed(names[seat], language, own=seat == view.seat), (width - 112) / NAME, ems)
        bar = node("rect", width=5, height=50, rx=1, fill="var(--brick)")
        row = [
            node("rect", width=width, height=50, rx=3, fill=f"var(--{fill})"),
            *([bar] if seat in view.waiting else []),
            use(f"mark-{seat + 1}", 13, 14, 22, 22, color="var(--ink)"),
            label(44, 22, name, size=NAME, bold=True),
            label(44, 42, cut(told, (width - 56) / SMALL, ems), size=SMALL, fill="ink-2"),
            label(
                width - 12,
                26,
                str(view.points[seat]),
                size=POINTS,
                anchor="end",
                bold=True,
                serif=True,
            ),
        ]
        parts.append(node("g", *row, id=f"seat-{seat}", transform=f"translate(0 {y:.0f})"))
        y += 54
    parts.append(group(_track(view, width), y=y))
    return group(*parts, id="players"), y + _TRACK


def seat_words(view: View, seat: Seat, language: Language) -> str:
    """What a player is doing, and the number of cards they hold."""
    told = cards(view.counts[seat], language)
    laid = [each for each in view.laid if each.seat == seat]
    if laid:
        number = len(laid[0].cards)
        put = (
            language("discarded {number}", number=number)
            if laid[0].discarded
            else language("played {number}", number=number)
        )
        return f"{put}, {told}"
    if seat == view.builder and view.task is not Task.NOTHING:
        own = seat == view.seat
        builds = language.about("you", "building") if own else language("building")
        return f"{builds}, {told}"
    return told


def _track(view: View, width: float) -> Node:
    """The score track, as long as it must be, with each player's mark; equal ones are stacked."""
    end = 10 * (1 + max(*view.points, 39) // 10)
    step = (width - 24) / end
    parts: list[Node] = [
        node("path", d=f"M12 52H{width - 12:.0f}", stroke="var(--chalk)", stroke_width=2),
        *(
            label(12 + step * each, 68, str(each), size=SMALL, fill="chalk", anchor="middle")
            for each in range(0, end + 1, 10)
        ),
    ]
    stacked: dict[int, int] = {}
    for seat, points in enumerate(view.points):
        place = round(step * points / 18)
        stacked[place] = stacked.get(place, 0) + 1
        x, y = 12 + step * points, 56 - 14 * stacked[place]
        parts.append(node("circle", cx=x, cy=y, r=9, fill="var(--chalk)", stroke="var(--groove)"))
        mark = use(f"mark-{seat + 1}", x - 6, y - 6, 12, 12, color="var(--groove)")
        parts.append(group(mark, id=f"marker-{seat}"))
    return group(*parts, id="score-track")


def _dice(view: View, names: Sequence[str], language: Language) -> Node | None:
    if view.roll is None or view.builder is None:
        return None
    faces: list[str | None] = [
        *([f"tower-{view.roll.tower.name.lower()}"] if view.roll.tower else []),
        *(f"house-{face.name.lower()}" if face else None for face in view.roll.houses),
    ]
    name = YOU if view.builder == view.seat else cut(names[view.builder], 6, ems)
    whose = language("Your roll") if is_you(name) else language("{who}'s roll", who=name)
    parts: list[Node] = [label(0, 16, whose, fill="chalk", bold=True, serif=True)]
    for place, face in enumerate(faces):
        x = 56 * place
        parts.append(node("rect", x=x, y=26, width=48, height=48, rx=7, fill="var(--die)"))
        if face is None:
            mark = label(
                x + 24, 60, "?", size=POINTS, fill="groove", anchor="middle", bold=True, serif=True
            )
            parts.append(mark)
        else:
            parts.append(use(face, x + 8, 33, 32, 34))
    return group(*parts, id="dice")


def _supply(view: View, language: Language) -> Block:
    supply = view.supply
    walls: Entry = ("wall-line", (48, 8), supply.walls)
    towers: list[Entry] = [
        (f"tower-{tower.name.lower()}", (24, 27.6), left)
        for tower, left in zip(TOWERS, supply.towers, strict=True)
    ]
    houses: list[Entry] = [
        (f"house-{colour.name.lower()}", (24, 25.4), left)
        for colour, left in zip(COLOURS, supply.houses, strict=True)
    ]
    palaces: list[Entry] = [
        (f"palace-{colour.name.lower()}", (28, 26), left)
        for colour, left in zip(COLOURS, supply.palaces, strict=True)
    ]
    pairs = [[house, palace] for house, palace in zip(houses, palaces, strict=True)]
    shelves = [[walls], towers, *pairs]
    title = language("Supply")
    parts: list[Node] = [label(0, 18, title, size=NAME, fill="chalk", bold=True, serif=True)]
    y = 44.0
    for shelf in shelves:
        x = 0.0
        for symbol, (wide, high), left in shelf:
            parts.append(use(symbol, x, y - high / 2, wide, high))
            parts.append(label(x + wide + 5, y + 6, str(left), size=NAME, fill="chalk", bold=True))
            x += wide + (60 if len(shelf) == 2 else 36)  # noqa: PLR2004 - a pair has more room
        y += 34
    piles = language("Pile {pile}, discard pile {cards}", pile=view.pile, cards=len(view.discard))
    parts.append(label(0, y + 4, piles, size=TEXT, fill="chalk"))
    return group(*parts, id="supply"), y + 14
