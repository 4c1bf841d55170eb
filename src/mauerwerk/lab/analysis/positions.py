"""The positions of a record: what every seat knew, who analyses them, and with how much effort."""

from collections.abc import Callable, Iterator, Sequence
from time import perf_counter
from typing import Any, Final, NamedTuple

from mauerwerk.bots.bot import Player
from mauerwerk.core.game import NATURE, AnyGame, Observer, Outcome, Seat, Sight, Value
from mauerwerk.core.record import Move, Record
from mauerwerk.lab.analysis.results import Judged


class Task(Value):
    """What is to be found about the position after this many moves."""

    at: int
    anchor: int
    """The position whose chances are those of this one; itself, if they must be computed."""
    weigh: bool
    """Whether a seat had something to choose here."""


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
    together: tuple[Sight[Any, Any, Any], ...] = ()
    """What each seat knows that chooses now, together with the others, and has a choice."""


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
        together = tuple(
            known
            for seat in asked
            if seat != NATURE and len((known := observers[seat].sight(state)).legal) > 1
        )
        task = Task(at, anchor, weigh)
        yield Situation(task, state, events, move, sight, outcome, together)
        if move is None:
            return
        step = game.apply(state, move.seat, game.parse(move.word))
        for observer in observers:
            observer.follow(step)
        events += step.events
        state = step.state
        left = tuple(seat for seat in asked if seat != move.seat)
        goes_on = bool(left) and game.to_act(state) == left
        if choices > 1 and not goes_on:
            anchor = at + 1


def tasks(game: AnyGame, record: Record) -> tuple[Task, ...]:
    """The task for each position."""
    return tuple(situation.task for situation in situations(game, record))


class BotChoice(Value):
    """A decision of the game, and what a bot would have chosen, as words."""

    at: int
    """After how many moves."""
    seat: Seat
    played: str
    chosen: str

    @property
    def agrees(self) -> bool:
        """Whether it is the same."""
        return self.played == self.chosen


def bot_choices(game: AnyGame, record: Record, players: list[Player]) -> Iterator[BotChoice]:
    """What the player at each seat would have chosen, wherever the seat had a choice."""
    for task, _, _, move, sight, *_ in situations(game, record):
        if move is not None and sight is not None:
            bot, seconds = players[sight.seat]
            chosen = game.write(bot.act(sight, seconds))
            yield BotChoice(task.at, sight.seat, move.word, chosen)


# --- Choices ---------------------------------------------------------------------------------

LEAST: Final = 0.01
"""A choice that costs less of the chance to win is no mistake."""
MOST_NAMED: Final = 8
"""The largest number of choices that are listed for a decision."""


class Effort(Value):
    """How much computing goes into something: a time, or a number of simulations."""

    seconds: float = 0.0
    simulations: int | None = None

    def part(self, share: float) -> "Effort":
        """This share of it."""
        if self.simulations is None:
            return Effort(self.seconds * share)
        return Effort(simulations=int(self.simulations * share))


class Efforts(Value):
    """The effort for a position: for its chances, and for its choices."""

    chances: Effort
    choices: Effort


class Weighed(NamedTuple):
    """The choices of a decision, the best first, the cost of the chosen one, and the stake."""

    choices: tuple[Judged, ...]
    cost: float
    stake: float


def weigh(
    judged: Sequence[Judged],
    chosen: str,
    doubt: Callable[[Judged, Judged], float],
    worst: float = 1.0,
) -> Weighed:
    """Sort the choices, the best first, and compute the cost of the chosen one, and the stake.

    The cost is the difference to the best, if it is larger than `doubt`: how far apart the two may
    be by chance alone. The stake is the difference of the best and the worst, which need not be
    among those that are listed.
    """
    choices = sorted(judged, key=lambda each: (-each.value, each.word != chosen))
    best = choices[0]
    own = next(each for each in choices if each.word == chosen)
    cost = best.value - own.value
    if cost < LEAST or cost < doubt(best, own):
        cost = 0.0
    named = choices[:MOST_NAMED]
    stake = best.value - min(worst, choices[-1].value)
    return Weighed(tuple(named if own in named else [*named[:-1], own]), cost, stake)


# --- How the time is divided among the positions ---------------------------------------------

CURVE: Final = 0.3
"""The share of the time for the chances; the choices get the rest."""
LONGEST_CURVE: Final = 0.25
LONGEST_CHOICE: Final = 2.0
"""Seconds beyond which an estimate hardly improves."""
SHORTEST: Final = 0.01
"""Seconds that each gets even if no time is left."""


class PositionJob(Value):
    """A position to analyse, and the effort to spend on it."""

    at: int
    efforts: Efforts


def in_time(
    plan: Sequence[Task], seconds: float, jobs: int, clock: Callable[[], float] = perf_counter
) -> Iterator[PositionJob]:
    """The positions, each with its part of the time that is left when its turn comes."""
    until = clock() + seconds
    anchors = sum(task.anchor == task.at for task in plan)
    choices = sum(task.weigh for task in plan)
    curve = CURVE / max(anchors, 1)
    choice = (1 - CURVE) / max(choices, 1)
    for task in plan:
        left = curve * anchors + choice * choices
        rate = max(until - clock(), 0.0) * jobs / left if left else 0.0
        efforts = Efforts(
            chances=Effort(max(min(curve * rate, LONGEST_CURVE), SHORTEST)),
            choices=Effort(max(min(choice * rate, LONGEST_CHOICE), SHORTEST)),
        )
        yield PositionJob(task.at, efforts)
        anchors -= task.anchor == task.at
        choices -= task.weigh


def of_simulations(plan: Sequence[Task], simulations: int) -> Iterator[PositionJob]:
    """The positions, with this many simulations for the chances and for all choices together."""
    effort = Effort(simulations=simulations)
    return (PositionJob(task.at, Efforts(effort, effort)) for task in plan)
