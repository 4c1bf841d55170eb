"""What a study counts in a kernel's games: the contract of `Kernel.counts`.

A game becomes a row of whole numbers: first the columns that every game has, in the places below,
then those of the game itself, from `OWN` on. The module has the slots below, and `names(setup)`:
the names of its own columns in order. An empty name marks a place that such a game does not use.
"""

from typing import Final

from mauerwerk.kernels.contract import MOST_SEATS, Array, Int, Record, slot

MOST_REASONS: Final = 5

WHOLE_WIN: Final = 60
"""A whole win. Winners who share it have a part each, a whole number with up to six of them."""

WIN: Final = 0
RANK: Final = WIN + MOST_SEATS
POINTS: Final = RANK + MOST_SEATS
DECISIONS: Final = POINTS + MOST_SEATS
WIN_BY_TURN: Final = DECISIONS + MOST_SEATS
POINTS_BY_TURN: Final = WIN_BY_TURN + MOST_SEATS
MOVES: Final = POINTS_BY_TURN + MOST_SEATS
TURNS: Final = MOVES + 1
SHARED: Final = MOVES + 2
GAP: Final = MOVES + 3
SPREAD: Final = MOVES + 4
REASON: Final = MOVES + 5
OWN: Final = REASON + MOST_REASONS
"""The first of the columns that every game has, by stem; the game's own columns begin at `OWN`."""

NOTES: Final = 4096
"""How many numbers a game can note down until its end."""


@slot
def notice(
    setup: Record,
    before: Record,
    state: Record,
    seat: Int,
    action: Int,
    notes: Array,
    row: Array,
) -> None:
    """Count what a move did, from the state before it and the state now.

    `notes` is memory for the rest of the game; its first number is 0 when a game begins.
    """
    raise NotImplementedError


@slot
def began(setup: Record, state: Record, seat: Int) -> Int:
    """The seat that begins the game, in the first state in which a seat decides: this one."""
    raise NotImplementedError


@slot
def sum_up(setup: Record, state: Record, notes: Array, row: Array) -> None:
    """Count what is known only at the end; by then the row has what is counted in every game."""
    raise NotImplementedError
