"""Die Mauer on the pages."""

from importlib import resources
from typing import Final

from mauerwerk.games.mauer import events, values
from mauerwerk.server.games.mauer import board, box, ending, moments, preview, scenes, teaching
from mauerwerk.server.games.mauer.real_table import pages
from mauerwerk.server.games.room import WebGame
from mauerwerk.server.ui.page import PageRoute

WEB_GAME: Final = WebGame(
    box=box.BOX,
    board=board,
    files=resources.files(__name__),
    chance_form=box.chance_form,
    dice=None,
    hand=board.hand,
    places=preview.places,
    recap=preview.recap,
    digest=preview.digest,
    explain=teaching.explain,
    moments=moments.moments,
    stops=moments.stops,
    preview=preview.preview,
    private=board.private,
    gate=board.gate,
    rounds=box.rounds,
    forced=(values.Build,),
    sounds={events.Built: "piece", events.Given: "piece"},
    painters=scenes.PAINTERS,
    questions=box.QUESTIONS,
    sources=ending.sources,
    tally=ending.TALLY,
    ended=ending.ended,
    final=scenes.standing_wall,
    poster=scenes.poster,
    real_table=box.REAL_TABLE,
    pages=(PageRoute(box.REAL_TABLE.link, get=pages.show),),
)
