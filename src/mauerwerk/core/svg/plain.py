"""The picture of a game that brings no drawing of its own: its text, and a row for each action."""

from collections.abc import Sequence
from typing import Final

from mauerwerk.core.svg.drawing import TEXT, TOUCH, Drawing, Node, hit, label, node, picture, target
from mauerwerk.core.svg.fitting import columns, cut
from mauerwerk.core.svg.symbols import SIGNS

MARGIN: Final = 16
LEADING: Final = 20
"""The height of a line of text."""
LETTER: Final = 9
"""The width that a letter of the fixed-width font takes at most."""
LEAST: Final = 40
"""The columns of a narrow table, so that actions can be read beside it."""


def plain_picture(title: str, text: str, offers: Sequence[tuple[str, str]]) -> Drawing:
    """The table as text, and below it a target for each offer: a word, and its words for people."""
    lines = text.splitlines()
    across = max([LEAST, *map(columns, lines)])
    wide = across * LETTER + 2 * MARGIN
    below = MARGIN + LEADING * (len(lines) + 1)
    high = below + TOUCH * len(offers)
    return picture(
        SIGNS,
        wide,
        high,
        title,
        node("rect", width=wide, height=high, fill="var(--paper)"),
        *(_line(MARGIN + LEADING * place, line) for place, line in enumerate(lines, start=1)),
        *(_row(below + TOUCH * place, across, offer) for place, offer in enumerate(offers)),
    )


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


def _row(y: float, across: int, offer: tuple[str, str]) -> Node:
    word, words = offer
    return target(
        f"do-{word}",
        word,
        words,
        hit(MARGIN, y, across * LETTER, TOUCH),
        label(MARGIN, y + TOUCH / 2 + TEXT / 3, cut(f"▸ {words}", across), fill="brick"),
    )
