"""Die Mauer, the largest numbers that an observation can have."""

from collections.abc import Mapping, Sequence
from typing import Final

from mauerwerk.core.game import Setup
from mauerwerk.games.mauer.rules import full_set
from mauerwerk.games.mauer.values import FULL_SET, PENALTY, Options
from mauerwerk.kernels.mauer.records import MOST_SEATS

FIXED: Final = frozenset({"rounds"})
"""The parts that are the same throughout a game."""


def of_seats(setup: Setup[Options], *tops: int) -> list[int]:
    """These numbers for each seat that plays, and zeros for the others."""
    return [*tops] * setup.seats + [0] * len(tops) * (MOST_SEATS - setup.seats)


def of_kinds(setup: Setup[Options], top: int) -> list[int]:
    """A number for each kind of piece that this table plays with, and zeros for the others."""
    return [top * (piece in full_set(setup.options)) for piece in FULL_SET]


def tops(setup: Setup[Options], /) -> Mapping[str, int | Sequence[int]]:
    """The largest number in each part, or at each of its places.

    A round goes on while everybody holds a piece (DM-23), so one hand can get everything but a
    piece of each of the others (DM-19); with the last gift one of them may have none. The number of
    turns without building reaches that of the option when the last round ends (DM-27).
    """
    seats, options = setup.seats, setup.options
    pieces, kinds = full_set(options), of_kinds(setup, 1)
    costs = [PENALTY[piece] for piece in pieces]
    worst = seats * sum(costs) - (seats - 2) * min(costs)
    own, others = [1, 0, *kinds, 1], [1, 1, *kinds, 1] * (seats - 1)
    absent = [0] * len(own) * (MOST_SEATS - seats)
    return {
        "task": [int(options.first == "lot"), 1, 1, 1, 1, 1],
        "waiting": of_seats(setup, 1),
        "master": of_seats(setup, 1),
        "left": kinds,
        "right": kinds,
        "wall": of_kinds(setup, seats),
        "counts": of_seats(setup, seats * len(pieces) - (seats - 2)),
        "hand": of_kinds(setup, seats),
        "fists": [*own, *others, *absent],
        "piece": kinds,
        "rounds": options.rounds,
        "scored": options.rounds,
        "totals": of_seats(setup, options.rounds * worst),
        "idle": 0 if options.stall == "off" else options.stall,
    }
