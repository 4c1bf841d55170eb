"""Die Mauer, the way between values and records: setups, states and beliefs."""

from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import Any, Final, assert_never, get_args

import numpy as np

from mauerwerk.core.errors import SetupError
from mauerwerk.core.game import Chance, Seat, Setup
from mauerwerk.core.options import PRINTED, with_number
from mauerwerk.games import mauer
from mauerwerk.games.mauer import values
from mauerwerk.games.mauer.beliefs import Belief
from mauerwerk.games.mauer.legality import is_wall
from mauerwerk.games.mauer.rules import full_set
from mauerwerk.kernels.chance import in_words
from mauerwerk.kernels.contract import NATURE, Array, Record
from mauerwerk.kernels.mauer import rules

_PHASES: Final[tuple[type[values.State], ...]] = get_args(values.State)
"""In the order of their numbers."""
_KIND: Final[Mapping[values.Piece, int]] = {
    piece: kind for kind, piece in enumerate(values.FULL_SET)
}
_MANY: Final = 4 * len(values.FULL_SET)
"""With more pieces than this at a table, a sheet has no room for larger penalties."""
_FISTS: Final = (*map(values.Plan, values.FULL_SET), values.Plan(None), None)
"""By number: the plans, the empty fist, and one that is not closed yet."""
_ENDINGS: Final = tuple(values.Ending)
_BUILT_LAST: Final = (
    None,
    *((Seat(seat), end) for seat in range(rules.MOST_SEATS) for end in values.End),
)


def pack_setup(setup: Setup[values.Options], /) -> Array:
    """The setup as an array of one record."""
    mauer.start(setup)
    options = setup.options
    if options.stall == "off":
        raise SetupError("with stall off the game need not end, so no kernel plays it (DM-27)")
    first = NATURE if options.first == "lot" else options.first
    hand, costs = full_set(options), values.penalties(options.penalties)
    _check_room(setup.seats, hand, sum(costs[piece] for piece in hand))
    penalties = [costs[piece] for piece in values.FULL_SET]
    dearest = [_KIND[piece] for piece in sorted(costs, key=costs.__getitem__, reverse=True)]
    row = (setup.seats, options.rounds, first, options.stall, planes(hand), penalties, dearest)
    return np.array([row], rules.SETUP)


def _check_room(seats: int, hand: values.Hand, cost: int) -> None:
    """One hand can get nearly all pieces (DM-19); refuse more than the records have room for."""
    most = max(hand.count(piece) for piece in hand)
    for needed, room, what in (
        (seats * most, rules.MOST_OF_A_KIND, "pieces of a kind"),
        (seats * len(hand), rules.MOST_PIECES, "pieces"),
        (seats * cost, rules.MOST_POINTS, "points in a round"),
    ):
        if needed > room:
            raise SetupError(f"kernels have room for {room} {what}, not for {needed}")


def random_setup(draw: Chance, /) -> Setup[values.Options]:
    """A random setup; over time all options that change play occur."""
    seats = mauer.SEATS[draw(len(mauer.SEATS))]
    first = draw(seats + 1)
    pieces = _any_set(draw, seats) if draw(4) == 0 else values.Options().pieces
    options = values.Options(
        rounds=1 + draw(1 + draw(3)),
        first="lot" if first == seats else first,
        stall=(1 + draw(12), 24, 1000)[draw(3)],
        pieces=pieces,
        penalties=_any_penalties(draw, seats * len(pieces)) if draw(4) == 0 else PRINTED,
    )
    return Setup(seats, options)


def _any_set(draw: Chance, seats: int) -> str:
    """Some of the pieces, at least one; of a kind perhaps two, where there is room."""
    chosen, twice = 1 + draw(rules.ALL_KINDS), draw(rules.ALL_KINDS + 1)
    if 2 * seats > rules.MOST_OF_A_KIND:
        twice = 0
    return "".join(
        piece.value * (1 + (twice >> _KIND[piece] & 1))
        for piece in values.FULL_SET
        if chosen >> _KIND[piece] & 1
    )


def _any_penalties(draw: Chance, pieces: int) -> str:
    """Something else for one of the pieces; with many of them less, as a sheet has little room."""
    piece = values.FULL_SET[draw(len(values.FULL_SET))]
    most = values.PENALTY[piece] if pieces > _MANY else values.PENALTY[piece] + 9
    return with_number(values.Options, "penalties", PRINTED, piece.value, str(draw(most + 1)))


def max_to_act(setup: Setup[values.Options], /) -> int:
    """All plan together."""
    return setup.seats


