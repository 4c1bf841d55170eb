"""Burgbaumeister on the pages. No seat holds anything, so there are no hands to show."""

from importlib import resources
from typing import Final

from mauerwerk.games.burgbaumeister.events import Added, Fired, Inserted, Left, Shown
from mauerwerk.games.burgbaumeister.values import Leave
from mauerwerk.server.games.burgbaumeister import board
from mauerwerk.server.games.burgbaumeister.box import BOX
from mauerwerk.server.games.burgbaumeister.chance_form import chance_form
from mauerwerk.server.games.burgbaumeister.ended import ended, last_view
from mauerwerk.server.games.burgbaumeister.places import deeds, places
from mauerwerk.server.games.burgbaumeister.preview import preview
from mauerwerk.server.games.burgbaumeister.questions import CHANCE, QUESTIONS
from mauerwerk.server.games.burgbaumeister.realtable import REAL_TABLE
from mauerwerk.server.games.burgbaumeister.scenes import PAINTERS
from mauerwerk.server.games.burgbaumeister.sources import sources
from mauerwerk.server.games.burgbaumeister.tally import TALLY
from mauerwerk.server.games.room import WebGame

WEB_GAME: Final = WebGame(
    box=BOX,
    board=board,
    files=resources.files(__name__),
    chance_form=chance_form,
    chance=CHANCE,
    preview=preview,
    places=places,
    deeds=deeds,
    forced=(Leave,),
    sounds={Shown: "card", Added: "card", Inserted: "card", Left: "card", Fired: "piece"},
    painters=PAINTERS,
    questions=QUESTIONS,
    sources=sources,
    tally=TALLY,
    ended=ended,
    last_view=last_view,
    keeps_stage=True,
    real_table=REAL_TABLE,
)
