"""Many games in step, for learners: every seat that is asked answers, and all go on together.

Nature moves in between, by the same tickets as in `loop`: who plays a batch by `uniform` plays the
same games. Where a game is over, the one with the next number that no other place has begins, at
once or, where games linger, with the next step.
"""

from typing import NamedTuple

from mauerwerk.kernels.chance import below
from mauerwerk.kernels.contract import (
    NATURE,
    NATURE_TO_ACT,
    Array,
    Int,
    Record,
    allowed,
    apply,
    compiled,
    count,
    legal,
    observe,
    pick,
    rank,
    start,
    to_act,
)
from mauerwerk.kernels.play.loop import write_result


class Games(NamedTuple):
    """Everything of a batch; the first axis counts games, the second seats."""

    setups: Array
    states: Array
    numbers: Array
    decisions: Array
    actions: Array
    to_act: Array
    masks: Array
    observations: Array
    rewards: Array
    done: Array
    results: Array
    linger: bool


@compiled
def begin_at(games: Games, seed: Int, place: Int) -> None:
    """Begin the game of this place's number."""
    games.decisions[place] = 0
    start(games.setups[0], games.states[place])
    let_nature_move(games, seed, place)


@compiled
def reset_at(games: Games, seed: Int, place: Int) -> None:
    """Begin anew: what the last step said of this place is not said of the game that begins."""
    games.done[place] = False
    for seat in range(games.rewards.shape[1]):
        games.rewards[place, seat] = 0
    begin_at(games, seed, place)


@compiled
def let_nature_move(games: Games, seed: Int, place: Int) -> None:
    """Until somebody else is asked, or it is over."""
    setup, state = games.setups[0], games.states[place]
    while to_act(setup, state) & NATURE_TO_ACT:
        number, decision = games.numbers[place], games.decisions[place]
        ticket = below(seed, number, decision, count(setup, state, NATURE))
        apply(setup, state, NATURE, pick(setup, state, NATURE, ticket))
        games.decisions[place] += 1


@compiled
def refused_at(games: Games, place: Int) -> bool:
    """Whether somebody who is asked wants to do what is not allowed."""
    setup, state = games.setups[0], games.states[place]
    seats = to_act(setup, state)
    for seat in range(setup.seats):
        if seats >> seat & 1 and not allowed(setup, state, seat, games.actions[place, seat]):
            return True
    return False


@compiled
def step_at(games: Games, seed: Int, place: Int) -> None:
    """Everybody who is asked moves, then nature; and if it is over, the next game begins.

    Where games linger, that is left to the next step.
    """
    setup, state = games.setups[0], games.states[place]
    seats = to_act(setup, state)
    lingered = seats == 0
    for seat in range(setup.seats):
        games.rewards[place, seat] = 0
        if seats >> seat & 1:
            apply(setup, state, seat, games.actions[place, seat])
            games.decisions[place] += 1
    let_nature_move(games, seed, place)
    games.done[place] = not lingered and to_act(setup, state) == 0
    if games.done[place]:
        write_result(setup, state, games.decisions[place], games.results[place])
        for seat in range(setup.seats):
            games.rewards[place, seat] = reward(setup, state, seat)
    if lingered or (games.done[place] and not games.linger):
        games.numbers[place] += games.numbers.shape[0]
        begin_at(games, seed, place)


@compiled
def reward(setup: Record, state: Record, seat: Int) -> float:
    """How many of the others are beaten, less how many are better, as a share of all others."""
    own = rank(setup, state, seat)
    balance = 0
    for other in range(setup.seats):
        if rank(setup, state, other) > own:
            balance += 1
        elif rank(setup, state, other) < own:
            balance -= 1
    return float(balance / (setup.seats - 1))


@compiled
def look_at(games: Games, place: Int, seat: Int) -> None:
    """Write whether this seat is asked, what it may do, and, where there is room, what it sees."""
    setup, state = games.setups[0], games.states[place]
    games.to_act[place, seat] = to_act(setup, state) >> seat & 1
    legal(setup, state, seat, games.masks[place, seat])
    if games.observations.shape[2]:
        observe(setup, state, seat, games.observations[place, seat])


@compiled
def choose_at(games: Games, seed: Int, place: Int) -> None:
    """Choose for all who are asked, by uniform chance; -1 for the others."""
    setup, state = games.setups[0], games.states[place]
    seats = to_act(setup, state)
    decision = games.decisions[place]
    for seat in range(setup.seats):
        games.actions[place, seat] = -1
        if seats >> seat & 1:
            ticket = below(seed, games.numbers[place], decision, count(setup, state, seat))
            games.actions[place, seat] = pick(setup, state, seat, ticket)
            decision += 1


# --- On the CPU: a stretch of the batch ------------------------------------------------------


@compiled
def reset(games: Games, seed: Int, begin: Int, end: Int) -> None:
    """Begin all games of this stretch, and look."""
    for place in range(begin, end):
        reset_at(games, seed, place)
        for seat in range(games.to_act.shape[1]):
            look_at(games, place, seat)


@compiled
def refused(games: Games, begin: Int, end: Int) -> Int:
    """The first place of this stretch with an action that is not allowed; -1 without one."""
    for place in range(begin, end):
        if refused_at(games, place):
            return place
    return -1


@compiled
def step(games: Games, seed: Int, begin: Int, end: Int) -> None:
    """A step in all games of this stretch, and look."""
    for place in range(begin, end):
        step_at(games, seed, place)
        for seat in range(games.to_act.shape[1]):
            look_at(games, place, seat)


@compiled
def choose(games: Games, seed: Int, begin: Int, end: Int) -> None:
    """Uniform choices in all games of this stretch."""
    for place in range(begin, end):
        choose_at(games, seed, place)
