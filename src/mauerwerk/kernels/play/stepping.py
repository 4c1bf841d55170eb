"""Games by chance and games in step, compiled for every game.

The functions here are written once. For each game the compiler puts that game's functions where the
slots are. Python calls them with arrays; a setup is an array of one record.

Whole games are played from the start, or from where they are. Many games in step are for learners:
in each step every seat that is to act acts, and nature moves in between, with the same draws, so
that a batch with uniform choices plays the same games. When a game is over, the one with the next
number that no other place has begins, at once or, if games linger, with the next step.

What a seat does and sees is in one row of `actions`, `masks` and `observations`. Either each seat
of each game has a row, or only those that are to act have one, packed densely.
"""

from typing import Final, NamedTuple

import numpy as np

from mauerwerk.kernels import contract
from mauerwerk.kernels.chance import draw_action
from mauerwerk.kernels.contract import NATURE, NATURE_TO_ACT, Array, Int, Record, compile_all
from mauerwerk.kernels.observation import Codes, encode, encode_mask, narrow

compile_all(__name__)

RESULT: Final = np.dtype(
    [
        ("points", "i2", (contract.MOST_SEATS,)),
        ("decisions", "u4"),
        ("turns", "u4"),
        ("ranks", "u1", (contract.MOST_SEATS,)),
        ("reason", "u1"),
    ],
    align=True,
)
"""How a game ended; `reason` is a place in the kernel's `REASONS`."""

SEAT, ACTION, TURN = range(3)
"""What a row of moves holds: who moved, the action by number, and how many turns were complete."""


def first_of(seats: Int) -> Int:
    """The first seat that is to act; several act in the order of their seats."""
    if seats & NATURE_TO_ACT:
        return NATURE
    seat = 0
    while not seats >> seat & 1:
        seat += 1
    return seat


# --- Whole games -----------------------------------------------------------------------------


def play(setups: Array, states: Array, results: Array, seed: Int, first: Int) -> None:
    """Play as many games as there is room for results, numbered from the first, in one state."""
    play_games(setups[0], states[0], results, seed, first, 0, 1)


def play_games(
    setup: Record, state: Record, results: Array, seed: Int, first: Int, place: Int, stride: Int
) -> None:
    """Play by uniform chance the games whose results go to this place and every stride after it.

    One flat loop, and not a loop of games around a loop of moves: on a GPU, neighbours in lockstep
    would all wait for the longest game.
    """
    decision = 0
    if place < results.shape[0]:
        contract.start(setup, state)
    while place < results.shape[0]:
        seats = contract.to_act(setup, state)
        if seats:
            seat = first_of(seats)
            action = draw_action(setup, state, seat, seed, first + place, decision)
            contract.apply(setup, state, seat, action)
            decision += 1
        else:
            write_result(setup, state, decision, results[place])
            place += stride
            decision = 0
            contract.start(setup, state)


def write_result(setup: Record, state: Record, decisions: Int, result: Record) -> None:
    """Write down how a game ended."""
    for seat in range(setup.seats):
        result.points[seat] = contract.points(setup, state, seat)
        result.ranks[seat] = contract.rank(setup, state, seat)
    result.reason = contract.reason(setup, state)
    result.decisions = decisions
    result.turns = contract.turn(setup, state)


def play_moves(
    setups: Array, states: Array, results: Array, moves: Array, ends: Array, seed: Int, first: Int
) -> Int:
    """Play games as `play` does, with every move; how many games there was room for."""
    setup, state = setups[0], states[0]
    row = 0
    for place in range(results.shape[0]):
        contract.start(setup, state)
        decision = 0
        seats = contract.to_act(setup, state)
        while seats:
            if row == moves.shape[0]:
                return place
            seat = first_of(seats)
            action = draw_action(setup, state, seat, seed, first + place, decision)
            moves[row, SEAT] = seat
            moves[row, ACTION] = action
            moves[row, TURN] = contract.turn(setup, state)
            contract.apply(setup, state, seat, action)
            row += 1
            decision += 1
            seats = contract.to_act(setup, state)
        write_result(setup, state, decision, results[place])
        ends[place] = row
    return results.shape[0]


# --- Games that are under way ----------------------------------------------------------------


def finish(setups: Array, states: Array, results: Array, seed: Int, first: Int) -> None:
    """Play each of these games to its end by uniform chance, in its own state."""
    setup = setups[0]
    for place in range(states.shape[0]):
        state, decision = states[place], 0
        seats = contract.to_act(setup, state)
        while seats:
            seat = first_of(seats)
            action = draw_action(setup, state, seat, seed, first + place, decision)
            contract.apply(setup, state, seat, action)
            decision += 1
            seats = contract.to_act(setup, state)
        write_result(setup, state, decision, results[place])


def determinize(
    setups: Array, states: Array, seat: Int, belief: Array, seed: Int, first: Int
) -> None:
    """In each of these games, overwrite what a seat cannot see with a sample."""
    for place in range(states.shape[0]):
        contract.fill(setups[0], states[place], seat, belief, seed, first + place)


