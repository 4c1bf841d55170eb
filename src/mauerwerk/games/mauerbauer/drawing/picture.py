"""Mauerbauer, drawn from a view: the table as a picture, and as text for a terminal.

Here the parts of the picture are put together: the question and its buttons above, the board on the
sea with players, dice and supply beside it or around it, and the viewer's cards below.
"""

from collections.abc import Mapping, Sequence
from typing import Final, assert_never

from mauerwerk.core.language.translation import ENGLISH, Language, message
from mauerwerk.core.language.words import capital
from mauerwerk.core.svg.drawing import (
    NAME,
    PROMPT,
    SMALL,
    TOUCH,
    Drawing,
    Node,
    group,
    hit,
    label,
    node,
    picture,
    target,
    use,
)
from mauerwerk.core.svg.fitting import ems, rows, wrap
from mauerwerk.games.mauerbauer.board import board_of
from mauerwerk.games.mauerbauer.drawing.board import land
from mauerwerk.games.mauerbauer.drawing.geometry import size
from mauerwerk.games.mauerbauer.drawing.hand import button, tray
from mauerwerk.games.mauerbauer.drawing.pieces import PIECES
from mauerwerk.games.mauerbauer.drawing.players import (
    SIDE,
    Block,
    draw_dice,
    draw_players,
    draw_supply,
)
from mauerwerk.games.mauerbauer.drawing.targets import Offers, Words, on_board, targets
from mauerwerk.games.mauerbauer.drawing.text import standing, text
from mauerwerk.games.mauerbauer.events import View
from mauerwerk.games.mauerbauer.notation import TITLE, write
from mauerwerk.games.mauerbauer.questions import ask
from mauerwerk.games.mauerbauer.sentences import say
from mauerwerk.games.mauerbauer.values import (
    Action,
    Appoint,
    Build,
    Choose,
    Colour,
    Deal,
    Discard,
    Done,
    Join,
    PlaceHouse,
    PlaceTower,
    Play,
    Roll,
    RollEarly,
    Swap,
    Tower,
)

__all__ = ["answer", "svg", "text"]

_WIDTH: Final = 1080
_NARROW: Final = 760
"""What is not wider than this is drawn for a phone: everything in one column."""
_TALLEST: Final = 620
_ROW: Final = 120
_GAP: Final = 14
_FRAME: Final = 6


def svg(
    view: View,
    legal: Sequence[Action],
    names: Sequence[str],
    language: Language = ENGLISH,
    /,
    *,
    width: float = _WIDTH,
) -> Drawing:
    """The table as a picture, with the word of each legal action on its target.

    It is drawn for this width: in a narrow one players stand above the board, supply below it.
    """
    offers = {action: (write(action), say(action, language)) for action in legal}
    blocks = [_sea(view, offers, names, width, language)]
    hand = None if view.seat is None else view.hands[view.seat]
    if hand is not None and view.builder is not None:
        blocks.append(tray(view, hand, offers, width, language))
    y = 0.0
    parts: list[Node] = []
    for body, height in blocks:
        parts.append(group(body, y=y))
        y += height + _GAP
    return picture(PIECES, width, y - _GAP, TITLE, *parts)


# --- The sea and what lies on it -------------------------------------------------------------


def _sea(
    view: View, offers: Offers, names: Sequence[str], width: float, language: Language
) -> Block:
    """Question, board, players, dice and supply."""
    inner = width - 2 * _FRAME
    narrow = width <= _NARROW
    asked, y = _caption(view, offers, ask(view, names, language), inner, language)
    parts = [asked]
    players, high = draw_players(view, names, inner - 28 if narrow else SIDE, language)
    dice = draw_dice(view, names, language)
    supply, deep = draw_supply(view, inner - 28 if narrow else SIDE, language)
    if narrow:
        parts.append(group(players, x=14, y=y))
        y += high + 6
        drawn, tall = _board(view, offers, inner - 12, language)
        parts.append(group(drawn, x=6, y=y))
        y += tall + 6
        if dice is not None:
            parts.append(group(dice, x=14, y=y))
            y += 88
        parts.append(group(supply, x=14, y=y))
        y += deep + 10
    else:
        room = inner - 2 * (SIDE + 2 * _GAP)
        drawn, tall = _board(view, offers, room, language)
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
        node("rect", width=width, height=y + 2 * _FRAME, rx=7, fill="var(--tray)"),
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


