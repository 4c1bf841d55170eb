"""The page of a table whose rules this server does not have."""

import time

from mauerwerk.games import GAMES
from mauerwerk.play.host import frozen
from mauerwerk.web.http.identity import guest_in
from mauerwerk.web.http.replies import Reply, redirect
from mauerwerk.web.pages.form import Form
from mauerwerk.web.pages.people import names_on
from mauerwerk.web.pages.story import ended_words
from mauerwerk.web.pages.visitor import Visitor
from mauerwerk.web.pages.when import day_of


async def show(visitor: Visitor) -> Reply:
    """Why nobody can play on, who played, and once it is over the moves as they are stored."""
    ruler, table = visitor.call.host.ruler, visitor.call.table
    seen = await frozen.frozen(ruler, table)
    language = visitor.language
    game = GAMES.get(seen.charter.game)
    return visitor.paint(
        "frozen.html",
        seen=seen,
        title=seen.charter.game if game is None else game.TITLE,
        names=names_on(seen.card, language),
        ended=ended_words(seen.ended, language) if seen.ended else "",
        when=day_of(seen.card.changed, int(time.time() * 1_000), language),
        may_end=await frozen.may_end(ruler, table, visitor.guest),
    )


async def end(visitor: Visitor, form: Form) -> Reply:
    """End it without a winner."""
    del form
    await frozen.end(visitor.call.host.ruler, visitor.call.table, guest_in(visitor.call.caller))
    return redirect(f"/t/{visitor.call.table}")
