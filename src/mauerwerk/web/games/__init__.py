"""The boards of the page: each game's table as parts of HTML, drawn from a view alone.

    board = BOARDS["mauer"]
    parts = board.parts(view, legal, names, language, before, notes)

A page puts `sprite(board.SYMBOLS)` into its body once, outside what it morphs, links `boards.css`,
and gives `main` the class `board.LOOK`.
"""

from collections.abc import Mapping
from typing import Final

from mauerwerk.web.games.burgbaumeister import board as burgbaumeister_board
from mauerwerk.web.games.markup import sprite
from mauerwerk.web.games.mauer import board as mauer_board
from mauerwerk.web.games.mauerbauer import board as mauerbauer_board
from mauerwerk.web.games.parts import Board, Button, Parts, SeatLine

__all__ = [
    "BOARDS",
    "Board",
    "Button",
    "Parts",
    "SeatLine",
    "sprite",
]

BOARDS: Final[Mapping[str, Board]] = {
    "mauer": mauer_board,
    "burgbaumeister": burgbaumeister_board,
    "mauerbauer": mauerbauer_board,
}
"""How each game is drawn, by its name."""
