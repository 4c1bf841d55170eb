"""Die Mauer on the pages."""

from collections.abc import Sequence
from importlib import resources
from typing import TYPE_CHECKING, Final

from starlette.routing import BaseRoute, Route

from mauerwerk.games.mauer import events, values
from mauerwerk.server.games.mauer import board, box, ending, hands, moments, places, preview, scenes
from mauerwerk.server.games.room import WebGame

if TYPE_CHECKING:
    from mauerwerk.server.http.request import AppState


def _routes(app: "AppState") -> Sequence[BaseRoute]:
    # Pages of a game are pages like others, and those import the registry of games.
    from mauerwerk.server.games.mauer.real_table import pages  # noqa: PLC0415 - see above
    from mauerwerk.server.ui.page import Page  # noqa: PLC0415 - see above

    return [Route(box.REAL_TABLE.link, Page(app, get=pages.show))]


WEB_GAME: Final = WebGame(
    box=box.BOX,
    board=board,
    files=resources.files(__name__),
    chance_form=box.chance_form,
    dice=None,
    hand=hands.hand,
    places=places.places,
    recap=places.recap,
    moments=moments.moments,
    stops=moments.stops,
    preview=preview.preview,
    private=hands.private,
    gate=hands.gate,
    forced=(values.Build,),
    sounds={events.Built: "piece", events.Given: "piece"},
    painters=scenes.PAINTERS,
    questions=box.QUESTIONS,
    sources=ending.sources,
    tally=ending.TALLY,
    ended=ending.ended,
    final=scenes.standing_wall,
    real_table=box.REAL_TABLE,
    routes=_routes,
)
