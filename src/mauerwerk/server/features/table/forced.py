"""Moves that play themselves: those that decide nothing, where everybody knows that."""

from typing import Final

from mauerwerk.core.game import Ephemeral, Value
from mauerwerk.server.games import web_game
from mauerwerk.server.tables.table import Table, is_choice
from mauerwerk.server.tables.table_views import TableView

PAUSE: Final = 600
"""Milliseconds until a forced move plays itself, so that people see what happens."""

LOOK: Final = 4_000
"""The same where something lies open that is shown only once."""


class ForcedMove(Value):
    """A move of a seat that has nothing to decide."""

    word: str
    after: int
    """Milliseconds until the page plays it, unless its reader wants to do that."""


def forced_move(table: Table, table_view: TableView) -> ForcedMove | None:
    """The move that the viewer's page plays by itself; None if there is something to decide.

    That a seat has no other move may be a secret, as when it depends on a hand: only for the
    actions that a room names is it plain to all. Choices that several make together are secret.
    """
    legal, forced = table_view.legal, web_game(table_view.game, table_view.rules).forced
    known = legal and all(isinstance(action, forced) for action in legal)
    if not known or table.proposal is not None:
        return None
    alone = table.deciding == (table_view.seat,) and len(table.plays) == table.stage
    if not alone or is_choice(table.game, table.state, table.deciding[0]):
        return None
    last = table.plays[-1].step.events if table.plays else ()
    after = LOOK if any(isinstance(event, Ephemeral) for event in last) else PAUSE
    return ForcedMove(table.game.write(legal[0]), after)
