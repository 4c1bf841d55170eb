"""Mauerbauer, the flag of the player who closed the city that is being scored."""

from typing import Final

from mauerwerk.core.game import Seat
from mauerwerk.core.svg import Node, fitting, group, label, node, use
from mauerwerk.games.mauerbauer import cities, values
from mauerwerk.games.mauerbauer.board import Board
from mauerwerk.games.mauerbauer.drawing.geometry import Spot, size, spot_of

_TEXT: Final = {"wide": 18.0, "narrow": 23.0}
"""How large the words are, by how much room the page has; the board is smaller on a phone."""


def flag(board: Board, city: values.City, seat: Seat) -> Node:
    """A flag with the player's mark, on the uppermost tower space of the city."""
    x, y = _pole(board, city)
    line = {"stroke": "var(--piece-line)", "stroke_linejoin": "round"}
    # What moves is inside what is placed: a style that moves an element overrules where it is.
    drawn = group(
        node("path", d="M0 0V-62", stroke_width=4, stroke_linecap="round", **line),
        node("path", d="M2 -61H46L36 -46L46 -31H2Z", fill="var(--brick)", stroke_width=2, **line),
        use(f"mark-{seat + 1}", 10, -57, 22, 22, color="var(--on-brick)"),
        class_="flag",
        aria_hidden="true",
    )
    return group(drawn, x=x, y=y - 8)


def flag_words(board: Board, city: values.City, words: str) -> list[Node]:
    """What the flag stands for, beside it: once for wide pages, once for narrow ones."""
    x, y = _pole(board, city)
    left, _, wide, _ = size(board)
    drawn: list[Node] = []
    for room, text in _TEXT.items():
        width = text * (fitting.ems(words) + 1.4)
        high = y - 54
        start = x - 10 - width
        if start < left and x + 56 + width < left + wide:
            start = x + 56
        elif start < left:  # no room on either side
            start, high = max(left, x - width / 2), y - 84 - text
        plate = node(
            "rect",
            x=start,
            y=high - text,
            width=width,
            height=2 * text,
            rx=3,
            fill="var(--chalk)",
        )
        said = label(
            start + width / 2, high + text / 3, words, size=text, fill="groove", anchor="middle"
        )
        drawn.append(group(plate, said, class_=f"flag-words {room}", aria_hidden="true"))
    return drawn


def _pole(board: Board, city: values.City) -> Spot:
    spots = [spot_of(board, point) for point in cities.ring_points(board, (city,))]
    return min(spots, key=lambda spot: (spot[1], spot[0]))
