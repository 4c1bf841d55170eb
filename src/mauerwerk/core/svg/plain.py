"""The picture of a game that brings no drawing of its own: its text."""

from typing import Final

from mauerwerk.core.svg.drawing import TEXT, Drawing, Node, node, picture
from mauerwerk.core.svg.fitting import columns
from mauerwerk.core.svg.symbols import SIGNS

MARGIN: Final = 16
LEADING: Final = 20
"""The height of a line of text."""
LETTER: Final = 9
"""The width that a letter of the fixed-width font takes at most."""


def plain_picture(title: str, text: str) -> Drawing:
    """The table as text."""
    lines = text.splitlines()
    wide = max(map(columns, lines), default=0) * LETTER + 2 * MARGIN
    high = LEADING * (len(lines) + 1) + MARGIN
    paper = node("rect", width=wide, height=high, fill="var(--paper)")
    written = (_line(MARGIN + LEADING * place, line) for place, line in enumerate(lines, start=1))
    return picture(SIGNS, wide, high, title, paper, *written)


def _line(y: float, words: str) -> Node:
    return node(
        "text",
        words,
        x=MARGIN,
        y=y,
        font_size=TEXT,
        font_family="monospace",
        fill="var(--ink)",
        style="white-space:pre",
    )
