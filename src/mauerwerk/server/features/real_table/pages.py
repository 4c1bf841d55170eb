"""The overview for people who own the printed games, and the page about their own dice."""

from mauerwerk.server.games import web_games
from mauerwerk.server.http.response import Response
from mauerwerk.server.ui.page import PageRequest


async def show(request: PageRequest) -> Response:
    """What each game offers at a real table."""
    games = [game for game in web_games().values() if game.real_table]
    symbols = tuple(dict.fromkeys(each for game in games for each in game.box.symbols))
    return request.render("real_table/index.html", games=games, symbols=symbols)


async def dice(request: PageRequest) -> Response:
    """How to play with real dice, or to keep a game that is played with the printed pieces."""
    games = [game for game in web_games().values() if game.real_table]
    return request.render("real_table/dice.html", games=games)
