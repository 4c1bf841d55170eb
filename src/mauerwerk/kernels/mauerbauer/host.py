"""Mauerbauer in Python: setups, actions and observations; `packing` has states."""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import Final

import numpy as np

from mauerwerk.core.errors import SetupError
from mauerwerk.core.game import Chance, Seat, Setup
from mauerwerk.games import mauerbauer
from mauerwerk.games.mauerbauer.beliefs import Belief
from mauerwerk.games.mauerbauer.board import BOARDS, Board, Region, board_of
from mauerwerk.games.mauerbauer.events import Task, View
from mauerwerk.games.mauerbauer.guild import KINDS as CARDS
from mauerwerk.games.mauerbauer.numbering import actions as numbered
from mauerwerk.games.mauerbauer.numbering import number
from mauerwerk.games.mauerbauer.values import (
    COLOURS,
    FACES,
    FULL_ROLLS,
    HOUSE_ROLLS,
    TOWERS,
    Action,
    Appoint,
    Choose,
    Deal,
    Discard,
    Done,
    Ending,
    Join,
    Options,
    PlaceHouse,
    PlaceTower,
    Play,
    RollEarly,
    Swap,
)
from mauerwerk.kernels.chance import in_words
from mauerwerk.kernels.contract import NATURE, Array
from mauerwerk.kernels.mauerbauer.packing import cards, words
from mauerwerk.kernels.mauerbauer.records import (
    LINE_WORDS,
    MOST_FIELDS,
    MOST_LINES,
    MOST_POINTS,
    MOST_SEATS,
    NONE,
    ON_FIELDS,
    ON_LINES,
    ON_POINTS,
    POINT_WORDS,
    SETUP,
    WIDTHS,
    places,
)

_REGIONS: Final = tuple(Region)
_TASKS: Final = (
    Task.LOT,
    Task.ROLL,
    Task.DEAL,
    Task.DRAW,
    Task.BUILD,
    Task.ROLLED_TOWER,
    Task.FREE_TOWER,
    Task.FIRST_HOUSE,
    Task.SECOND_HOUSE,
    Task.EDGE_HOUSE,
    Task.JOIN,
    Task.SCORE,
    Task.ADD,
    Task.CHOOSE,
    Task.FINISH,
    Task.SWAP,
    Task.NOTHING,
)
"""In the order of the phases."""


# --- Setups ----------------------------------------------------------------------------------


def prepare(setup: Setup[Options], /) -> Array:
    """The setup as an array of one record, with the board's neighbours."""
    mauerbauer.start(setup)
    options, board = setup.options, board_of(setup.options.board)
    limits = ((MOST_FIELDS, "fields"), (MOST_LINES, "lines"), (MOST_POINTS, "points"))
    for most, kind in limits:
        if len(getattr(board, kind)) > most:
            raise SetupError(
                f"option board: kernels have room for {most} {kind}, "
                f"not for {len(getattr(board, kind))}"
            )
    agreed = np.zeros(1, SETUP)
    out = agreed[0]
    out["seats"], out["early"] = setup.seats, options.early
    out["first"] = NATURE if options.first == "lot" else options.first
    out["fields"], out["lines"], out["points"] = (len(getattr(board, kind)) for _, kind in limits)
    for name, begin in _begins(board).items():
        out[name] = number(begin, options.board)
    for name, table in _tables(board).items():
        out[name][: len(table)] = table
    out["all_lines"] = words(range(len(board.lines)), LINE_WORDS)
    out["shore"] = words((board.place[point] for point in board.shore), POINT_WORDS)
    return agreed


