"""Die Mauer, what a seat sees as numbers.

Seats are counted clockwise from one's own. One of several possibilities is a 1 in its place. The
part of a seat that does not play is zero.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Final, assert_never

from numpy import uint64

from mauerwerk.core.game import Setup
from mauerwerk.core.observation import ObservationSpec, Part
from mauerwerk.games.mauer.events import Closed, Task, Thinking, View
from mauerwerk.games.mauer.rules import full_set
from mauerwerk.games.mauer.values import FULL_SET, Options, Piece, Plan, penalties
from mauerwerk.games.mauer.views import scores
from mauerwerk.kernels.contract import Array, Int, Record, compiled
from mauerwerk.kernels.mauer import rules

THINKING, CLOSED, SHOWN = range(3)
"""The places in the part of an observation that describes a fist."""


# --- The parts -------------------------------------------------------------------------------


def of_kinds(setup: Setup[Options], highest: int) -> list[int]:
    """A number for each kind of piece that this table plays with, and zeros for the others."""
    hand = full_set(setup.options)
    return [highest * (piece in hand) for piece in FULL_SET]


def _all_of_a_kind(setup: Setup[Options]) -> list[int]:
    """How many pieces of each kind there are at this table."""
    hand = full_set(setup.options)
    return [setup.seats * hand.count(piece) for piece in FULL_SET]


def _highest(setup: Setup[Options]) -> Mapping[str, int | Sequence[int]]:
    """A round goes on while everybody holds a piece (DM-23).

    So one hand can get everything but a piece of each of the others (DM-19); with the last gift one
    of them may have none. The most points are those of such a hand, without the cheapest pieces, in
    each round. One sees one's own fist. `idle` reaches the option when the last round ends (DM-27).
    """
    options, seats, kinds = setup.options, setup.seats, of_kinds(setup, 1)
    each = penalties(options.penalties)
    costs = [each[piece] for piece in full_set(options)]
    own, other, nobody = [1, 0, *kinds, 1], [1, 1, *kinds, 1], [0] * (rules.KINDS + 3)
    return {
        "task": [int(options.first == "lot"), 1, 1, 1, 1, 1],
        "left": kinds,
        "right": kinds,
        "wall": _all_of_a_kind(setup),
        "counts": seats * len(costs) - (seats - 2),
        "hand": _all_of_a_kind(setup),
        "fists": [*own, *other * (seats - 1), *nobody * (rules.MOST_SEATS - seats)],
        "piece": kinds,
        "rounds": options.rounds,
        "scored": options.rounds,
        "totals": options.rounds * (seats * sum(costs) - (seats - 2) * min(costs)),
        "idle": 0 if options.stall == "off" else options.stall,
    }


of_each: Final = partial(Part, seats=rules.MOST_SEATS)
"""A part with numbers of each seat."""

OBSERVATION: Final = ObservationSpec(
    Part("task", len(Task), "what the table waits for: lot, plan, choose, build, give, nothing"),
    of_each("waiting", 1, "who must do it"),
    of_each("master", 1, "the master builder"),
    Part("left", rules.KINDS, "the kind of piece at the left end of the wall"),
    Part("right", rules.KINDS, "the kind of piece at the right end"),
    Part("wall", rules.KINDS, "how many of each kind are built"),
    of_each("counts", 1, "how many pieces each seat holds"),
    Part("hand", rules.KINDS, "how many of each kind one holds oneself"),
    Part(
        "fists",
        rules.MOST_SEATS * (rules.KINDS + 3),
        "of each seat: thinking, closed, or which kind, or nothing",
    ),
    Part("piece", rules.KINDS, "the kind that is being built"),
    Part("rounds", 1, "rounds in the game", fixed=True),
    Part("scored", 1, "rounds that are over"),
    of_each("totals", 1, "penalty points of each seat"),
    Part("idle", 1, "turns in a row without building"),
    highest=_highest,
)
AT: Final[Any] = OBSERVATION.starts()


# --- From records ----------------------------------------------------------------------------


@compiled
def observe(
    setup: Record, state: Record, seat: Int, features: Array, lane: Int, lanes: Int
) -> None:
    """The table as this seat sees it (DM-2, DM-5).

    Each lane counts the pieces of all seats, because it has to know what is built. Lane 2 begins
    with the seat two places further on. Of the seats that a lane passes it describes the first, and
    with 4 lanes every fourth after it, so that all lanes describe one at the same time. Where there
    are more lanes than seats, some write the same. The number of lanes is a power of 2.
    """
    if lane == 0:
        _observe_scalars(setup, state, features)
    waiting = rules.to_act(setup, state)
    built = setup.seats * rules.digits_of(setup.pieces)
    step = lane
    while step >= setup.seats:
        step -= setup.seats
    for number in range(setup.seats):
        other = seat + step if seat + step < setup.seats else seat + step - setup.seats
        held = rules.digits_of(state.hands[other])
        built -= held
        if number & lanes - 1 == 0:
            features[uint64(AT.fists + step * (rules.KINDS + 3) + _shown(state, seat, other))] = 1
            if state.phase != rules.DRAWING:
                features[uint64(AT.counts + step)] = rules.size_of(held)
                features[uint64(AT.totals + step)] = rules.points(setup, state, other)
                features[uint64(AT.waiting + step)] = waiting >> other & 1
                features[uint64(AT.master + step)] = other == state.master
        step = step + 1 if step + 1 < setup.seats else 0
    if state.phase != rules.DRAWING:
        _observe_pieces(built, rules.digits_of(state.hands[seat]), features, lane, lanes)


@compiled
def _observe_pieces(built: Int, own: Int, features: Array, lane: Int, lanes: Int) -> None:
    """How many pieces of each kind are built, as nobody holds them any more, and one's own."""
    kind = lane
    while kind < rules.KINDS:
        features[uint64(AT.wall + kind)] = built >> 4 * kind & 15
        features[uint64(AT.hand + kind)] = own >> 4 * kind & 15
        kind += lanes


