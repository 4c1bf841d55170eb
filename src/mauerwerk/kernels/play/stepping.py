"""Many games in step, for learners: in each step every seat that is to act acts.

Nature moves in between, with the same draws as in `loop`: a batch with uniform choices plays the
same games. When a game is over, the one with the next number that no other place has begins, at
once or, if games linger, with the next step.
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
    """The arrays of a batch; the first axis counts games, the second seats."""

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
    """Begin again, and clear what the last step reported for this place."""
    games.done[place] = False
    for seat in range(games.rewards.shape[1]):
        games.rewards[place, seat] = 0
    begin_at(games, seed, place)


@compiled
def let_nature_move(games: Games, seed: Int, place: Int) -> None:
    """Let nature move until a player is to act, or the game is over."""
    setup, state = games.setups[0], games.states[place]
    while to_act(setup, state) & NATURE_TO_ACT:
        number, decision = games.numbers[place], games.decisions[place]
        ticket = below(seed, number, decision, count(setup, state, NATURE))
        apply(setup, state, NATURE, pick(setup, state, NATURE, ticket))
        games.decisions[place] += 1


@compiled
def refused_at(games: Games, place: Int) -> bool:
    """Whether an action of a seat that is to act is illegal."""
    setup, state = games.setups[0], games.states[place]
    seats = to_act(setup, state)
    for seat in range(setup.seats):
        if seats >> seat & 1 and not allowed(setup, state, seat, games.actions[place, seat]):
            return True
    return False


@compiled
def step_at(games: Games, seed: Int, place: Int) -> None:
    """All seats that are to act move, then nature; if the game is over, the next one begins.

    If games linger, the next one begins with the next step.
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
    """The number of others beaten, less the number of those ahead, as a share of all others."""
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
    """Write whether this seat is to act, its legal actions, and, if there is room, what it sees."""
    setup, state = games.setups[0], games.states[place]
    games.to_act[place, seat] = to_act(setup, state) >> seat & 1
    legal(setup, state, seat, games.masks[place, seat])
    if games.observations.shape[2]:
        observe(setup, state, seat, games.observations[place, seat])


@compiled
def choose_at(games: Games, seed: Int, place: Int) -> None:
    """Choose for all seats that are to act, by uniform chance; -1 for the others."""
    setup, state = games.setups[0], games.states[place]
    seats = to_act(setup, state)
    decision = games.decisions[place]
    for seat in range(setup.seats):
        games.actions[place, seat] = -1
        if seats >> seat & 1:
            ticket = below(seed, games.numbers[place], decision, count(setup, state, seat))
            games.actions[place, seat] = pick(setup, state, seat, ticket)
            decision += 1


# --- On the CPU: a range of the batch ------------------------------------------------------


@compiled
def reset(games: Games, seed: Int, begin: Int, end: Int) -> None:
    """Begin all games of this range, and write what their seats see."""
    for place in range(begin, end):
        reset_at(games, seed, place)
        for seat in range(games.to_act.shape[1]):
            look_at(games, place, seat)


@compiled
def refused(games: Games, begin: Int, end: Int) -> Int:
    """The first place of this range with an illegal action; -1 without one."""
    for place in range(begin, end):
        if refused_at(games, place):
            return place
    return -1


@compiled
def step(games: Games, seed: Int, begin: Int, end: Int) -> None:
    """Take a step in all games of this range, and write what their seats see."""
    for place in range(begin, end):
        step_at(games, seed, place)
        for seat in range(games.to_act.shape[1]):
            look_at(games, place, seat)


@compiled
def choose(games: Games, seed: Int, begin: Int, end: Int) -> None:
    """Choose by uniform chance in all games of this range."""
    for place in range(begin, end):
        choose_at(games, seed, place)
