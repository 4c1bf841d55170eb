"""Die Mauer in records: what lies where, and the way between values and records.

A kind of piece is its place in `FULL_SET`: tower 0, gate 1, then the wall pieces. A hand is three
planes of bits, one byte each, with one bit per kind: the first plane holds the lowest bit of the
number of pieces of each kind, the second the next, the third the highest. A wall is two stacks of
pieces that grow towards each other, the left end on top of one, the right end on top of the other.
"""

from collections.abc import Mapping, Sequence
from typing import Final, assert_never

import numpy as np

from mauerwerk.core.errors import SetupError
from mauerwerk.core.game import Chance, Seat, Setup
from mauerwerk.games import mauer
from mauerwerk.games.mauer.beliefs import Belief
from mauerwerk.games.mauer.events import Closed, Task, Thinking, View
from mauerwerk.games.mauer.legality import is_wall
from mauerwerk.games.mauer.rules import full_set
from mauerwerk.games.mauer.values import (
    ACTIONS,
    FULL_SET,
    PENALTY,
    Action,
    Building,
    Choosing,
    Drawing,
    End,
    Ending,
    Giving,
    Hand,
    Options,
    Over,
    Piece,
    Plan,
    Planning,
    State,
    Table,
)
from mauerwerk.kernels.chance import in_words
from mauerwerk.kernels.contract import NATURE, Array, Record

MOST_SEATS: Final = 6
MOST_ROUNDS: Final = 10
MOST_PIECES: Final = MOST_SEATS * len(FULL_SET)

SETUP: Final = np.dtype(
    [("seats", "i4"), ("rounds", "i4"), ("first", "i4"), ("stall", "i4"), ("pieces", "i4")],
    align=True,
)
"""`first` is -1 where the lot decides; `pieces` is the hand that a round begins with."""

