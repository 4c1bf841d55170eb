"""Moves that play themselves: the only legal one, where everybody knows that there is no other."""

from typing import Final

from mauerwerk.core.game import Ephemeral, Value
from mauerwerk.play.tables.sights import TableView
from mauerwerk.play.tables.table import Table
from mauerwerk.web.games import web_game

PAUSE: Final = 600
"""Milliseconds until a forced move plays itself, so that people see what happens."""

LOOK: Final = 4_000
"""The same where something lies open that is shown only once."""


class ForcedMove(Value):
    """The only move that a seat has."""

    word: str
    after: int
    """Milliseconds until the page plays it, unless its reader wants to do that."""


def forced_move(table: Table, table_view: TableView) -> ForcedMove | None:
    """The move that the viewer's page plays by itself; None if there is something to decide.

    That a seat has no other move may be a secret, as when it depends on a hand: only for the
    actions that a room names is it plain to all. Choices that several make together are secret.
    """
    legal, forced = table_view.legal, web_game(table_view.game).forced
    if len(legal) != 1 or not isinstance(legal[0], forced) or table.proposal is not None:
        return None
    alone = table.deciding == (table_view.seat,) and len(table.plays) == table.stage
    if not alone:
        return None
    last = table.plays[-1].step.events if table.plays else ()
    after = LOOK if any(isinstance(event, Ephemeral) for event in last) else PAUSE
    return ForcedMove(table.game.write(legal[0]), after)
