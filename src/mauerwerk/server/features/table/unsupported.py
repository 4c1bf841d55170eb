"""The page of a table whose rules this server does not have."""

import time

from mauerwerk.games import GAMES
from mauerwerk.server.features.table import store
from mauerwerk.server.http.identity import guest_in
from mauerwerk.server.http.response import Response, redirect
from mauerwerk.server.ui import dates, history, names, page
from mauerwerk.server.ui.page import Form


async def show(request: page.PageRequest) -> Response:
    """Why nobody can play on, who played, and once it is over the moves as they are stored."""
    database, table = request.host.store, request.table
    seen = await store.frozen(database, table)
    language = request.language
    game = GAMES.get(seen.charter.game)
    return request.render(
        "table/unsupported.html",
        seen=seen,
        title=seen.charter.game if game is None else game.TITLE,
        names=names.names_on(seen.card, language),
        ended=history.ended_words(seen.ended, language) if seen.ended else "",
        when=dates.day_of(seen.card.changed, int(time.time() * 1_000), language),
        may_end=await store.may_end(database, table, request.guest),
    )


async def end(request: page.PageRequest, form: Form) -> Response:
    """End it without a winner."""
    del form
    await store.end(request.host.store, request.table, guest_in(request))
    return redirect(f"/t/{request.table}")
