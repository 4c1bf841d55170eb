"""Who brings chance to a table: the house, from its seed, or people who roll and deal themselves.

`house`: the house draws all of nature's moves.
`dice`: what everybody at a table sees alike, and may remember, people roll and enter: dice, and the
lot that says who begins. What somebody must not know, or what is a matter of memory, the house
draws: cards that are dealt, cards that lie face down.
`all`: whoever set up the table enters all of it. So a game that is played with the printed pieces
is kept here, and who keeps it knows what it holds.

What can happen in one way only is not chance, and the house does not ask for it. Nor does it where
no person is left at the table: what bots need then comes from the seed.
"""

from typing import Any, Literal

from mauerwerk.core.game import NATURE, AnyGame, Ephemeral, Seat
from mauerwerk.play.tables.table import Table

Chance = Literal["house", "dice", "all"]


def is_by_hand(table: Table) -> bool:
    """Whether nature is asked, and people have to enter what it does."""
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

    With dice every person who is there; else whoever set up the table, unless they are away.
    """
    seated = [Seat(seat) for seat, occupant in enumerate(table.occupants) if occupant.person]
    if table.charter.chance == "all":
        opener = table.charter.opener
        own = [seat for seat in seated if table.occupants[seat].guest == opener]
        seated = own or seated
    return tuple(seated)
