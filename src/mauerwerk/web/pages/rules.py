"""The rules of a game, to be read, printed, and pointed at: every clause has its own address."""

import asyncio

from mauerwerk.core.language.translation import TITLES, language_of
from mauerwerk.games import GAMES
from mauerwerk.web.http.faults import Fault
from mauerwerk.web.http.replies import Reply
from mauerwerk.web.pages.page import Visitor
from mauerwerk.web.rules import rulebook


async def show(visitor: Visitor) -> Reply:
    """The rules in the visitor's language, or in that of `?lang=`."""
    game = visitor.call.path["game"]
    if game not in GAMES:
        raise Fault(404, "there is no such game")
    if (code := visitor.query.get("lang", "")) in TITLES:
        visitor.language = language_of(code)
        # Whoever chooses another language on the page would otherwise come back to this one.
        visitor.path = visitor.path.partition("?")[0]
    # The first reader of a language waits until the scenes are drawn; nobody else should.
    book = await asyncio.to_thread(rulebook, game, visitor.language)
    others = [(name, each.TITLE) for name, each in GAMES.items() if name != game]
    return visitor.paint("rules.html", book=book, game=game, others=others, symbols=book.symbols)