def _begins(board: Board) -> Mapping[str, Action]:
    """The first action of each kind."""
    return {
        "roll_early": RollEarly(),
        "place_tower": PlaceTower(board.points[0], TOWERS[0]),
        "place_house": PlaceHouse(board.fields[0], COLOURS[0]),
        "join": Join(board.fields[0]),
        "play": Play(CARDS[0]),
        "discard": Discard(CARDS[0]),
        "swap": Swap(CARDS[0]),
        "done": Done(),
        "choose": Choose(board.fields[0]),
        "appoint": Appoint(Seat(0)),
        "deal": Deal(CARDS[0]),
        "roll": FULL_ROLLS[0],
        "roll_houses": HOUSE_ROLLS[0],
    }


def _tables(board: Board) -> Mapping[str, Sequence[int]]:
    """The neighbours of lines and fields, by number."""
    place = board.place
    ends: list[int] = []
    sides: list[int] = []
    for line in board.lines:
        ends += sorted(place[point] for point in board.ends[line])
        beside = [place[field] for field in board.sides[line]]
        sides += [*beside, NONE][:2]
    around: list[int] = []
    beyond: list[int] = []
    for field in board.fields:
        for line in board.around[field]:
            others = [place[each] for each in board.sides[line] if each != field]
            around.append(place[line])
            beyond += others or [NONE]
    regions = [_REGIONS.index(board.regions[field]) for field in board.fields]
    return {"ends": ends, "sides": sides, "around": around, "beyond": beyond, "regions": regions}


def any_setup(draw: Chance, /) -> Setup[Options]:
    """A random setup; over time all options that change play occur.

    Most boards are small: there more is closed, joined and played in fewer moves.
    """
    seats = mauerbauer.SEATS[draw(len(mauerbauer.SEATS))]
    first = draw(seats + 1)
    options = Options(
        first="lot" if first == seats else first,
        board=BOARDS[draw(len(BOARDS))] if draw(5) == 0 else _any_board(draw),
        early=draw(2) == 1,
    )
    return Setup(seats, options)


def _any_board(draw: Chance) -> str:
    """Some rows of fields in any regions, with coast anywhere, and with a lake if there is room."""
    columns = 2 + draw(6)
    rows = ["".join("wme"[draw(3)] for _ in range(columns)) for _ in range(1 + draw(4))]
    if draw(2) and len(rows) > 2 and columns > 3:  # noqa: PLR2004 - so that all stay connected
        lake = 1 + draw(columns - 2)
        rows[1] = rows[1][:lake] + "." + rows[1][lake + 1 :]
    word = "/".join(rows)
    edge = [line for line, sides in board_of(word).sides.items() if len(sides) == 1]
    coast = [line for line in edge if draw(3) == 0]
    return word + "+" * bool(coast) + ",".join(coast)


# --- Actions and observations ----------------------------------------------------------------


def actions(setup: Setup[Options], /) -> Sequence[Action]:
    """Every action there is, by its number."""
    return numbered(setup.options.board)


def layout(setup: Setup[Options], /) -> Mapping[str, slice]:
    """Which part of an observation is where; the parts for the board come last."""
    board = board_of(setup.options.board)
    parts = (
        (ON_LINES, len(board.lines)),
        (ON_POINTS, len(board.points)),
        (ON_FIELDS, len(board.fields)),
    )
    on_board = {part: width * many for widths, many in parts for part, width in widths.items()}
    return places({**WIDTHS, **on_board})


def at_once(_setup: Setup[Options], /) -> int:
    """One after another."""
    return 1


def features(setup: Setup[Options], view: View, /) -> Sequence[int]:
    """What `observe` writes, from a view."""
    parts = {**_seats(view), **_cards(view), **_beside_the_board(setup, view), **_on_board(view)}
    return [feature for part in layout(setup) for feature in parts[part]]


def scored(view: View, /) -> Sequence[int]:
    """The points of each seat so far, from a view."""
    return view.points


