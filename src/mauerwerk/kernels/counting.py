"""Statistics of games at the speed of compiled code, for `lab.study`.

There is a row for each game and a column for each count; the game's room in `lab.study` says what
they mean, and counts the same in games that are played by the rules. A row depends on the seed and
the number of the game alone, so that games can be counted in any parts and any order: with uniform
players it is the one that `batch.run` plays with the same seed. Other players move on by one seat
from game to game.

First come the columns that every game has, in the places that `contract` names, then those of the
game itself, from `OWN` on. An empty name marks a place that such a game does not use.
"""

from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from mauerwerk.core.game import AnyGame, Setup
from mauerwerk.kernels import contract, kernel_of, pack_setup
from mauerwerk.kernels.chance import draw_action, key_of
from mauerwerk.kernels.compiler import Device, functions_for, usual_device
from mauerwerk.kernels.contract import Array, Int, Record, compiled
from mauerwerk.kernels.networks.players import (
    Players,
    Seated,
    functions_of,
    new_game,
    player_action,
    seated,
)
from mauerwerk.kernels.play.batch import in_pieces
from mauerwerk.kernels.play.stepping import first_of

BY_SEAT: Final = ("win", "rank", "points", "decisions", "win-by-turn", "points-by-turn")
ALONE: Final = ("moves", "turns", "shared", "gap", "spread")


class Counted(NamedTuple):
    """A table with a row for each game, and the names of its columns."""

    columns: tuple[str, ...]
    table: npt.NDArray[np.int64]


def counts(
    game: AnyGame,
    setup: Setup[Any],
    seed: int,
    numbers: range,
    *,
    threads: int = 1,
    device: Device | None = None,
    players: Players | None = None,
) -> Counted:
    """Play these games by uniform chance, or let these players play them, and count.

    By uniform chance they are the games that `batch.run` plays with this seed, by number. Raises
    SetupError where no kernel can play such a game.
    """
    if numbers.step != 1:
        raise ValueError(f"games are counted one after the other, not {numbers}")
    packed_setup = pack_setup(game, setup)
    names = places(game, setup)
    rows = np.zeros((len(numbers), len(names)), np.int64)
    if players is None or players.are_uniform:
        players = None
        functions = functions_for(game.NAME, device or usual_device(), part="counts")
        compiled_count = functions.entry(count_games)
    else:
        functions = functions_of(game, players, "counts")
        compiled_count = functions.entry(count_played)
    kernel: Any = functions.kernel
    key = key_of(seed)

    def count_piece(piece: range) -> None:
        states, notes = np.zeros(2, kernel.STATE), np.zeros(contract.NOTES, np.int64)
        part, first = rows[piece.start : piece.stop], numbers.start + piece.start
        if players is None:
            compiled_count(packed_setup, states, notes, part, key, first)
        else:
            seats = seated(game, setup, players, functions)
            compiled_count(packed_setup, states, notes, part, seats, key, first)

    in_pieces(count_piece, len(numbers), threads)
    there = [place for place, name in enumerate(names) if name]
    return Counted(tuple(names[place] for place in there), rows[:, there])


class DealResults(NamedTuple):
    """Games with the same chance of nature: a row for each, a column for each seat."""

    wins: npt.NDArray[np.int64]
    """In parts of `contract.WHOLE_WIN`."""
    points: npt.NDArray[np.int64]


def deal(
    game: AnyGame, setup: Setup[Any], players: Players, seeds: tuple[int, int], row: int, games: int
) -> DealResults:
    """Play games with the same chance of nature, by the row, and other chances of the players.

    The first of these seeds is nature's, the second the players'.
    """
    functions = functions_of(game, players)
    kernel: Any = functions.kernel
    found = DealResults(*(np.zeros((games, setup.seats), np.int64) for _ in range(2)))
    functions.entry(play_deal)(
        pack_setup(game, setup),
        np.zeros(1, kernel.STATE),
        *found,
        seated(game, setup, players, functions),
        np.array([key_of(seed) for seed in seeds], np.uint64),
        row,
    )
    return found


def places(game: AnyGame, setup: Setup[Any]) -> list[str]:
    """The name of each place in a row; empty where such a game has nothing to count."""
    reasons = kernel_of(game.NAME).REASONS
    names = [
        *(
            f"{stem}/{seat}" if seat < setup.seats else ""
            for stem in BY_SEAT
            for seat in range(contract.MOST_SEATS)
        ),
        *ALONE,
        *(f"reason/{reason}" for reason in reasons),
        *[""] * (contract.MOST_REASONS - len(reasons)),
    ]
    assert len(names) == contract.OWN
    return [*names, *kernel_of(game.NAME).counts.names(setup)]


# --- What is compiled ------------------------------------------------------------------------


