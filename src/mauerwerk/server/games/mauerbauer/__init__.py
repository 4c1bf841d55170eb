"""Mauerbauer on the pages."""

from collections.abc import Sequence
from importlib import resources
from typing import TYPE_CHECKING, Final

from starlette.routing import BaseRoute, Route

from mauerwerk.core.language.translation import message
from mauerwerk.games.mauerbauer.events import (
    Built,
    Discarded,
    Drawn,
    HousePlaced,
    Played,
    Rolled,
    Swapped,
    TowerPlaced,
)
from mauerwerk.games.mauerbauer.values import PlaceHouse, PlaceTower
from mauerwerk.server.games.mauerbauer import board
from mauerwerk.server.games.mauerbauer.box import BOX
from mauerwerk.server.games.mauerbauer.chance_form import chance_form
from mauerwerk.server.games.mauerbauer.ended import ended
from mauerwerk.server.games.mauerbauer.gate import private
from mauerwerk.server.games.mauerbauer.hands import hand
from mauerwerk.server.games.mauerbauer.moments import moments
from mauerwerk.server.games.mauerbauer.places import deeds, places
from mauerwerk.server.games.mauerbauer.preview import preview
from mauerwerk.server.games.mauerbauer.questions import QUESTIONS
from mauerwerk.server.games.mauerbauer.realtable import PLAN, REAL_TABLE
from mauerwerk.server.games.mauerbauer.scenes import PAINTERS
from mauerwerk.server.games.mauerbauer.sources import sources
from mauerwerk.server.games.mauerbauer.tally import TALLY
from mauerwerk.server.games.room import Door, WebGame

if TYPE_CHECKING:
    from mauerwerk.server.http.request import AppState


def _routes(app: "AppState") -> Sequence[BaseRoute]:
    # Pages of a game are pages like others, and those import the registry of games.
    from mauerwerk.server.games.mauerbauer import board_editor  # noqa: PLC0415 - see above
    from mauerwerk.server.games.mauerbauer.realtable import page, plan  # noqa: PLC0415 - see above
    from mauerwerk.server.ui.page import Page  # noqa: PLC0415 - see above

    return [
        Route(REAL_TABLE.link, Page(app, get=page.show)),
        Route(PLAN, Page(app, get=plan.show)),
        *board_editor.routes(app),
    ]


WEB_GAME: Final = WebGame(
    box=BOX,
    board=board,
    files=resources.files(__name__),
    chance_form=chance_form,
    hand=hand,
    private=private,
    places=places,
    deeds=deeds,
    forced=(PlaceHouse, PlaceTower),
    sounds={
        Built: "piece",
        Rolled: "dice",
        TowerPlaced: "piece",
        HousePlaced: "piece",
        Drawn: "card",
        Played: "card",
        Discarded: "card",
        Swapped: "card",
    },
    moments=moments,
    painters=PAINTERS,
    questions=QUESTIONS,
    preview=preview,
    sources=sources,
    tally=TALLY,
    ended=ended,
    final=PAINTERS["board"],
    real_table=REAL_TABLE,
    doors=(
        Door(
            "/workshop",
            message("Board workshop"),
            message("Draw a board for Mauerbauer, and play on it."),
        ),
    ),
    routes=_routes,
)
