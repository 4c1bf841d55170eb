"""Games counted as they are played by the rules."""

from collections.abc import Iterable, Sequence
from typing import Any

from mauerwerk.bots.bot import Player
from mauerwerk.bots.outside.faults import faults_of
from mauerwerk.core.forfeits import after_forfeits
from mauerwerk.core.game import NATURE, AnyGame, Seat, Setup, Step
from mauerwerk.core.record import Move
from mauerwerk.lab.study.columns import Row, common_columns, common_row
from mauerwerk.lab.study.rooms import measures_of


def columns_of(game: AnyGame, setup: Setup[Any]) -> tuple[str, ...]:
    """All columns of such a game, in their order."""
    own = measures_of(game).columns(setup)
    return (*common_columns(setup.seats, game.ENDINGS), *own)


def row_of(
    game: AnyGame,
    setup: Setup[Any],
    moves: Iterable[tuple[Move, Step[Any, Any]]],
    players: Sequence[Player] = (),
) -> Row:
    """One game, counted; the moves come from `lab.match.match.play` or from `record.replay`.

    Of its players, bots of other people that have failed come last.
    """
    measures = measures_of(game)
    count = measures.Count(setup)
    state: Any = game.start(setup)
    movers: list[Seat] = []
    beginner: Seat | None = None
    for move, step in moves:
        movers.append(move.seat)
        if beginner is None and move.seat != NATURE:
            beginner = measures.began(state, move.seat)
        count.see(state, step)
        state = step.state
    outcome = game.outcome(state)
    assert outcome is not None, "only a game that is over can be counted"
    if forfeits := faults_of([player.bot for player in players]):
        outcome = after_forfeits(outcome, list(forfeits))
    row = {
        **common_row(outcome, movers, game.turn(state), beginner or Seat(0)),
        **count.row(state, outcome),
    }
    return {column: value for column, value in row.items() if value}
