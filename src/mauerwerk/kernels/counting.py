"""Statistics of uniform games at the speed of compiled code, for `lab.study`.

There is a row for each game and a column for each count; the game's room in `lab.study` says what
they mean, and counts the same in games that are played by the rules. A row depends on the seed and
the number of the game alone, so that games can be counted in any parts and any order: it is the one
that `batch.run` plays with the same seed.

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
) -> Counted:
    """Play these games by uniform chance, and count.

    They are the games that `batch.run` plays with this seed, by number. Raises SetupError where no
    kernel can play such a game.
    """
    if numbers.step != 1:
        raise ValueError(f"games are counted one after the other, not {numbers}")
    packed_setup = pack_setup(game, setup)
    names = places(game, setup)
    rows = np.zeros((len(numbers), len(names)), np.int64)
    functions = functions_for(game.NAME, device or usual_device(), part="counts")
    compiled_count = functions.entry(count_games)
    state_type, key = kernel_of(game.NAME).STATE, key_of(seed)

    def count_piece(piece: range) -> None:
        states, notes = np.zeros(2, state_type), np.zeros(contract.NOTES, np.int64)
        part = rows[piece.start : piece.stop]
        compiled_count(packed_setup, states, notes, part, key, numbers.start + piece.start)

    in_pieces(count_piece, len(numbers), threads)
    there = [place for place, name in enumerate(names) if name]
    return Counted(tuple(names[place] for place in there), rows[:, there])


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
