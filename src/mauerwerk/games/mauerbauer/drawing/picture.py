"""Mauerbauer, drawn from a view: the table as a picture, and as text for a terminal.

Here the parts of the picture are put together: the question and its buttons above, the board on the
sea with players, dice and supply beside it or around it, and the viewer's cards below.
"""

from collections.abc import Sequence
from typing import Final

from mauerwerk.core.language.translation import ENGLISH, Language
from mauerwerk.core.language.words import capital
from mauerwerk.core.svg import PROMPT, SMALL, Drawing, Node, group, label, node, picture, use
from mauerwerk.core.svg.fitting import ems, wrap
from mauerwerk.games.mauerbauer import drawing, events, notation, values
from mauerwerk.games.mauerbauer.board import board_of
from mauerwerk.games.mauerbauer.drawing.board import land
from mauerwerk.games.mauerbauer.drawing.geometry import size
from mauerwerk.games.mauerbauer.drawing.ground import ground
from mauerwerk.games.mauerbauer.drawing.hand import tray
from mauerwerk.games.mauerbauer.drawing.players import (
    SIDE,
    Block,
    draw_dice,
    draw_players,
    draw_supply,
)
from mauerwerk.games.mauerbauer.drawing.text import standing, text

__all__ = ["answer", "bare", "svg", "text"]

_WIDTH: Final = 1080
_TALLEST: Final = 620
_ROW: Final = 120
_GAP: Final = 14
_FRAME: Final = 6


def svg(view: events.View, names: Sequence[str], language: Language = ENGLISH, /) -> Drawing:
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


def _sea(view: events.View, names: Sequence[str], language: Language) -> Block:
    """Question, board, players, dice and supply."""
    inner = _WIDTH - 2 * _FRAME
    asked, y = _caption(view, notation.ask(view, names, language), inner, language)
    parts = [asked]
    players, high = draw_players(view, names, SIDE, language)
    dice = draw_dice(view, names, language)
    supply, deep = draw_supply(view, language)
    drawn, tall = _board(view, inner - 2 * (SIDE + 2 * _GAP), language)
    tall = max(tall, high + 110, deep + 20)
    if high + 180 < tall:
        parts.append(use("boat", _GAP + 70, y + (high + tall - 90) / 2 - 40, 80, 80))
    parts.append(_waves(inner, y, tall))
    parts.append(group(players, x=_GAP, y=y))
    if dice is not None:
        parts.append(group(dice, x=_GAP, y=y + tall - 92))
    parts.append(group(drawn, x=SIDE + 2 * _GAP, y=y))
    parts.append(group(supply, x=inner - SIDE - _GAP, y=y))
    y += tall + 10
    body = group(
        node("rect", width=_WIDTH, height=y + 2 * _FRAME, rx=7, fill="var(--tray)"),
        group(
            node("rect", width=inner, height=y, rx=3, fill="var(--sea)"), *parts, x=_FRAME, y=_FRAME
        ),
        id="table",
    )
    return body, y + 2 * _FRAME


def _waves(width: float, y: float, tall: float) -> Node:
    """A few waves on the open sea."""
    spots = ((40, 0.62), (170, 0.7), (90, 0.9), (width - 200, 0.72), (width - 90, 0.82))
    drawn = "".join(f"M{x:.0f} {y + part * tall:.0f}q7-6 14 0t14 0t14 0" for x, part in spots)
    return node("path", d=drawn, fill="none", stroke="var(--sea-2)", stroke_width=2.4)


def _board(view: events.View, room: float, language: Language) -> Block:
    """The board as large as the room allows, in its middle."""
    left, top, wide, high = size(board_of(view.board))
    scale = min(room / wide, _TALLEST / high)
    x = (room - wide * scale) / 2 - left * scale
    moved = f"translate({x:.2f} {-top * scale:.2f}) scale({scale:.4f})"
    return node("g", land(view, (), language), transform=moved), high * scale


def _caption(view: events.View, asked: str, width: float, language: Language) -> Block:
    """What is asked, and how things stand."""
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
