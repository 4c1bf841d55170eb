"""Burgbaumeister on the pages. No seat holds anything, so there are no hands to show."""

from importlib import resources
from typing import Final

from mauerwerk.games.burgbaumeister.events import Added, Fired, Inserted, Left, Shown
from mauerwerk.games.burgbaumeister.values import Leave
from mauerwerk.server.games.burgbaumeister import board, box, ending, preview, scenes, teaching
from mauerwerk.server.games.room import WebGame

WEB_GAME: Final = WebGame(
    box=box.BOX,
    board=board,
    files=resources.files(__name__),
    chance_form=box.chance_form,
    dice=box.DICE,
    preview=preview.preview,
    places=preview.places,
    recap=preview.recap,
    digest=preview.digest,
    explain=teaching.explain,
    forced=(Leave,),
    sounds={Shown: "card", Added: "card", Inserted: "card", Left: "card", Fired: "piece"},
    painters=scenes.PAINTERS,
    poster=scenes.poster,
    questions=box.QUESTIONS,
    sources=ending.sources,
    tally=ending.TALLY,
    ended=ending.ended,
    last_view=ending.last_view,
    keeps_stage=True,
    real_table=box.REAL_TABLE,
)
