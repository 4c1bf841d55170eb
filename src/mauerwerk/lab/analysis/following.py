"""The positions of a record: what every seat knew, and which of them need an analysis."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from mauerwerk.core.game import NATURE, AnyGame, Outcome, Seat, Value
from mauerwerk.core.record import Move, Record
from mauerwerk.core.sight import Observer, Sight


class Task(Value):
    """What is to be found about the position after this many moves."""

    at: int
    anchor: int
    """The position whose chances are those of this one; itself, if they must be computed."""
    weigh: bool
    """Whether a seat had something to choose here."""

    @property
    def idle(self) -> bool:
        """Whether nothing has to be computed."""
        return self.anchor != self.at and not self.weigh


class Situation(NamedTuple):
    """The game after this many moves, as an analyst is given it."""

    task: Task
    state: Any
    events: tuple[Any, ...]
    """All events so far, unfiltered."""
    move: Move | None
    """The next move; None at the end of the record."""
    sight: Sight[Any, Any, Any] | None
    """What the seat that moves next knows; None where it has no choice."""
    outcome: Outcome | None


def situations(game: AnyGame, record: Record) -> Iterator[Situation]:
    """Every position of the record, in order.

    The chances of a position are those of an earlier one while seats choose together, as nothing is
    decided before all have chosen, and after a move that was the only one possible.
    """
    state: Any = game.start(record.setup)
    observers = [Observer(game, Seat(seat)) for seat in range(record.setup.seats)]
    events: tuple[Any, ...] = ()
    anchor = 0
    for at in range(len(record.moves) + 1):
        move = record.moves[at] if at < len(record.moves) else None
        asked = game.to_act(state)
        choices = 0
        if move is not None:
            odds = move.seat == NATURE
            choices = len(game.odds(state)) if odds else len(game.legal(state, move.seat))
        weigh = move is not None and move.seat != NATURE and choices > 1
        sight = observers[move.seat].sight(state) if move is not None and weigh else None
        outcome = game.outcome(state)
        yield Situation(Task(at, anchor, weigh), state, events, move, sight, outcome)
        if move is None:
            return
        step = game.apply(state, move.seat, game.parse(move.word))
        for observer in observers:
            observer.follow(step)
        events += step.events
        state = step.state
        left = tuple(seat for seat in asked if seat != move.seat)
        together = bool(left) and game.to_act(state) == left
        if choices > 1 and not together:
            anchor = at + 1


def tasks(game: AnyGame, record: Record) -> tuple[Task, ...]:
    """The task for each position."""
    return tuple(situation.task for situation in situations(game, record))