@compiled
def count_games(
    setups: Array, states: Array, notes: Array, rows: Array, seed: Int, first: Int
) -> None:
    """Play a game for each row, numbered from the first, and count it there.

    Rows begin with zeros. There are two states: one to play in, one to remember the last.
    """
    setup, state = setups[0], states[0]
    for place in range(rows.shape[0]):
        row = rows[place]
        notes[0] = 0
        decision = 0
        beginner = -1
        contract.start(setup, state)
        seats = contract.to_act(setup, state)
        while seats:
            seat = first_of(seats)
            action = draw_action(setup, state, seat, seed, first + place, decision)
            states[1] = states[0]
            if seat >= 0:
                row[contract.DECISIONS + seat] += 1
                if beginner < 0:
                    beginner = contract.began(setup, state, seat)
            contract.apply(setup, state, seat, action)
            contract.notice(setup, states[1], state, seat, action, notes, row)
            decision += 1
            seats = contract.to_act(setup, state)
        row[contract.MOVES] = decision
        count_ending(setup, state, row)
        count_order(setup, beginner, row)
        contract.sum_up(setup, state, notes, row)


@compiled
def count_played(
    setups: Array, states: Array, notes: Array, rows: Array, seats: Seated, seed: Int, first: Int
) -> None:
    """The same with players who take these seats, and move on by one with each number."""
    setup, state = setups[0], states[0]
    for place in range(rows.shape[0]):
        row, number = rows[place], first + place
        new_game(seats)
        notes[0] = 0
        decision = 0
        beginner = -1
        contract.start(setup, state)
        to_act = contract.to_act(setup, state)
        while to_act:
            seat = first_of(to_act)
            states[1] = states[0]
            if seat >= 0:
                row[contract.DECISIONS + seat] += 1
                if beginner < 0:
                    beginner = contract.began(setup, state, seat)
                player = (seat + number) % setup.seats
                action = player_action(seats, setup, state, seat, player, seed, number, decision)
            else:
                action = draw_action(setup, state, seat, seed, number, decision)
            contract.apply(setup, state, seat, action)
            contract.notice(setup, states[1], state, seat, action, notes, row)
            decision += 1
            to_act = contract.to_act(setup, state)
        row[contract.MOVES] = decision
        count_ending(setup, state, row)
        count_order(setup, beginner, row)
        contract.sum_up(setup, state, notes, row)


@compiled
def play_deal(
    setups: Array,
    states: Array,
    wins: Array,
    points: Array,
    seats: Seated,
    seeds: Array,
    row: Int,
) -> None:
    """Play a game for each column: nature's chance is that of the row, the players' its own.

    Nature draws by the first seed, and each seat for itself by the second.
    """
    setup, state = setups[0], states[0]
    for column in range(wins.shape[0]):
        by_nature = by_players = 0
        new_game(seats)
        contract.start(setup, state)
        to_act = contract.to_act(setup, state)
        while to_act:
            seat = first_of(to_act)
            if seat < 0:
                action = draw_action(setup, state, seat, seeds[0], row, by_nature)
                by_nature += 1
            else:
                action = player_action(
                    seats, setup, state, seat, seat, seeds[1], column, by_players
                )
                by_players += 1
            contract.apply(setup, state, seat, action)
            to_act = contract.to_act(setup, state)
        winners = 0
        for seat in range(setup.seats):
            points[column, seat] = contract.points(setup, state, seat)
            winners += contract.rank(setup, state, seat) == 1
        for seat in range(setup.seats):
            if contract.rank(setup, state, seat) == 1:
                wins[column, seat] = contract.WHOLE_WIN // winners


@compiled
def count_ending(setup: Record, state: Record, row: Array) -> None:
    """Count ranks, points, and how close it was. Seats that share a rank have the same points."""
    winners = last = 0
    best = second = worst = 0
    for seat in range(setup.seats):
        own, place = contract.points(setup, state, seat), contract.rank(setup, state, seat)
        row[contract.RANK + seat] = place
        row[contract.POINTS + seat] = own
        if place == 1:
            winners += 1
            best = own
        if place == 2:  # noqa: PLR2004 - there is one where the winner is alone
            second = own
        if place > last:
            last = place
            worst = own
    for seat in range(setup.seats):
        if row[contract.RANK + seat] == 1:
            row[contract.WIN + seat] = contract.WHOLE_WIN // winners
    row[contract.TURNS] = contract.turn(setup, state)
    row[contract.SHARED] = winners > 1
    row[contract.GAP] = 0 if winners > 1 else abs(best - second)
    row[contract.SPREAD] = abs(best - worst)
    row[contract.REASON + contract.reason(setup, state)] = 1


@compiled
def count_order(setup: Record, beginner: Int, row: Array) -> None:
    """Count wins and points once more, in the order of play from the seat that began."""
    for place in range(setup.seats):
        seat = (beginner + place) % setup.seats
        row[contract.WIN_BY_TURN + place] = row[contract.WIN + seat]
        row[contract.POINTS_BY_TURN + place] = row[contract.POINTS + seat]
