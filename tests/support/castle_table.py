"""Tables of Burgbaumeister that begin in the middle of a game, from a position in notation."""

from collections.abc import Callable
from typing import Final, TypeAlias

from tests.support.game_table import Table

from mauerwerk.core.game import Seat
from mauerwerk.core.options import from_words
from mauerwerk.games import burgbaumeister
from mauerwerk.games.burgbaumeister import events as be
from mauerwerk.games.burgbaumeister import values as bv

ADA: Final = Seat(0)


BO: Final = Seat(1)


NOBODY: Final = None


class CastleTable(Table[bv.State, bv.Action, be.Event, be.View]):
    """A table of Burgbaumeister that speaks of its walls in notation."""

    @property
    def on_table(self) -> bv.Table:
        """What every phase but the first two has."""
        assert not isinstance(self.state, bv.Drawing | bv.Spreading)
        return self.state.table

    @property
    def walls(self) -> str:
        """All walls, seat by seat: `3 11 | 5 | .`; a dot is a start tower alone."""
        return " | ".join(" ".join(map(str, wall)) or "." for wall in self.on_table.walls)

    @property
    def player(self) -> Seat:
        """Whose turn it is."""
        return self.on_table.player

    @property
    def ending(self) -> str:
        """Why the game is over; empty while it goes on."""
        return self.outcome.reason if self.outcome else ""


StartCastle: TypeAlias = Callable[..., CastleTable]
"""Begins in the middle: `castle("3 11 | 5 17 | .", spell=1, known="a1=4 b1=30")`."""


def start_castle(  # noqa: PLR0913 - a position has so many parts
    walls: str = ". | .",
    *,
    remaining: str = "",
    known: str = "",
    left: str = "",
    player: int = 0,
    spell: int | None = NOBODY,
    idle: int = 0,
    **options: str,
) -> CastleTable:
    """Lay walls and depot; the position need not be one that play can lead to.

    The cards of the walls came from the last places of the depot. Where the remaining numbers are
    given, all others are destroyed, and the depot has as many places as they are, a1 first.
    """
    built = tuple(_numbers(wall) for wall in walls.split("|"))
    in_walls = [number for wall in built for number in wall]
    destroyed = tuple(
        number
        for number in bv.CARDS
        if remaining and number not in (*in_walls, *_numbers(remaining))
    )
    gone = [*in_walls, *destroyed]
    numbers: list[int | None] = [None] * (len(bv.PLACES) - len(gone)) + gone
    for entry in known.split():
        word, _, number = entry.partition("=")
        numbers[_place(word)] = int(number)
    state = bv.Turning(
        bv.Table(
            options=from_words(bv.Options, options),
            layout=None,
            player=Seat(player),
            depot=tuple(bv.PLACES[: len(bv.PLACES) - len(gone)]),
            numbers=tuple(numbers),
            walls=built,
            destroyed=destroyed,
            spell=None if spell is None else Seat(spell),
            left=tuple(sorted(_place(word) for word in left.split())),
            idle=idle,
            turns=0,
        )
    )
    return CastleTable(burgbaumeister, len(built), state)


def _numbers(words: str) -> bv.Wall:
    return tuple(int(word) for word in words.split() if word != ".")


def _place(word: str) -> int:
    turn = burgbaumeister.parse(word)
    assert isinstance(turn, bv.Turn)
    return turn.place
