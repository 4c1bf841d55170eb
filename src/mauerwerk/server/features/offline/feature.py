"""An app on the phone: its manifest, its worker, and the page for times without a network."""

from functools import cache
from hashlib import sha256
from typing import Final

import msgspec

from mauerwerk import __version__
from mauerwerk.server.feature import Feature
from mauerwerk.server.features.lessons import lesson
from mauerwerk.server.features.lessons.pages import lesson_at
from mauerwerk.server.games import about_walls, has_rules, web_games
from mauerwerk.server.http.response import Response
from mauerwerk.server.http.security import with_prefix
from mauerwerk.server.http.static import FOR_NOW, address, files
from mauerwerk.server.ui.page import VARY, PageRequest, PageRoute

MANIFEST: Final = b"application/manifest+json"
SCRIPT: Final = b"text/javascript; charset=utf-8"
JSON: Final = b"application/json"
PAPER: Final = "#fdf9f1"
SHEETS: Final = "/real/"
"""Where what helps at a real table is; other links there begin a game, which needs the server."""
FILES: Final = ("site.css", "page.js", "logo.svg")
"""What the page needs that is shown without a network."""


async def manifest(request: PageRequest) -> Response:
    """What a phone needs to know to install the site."""
    language, prefix = request.language, request.prefix

    def icon(name: str, size: int, purpose: str) -> dict[str, str]:
        source = with_prefix(address(f"icons/{name}.png"), prefix)
        return {
            "src": source,
            "sizes": f"{size}x{size}",
            "type": "image/png",
            "purpose": purpose,
        }

    root = f"{prefix}/"
    said = {
        "name": "Mauerwerk",
        "short_name": "Mauerwerk",
        "description": language("Three board games about building walls.")
        if about_walls()
        else language("Board games with friends or against bots."),
        "lang": language.code,
        "id": root,
        "start_url": root,
        "scope": root,
        "display": "standalone",
        "background_color": PAPER,
        "theme_color": PAPER,
        "categories": ["games"],
        "icons": [
            icon("192", 192, "any"),
            icon("512", 512, "any"),
            icon("maskable", 512, "maskable"),
        ],
        "shortcuts": [{"name": language("My page"), "url": f"{root}me"}],
    }
    return Response(msgspec.json.encode(said), MANIFEST, headers=[FOR_NOW, VARY])


async def worker(request: PageRequest) -> Response:
    """The script that works beside all pages; its first line tells it from other versions."""
    prefix = request.prefix
    known = {
        "version": version(),
        "root": f"{prefix}/",
        "files": [with_prefix(address(each), prefix) for each in FILES],
        "pages": [with_prefix(path, prefix) for path in kept_pages()],
        "icon": with_prefix(address("icons/192.png"), prefix),
        "badge": with_prefix(address("icons/badge.png"), prefix),
    }
    first = b"const KNOWN = " + msgspec.json.encode(known) + b";\n"
    return Response(first + files()["worker.js"].plain, SCRIPT, headers=[FOR_NOW])


@cache
def version() -> str:
    """A word that is another one once the program or one of its files is."""
    everything = ",".join([__version__, *(f"{name}={files()[name].version}" for name in files())])
    return sha256(everything.encode()).hexdigest()[:12]


@cache
def kept_pages() -> tuple[str, ...]:
    """The pages that an installed app keeps: rules, lessons, and what helps at a real table."""
    pages = ["/rules", "/real"]
    for name, game in web_games().items():
        if has_rules(name):
            pages.append(f"/rules/{name}")
        if game.real_table and game.real_table.link.startswith(SHEETS):
            pages += [game.real_table.link, *game.real_table.keeps]
        if game.lesson:
            steps = len(lesson.course(name).stops)
            pages += [f"/learn/{name}", f"/learn/{name}/words.json"]
            pages += [f"/learn/{name}/{step}" for step in range(1, steps + 1)]
    return tuple(pages)


async def offline(request: PageRequest) -> Response:
    """What can be done without a network."""
    return request.render("offline/offline.html", games=tuple(web_games().values()), sheets=SHEETS)


async def words(request: PageRequest) -> Response:
    """What a lesson expects at each stop, and its answers to other moves, for the worker."""
    found = lesson_at(request)
    parts = lesson.script(found.game, request.language.code).parts
    said = {
        str(stop.number): {"word": stop.note.word, "answers": parts[stop.note.key].answers}
        for stop in found.stops
        if stop.note.word
    }
    return Response(msgspec.json.encode(said), JSON, headers=[VARY])


FEATURE = Feature(
    name="offline",
    pages=(
        PageRoute("/manifest.webmanifest", get=manifest),
        PageRoute("/worker.js", get=worker),
        PageRoute("/offline", get=offline),
        PageRoute("/learn/{game}/words.json", get=words),
    ),
)
