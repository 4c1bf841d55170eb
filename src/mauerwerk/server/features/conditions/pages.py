"""The page on which a player prepares moves for what the others may do."""

from typing import Any, Final

from mauerwerk.core.game import Seat
from mauerwerk.core.language import Language, capital
from mauerwerk.core.record import Move
from mauerwerk.server.features.conditions import store
from mauerwerk.server.features.conditions.service import Conditions, PossibleLine, may_prepare
from mauerwerk.server.games import web_game_at
from mauerwerk.server.http.errors import HttpError
from mauerwerk.server.http.response import Response, redirect
from mauerwerk.server.http.seats import acting
from mauerwerk.server.tables.charter import initial_moves
from mauerwerk.server.tables.table import Table
from mauerwerk.server.ui.dates import time_left
from mauerwerk.server.ui.names import names_for
from mauerwerk.server.ui.page import Form, PageRequest

LONGEST: Final = 400
"""The most characters of a line or a word that are read."""


async def show(request: PageRequest) -> Response:
    """What can be prepared for, what to play then, and what is prepared."""
    snapshot, seat = await acting(request, Form(request.query).number("seat"), seated=True)
    table, language = snapshot.table, request.language
    if not may_prepare(table):
        raise HttpError(404, "moves can be prepared in games over days")
    lines = await request.host.service(Conditions).lines_for(table, seat)
    wanted = request.query.get("line", "")[:LONGEST]
    chosen = next((each for each in lines if each.words == wanted), None)
    kept = await store.conditions_at(request.host.store, request.table, seat)
    return request.render(
        "conditions/page.html",
        table=request.table,
        seat=seat,
        box=web_game_at(table).box,
        asked=seat in table.waiting,
        lines=[_line(table, seat, each, language) for each in lines],
        chosen=_line(table, seat, chosen, language) if chosen else None,
        kept=[_kept(request, table, seat, each) for each in kept],
        symbols=("i-x", "i-clock"),
    )


def _line(table: Table, seat: Seat, line: PossibleLine, language: Language) -> dict[str, Any]:
    game = table.game
    return {
        "words": line.words,
        "said": _said(table, seat, line.moves, language),
        "replies": [(word, capital(game.say(game.parse(word), language))) for word in line.replies],
    }


def _said(table: Table, seat: Seat, moves: tuple[Move, ...], language: Language) -> str:
    """What others do, in words."""
    game, names = table.game, names_for(table.players, seat, language)
    parts = [
        language(
            "{who}: {move}",
            who=names[each.seat],
            move=game.say(game.parse(each.word), language),
        )
        for each in moves
    ]
    return "; ".join(parts)


def _kept(request: PageRequest, table: Table, seat: Seat, each: store.Condition) -> dict[str, Any]:
    game, language = table.game, request.language
    left = None if each.due is None else max(0, each.due - request.host.now())
    return {
        "id": each.id,
        "said": _said(table, seat, initial_moves(each.line.split()), language),
        "word": capital(game.say(game.parse(each.word), language)),
        "due": time_left(left, language) if left is not None else "",
    }


async def change(request: PageRequest, form: Form) -> Response:
    """Prepare a move, or no longer."""
    snapshot, seat = await acting(request, form.number("seat"), seated=True)
    if dropped := form.get("drop"):
        await store.drop(request.host.store, dropped[:LONGEST], request.table, seat)
    else:
        line, word = (form.get(name, "")[:LONGEST] for name in ("line", "word"))
        await request.host.service(Conditions).prepare(snapshot.table, seat, line, word)
    return redirect(f"/t/{request.table}/conditions?seat={seat}")
