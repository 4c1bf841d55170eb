"""The rules as pages, to be read, printed, and pointed at: every clause has its own address."""

from mauerwerk.core.language import TITLES, language_of
from mauerwerk.games import GAMES
from mauerwerk.server.feature import Feature
from mauerwerk.server.features.rules.book import rulebook
from mauerwerk.server.games import has_rules, web_game, web_games
from mauerwerk.server.http import errors, response
from mauerwerk.server.ui.page import PageRequest, PageRoute


async def show_all(request: PageRequest) -> response.Response:
    """The games that have a rulebook here."""
    games = [game for game in web_games().values() if game.rulebook]
    symbols = tuple(dict.fromkeys(each for game in games for each in game.box.symbols))
    return request.render("rules/all.html", games=games, symbols=symbols)


async def show(request: PageRequest) -> response.Response:
    """The rules in the visitor's language, or in that of `?lang=`."""
    game = request.path_params["game"]
    if not has_rules(game):
        raise errors.HttpError(404, "there is no such game, or it has no rulebook here")
    if (code := request.query.get("lang", "")) in TITLES:
        request.language = language_of(code)
        # A visitor who chooses another language on the page would otherwise come back to this one.
        request.path = request.path.partition("?")[0]
    # The first reader of a language waits until the scenes are drawn; other requests must not.
    book = await request.in_thread(rulebook, game, request.language)
    others = [
        (name, each.TITLE) for name, each in GAMES.items() if name != game and has_rules(name)
    ]
    return request.render(
        "rules/rules.html",
        book=book,
        game=game,
        lesson=web_game(game).lesson is not None,
        others=others,
        symbols=book.symbols,
    )


FEATURE = Feature(
    name="rules",
    pages=(
        PageRoute("/rules", get=show_all, shared=True),
        PageRoute("/rules/{game}", get=show, shared=True),
    ),
)
