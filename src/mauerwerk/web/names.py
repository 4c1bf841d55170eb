"""What the seats of a table are called in sentences."""

from collections.abc import Sequence
from typing import Final, Protocol

from mauerwerk.core.game import Seat, name_of

BOTS: Final = ("Olmo", "Bruno", "Clara", "Emil", "Greta", "Jonas")
"""Names for bots, one per seat, so that they can be told apart; their level stands beside it."""


class Named(Protocol):
    """Whatever says who plays a seat: a name, and the level of a bot."""

    @property
    def name(self) -> str:
        """The name of the person; empty where there is none."""
        ...

    @property
    def level(self) -> str:
        """The level of the bot that plays; empty where a person does."""
        ...


def names_of(players: Sequence[Named]) -> tuple[str, ...]:
    """The names for programs: people by their names, bots by theirs, a free seat by its number."""
    return apart(
        [
            player.name or (BOTS[seat % len(BOTS)] if player.level else name_of(Seat(seat)))
            for seat, player in enumerate(players)
        ]
    )


def apart(called: Sequence[str]) -> tuple[str, ...]:
    """The same names, with a number where one is not the first of its kind.

    >>> apart(["Ada", "Bruno", "Bruno"])
    ('Ada', 'Bruno', 'Bruno 2')
    """
    if len(set(called)) == len(called):
        return tuple(called)
    return tuple(
        f"{name} {called[: seat + 1].count(name)}" if name in called[:seat] else name
        for seat, name in enumerate(called)
    )
