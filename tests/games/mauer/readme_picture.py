"""The picture of a table in `docs/images`: run this file to draw it again."""

from pathlib import Path
from typing import Final

from mauerwerk.core.game import Seat
from mauerwerk.games.mauer.drawing.picture import svg
from mauerwerk.games.mauer.events import Task, View
from mauerwerk.games.mauer.values import End, Piece, Plan

PLACE: Final = Path(__file__).parents[3] / "docs" / "images" / "mauer-table.svg"

NAMES: Final = ("Emil", "Jonas", "Lena", "Ada", "Mara")

VIEW: Final = View(
    seat=Seat(4),
    task=Task.BUILD,
    waiting=(Seat(4),),
    master=Seat(0),
    wall=tuple(Piece(word) for word in "4C4T62T3C1"),
    counts=(5,) * 5,
    hands=(None, None, None, None, tuple(Piece(word) for word in "12346")),
    fists=(
        Plan(Piece.WALL_4),
        Plan(None),
        Plan(Piece.WALL_4),
        Plan(Piece.GATE),
        Plan(Piece.WALL_4),
    ),
    piece=Piece.WALL_4,
    rounds=4,
    scores=((13, 17, 3, 0, 6), (4, 25, 8, 11, 0)),
    turns=43,
    idle=0,
    left=4,
    last=(Seat(2), End.LEFT),
)
"""Emil planned a 4; Lena and Mara guessed it. Lena has built, now it is for Mara to do so."""


def picture() -> str:
    """The table as Mara sees it, with a line break at the end of the file."""
    return svg(VIEW, NAMES) + "\n"


if __name__ == "__main__":
    PLACE.write_text(picture(), encoding="utf-8")