def pack(_setup: Setup[values.Options], state: values.State, out: Record, /) -> None:
    """Write a state of the rules into a record."""
    for field in rules.STATE.names or ():
        out[field] = 0
    out["phase"] = _PHASES.index(type(state))
    out["fists"], out["sites"] = rules.OPEN, rules.RIGHT
    fists: Sequence[values.Plan | None] = ()
    waiting: Sequence[int] = ()
    match state:
        case values.Drawing(seats=seats, options=options):
            out["hands"][:seats] = planes(full_set(options))
            return
        case values.Planning(fists=fists):
            waiting = [seat for seat, fist in enumerate(fists) if fist is None]
        case values.Choosing(table=table, fists=fists):
            waiting = [table.master]
        case values.Building(fists=fists, piece=piece, builders=waiting):
            out["piece"] = _KIND[piece]
        case values.Giving(fists=fists, giver=giver):
            waiting = [giver]
        case values.Over(ending=ending):
            out["ending"] = _ENDINGS.index(ending)
        case _:
            assert_never(state)
    out["waiting"] = sum(1 << seat for seat in waiting)
    out["fists"][: len(fists)] = [_FISTS.index(fist) for fist in fists]
    _pack_table(state.table, out)


def _pack_table(table: values.Table, out: Record) -> None:
    out["master"], out["idle"], out["turns"] = table.master, table.idle, table.turns
    for seat, hand in enumerate(table.hands):
        out["hands"][seat] = planes(hand)
    out["left"], out["right"] = table.left, len(table.wall) - table.left
    for place, piece in enumerate(table.wall):
        slot = table.left - 1 - place
        slot += rules.MOST_PIECES if slot < 0 else 0
        out["wall"][slot // 2] |= _KIND[piece] << slot % 2 * 4
    out["last"] = _BUILT_LAST.index(table.last)
    if table.wall:
        out["sites"] = rules.LEFT * is_wall(table.wall[0]) | rules.RIGHT * is_wall(table.wall[-1])
    out["round"] = len(table.scores)
    for number, points in enumerate(table.scores):
        begin = number * rules.MOST_SEATS
        out["sheet"][begin : begin + len(points)] = points


def planes(hand: values.Hand) -> int:
    """A hand as the record has it."""
    numbers = enumerate(hand.count(piece) for piece in values.FULL_SET)
    return sum(
        (number >> plane & 1) << 8 * plane + kind for kind, number in numbers for plane in range(3)
    )


def unpack(setup: Setup[values.Options], record: Record, /) -> values.State:
    """The state of the rules that a record stands for."""
    phase, waiting = _PHASES[int(record["phase"])], int(record["waiting"])
    clockwise = ((int(record["master"]) + step) % setup.seats for step in range(setup.seats))
    fists: list[int] = record["fists"].tolist()[: setup.seats]
    builders = tuple(Seat(seat) for seat in clockwise if waiting >> seat & 1)
    known: dict[str, Any] = {
        "seats": setup.seats,
        "options": setup.options,
        "table": _unpack_table(setup, record),
        "fists": tuple(_FISTS[fist] for fist in fists),
        "piece": values.FULL_SET[int(record["piece"])],
        "builders": builders,
        "giver": next(iter(builders), None),
        "ending": _ENDINGS[int(record["ending"])],
    }
    return phase(**{name: known[name] for name in phase.__struct_fields__})


def _unpack_table(setup: Setup[values.Options], record: Record) -> values.Table:
    sheet = record["sheet"].reshape(rules.MOST_ROUNDS, rules.MOST_SEATS)[
        : record["round"], : setup.seats
    ]
    return values.Table(
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


def _unpack_wall(record: Record) -> tuple[values.Piece, ...]:
    pairs: list[int] = record["wall"].tolist()
    slots = [kind for pair in pairs for kind in (pair & 15, pair >> 4)]
    left = slots[: int(record["left"])][::-1]
    right = slots[rules.MOST_PIECES - int(record["right"]) :][::-1]
    return tuple(values.FULL_SET[kind] for kind in (*left, *right))


def _hand_of(packed: int) -> values.Hand:
    return tuple(
        piece
        for kind, piece in enumerate(values.FULL_SET)
        for _ in range(sum((packed >> 8 * plane + kind & 1) << plane for plane in range(3)))
    )


def pack_belief(_setup: Setup[values.Options], belief: Belief, /) -> tuple[Array, Array]:
    """The hands of every world, and the sums of their weights as `by_weight` reads them."""
    hands = np.zeros((len(belief.worlds), rules.MOST_SEATS), np.uint32)
    for place, world in enumerate(belief.worlds):
        hands[place, : len(world.hands)] = [planes(hand) for hand in world.hands]
    return hands, in_words(list(accumulate(world.weight for world in belief.worlds)))
