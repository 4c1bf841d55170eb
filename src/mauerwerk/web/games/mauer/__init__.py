"""Die Mauer on the pages."""

from collections.abc import Sequence
from importlib import resources
from typing import TYPE_CHECKING, Final

from starlette.routing import BaseRoute, Route

from mauerwerk.games.mauer.events import Built, Given
from mauerwerk.games.mauer.values import Build
from mauerwerk.web.games.mauer import board
from mauerwerk.web.games.mauer.box import BOX
from mauerwerk.web.games.mauer.chance_form import chance_form
from mauerwerk.web.games.mauer.ended import ended
from mauerwerk.web.games.mauer.gate import gate, private
from mauerwerk.web.games.mauer.hands import hand
from mauerwerk.web.games.mauer.moments import moments
from mauerwerk.web.games.mauer.places import deeds, places
from mauerwerk.web.games.mauer.preview import preview
from mauerwerk.web.games.mauer.questions import QUESTIONS
from mauerwerk.web.games.mauer.realtable import REAL_TABLE
from mauerwerk.web.games.mauer.scenes import PAINTERS, standing_wall
from mauerwerk.web.games.mauer.sources import sources
from mauerwerk.web.games.mauer.tally import TALLY
from mauerwerk.web.games.room import WebGame

if TYPE_CHECKING:
    from mauerwerk.web.http.call import Site


def _routes(site: "Site") -> Sequence[BaseRoute]:
    # Pages of a game are pages like others, and those import the registry of games.
    from mauerwerk.web.games.mauer.realtable import page  # noqa: PLC0415 - see above
    from mauerwerk.web.pages.page import Page  # noqa: PLC0415 - see above

    return [Route(REAL_TABLE.link, Page(site, get=page.show))]


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
