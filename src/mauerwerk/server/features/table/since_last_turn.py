"""What happened where: the places of a history, and all that others did since one's own turn."""

from collections.abc import Sequence
from itertools import islice
from typing import Any

import msgspec

from mauerwerk.core.game import NATURE, Seat
from mauerwerk.core.language.translation import Language
from mauerwerk.server.games.room import Recap, Touched, WebGame
from mauerwerk.server.tables.log import Kind
from mauerwerk.server.tables.notices import Notice
from mauerwerk.server.tables.notices import notices as all_notices
from mauerwerk.server.tables.table import Play, Table
from mauerwerk.server.tables.table_views import TableView
from mauerwerk.server.ui.history import History


def located(room: WebGame, view: Any, history: History) -> History:  # noqa: ANN401 - the game's own
    """The history, with the places of what stands of it."""
    where = {notice.number: each for notice, each in _standing(room, view, history.notices)}
    lines = tuple(
        msgspec.structs.replace(
            line,
            places=tuple(dict.fromkeys(at for each in where[line.number] for at in each.places)),
        )
        if line.number in where
        else line
        for line in history.lines
    )
    return msgspec.structs.replace(history, lines=lines)


def since_turn(  # noqa: PLR0913, PLR0917 - a table as one seat sees it
    room: WebGame,
    table: Table,
    table_view: TableView,
    notices: Sequence[Notice],
    names: Sequence[str],
    language: Language,
) -> tuple[Recap, ...]:
    """What the others did since the last turn of a seat that is asked now, in order.

    The notices are the last ones that the page tells; more are read where a turn was longer.
    """
    seat, view = table_view.seat, table_view.view
    if seat is None or not table_view.asked or seat not in _whose_turn(table, len(table.plays)):
        return ()
    last = last_turn(table, seat)
    first = 0 if last is None else table.number_of(last.seq, seat)
    if notices and notices[0].number > max(1, first):
        notices = all_notices(table, seat, after=max(0, first - 1))
    told = [
        (notice, touched)
        for notice, touched in _standing(room, view, notices)
        if notice.number >= first
    ]
    if room.recap:
        touched = [each for _, some in told for each in some]
        return tuple(room.recap(view, touched, names, language))
    return tuple(
        Recap(notice.seat, said, each.places)
        for notice, some in told
        if notice.seat not in {None, NATURE, seat}
        for each in some
        if (said := table.game.tell(each.event, names, language))
    )


def last_turn(table: Table, seat: Seat) -> Play | None:
    """The last move that a seat made in a turn of its own.

    To play a card in another's turn is no turn of one's own.
    """
    own = [place for place, play in enumerate(table.plays) if play.seat == seat]
    turns = (place for place in reversed(own) if seat in _whose_turn(table, place))
    return next((table.plays[place] for place in turns), None)


def _whose_turn(table: Table, place: int) -> Sequence[Seat]:
    """Whose turn it is after so many moves: that of the players who were asked first in it."""
    game = table.game
    turn = game.turn(_before(table, place))
    asked: Sequence[Seat] = ()
    for earlier in range(place, -1, -1):
        state = _before(table, earlier)
        if game.turn(state) != turn:
            break
        if NATURE not in (waiting := game.to_act(state)):
            asked = waiting
    return asked


def _before(table: Table, place: int) -> Any:  # noqa: ANN401 - the game's own state
    """The state in which a move was made."""
    return table.plays[place - 1].step.state if place else table.game.start(table.setup)


def _standing(
    room: WebGame,
    view: Any,  # noqa: ANN401 - the game's own
    notices: Sequence[Notice],
) -> list[tuple[Notice, list[Touched]]]:
    """The notices of moves that were not taken back, with what each event touched."""
    kept: list[Notice] = []
    for notice in notices:
        if notice.kind is Kind.UNDO and notice.back_to is not None:
            kept = [each for each in kept if each.number < notice.back_to]
        elif notice.events:
            kept.append(notice)
    events = [event for notice in kept for event in notice.events]
    where = room.places(view, events) if room.places else [()] * len(events)
    touched = iter([Touched(event, at) for event, at in zip(events, where, strict=True)])
    return [(notice, [*islice(touched, len(notice.events))]) for notice in kept]
