"""Where nature's moves come from: the seed of the table, or people who roll and deal themselves.

`house`: all of nature's moves are drawn from the seed.
`dice`: people roll and enter what all of them see alike and may remember: dice, and the lot that
decides who begins. What a player must not know, or what the game wants players to remember, is
drawn from the seed: cards that are dealt, cards that lie face down.
`all`: the guest who set up the table enters all of nature's moves, and so knows all of them. A game
that is played with the printed pieces is recorded in this way.

A move of nature with only one outcome is not asked for. Nor is any other once no person is left at
the table: what bots need then is drawn from the seed.
"""

from typing import Any, Literal

from mauerwerk.core.game import NATURE, AnyGame, Ephemeral, Seat
from mauerwerk.server.tables.table import Table

Chance = Literal["house", "dice", "all"]


def is_by_hand(table: Table) -> bool:
    """Whether it is nature's turn, and people have to enter what it does."""
    if table.waiting != (NATURE,) or table.charter.chance == "house":
        return False
    if len(table.game.odds(table.state)) == 1 or not scribes(table):
        return False
    return table.charter.chance == "all" or is_open(table.game, table.setup.seats, table.state)


def is_open(game: AnyGame, seats: int, state: Any) -> bool:  # noqa: ANN401 - the game's own
    """Whether everybody sees all of what nature may do here, and may be told it again.

    The game says so itself: no viewer's `seen` takes anything away, and nothing is `Ephemeral`.
    """
    viewers = (None, *map(Seat, range(seats)))
    events = (
        event for action in game.odds(state) for event in game.apply(state, NATURE, action).events
    )
    return all(
        not isinstance(event, Ephemeral)
        and all(game.seen(event, viewer) == event for viewer in viewers)
        for event in events
    )


def scribes(table: Table) -> tuple[Seat, ...]:
    """The seats that may enter what nature does.

    With dice, every person at the table; else the guest who set it up, unless they are away.
    """
    seated = [Seat(seat) for seat, occupant in enumerate(table.occupants) if occupant.person]
    if table.charter.chance == "all":
        opener = table.charter.opener
        own = [seat for seat in seated if table.occupants[seat].guest == opener]
        seated = own or seated
    return tuple(seated)
