"""What others may do before a seat is asked again, as far as nobody learns anything from it.

Listing such moves tells nothing. A move of which nobody learns anything is possible in every world
that fits what is known (`core.laws`), so that its being there says nothing about the world; and one
that is missing here would have shown something, whether it is possible or not.
"""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, Final

from mauerwerk.core.game import NATURE, AnyGame, Ephemeral, Seat, Step, Value
from mauerwerk.core.record import Move
from mauerwerk.server.tables.charter import SLOW
from mauerwerk.server.tables.table import Status, Table

DEPTH: Final = 4
"""The most moves of others in a line."""
MOST: Final = 40
"""The most lines that are offered."""
WORK: Final = 120
"""The most moves that show nothing and are followed to find them.

Others do not count: how many there are may be a secret."""


class Line(Value, tag=False):
    """What others do, and what the seat may do then."""

    moves: tuple[Move, ...]
    replies: tuple[str, ...]
    """Words, in canonical order."""

    @property
    def words(self) -> str:
        """The moves as in a record: `1:< 2:>`."""
        return " ".join(map(str, self.moves))


def may_prepare(table: Table) -> bool:
    """Whether moves can be prepared at a table: people play there over days."""
    return table.charter.seconds_per_move >= SLOW and table.charter.dice == "server"


def lines_for(table: Table, seat: Seat) -> tuple[Line, ...]:
    """All lines that a seat may prepare for now; none while it is asked itself."""
    if table.status is not Status.RUNNING or seat in table.waiting or not may_prepare(table):
        return ()
    tried = iter(range(WORK))
    found = _lines(table.game, table.setup.seats, table.state, seat, (), tried)
    return tuple(islice(found, MOST))


def _lines(  # noqa: PLR0913, PLR0917 - where it is, and how it came there
    game: AnyGame,
    seats: int,
    state: Any,  # noqa: ANN401 - the game's own
    seat: Seat,
    moves: tuple[Move, ...],
    tried: Iterator[int],
) -> Iterator[Line]:
    acting = game.to_act(state)
    if acting == (seat,):
        if moves:
            replies = tuple(game.write(action) for action in game.legal(state, seat))
            yield Line(moves, replies)
        return
    if len(acting) != 1 or NATURE in acting or len(moves) >= DEPTH:
        return
    for action in game.legal(state, acting[0]):
        step = game.apply(state, acting[0], action)
        if shows_nothing(game, seats, step):
            if next(tried, None) is None:
                return
            further = (*moves, Move(acting[0], game.write(action)))
            yield from _lines(game, seats, step.state, seat, further, tried)


def shows_nothing(game: AnyGame, seats: int, step: Step[Any, Any]) -> bool:
    """Whether everybody sees all of a move, and nobody learns from it what was hidden."""
    viewers = (None, *map(Seat, range(seats)))
    return all(
        not game.reveals(event)
        and not isinstance(event, Ephemeral)
        and all(game.seen(event, viewer) == event for viewer in viewers)
        for event in step.events
    )


def fits(table: Table, base: int, words: Sequence[str]) -> bool | None:
    """Whether just this has happened since a position; None: it may still."""
    if len(table.plays) < base:
        return False
    since = [str(Move(play.seat, play.word)) for play in table.plays[base:]]
    if since == [*words]:
        return True
    return None if since == [*words[: len(since)]] else False
