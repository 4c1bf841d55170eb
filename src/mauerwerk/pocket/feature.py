"""What the pages of the pocket edition say beside all others: what is here, and what is not."""

from contextlib import closing
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Final

from mauerwerk.server.database.sqlite import connect
from mauerwerk.server.feature import Feature
from mauerwerk.server.http import static
from mauerwerk.server.http.response import Response
from mauerwerk.server.ui import render
from mauerwerk.server.ui.page import HOME, HOME_TOP, PageRequest, PageRoute, Panel

DATABASE: Final = b"application/vnd.sqlite3"
AS_A_FILE: Final = (b"content-disposition", b'attachment; filename="mauerwerk.db"')


async def _always(_request: PageRequest) -> bool:
    return True


async def show_games(request: PageRequest) -> Response:
    """How games are taken along, and brought here."""
    return request.render("pocket/games.html")


async def take_games(request: PageRequest) -> Response:
    """The whole database: everything in it is of this one browser."""
    with closing(connect(Path(request.host.store.place), "ro")) as connection:
        content = connection.serialize()
    return Response(content, DATABASE, headers=[AS_A_FILE])


FEATURE = Feature(
    name="pocket",
    files=resources.files("mauerwerk.pocket"),
    pages=(
        PageRoute("/data/games", get=show_games),
        PageRoute("/data/games.db", get=take_games),
    ),
    panels=(
        Panel(HOME_TOP, "pocket/start.html", _always, ("i-check",), place=1),
        Panel(HOME, "pocket/limits.html", _always, ("i-device", "i-down", "i-people"), place=200),
    ),
)


def _folder(name: str) -> Traversable | None:
    return FEATURE.folder.joinpath("templates") if name == FEATURE.name else None


# It is in no list of features, since it is for no other server.
static.SOURCES.append(lambda _found: static.files_in(FEATURE.folder.joinpath("static")))
render.TEMPLATES.append(render.Templates(_folder, lambda: iter((FEATURE.name,))))