STATE: Final = np.dtype(
    [
        ("hands", "u4", (MOST_SEATS,)),
        ("turns", "u4"),
        ("idle", "u2"),
        ("phase", "u1"),
        ("master", "u1"),
        ("waiting", "u1"),  # one bit per seat: who still has to plan, choose, build or give
        ("piece", "u1"),  # what is being built
        ("sites", "u1"),  # the ends at which a tower or gate fits: 1 left, 2 right
        ("left", "u1"),  # how many pieces the left stack of the wall has
        ("right", "u1"),
        ("round", "u1"),  # how many rounds are scored
        ("ending", "u1"),
        ("last", "u1"),  # who built last in this round, and at which end; 0: nobody
        ("fists", "u1", (MOST_SEATS,)),
        ("wall", "u1", (MOST_PIECES // 2,)),  # two pieces a byte
        ("sheet", "u1", (MOST_ROUNDS * MOST_SEATS,)),
    ],
    align=True,
)

DRAWING, PLANNING, CHOOSING, BUILDING, GIVING, OVER = range(6)
"""The phases."""

REASONS: Final = tuple(ending.value for ending in Ending)
OUT, DEADLOCK, STALL = range(3)

LEFT, RIGHT = 1, 2
KINDS: Final = len(FULL_SET)
ALL_KINDS: Final = (1 << KINDS) - 1
HELD: Final = tuple(0x010101 << kind for kind in range(KINDS))
"""The bits of each kind in a hand, one in each plane."""
TOWER_AND_GATE: Final = 0b11
WALLS: Final = ALL_KINDS & ~TOWER_AND_GATE
EMPTY: Final = KINDS
"""The plan that is an empty fist."""
OPEN: Final = KINDS + 1
"""A fist that is not closed yet."""

PLAN: Final = 0
CHOOSE: Final = KINDS + 1
BUILD: Final = CHOOSE + KINDS
GIVE: Final = BUILD + 2
APPOINT: Final = GIVE + KINDS
"""Where the numbers of each kind of action begin."""

PENALTIES: Final = tuple(PENALTY[piece] for piece in FULL_SET)


# --- What an observation is made of ----------------------------------------------------------

WIDTHS: Final = {
    "task": 6,  # what the table waits for, one of the phases
    "waiting": MOST_SEATS,  # who must do it; seats are counted clockwise from one's own
    "master": MOST_SEATS,
    "left": KINDS,  # the left end of the wall; all 0 when there is none
    "right": KINDS,
    "wall": KINDS,  # how many of each kind are built
    "counts": MOST_SEATS,  # how many pieces each seat holds
    "hand": KINDS,  # one's own
    "fists": MOST_SEATS * (KINDS + 3),  # thinking, closed, or a plan: a piece or nothing
    "piece": KINDS,  # what is being built
    "rounds": 1,
    "scored": 1,  # rounds
    "totals": MOST_SEATS,
    "idle": 1,
}
"""The width of each part of an observation. One of several alternatives is a 1 in its place."""

THINKING, CLOSED, SHOWN = range(3)
"""The places in the part of an observation that describes a fist."""


def _places() -> dict[str, slice]:
    ends = np.cumsum(list(WIDTHS.values())).tolist()
    return {
        part: slice(end - width, end)
        for (part, width), end in zip(WIDTHS.items(), ends, strict=True)
    }


LAYOUT: Final[Mapping[str, slice]] = _places()

AT_TASK: Final = LAYOUT["task"].start
AT_WAITING: Final = LAYOUT["waiting"].start
AT_MASTER: Final = LAYOUT["master"].start
AT_LEFT: Final = LAYOUT["left"].start
AT_RIGHT: Final = LAYOUT["right"].start
AT_WALL: Final = LAYOUT["wall"].start
AT_COUNTS: Final = LAYOUT["counts"].start
AT_HAND: Final = LAYOUT["hand"].start
AT_FISTS: Final = LAYOUT["fists"].start
AT_PIECE: Final = LAYOUT["piece"].start
AT_ROUNDS: Final = LAYOUT["rounds"].start
AT_SCORED: Final = LAYOUT["scored"].start
AT_TOTALS: Final = LAYOUT["totals"].start
AT_IDLE: Final = LAYOUT["idle"].start


# --- In Python: between values and records ---------------------------------------------------

_KIND: Final[Mapping[Piece, int]] = {piece: kind for kind, piece in enumerate(FULL_SET)}
_ENDINGS: Final = tuple(Ending)
_BUILT_LAST: Final = (None, *((Seat(seat), end) for seat in range(MOST_SEATS) for end in End))
_TASKS: Final = (Task.LOT, Task.PLAN, Task.CHOOSE, Task.BUILD, Task.GIVE, Task.NOTHING)


def prepare(setup: Setup[Options], /) -> Array:
    """The setup as an array of one record."""
    mauer.start(setup)
    options = setup.options
    if options.stall == "off":
        raise SetupError("with stall off the game need not end, so no kernel plays it (DM-27)")
    first = NATURE if options.first == "lot" else options.first
    pieces = planes(full_set(options))
    return np.array([(setup.seats, options.rounds, first, options.stall, pieces)], SETUP)


def any_setup(draw: Chance, /) -> Setup[Options]:
    """A random setup; over time all options that change play occur."""
    seats = mauer.SEATS[draw(len(mauer.SEATS))]
    first = draw(seats + 1)
    options = Options(
        rounds=1 + draw(1 + draw(3)),
        first="lot" if first == seats else first,
        stall=(1 + draw(12), 24, 1000)[draw(3)],
        pieces=_any_set(draw) if draw(4) == 0 else Options().pieces,
    )
    return Setup(seats, options)


def _any_set(draw: Chance) -> str:
    """Some of the pieces, at least one."""
    chosen = 1 + draw(ALL_KINDS)
    return "".join(piece.value for piece in FULL_SET if chosen >> _KIND[piece] & 1)


def actions(_setup: Setup[Options], /) -> Sequence[Action]:
    """Every action there is, by its number."""
    return ACTIONS


def layout(_setup: Setup[Options], /) -> Mapping[str, slice]:
    """Which part of an observation is where."""
    return LAYOUT


def at_once(setup: Setup[Options], /) -> int:
    """All plan together."""
    return setup.seats


def features(_setup: Setup[Options], view: View, /) -> Sequence[int]:
    """What `observe` writes, from a view."""
    seats, own = len(view.counts), view.seat or 0
    clockwise = [(own + step) % seats for step in range(seats)]
    absent = [0] * (MOST_SEATS - seats)
    parts: dict[str, list[int]] = {
        "task": _one_of(6, _TASKS.index(view.task)),
        "waiting": [int(seat in view.waiting) for seat in clockwise] + absent,
        "master": [int(seat == view.master) for seat in clockwise] + absent,
        "left": _kind_of(view.wall[0] if view.wall else None),
        "right": _kind_of(view.wall[-1] if view.wall else None),
        "wall": [view.wall.count(piece) for piece in FULL_SET],
        "counts": [view.counts[seat] for seat in clockwise] + absent,
        "hand": [(view.hands[own] or ()).count(piece) for piece in FULL_SET],
        "fists": [bit for seat in clockwise for bit in _seen(view.fists[seat])]
        + absent * (KINDS + 3),
        "piece": _kind_of(view.piece),
        "rounds": [view.rounds],
        "scored": [len(view.scores)],
        "totals": [scored(view)[seat] for seat in clockwise] + absent,
        "idle": [view.idle],
    }
    return [feature for part in WIDTHS for feature in parts[part]]


def scored(view: View, /) -> Sequence[int]:
    """The points of each seat so far, from a view."""
    return [sum(points[seat] for points in view.scores) for seat in range(len(view.counts))]


def _one_of(width: int, place: int) -> list[int]:
    return [int(each == place) for each in range(width)]


def _kind_of(piece: Piece | None) -> list[int]:
    return [int(each is piece) for each in FULL_SET]


def _seen(fist: Thinking | Closed | Plan) -> list[int]:
    match fist:
        case Thinking():
            place = THINKING
        case Closed():
            place = CLOSED
        case Plan():
            place = SHOWN + _number(fist)
        case _:
            assert_never(fist)
    return _one_of(KINDS + 3, place)


def _number(plan: Plan | None) -> int:
    """A fist as the record has it."""
    if plan is None:
        return OPEN
    return EMPTY if plan.piece is None else _KIND[plan.piece]


def pack(_setup: Setup[Options], state: State, out: Record, /) -> None:
    """Write a state of the rules into a record."""
    for field in STATE.names or ():
        out[field] = 0
    out["fists"], out["sites"] = OPEN, RIGHT
    match state:
        case Drawing(seats=seats, options=options):
            out["phase"] = DRAWING
            out["hands"][:seats] = planes(full_set(options))
            return
        case Planning(fists=fists):
            waiting = [seat for seat, fist in enumerate(fists) if fist is None]
            _pack_phase(out, PLANNING, fists, waiting)
        case Choosing(table=table, fists=fists):
            _pack_phase(out, CHOOSING, fists, [table.master])
        case Building(fists=fists, piece=piece, builders=builders):
            _pack_phase(out, BUILDING, fists, builders)
            out["piece"] = _KIND[piece]
        case Giving(fists=fists, giver=giver):
            _pack_phase(out, GIVING, fists, [giver])
        case Over(ending=ending):
            _pack_phase(out, OVER, (), ())
            out["ending"] = _ENDINGS.index(ending)
        case _:
            assert_never(state)
    _pack_table(state.table, out)


def _pack_table(table: Table, out: Record) -> None:
    out["master"], out["idle"], out["turns"] = table.master, table.idle, table.turns
    for seat, hand in enumerate(table.hands):
        out["hands"][seat] = planes(hand)
    out["left"], out["right"] = table.left, len(table.wall) - table.left
    for place, piece in enumerate(table.wall):
        slot = table.left - 1 - place
        slot += MOST_PIECES if slot < 0 else 0
        out["wall"][slot // 2] |= _KIND[piece] << slot % 2 * 4
    out["last"] = _BUILT_LAST.index(table.last)
    if table.wall:
        out["sites"] = LEFT * is_wall(table.wall[0]) | RIGHT * is_wall(table.wall[-1])
    out["round"] = len(table.scores)
    for number, points in enumerate(table.scores):
        begin = number * MOST_SEATS
        out["sheet"][begin : begin + len(points)] = points


def _pack_phase(
    out: Record, phase: int, fists: Sequence[Plan | None], waiting: Sequence[int]
) -> None:
    out["phase"] = phase
    out["waiting"] = sum(1 << seat for seat in waiting)
    for seat, fist in enumerate(fists):
        out["fists"][seat] = _number(fist)


def planes(hand: Hand) -> int:
    """A hand as the record has it."""
    numbers = enumerate(hand.count(piece) for piece in FULL_SET)
    return sum(
        (number >> plane & 1) << 8 * plane + kind for kind, number in numbers for plane in range(3)
    )


def unpack(setup: Setup[Options], record: Record, /) -> State:
    """The state of the rules that a record stands for."""
    phase = int(record["phase"])
    if phase == DRAWING:
        return Drawing(setup.seats, setup.options)
    table = _unpack_table(setup, record)
    fists = tuple(_plan_of(fist) for fist in record["fists"].tolist()[: setup.seats])
    shown = tuple(fist for fist in fists if fist is not None)
    waiting = int(record["waiting"])
    clockwise = [(table.master + step) % setup.seats for step in range(setup.seats)]
    asked_now = tuple(Seat(seat) for seat in clockwise if waiting >> seat & 1)
    if phase == PLANNING:
        return Planning(table, fists)
    if phase == CHOOSING:
        return Choosing(table, shown)
    if phase == BUILDING:
        return Building(table, shown, FULL_SET[int(record["piece"])], asked_now)
    if phase == GIVING:
        return Giving(table, shown, asked_now[0])
    assert phase == OVER
    return Over(table, _ENDINGS[int(record["ending"])])


def _unpack_table(setup: Setup[Options], record: Record) -> Table:
    sheet = record["sheet"].reshape(MOST_ROUNDS, MOST_SEATS)[: record["round"], : setup.seats]
    return Table(
        options=setup.options,
        master=Seat(int(record["master"])),
        wall=_unpack_wall(record),
        hands=tuple(_hand_of(hand) for hand in record["hands"].tolist()[: setup.seats]),
        idle=int(record["idle"]),
        turns=int(record["turns"]),
        scores=tuple(tuple(points) for points in sheet.tolist()),
        left=int(record["left"]),
        last=_BUILT_LAST[int(record["last"])],
    )


def _unpack_wall(record: Record) -> tuple[Piece, ...]:
    pairs: list[int] = record["wall"].tolist()
    slots = [kind for pair in pairs for kind in (pair & 15, pair >> 4)]
    left = slots[: int(record["left"])][::-1]
    right = slots[MOST_PIECES - int(record["right"]) :][::-1]
    return tuple(FULL_SET[kind] for kind in (*left, *right))


def _hand_of(packed: int) -> Hand:
    return tuple(
        piece
        for kind, piece in enumerate(FULL_SET)
        for _ in range(sum((packed >> 8 * plane + kind & 1) << plane for plane in range(3)))
    )


def _plan_of(fist: int) -> Plan | None:
    return None if fist == OPEN else Plan(None if fist == EMPTY else FULL_SET[fist])


def believed(_setup: Setup[Options], belief: Belief, /) -> tuple[Array, Array]:
    """The hands of every world, and the sums of their weights as `by_weight` reads them."""
    hands = np.zeros((len(belief.worlds), MOST_SEATS), np.uint32)
    sums: list[int] = []
    for place, world in enumerate(belief.worlds):
        hands[place, : len(world.hands)] = [planes(hand) for hand in world.hands]
        sums.append(world.weight + (sums[-1] if sums else 0))
    return hands, in_words(sums)