def _seats(view: View) -> dict[str, list[int]]:
    """What is known of every seat, counted from one's own."""
    seats, own = len(view.counts), view.seat or 0
    clockwise = [Seat((own + step) % seats) for step in range(seats)]
    absent = [0] * (MOST_SEATS - seats)
    laid = {each.seat: each for each in view.laid}
    swappers = view.swappers or ()
    return {
        "waiting": [int(seat in view.waiting) for seat in clockwise] + absent,
        "builder": [int(seat == view.builder) for seat in clockwise] + absent,
        "counts": [view.counts[seat] for seat in clockwise] + absent,
        "totals": [view.points[seat] for seat in clockwise] + absent,
        "owed": [view.owed.count(seat) for seat in clockwise] + absent,
        "swappers": [int(seat in swappers) for seat in clockwise] + absent,
        "discarded": [int(seat in laid and laid[seat].discarded) for seat in clockwise] + absent,
        "laid": [
            laid[seat].cards.count(card) if seat in laid else 0
            for seat in clockwise
            for card in CARDS
        ]
        + absent * len(CARDS),
    }


def _cards(view: View) -> dict[str, list[int]]:
    hand = view.hands[view.seat or 0] or ()
    worth = dict(zip(hand, view.worth, strict=True))
    return {
        "hand": [hand.count(card) for card in CARDS],
        "worth": [worth.get(card, 0) for card in CARDS],
        "pile": [view.pile],
        "discard": [view.discard.count(card) for card in CARDS],
    }


def _beside_the_board(setup: Setup[Options], view: View) -> dict[str, list[int]]:
    tower, houses = (view.roll.tower, view.roll.houses) if view.roll else (None, ())
    return {
        "task": [int(task is view.task) for task in _TASKS],
        "early": [int(setup.options.early)],
        "hasty": [int(view.hasty)],
        "die": [int(each is tower) for each in TOWERS],
        "dice": [int(each is face) for face in houses for each in FACES] or [0] * WIDTHS["dice"],
        "walls_left": [view.supply.walls],
        "towers_left": [*view.supply.towers],
        "houses_left": [*view.supply.houses],
        "palaces_left": [*view.supply.palaces],
        "swapped": [view.swapped],
        "turns": [view.turns],
        "ending": [int(ending is view.ending) for ending in Ending],
    }


def _on_board(view: View) -> dict[str, list[int]]:
    board = board_of(view.board)
    cities = {city.name: city for city in view.cities}
    closed = {field for city in view.cities for field in city.fields}
    houses = Counter(view.houses)
    for city in view.cities:
        houses.update((city.name, colour) for colour in city.houses)
    palaces = Counter((city.name, colour) for city in view.cities for colour in city.palaces)
    return {
        "walls": [int(line in view.walls) for line in board.lines],
        "line": [int(line == view.line) for line in board.lines],
        "towers": [
            int((point, tower) in view.towers) for point in board.points for tower in TOWERS
        ],
        "closed": [int(field in closed) for field in board.fields],
        "cities": [int(field in cities) for field in board.fields],
        "houses": [houses[field, colour] for field in board.fields for colour in COLOURS],
        "palaces": [palaces[field, colour] for field in board.fields for colour in COLOURS],
        "city": [int(field == view.city) for field in board.fields],
        "field": [int(field == view.field) for field in board.fields],
    }


# --- Beliefs ---------------------------------------------------------------------------------


def believed(_setup: Setup[Options], belief: Belief, /) -> tuple[Array, Array, Array]:
    """The cards and slots of every shift of every hypothesis, and the sums of their weights.

    The sums are as `by_weight` reads them; a hypothesis of fewer shifts has empty ones.
    """
    shifts = max(len(each.shifts) for each in belief.hypotheses)
    unseen = np.zeros((len(belief.hypotheses), shifts), np.int64)
    slots = np.zeros((len(belief.hypotheses), shifts, MOST_SEATS), np.int64)
    for row, each in enumerate(belief.hypotheses):
        for column, shift in enumerate(each.shifts):
            unseen[row, column] = cards(shift.cards)
            slots[row, column, : len(shift.slots)] = shift.slots
    sums = list(accumulate(each.weight for each in belief.hypotheses))
    return unseen, slots, in_words(sums)
