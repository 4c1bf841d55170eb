"""The games on the pages: what each brings is its `WebGame`, found by the game's name.

    room = web_game("NAME")
    parts = room.board.parts(view, legal, names, language, before, notes)

A game without an entry gets a plain board. `room.py` says what a game can bring. A page puts
`sprite(room.board.SYMBOLS)` into its body once, outside what it morphs, and gives `main` the class
`room.board.LOOK`.
"""

from collections.abc import Iterator, Mapping, Sequence
from importlib.resources.abc import Traversable
from typing import Any, Final

from mauerwerk.core.game import Step
from mauerwerk.core.registry import Registry
from mauerwerk.games import GAMES, game_of
from mauerwerk.server.engine.snapshot import Snapshot
from mauerwerk.server.games import burgbaumeister, mauer, mauerbauer, plain_board
from mauerwerk.server.games.room import WALLS, WebGame
from mauerwerk.server.http import static
from mauerwerk.server.tables.seed import draw_at
from mauerwerk.server.tables.table import Table, Viewer
from mauerwerk.server.ui import markup, render

WEB_GAMES: Final = Registry[WebGame](
    "mauerwerk.server.games",
    {
        "mauerbauer": mauerbauer.WEB_GAME,
        "mauer": mauer.WEB_GAME,
        "burgbaumeister": burgbaumeister.WEB_GAME,
    },
    fault=lambda _name, room: "" if isinstance(room, WebGame) else "this is no WebGame",
)
"""What each game brings to the pages, in the order of the home page."""

_BEYOND: Final = 10**9
"""The number under which chance deals what nobody has turned: no log is as long as that."""


def web_game(name: str, rules: int | None = None) -> WebGame:
    """What a game brings to the pages, plain where it brings nothing. Raises KeyError.

    A table that is played by earlier rules has a plain board: the game's own is for the present.
    """
    game = GAMES[name]
    if rules is not None and rules != game.RULES and (earlier := game_of(name, rules)):
        return plain_board.plain_game(earlier)
    return WEB_GAMES.get(name) or plain_board.plain_game(game)


def web_game_at(table: Table) -> WebGame:
    """What the game of this table brings to the pages, by the rules that it is played by."""
    return web_game(table.charter.game, table.charter.rules)


def web_games() -> Mapping[str, WebGame]:
    """All games that can be played, in the order of the home page."""
    known = [name for name in WEB_GAMES if name in GAMES]
    return {name: web_game(name) for name in dict.fromkeys((*known, *GAMES))}


def last_view(snapshot: Snapshot, viewer: Viewer) -> object:
    """A viewer's view after the end; where a game keeps something unseen, with that shown."""
    table = snapshot.table
    room = web_game_at(table)
    if room.last_view is None:
        return table.game.view(table.state, viewer)
    # What people enter from their own table is not ours to deal.
    drawn = table.charter.dice == "server"
    chance = draw_at(snapshot.seed, _BEYOND) if drawn else None
    return room.last_view(table.state, viewer, chance)


def counts_in(
    name: str, steps: Sequence[Step[Any, Any]], seats: int
) -> Sequence[Mapping[str, float]]:
    """What a game counts for each of its seats; nothing, if it brings no tally."""
    room = WEB_GAMES.get(name)
    return room.tally.counts(steps, seats) if room and room.tally.counts else ()


def about_walls() -> bool:
    """Whether all games that are installed are about walls, as those of this program are."""
    return all(room.box.theme == WALLS for room in web_games().values())


def has_lesson(name: str) -> bool:
    """Whether there is a guided first game."""
    return name in GAMES and web_game(name).lesson is not None


def has_rules(name: str) -> bool:
    """Whether there is a page with the rules of a game."""
    return name in GAMES and web_game(name).rulebook is not None


def _folder(name: str) -> Traversable | None:
    """Where the templates of a game are, such as `NAME/real_table/page.html`."""
    return web_game(name).files if name in GAMES else None


def picture_of(game: str) -> str:
    """The picture on the box of a game, or its symbol."""
    room = web_game(game)
    return room.picture or markup.html(markup.sign(room.box.thumb))


def _static_files(found: Mapping[str, bytes]) -> Iterator[tuple[str, bytes]]:
    """The files of rooms.

    A style sheet is appended to the sheet of the same name that all pages of a kind have; other
    styles and scripts of a game are below its name. So is each joined sheet as it is for this game
    alone; as it is without any game, it is below `no-board`.
    """
    shared = dict(found)
    for path, parts in static.JOINED.items():
        if path.endswith(".css"):
            yield f"no-board/{path}", static.joined(shared, parts)
    for name, game in WEB_GAMES.items():
        own = dict(static.files_in(game.files, ("css", "js"))) if game.files else {}
        for path, content in own.items():
            yield (path if path in shared else f"{name}/{path}"), content
        with_own = {path: content + own.get(path, b"") for path, content in shared.items()}
        for path, parts in static.JOINED.items():
            if path.endswith(".css"):
                yield f"{name}/{path}", static.joined(with_own, parts)


static.SOURCES.append(_static_files)
render.TEMPLATES.append(render.Templates(_folder, lambda: iter(WEB_GAMES)))
render.SHARED.update(
    has_rules=has_rules,
    has_lesson=has_lesson,
    picture=picture_of,
    about_walls=about_walls,
    rooms=lambda: tuple(web_games().values()),
    box_symbols=lambda: tuple(
        symbol for room in web_games().values() for symbol in (room.box.thumb, *room.box.symbols)
    ),
)
