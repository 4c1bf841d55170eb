"""What learners get for a step: by the ranks in the end, by points on the way, or by a function.

`ranks` rewards the end alone: the share of the others that a seat beat, less the share that beat
it. `points` rewards the points that a seat has won since the step before; where few points win,
those that it got count against it. `lead` is the same less the mean of what the others won, so that
the rewards of a game add up to zero. A function of one's own gets `Scores` and returns rewards.

A seat's rewards by points add up to its final points, and by lead to its final lead.
"""

from collections.abc import Callable
from typing import Any, Final, Literal, NamedTuple, TypeAlias

import numpy as np

from mauerwerk.core.errors import SetupError
from mauerwerk.core.game import shown
from mauerwerk.kernels.contract import Array, Int, compiled, points, to_act
from mauerwerk.kernels.play.stepping import Games


class Scores(NamedTuple):
    """What a step has brought, with a row for each game and a column for each seat."""

    before: Array
    """The points before the step."""
    points: Array
    """The points after it; of a game that has just ended, its last ones."""
    done: Array
    """Which games have just ended; one axis only."""
    ranks: Array
    """The rewards by rank: 0 for all seats of a game that goes on."""


Kind: TypeAlias = Literal["ranks", "points", "lead"]
Rewards: TypeAlias = Kind | Callable[[Scores], Any]

KINDS: Final[tuple[Kind, ...]] = ("ranks", "points", "lead")
RANKS, POINTS, LEAD = range(3)


class Scoring(NamedTuple):
    """What a batch keeps in order to reward points."""

    before: Array
    points: Array
    lingering: Array
    """Which games were over before the step, which then began the next one."""
    kind: int
    """One of the kinds; for a function of one's own, ranks."""
    aim: int
    """Whether many points win, 1, or few, -1."""


# --- What is compiled ------------------------------------------------------------------------


@compiled
def record_points_at(games: Games, scoring: Scoring, place: Int) -> None:
    """Write down the points before a step."""
    setup, state = games.setups[0], games.states[place]
    scoring.lingering[place] = to_act(setup, state) == 0
    for seat in range(setup.seats):
        scoring.before[place, seat] = points(setup, state, seat)


@compiled
def write_rewards_at(games: Games, scoring: Scoring, place: Int) -> None:
    """Write the points after a step, and what all seats get for it."""
    setup, state = games.setups[0], games.states[place]
    total = 0
    for seat in range(setup.seats):
        now = points(setup, state, seat)
        if games.done[place]:
            now = games.results[place].points[seat]
        elif scoring.lingering[place]:
            scoring.before[place, seat] = now
        scoring.points[place, seat] = now
        total += now - scoring.before[place, seat]
    if scoring.kind != RANKS:
        for seat in range(setup.seats):
            won = scoring.points[place, seat] - scoring.before[place, seat]
            reward = float(won)
            if scoring.kind == LEAD:
                reward = (setup.seats * won - total) / (setup.seats - 1)
            games.rewards[place, seat] = scoring.aim * reward


@compiled
def record_points(games: Games, scoring: Scoring, begin: Int, end: Int) -> None:
    """Write down the points of all games of this range."""
    for place in range(begin, end):
        record_points_at(games, scoring, place)


@compiled
def write_rewards(games: Games, scoring: Scoring, begin: Int, end: Int) -> None:
    """Write what all seats of this range get."""
    for place in range(begin, end):
        write_rewards_at(games, scoring, place)


# --- In Python -------------------------------------------------------------------------------


def kind_of(rewards: Rewards) -> int:
    """The kind of rewards that a batch computes. Raises SetupError if there is no such kind."""
    if callable(rewards):
        return RANKS
    if rewards not in KINDS:
        kinds = ", ".join(KINDS)
        raise SetupError(f"rewards can be {kinds} or a function, not {shown(str(rewards))}")
    return KINDS.index(rewards)


def own_rewards(rewards: Callable[[Scores], Any], scores: Scores) -> Any:  # noqa: ANN401 - an array
    """What a function of one's own gives. Raises ValueError if that is not a number per seat."""
    found = rewards(scores)
    shape, wanted = np.shape(found), scores.points.shape
    if shape != wanted:
        given = f"one of shape {shape}" if shape else repr(found)
        raise ValueError(
            f"a function for rewards returns an array of shape {wanted}, with a row for each game "
            f"and a column for each seat, not {given}"
        )
    return found


def rewarded(rewards: Rewards, scores: Scores, aim: int) -> Any:  # noqa: ANN401 - an array
    """What the seats get, in NumPy, where no batch plays."""
    if callable(rewards):
        return own_rewards(rewards, scores)
    won = aim * (np.asarray(scores.points, np.float32) - scores.before)
    match rewards:
        case "ranks":
            return scores.ranks
        case "points":
            return won
        case "lead":
            seats = won.shape[1]
            return (seats * won - won.sum(axis=1, keepdims=True)) / (seats - 1)
