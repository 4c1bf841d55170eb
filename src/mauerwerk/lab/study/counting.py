"""Counting games: as they are played by the rules, or in compiled code by uniform players."""

from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

from mauerwerk.bots import bot, can_search, external
from mauerwerk.core import errors, record
from mauerwerk.core.game import NATURE, AnyGame, Seat, Setup, Step, after_forfeits
from mauerwerk.kernels import pack_setup
from mauerwerk.lab.study.rooms import measures_of
from mauerwerk.lab.study.tally import Row, Tally, common_columns, common_row, tally_of_table


def columns_of(game: AnyGame, setup: Setup[Any]) -> tuple[str, ...]:
    """All columns of such a game, in their order."""
    own = measures_of(game).columns(setup)
    return (*common_columns(setup.seats, game.ENDINGS), *own)


def row_of(
    game: AnyGame,
    setup: Setup[Any],
    moves: Iterable[tuple[record.Move, Step[Any, Any]]],
    players: Sequence[bot.Player] = (),
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
    if forfeits := external.faults_of([player.bot for player in players]):
        outcome = after_forfeits(outcome, list(forfeits))
    row = {
        **common_row(outcome, movers, game.turn(state), beginner or Seat(0)),
        **count.row(state, outcome),
    }
    return {column: value for column, value in row.items() if value}


def can_count(game: AnyGame, setup: Setup[Any]) -> bool:
    """Whether compiled code can count such games: it needs the extra `kernels` and a kernel."""
    if not can_search(game):
        return False
    try:
        pack_setup(game, setup)
    except errors.SetupError:
        return False
    return True


Table: TypeAlias = tuple[tuple[str, ...], Any]
"""Columns, and an array of integers with a row per game."""


def table_of(game: AnyGame, setup: Setup[Any], seed: int, numbers: range) -> Table:
    """The games with these numbers, by uniform chance; each is the same in any batch."""
    from mauerwerk.kernels.counting import counts  # noqa: PLC0415 - needs numba

    counted = counts(game, setup, seed, numbers)
    if counted.columns != columns_of(game, setup):
        raise AssertionError("rules and kernel count different things")
    return counted.columns, counted.table


def tally_table(game: AnyGame, setup: Setup[Any], table: Table) -> Tally:
    """The tally of such games."""
    return tally_of_table(*table, measures_of(game).pairs(setup))
