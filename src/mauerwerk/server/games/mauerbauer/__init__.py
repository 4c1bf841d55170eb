"""Mauerbauer on the pages."""

from importlib import resources
from typing import Final

from mauerwerk.core.language import message
from mauerwerk.games.mauerbauer import events, values
from mauerwerk.server.games.mauerbauer import board, box, ending, moments, preview, scenes, teaching
from mauerwerk.server.games.mauerbauer.board_editor import pages as editor
from mauerwerk.server.games.mauerbauer.board_editor import study
from mauerwerk.server.games.mauerbauer.real_table import pages
from mauerwerk.server.games.room import HomeLink, WebGame
from mauerwerk.server.ui.page import PageRoute

WEB_GAME: Final = WebGame(
    box=box.BOX,
    board=board,
    files=resources.files(__name__),
    chance_form=box.chance_form,
    hand=board.hand,
    private=board.private,
    places=preview.places,
    recap=preview.recap,
    digest=preview.digest,
    explain=teaching.explain,
    forced=(values.PlaceHouse, values.PlaceTower),
    sounds={
        events.Built: "piece",
        events.Rolled: "dice",
        events.TowerPlaced: "piece",
        events.HousePlaced: "piece",
        events.Drawn: "card",
        events.Played: "card",
        events.Discarded: "card",
        events.Swapped: "card",
    },
    moments=moments.moments,
    stops=moments.stops,
    painters=scenes.PAINTERS,
    questions=box.QUESTIONS,
    preview=preview.preview,
    sources=ending.sources,
    tally=ending.TALLY,
    ended=ending.ended,
    final=scenes.PAINTERS["board"],
    poster=scenes.poster,
    poster_ink="chalk",
    poster_words=440,
    real_table=box.REAL_TABLE,
    home_links=(
        HomeLink(
            "/workshop",
            message("Board workshop"),
            message("Draw a board for Mauerbauer, and play on it."),
        ),
    ),
    pages=(
        PageRoute(box.REAL_TABLE.link, get=pages.show, shared=True),
        PageRoute(box.PLAN, get=pages.show_plans),
        PageRoute("/workshop", get=editor.show, shared=True),
        PageRoute("/workshop/play", post=editor.play),
        PageRoute("/workshop/board.toml", get=editor.download),
        PageRoute("/workshop/study", get=study.show),
    ),
)
