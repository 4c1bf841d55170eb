"""The boards of the page: each game's table as parts of HTML, drawn from a view alone.

    board = BOARDS["mauer"]
    parts = board.parts(view, legal, names, tongue, before, notes)

A page puts `sprite(board.SYMBOLS)` into its body once, outside what it morphs, links `boards.css`,
and gives `main` the class `board.LOOK`.
"""

from collections.abc import Mapping
from typing import Final

from mauerwerk.web.boards import burgbaumeister, mauer, mauerbauer
from mauerwerk.web.boards.markup import sprite
from mauerwerk.web.boards.parts import Board, Button, Parts, SeatLine

__all__ = [
    "BOARDS",
    "Board",
    "Button",
    "Parts",
    "SeatLine",
    "burgbaumeister",
    "mauer",
    "mauerbauer",
    "sprite",
]

BOARDS: Final[Mapping[str, Board]] = {
    "mauer": mauer,
    "burgbaumeister": burgbaumeister,
    "mauerbauer": mauerbauer,
}
"""How each game is drawn, by its name."""
