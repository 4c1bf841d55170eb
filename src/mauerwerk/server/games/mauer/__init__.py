"""Die Mauer on the pages."""

from collections.abc import Sequence
from importlib import resources
from typing import TYPE_CHECKING, Final

from starlette.routing import BaseRoute, Route

from mauerwerk.games.mauer.events import Built, Given
from mauerwerk.games.mauer.values import Build
from mauerwerk.server.games.mauer import board
from mauerwerk.server.games.mauer.box import BOX
from mauerwerk.server.games.mauer.chance_form import chance_form
from mauerwerk.server.games.mauer.ended import ended
from mauerwerk.server.games.mauer.gate import gate, private
from mauerwerk.server.games.mauer.hands import hand
from mauerwerk.server.games.mauer.moments import moments
from mauerwerk.server.games.mauer.places import deeds, places
from mauerwerk.server.games.mauer.preview import preview
from mauerwerk.server.games.mauer.questions import QUESTIONS
from mauerwerk.server.games.mauer.realtable import REAL_TABLE
from mauerwerk.server.games.mauer.scenes import PAINTERS, standing_wall
from mauerwerk.server.games.mauer.sources import sources
from mauerwerk.server.games.mauer.tally import TALLY
from mauerwerk.server.games.room import WebGame

if TYPE_CHECKING:
    from mauerwerk.server.http.request import AppState


def _routes(app: "AppState") -> Sequence[BaseRoute]:
    # Pages of a game are pages like others, and those import the registry of games.
    from mauerwerk.server.games.mauer.realtable import page  # noqa: PLC0415 - see above
    from mauerwerk.server.ui.page import Page  # noqa: PLC0415 - see above

    return [Route(REAL_TABLE.link, Page(app, get=page.show))]


WEB_GAME: Final = WebGame(
    box=BOX,
    board=board,
    files=resources.files(__name__),
    chance_form=chance_form,
    chance=None,
    hand=hand,
    places=places,
    deeds=deeds,
    moments=moments,
    preview=preview,
    private=private,
    gate=gate,
    forced=(Build,),
    sounds={Built: "piece", Given: "piece"},
    painters=PAINTERS,
    questions=QUESTIONS,
    sources=sources,
    tally=TALLY,
    ended=ended,
    final=standing_wall,
    real_table=REAL_TABLE,
    routes=_routes,
)