def move_all(setups: Array, states: Array, seat: Int, action: Int) -> Int:
    """Make a move in each of these games; the first place where it is not allowed, or -1."""
    for place in range(states.shape[0]):
        if not contract.allowed(setups[0], states[place], seat, action):
            return place
    for place in range(states.shape[0]):
        contract.apply(setups[0], states[place], seat, action)
    return -1


# --- Games in step ---------------------------------------------------------------------------


class Games(NamedTuple):
    """The arrays of a batch; the first axis counts games, or rows of seats."""

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
    first_rows: Array
    """Of packed rows, the first of each game, and after the last game the number of all."""
    row_games: Array
    row_seats: Array
    linger: bool
    packed: bool

    def without_rows(self) -> "Games":
        """The same for functions that write no rows; the types are the usual ones."""
        return self._replace(
            masks=np.zeros((0, 0), np.bool_), observations=np.zeros((0, 0), np.int16)
        )


def begin_at(games: Games, state: Record, seed: Int, place: Int) -> None:
    """Begin the game of this place's number."""
    games.decisions[place] = 0
    contract.start(games.setups[0], state)
    let_nature_move(games, state, seed, place)


def reset_at(games: Games, state: Record, seed: Int, place: Int) -> None:
    """Begin again, and clear what the last step reported for this place."""
    games.done[place] = False
    for seat in range(games.rewards.shape[1]):
        games.rewards[place, seat] = 0
    begin_at(games, state, seed, place)
    write_to_act(games, state, place)


def let_nature_move(games: Games, state: Record, seed: Int, place: Int) -> None:
    """Let nature move until a player is to act, or the game is over."""
    setup = games.setups[0]
    while contract.to_act(setup, state) & NATURE_TO_ACT:
        number, decision = games.numbers[place], games.decisions[place]
        action = draw_action(setup, state, NATURE, seed, number, decision)
        contract.apply(setup, state, NATURE, action)
        games.decisions[place] += 1


def write_to_act(games: Games, state: Record, place: Int) -> None:
    """Write which seats are to act."""
    seats = contract.to_act(games.setups[0], state)
    for seat in range(games.to_act.shape[1]):
        games.to_act[place, seat] = seats >> seat & 1


def first_row(games: Games, place: Int) -> Int:
    """The row of the first seat of a game, or of the first that is to act."""
    if games.packed:
        return games.first_rows[place]
    return place * games.to_act.shape[1]


def is_illegal_at(games: Games, place: Int) -> bool:
    """Whether an action of a seat that is to act is illegal."""
    setup, state = games.setups[0], games.states[place]
    seats = contract.to_act(setup, state)
    row = first_row(games, place)
    for seat in range(setup.seats):
        if seats >> seat & 1:
            if not contract.allowed(setup, state, seat, games.actions[row]):
                return True
            row += 1
        elif not games.packed:
            row += 1
    return False


def step_at(games: Games, state: Record, seed: Int, place: Int) -> None:
    """All seats that are to act move, then nature; if the game is over, the next one begins.

    If games linger, the next one begins with the next step. The state is that of this place, or a
    copy of it nearby.
    """
    setup = games.setups[0]
    seats = contract.to_act(setup, state)
    lingered = seats == 0
    row = first_row(games, place)
    for seat in range(setup.seats):
        games.rewards[place, seat] = 0
        if seats >> seat & 1:
            contract.apply(setup, state, seat, games.actions[row])
            games.decisions[place] += 1
            row += 1
        elif not games.packed:
            row += 1
    let_nature_move(games, state, seed, place)
    games.done[place] = not lingered and contract.to_act(setup, state) == 0
    if games.done[place]:
        write_result(setup, state, games.decisions[place], games.results[place])
        for seat in range(setup.seats):
            games.rewards[place, seat] = reward(setup, state, seat)
    if lingered or (games.done[place] and not games.linger):
        games.numbers[place] += games.numbers.shape[0]
        begin_at(games, state, seed, place)
    write_to_act(games, state, place)


def reward(setup: Record, state: Record, seat: Int) -> float:
    """The number of others beaten, less the number of those ahead, as a share of all others."""
    own = contract.rank(setup, state, seat)
    balance = 0
    for other in range(setup.seats):
        if contract.rank(setup, state, other) > own:
            balance += 1
        elif contract.rank(setup, state, other) < own:
            balance -= 1
    return float(balance / (setup.seats - 1))


def choose_at(games: Games, seed: Int, place: Int) -> None:
    """Choose for all seats that are to act, by uniform chance; -1 for the others."""
    setup, state = games.setups[0], games.states[place]
    seats = contract.to_act(setup, state)
    decision = games.decisions[place]
    row = first_row(games, place)
    for seat in range(setup.seats):
        if seats >> seat & 1:
            number = games.numbers[place]
            games.actions[row] = draw_action(setup, state, seat, seed, number, decision)
            decision += 1
            row += 1
        elif not games.packed:
            games.actions[row] = -1
            row += 1