@compiled
def _observe_scalars(setup: Record, state: Record, features: Array) -> None:
    """What there is once: the phase, the rounds, the ends of the wall, what is being built."""
    features[AT.task + state.phase] = 1
    features[AT.rounds] = setup.rounds
    features[AT.scored] = state.round
    features[AT.idle] = state.idle
    if state.phase == rules.BUILDING:
        features[AT.piece + state.piece] = 1
    pieces = state.left + state.right
    if pieces:
        features[AT.left + rules.piece_at(state, 0)] = 1
        features[AT.right + rules.piece_at(state, pieces - 1)] = 1


@compiled
def _shown(state: Record, seat: Int, other: Int) -> Int:
    """What a seat sees of a fist: until all are open, only its own (DM-5)."""
    if state.phase == rules.OVER or state.fists[other] == rules.OPEN:
        return THINKING
    if state.phase == rules.PLANNING and other != seat:
        return CLOSED
    return SHOWN + state.fists[other]


# --- From views ------------------------------------------------------------------------------


def features(setup: Setup[Options], view: View, /) -> Sequence[int]:
    """What `observe` writes, from a view."""
    return OBSERVATION.joined(setup, parts_of(view))


def parts_of(view: View) -> dict[str, list[int]]:
    """The numbers of each part, without the zeros of seats that do not play."""
    seats, own = len(view.counts), view.seat or 0
    clockwise = [(own + step) % seats for step in range(seats)]
    return {
        "task": [int(task is view.task) for task in Task],
        "waiting": [int(seat in view.waiting) for seat in clockwise],
        "master": [int(seat == view.master) for seat in clockwise],
        "left": _kind_of(view.wall[0] if view.wall else None),
        "right": _kind_of(view.wall[-1] if view.wall else None),
        "wall": [view.wall.count(piece) for piece in FULL_SET],
        "counts": [view.counts[seat] for seat in clockwise],
        "hand": [(view.hands[own] or ()).count(piece) for piece in FULL_SET],
        "fists": [bit for seat in clockwise for bit in _seen(view.fists[seat])],
        "piece": _kind_of(view.piece),
        "rounds": [view.rounds],
        "scored": [len(view.scores)],
        "totals": [scores(view)[seat] for seat in clockwise],
        "idle": [view.idle],
    }


def _kind_of(piece: Piece | None) -> list[int]:
    return [int(each is piece) for each in FULL_SET]


def _seen(fist: Thinking | Closed | Plan) -> list[int]:
    match fist:
        case Thinking():
            place = THINKING
        case Closed():
            place = CLOSED
        case Plan():
            place = SHOWN + (rules.EMPTY if fist.piece is None else FULL_SET.index(fist.piece))
        case _:
            assert_never(fist)
    return [int(each == place) for each in range(rules.KINDS + 3)]
