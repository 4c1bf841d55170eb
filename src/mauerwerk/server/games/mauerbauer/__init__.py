"""Mauerbauer on the pages."""

from collections.abc import Sequence
from importlib import resources
from typing import TYPE_CHECKING, Final

from starlette.routing import BaseRoute, Route

from mauerwerk.core.language.translation import message
from mauerwerk.games.mauerbauer import events, values
from mauerwerk.server.games.mauerbauer import (
    board,
    box,
    ending,
    hands,
    moments,
    places,
    preview,
    scenes,
)
from mauerwerk.server.games.room import Door, WebGame

if TYPE_CHECKING:
    from mauerwerk.server.http.request import AppState


def _routes(app: "AppState") -> Sequence[BaseRoute]:
    # Pages of a game are pages like others, and those import the registry of games.
    from mauerwerk.server.games.mauerbauer import board_editor  # noqa: PLC0415 - see above
    from mauerwerk.server.games.mauerbauer.real_table import pages  # noqa: PLC0415 - see above
    from mauerwerk.server.ui.page import Page  # noqa: PLC0415 - see above

    return [
        Route(box.REAL_TABLE.link, Page(app, get=pages.show)),
        Route(box.PLAN, Page(app, get=pages.show_plans)),
        *board_editor.routes(app),
    ]


WEB_GAME: Final = WebGame(
    box=box.BOX,
    board=board,
    files=resources.files(__name__),
    chance_form=box.chance_form,
    hand=hands.hand,
    private=hands.private,
    places=places.places,
    recap=places.recap,
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
    real_table=box.REAL_TABLE,
    doors=(
        Door(
            "/workshop",
            message("Board workshop"),
            message("Draw a board for Mauerbauer, and play on it."),
        ),
    ),
    routes=_routes,
)
