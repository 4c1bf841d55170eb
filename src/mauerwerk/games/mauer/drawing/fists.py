"""Die Mauer drawn, the players: each hand in the sky, and its plate with name and state."""

from collections.abc import Sequence
from typing import Final

from mauerwerk.core.game import Seat
from mauerwerk.core.language.translation import Language
from mauerwerk.core.language.words import signed
from mauerwerk.core.svg import NAME, SMALL, TEXT, Node, group, hit, label, node, target, use
from mauerwerk.core.svg.fitting import cut, ems, rows
from mauerwerk.games.mauer.drawing.hands import (
    Block,
    Offers,
    hand,
    left_over,
    pieces_left,
    pips,
    status,
    told,
)
from mauerwerk.games.mauer.drawing.text import places
from mauerwerk.games.mauer.events import Task, View
from mauerwerk.games.mauer.values import Appoint

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
    """A hand, its cuff with the mason's mark, and a plate with name and state."""
    over = view.task is Task.NOTHING
    held = left_over(view, seat, width) if over else hand(view, seat, width)
    words = f"{language.called(name)}: {told(view, seat, language)}"
    waited = seat in view.waiting or (over and places(view)[seat] == 1)
    bar = "brick" if waited else "mortar-2" if seat == view.master and not over else "paper"
    size = NAME if width > _PLATE else TEXT
    short = cut(name, 0.92 * width / size - 4 * (view.seat == seat), ems)
    under = next(
        (line for line in status(view, seat, language) if ems(line) * SMALL <= width),
        cut(status(view, seat, language)[-1], width / SMALL, ems),
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
    """How many pieces are left, as pips and as a number."""
    words = pieces_left(view, seat, language)
    if not words:
        return []
    held = pips(view, seat)
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