def _board(view: View, offers: Offers, room: float, language: Language) -> Block:
    """The board as large as the room allows, in its middle."""
    left, top, wide, high = size(board_of(view.board))
    scale = min(room / wide, _TALLEST / high)
    x = (room - wide * scale) / 2 - left * scale
    moved = f"translate({x:.2f} {-top * scale:.2f}) scale({scale:.4f})"
    return node("g", land(view, targets(view, offers), language), transform=moved), high * scale


def _caption(view: View, offers: Offers, asked: str, width: float, language: Language) -> Block:
    """What is asked, how things stand, and the answers that have no place on the board."""
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
    pressed = set(on_board(offers))
    answers = [action for action in offers if action not in pressed]
    buttons = [made for action in answers if (made := _answer(action, offers[action], language))]
    if buttons:
        widths = [wide for _, wide in buttons]
        for row in rows(widths, width - 28, 8):
            x = 14.0
            for place in row:
                parts.append(group(buttons[place][0], x=x, y=y))
                x += widths[place] + 8
            y += TOUCH + 8
    if width > _NARROW and view.seat is not None:
        y = max(y, _ROW)  # so that the board stays where it is when buttons come and go
    return group(*parts, id="question"), y + 4


def _answer(action: Action, words: Words, language: Language) -> tuple[Node, float] | None:
    """A button for an answer that has no place of its own, and its width; cards are in the tray."""
    match action:
        case Done():
            return _pressed("done", words, language("That is all"), 120)
        case RollEarly():
            return _pressed("early", words, language("Roll before building"), 170, quiet=True)
        case Join(city=None):
            return _pressed("none", words, language("Join none"), 120)
        case Choose(city=None):
            return _pressed("none", words, language("Choose none"), 130)
        case PlaceTower(point=point, tower=tower):
            return _piece_answer(f"tower-{tower.name.lower()}", point, words), 84
        case PlaceHouse(field=field, colour=colour):
            return _piece_answer(f"house-{colour.name.lower()}", field, words), 84
        case Appoint() | Deal():
            return _said(words, capital(words[1]))
        case Roll(tower=tower, houses=houses):
            faces = (*([tower] if tower else []), *houses)
            shown = ", ".join(language(_FACES[face]) if face else "?" for face in faces)
            return _said(words, capital(shown))
        case Build() | Join() | Choose() | Play() | Discard() | Swap():
            return None
        case _:
            assert_never(action)


_FACES: Final[Mapping[Tower | Colour, str]] = {
    Tower.WHITE: message("white"),
    Tower.GREY: message("grey"),
    Tower.BLACK: message("black"),
    Colour.YELLOW: message("yellow"),
    Colour.GREEN: message("green"),
    Colour.BLUE: message("blue"),
    Colour.PINK: message("pink"),
    Colour.RED: message("red"),
}
"""What can lie on top of a die."""


def _pressed(
    name: str, words: Words, shown: str, least: float, *, quiet: bool = False
) -> tuple[Node, float]:
    """A button that is wide enough for what it says, and how wide that is."""
    wide = max(least, 8 + ems(shown) * (SMALL if quiet else NAME))
    return button(name, words, shown, wide, quiet=quiet), wide


def _said(words: Words, shown: str) -> tuple[Node, float]:
    wide = 24 + ems(shown) * SMALL
    return button(f"answer-{words[0]}", words, shown, wide, quiet=True), wide


def _piece_answer(symbol: str, place: str, words: Words) -> Node:
    """A piece, and where it would go."""
    wide = 84
    return target(
        f"answer-{words[0]}",
        *words,
        node("rect", width=wide, height=TOUCH, rx=3, fill="var(--stone-deep)"),
        node("rect", width=wide, height=TOUCH - 3, rx=3, fill="var(--stone)"),
        use(symbol, 8, 5, 30, 32),
        label(wide - 10, 27, place, size=NAME, anchor="end", bold=True),
        hit(0, 0, wide, TOUCH),
    )


def answer(action: Action, said: str, language: Language) -> str:
    """What a button for this action says."""
    match action:
        case Done():
            return language("That is all")
        case Join(city=None):
            return language("Join none")
        case Choose(city=None):
            return language("Choose none")
        case _:
            return capital(said)