def suggest_at(games: Games, suggestions: Array, room: Record, seed: Int, place: Int) -> None:
    """Write for all seats that are to act what rules of thumb would do; -1 for the others."""
    setup, state = games.setups[0], games.states[place]
    seats = contract.to_act(setup, state)
    number, decision = games.numbers[place], games.decisions[place]
    row = first_row(games, place)
    for seat in range(setup.seats):
        if seats >> seat & 1:
            suggestions[row] = contract.greedy_action(
                setup, state, seat, room, seed, number, decision
            )
            decision += 1
            row += 1
        elif not games.packed:
            suggestions[row] = -1
            row += 1


def write_row(games: Games, place: Int, seat: Int, row: Int) -> None:
    """Write into a row the legal actions of a seat and, if there is room, what it sees."""
    setup, state = games.setups[0], games.states[place]
    games.masks[row, :] = 0
    contract.legal(setup, state, seat, games.masks[row], 0, 1)
    if games.observations.shape[1]:
        games.observations[row, :] = 0
        contract.observe(setup, state, seat, games.observations[row], 0, 1)


# --- On the CPU: a range of the batch ------------------------------------------------------


def reset(games: Games, seed: Int, begin: Int, end: Int) -> None:
    """Begin all games of this range."""
    for place in range(begin, end):
        reset_at(games, games.states[place], seed, place)


def first_illegal(games: Games, begin: Int, end: Int) -> Int:
    """The first place of this range with an illegal action; -1 without one."""
    for place in range(begin, end):
        if is_illegal_at(games, place):
            return place
    return -1


def advance_all(games: Games, seed: Int, begin: Int, end: Int) -> None:
    """Take a step in all games of this range."""
    for place in range(begin, end):
        step_at(games, games.states[place], seed, place)


def step(games: Games, seed: Int, begin: Int, end: Int) -> None:
    """Take a step in all games of this range, and write what all their seats see."""
    seats = games.to_act.shape[1]
    for place in range(begin, end):
        step_at(games, games.states[place], seed, place)
        for seat in range(seats):
            write_row(games, place, seat, place * seats + seat)


def checked_step(games: Games, seed: Int, begin: Int, end: Int) -> Int:
    """The same if all actions are legal; otherwise the first place where one is not. -1: done."""
    place = first_illegal(games, begin, end)
    if place < 0:
        step(games, seed, begin, end)
    return place


def choose(games: Games, seed: Int, begin: Int, end: Int) -> None:
    """Choose by uniform chance in all games of this range."""
    for place in range(begin, end):
        choose_at(games, seed, place)


def suggest(
    games: Games, suggestions: Array, rooms: Array, seed: Int, begin: Int, end: Int
) -> None:
    """Write what rules of thumb would do in all games of this range, all in one room."""
    for place in range(begin, end):
        suggest_at(games, suggestions, rooms[0], seed, place)


def number_rows(games: Games) -> None:
    """Give each seat that is to act a row, in the order of games and seats."""
    row = 0
    for place in range(games.to_act.shape[0]):
        games.first_rows[place] = row
        for seat in range(games.to_act.shape[1]):
            if games.to_act[place, seat]:
                games.row_games[row] = place
                games.row_seats[row] = seat
                row += 1
    games.first_rows[games.to_act.shape[0]] = row


def write_rows(games: Games, begin: Int, end: Int) -> None:
    """Write what the seats of this range see that have rows."""
    for place in range(begin, end):
        row = first_row(games, place)
        for seat in range(games.to_act.shape[1]):
            if games.to_act[place, seat] or not games.packed:
                write_row(games, place, seat, row)
                row += 1


def write_encoded_rows(
    games: Games, codes: Codes, marks: Array, features: Array, begin: Int, end: Int
) -> None:
    """The same in another form than 16-bit numbers; `marks` and `features` are room for a row.

    The number of features is a multiple of 4.
    """
    setup = games.setups[0]
    for place in range(begin, end):
        row = first_row(games, place)
        for seat in range(games.to_act.shape[1]):
            if games.to_act[place, seat] or not games.packed:
                marks[:] = 0
                contract.legal(setup, games.states[place], seat, marks, 0, 1)
                if games.observations.shape[1]:
                    features[:] = 0
                    contract.observe(setup, games.states[place], seat, features, 0, 1)
                encode_row(games, codes, marks, features, row)
                row += 1


def encode_row(games: Games, codes: Codes, marks: Array, features: Array, row: Int) -> None:
    """Write a row in its form."""
    mask, observation = games.masks[row], games.observations[row]
    if mask.shape[0] == marks.shape[0]:
        for action in range(mask.shape[0]):
            mask[action] = marks[action]
        for place in range(observation.shape[0]):
            observation[place] = narrow(features[place])
        return
    encode_mask(marks, mask)
    if observation.shape[0]:
        encode(codes, features, observation)
