"""Boards to begin with: those of the game, and a few that were drawn in the workshop."""

from typing import Final

from mauerwerk.core.game import Value
from mauerwerk.core.language.translation import message
from mauerwerk.server.games.mauerbauer.board_editor.draft import blank, edges, read, with_coast


class Sample(Value):
    """A board to begin with."""

    word: str
    title: str


def _island(*rows: str) -> str:
    """The word of land with water all around."""
    draft = read("/".join(rows))
    return with_coast(draft, edges(draft)).word


SAMPLES: Final = (
    Sample("default", message("Three lands")),
    Sample("small", message("The island")),
    Sample("large", message("The lake")),
    Sample(
        _island(
            "..www...eee..",
            ".wwwwwmeeeee.",
            ".wwwwmmmeeee.",
            "..wwwmmmeee..",
            "...wwmmmee...",
            "....wmmme....",
            ".....mmm.....",
            "......m......",
        ),
        message("The heart"),
    ),
    Sample(
        _island(
            "......m......",
            ".....mmm.....",
            ".wwwwmmmeeee.",
            "..wwwmmmeee..",
            "..wwwmmmeee..",
            ".wwwwmmmeeee.",
            ".....mmm.....",
            "......m......",
        ),
        message("The star"),
    ),
    Sample(
        _island(
            "..wwww...eeee..",
            ".wwwwmmmmmeeee.",
            ".wwwwmmmmmeeee.",
            "..wwww...eeee..",
        ),
        message("The bridge"),
    ),
    Sample(blank(6, 11).word, message("Nothing but sea")),
)
"""In this order on the page."""
