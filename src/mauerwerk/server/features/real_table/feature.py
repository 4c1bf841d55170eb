"""For people who own the printed games: what each game offers them, and dice by hand."""

from mauerwerk.server.feature import Feature
from mauerwerk.server.games import web_games
from mauerwerk.server.http.response import Response
from mauerwerk.server.ui.page import PageRequest, PageRoute


async def show(request: PageRequest) -> Response:
    """What each game offers at a real table."""
    games = [game for game in web_games().values() if game.real_table]
    symbols = tuple(dict.fromkeys(each for game in games for each in game.box.symbols))
    return request.render("real_table/index.html", games=games, symbols=symbols)


async def show_dice(request: PageRequest) -> Response:
    """How to play with real dice, or to keep a game that is played with the printed pieces."""
    games = [game for game in web_games().values() if game.real_table]
    return request.render("real_table/dice.html", games=games)


FEATURE = Feature(
    name="real_table",
    pages=(PageRoute("/real", get=show), PageRoute("/real/dice", get=show_dice)),
)
