"""Games counted as they are played by the rules: which module counts which game."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, NamedTuple, Protocol

from mauerwerk.core.game import AnyGame, Outcome, Seat, Setup, Step
from mauerwerk.core.record import Move
from mauerwerk.games import burgbaumeister, mauer, mauerbauer
from mauerwerk.lab.study.burgbaumeister import measures as measures_burgbaumeister
from mauerwerk.lab.study.columns import Pair, Row, common_row
from mauerwerk.lab.study.mauer import measures as measures_mauer
from mauerwerk.lab.study.mauerbauer import measures as measures_mauerbauer


class Count(Protocol):
    """Reads a game as it is played."""

    def see(self, before: Any, step: Step[Any, Any], /) -> None:  # noqa: ANN401 - the game's own
        """One move more."""
        ...

    def row(self, over: Any, outcome: Outcome, /) -> Row:  # noqa: ANN401 - the game's own
        """What was counted, once the game is over."""
        ...


class Measures(NamedTuple):
    """What is counted in a game."""

    reader: Callable[[Setup[Any]], Count]
    """Somebody to read a game."""
    columns: Callable[[Setup[Any]], tuple[str, ...]]
    """All columns, in their order."""
    pairs: Callable[[Setup[Any]], tuple[Pair, ...]]
    """Columns that are divided by others."""
    reasons: tuple[str, ...]
    """Why a game can end."""
    clauses: tuple[str, ...]
    """The clauses that are counted."""
    meanings: Mapping[str, str]
    """What the stems of its own columns mean."""


def _measures(module: Any) -> Measures:  # noqa: ANN401 - a module
    return Measures(
        module.Count,
        module.columns,
        module.pairs,
        module.REASONS,
        module.CLAUSES,
        module.MEANINGS,
    )


MEASURES: Final[Mapping[str, Measures]] = {
    mauer.NAME: _measures(measures_mauer),
    burgbaumeister.NAME: _measures(measures_burgbaumeister),
    mauerbauer.NAME: _measures(measures_mauerbauer),
}


def row_of(game: AnyGame, setup: Setup[Any], moves: Iterable[tuple[Move, Step[Any, Any]]]) -> Row:
    """One game, counted; the moves come from `lab.match.match.play` or from `record.replay`."""
    count = MEASURES[game.NAME].reader(setup)
    state: Any = game.start(setup)
    movers: list[Seat] = []
    for move, step in moves:
        movers.append(move.seat)
        count.see(state, step)
        state = step.state
    outcome = game.outcome(state)
    assert outcome is not None, "only a game that is over can be counted"
    row = {**common_row(outcome, movers, game.turn(state)), **count.row(state, outcome)}
    return {column: value for column, value in row.items() if value}
