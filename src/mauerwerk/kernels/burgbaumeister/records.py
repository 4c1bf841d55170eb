"""Burgbaumeister in records: what lies where, and the way between values and records.

Cards and places are bits of a set, both counted from 0: the lowest number, a 2, is bit 0, and 46 is
bit 44. A wall rises from left to right, so it is no more than a set. No number stands in two walls:
of two sets, that with the higher last number is the larger integer.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, assert_never

import numpy as np

from mauerwerk.core.errors import SetupError
from mauerwerk.core.game import Chance, Seat, Setup
from mauerwerk.games import burgbaumeister
from mauerwerk.games.burgbaumeister.beliefs import Belief, known
from mauerwerk.games.burgbaumeister.cards import EXTRA, LETTERS, STANDARD, pictures, shown
from mauerwerk.games.burgbaumeister.events import Task, View
from mauerwerk.games.burgbaumeister.values import (
    ACTIONS,
    CARDS,
    LAYOUTS,
    PLACES,
    Action,
    Deciding,
    Drawing,
    Ending,
    Firing,
    Options,
    Over,
    Picture,
    Showing,
    Spreading,
    State,
    Table,
    Turning,
)
from mauerwerk.kernels.contract import NATURE, Array, Record

MOST_SEATS: Final = 4
MOST_SHOTS: Final = 3
"""There are three cannons, and each fires once (BB-24)."""
LOWEST: Final = CARDS[0]
ALL_CARDS: Final = (1 << len(CARDS)) - 1
ALL_PLACES: Final = (1 << len(PLACES)) - 1
NOBODY: Final = -1
RECTANGLE: Final = -1

SETUP: Final = np.dtype(
    [
        ("seats", "i4"),
        ("first", "i4"),
        ("variant", "i4"),
        ("chaotic", "i4"),
        ("aid", "i4"),
        ("ones", "i8"),  # the cards worth one extra point, and so on; no cards without the variant
        ("twos", "i8"),
        ("threes", "i8"),
        ("knights", "i8"),
        ("damsels", "i8"),
        ("cannons", "i8"),
        ("towers", "i8"),
        ("wizards", "i8"),
        ("pictures", "i1", (len(CARDS),)),  # of each card, 1 + its place in `Picture`; 0: none
    ],
    align=True,
)
"""`first` is -1 where the lot decides."""

STATE: Final = np.dtype(
    [
        ("depot", "i8"),  # the places where a card lies
        ("left", "i8"),  # those turned and left since a card was last added or inserted
        ("lying", "i8"),  # the numbers that are in no wall and not destroyed
        ("unseen", "i8"),  # the numbers that no card has shown yet
        ("walls", "i8", (MOST_SEATS,)),
        ("turns", "i4"),
        ("phase", "i1"),
        ("player", "i1"),
        ("place", "i1"),  # the card that is being turned or lies face up; else 0
        ("spell", "i1"),
        ("idle", "i1"),
        ("layout", "i1"),
        ("ending", "i1"),
        ("shots", "i1"),  # how many cards are destroyed
        ("destroyed", "i1", (MOST_SHOTS,)),
        ("numbers", "i1", (len(PLACES),)),  # what each place has shown; 0: nothing yet
    ],
    align=True,
)

BELIEF: Final = np.dtype(
    [
        ("left", "i8"),
        ("shots", "i1"),
        ("destroyed", "i1", (MOST_SHOTS,)),
        ("numbers", "i1", (len(PLACES),)),
    ],
    align=True,
)
"""What a viewer knows beyond what the table shows; the fields are those of the state."""

DRAWING, SPREADING, TURNING, SHOWING, DECIDING, FIRING, OVER = range(7)
"""The phases."""

REASONS: Final = tuple(ending.value for ending in Ending)
NINE, EMPTY, BLOCKED, STALL = range(4)

TURN: Final = 0
ADD: Final = TURN + len(PLACES)
INSERT: Final = ADD + 1
LEAVE: Final = ADD + 2
FIRE: Final = LEAVE + 1
HOLD_FIRE: Final = FIRE + len(CARDS)
SHOW: Final = HOLD_FIRE + 1
APPOINT: Final = SHOW + len(CARDS)
SPREAD: Final = APPOINT + MOST_SEATS
"""Where the numbers of each kind of action begin."""
END: Final = SPREAD + len(LAYOUTS)


# --- What an observation is made of ----------------------------------------------------------

WIDTHS: Final = {
    "task": 7,  # what the table waits for, one of the phases
    "waiting": MOST_SEATS,  # who must do it; seats are counted clockwise from one's own
    "player": MOST_SEATS,  # whose turn it is
    "variant": 1,
    "pictures": len(CARDS),  # what each number shows, 1 to 9, where pictures count; else 0
    "layout": 1,  # 1 + which; 0: a rectangle, or not spread yet
    "depot": len(PLACES),  # where a card lies
    "turned": len(PLACES),  # where a card is being turned or lies face up
    "number": len(CARDS),  # what it shows; all 0 while it shows nothing
    "walls": MOST_SEATS * len(CARDS),  # the numbers in each
    "safe": MOST_SEATS,  # how many cards of each no cannon can destroy
    "points": MOST_SEATS,
    "spell": MOST_SEATS,  # who can still have the wizard insert a card
    "idle": 1,
    "turns": 1,
    "aid": 1,  # whether there is the memory aid
    "seen": len(PLACES),  # with it, the number that the card in each place has shown; else 0
    "ending": 4,
}
"""The width of each part of an observation. One of several alternatives is a 1 in its place."""


def _places() -> dict[str, slice]:
    ends = np.cumsum(list(WIDTHS.values())).tolist()
    return {
        part: slice(end - width, end)
        for (part, width), end in zip(WIDTHS.items(), ends, strict=True)
    }


LAYOUT: Final[Mapping[str, slice]] = _places()

AT_TASK: Final = LAYOUT["task"].start
AT_WAITING: Final = LAYOUT["waiting"].start
AT_PLAYER: Final = LAYOUT["player"].start
AT_VARIANT: Final = LAYOUT["variant"].start
AT_PICTURES: Final = LAYOUT["pictures"].start
AT_LAYOUT: Final = LAYOUT["layout"].start
AT_DEPOT: Final = LAYOUT["depot"].start
AT_TURNED: Final = LAYOUT["turned"].start
AT_NUMBER: Final = LAYOUT["number"].start
AT_WALLS: Final = LAYOUT["walls"].start
AT_SAFE: Final = LAYOUT["safe"].start
AT_POINTS: Final = LAYOUT["points"].start
AT_SPELL: Final = LAYOUT["spell"].start
AT_IDLE: Final = LAYOUT["idle"].start
AT_TURNS: Final = LAYOUT["turns"].start
AT_AID: Final = LAYOUT["aid"].start
AT_SEEN: Final = LAYOUT["seen"].start
AT_ENDING: Final = LAYOUT["ending"].start


# --- In Python: between values and records ---------------------------------------------------

_CODES: Final[Mapping[Picture, int]] = {picture: 1 + n for n, picture in enumerate(Picture)}
_ENDINGS: Final = tuple(Ending)
_TASKS: Final = tuple(Task)


def prepare(setup: Setup[Options], /) -> Array:
    """The setup as an array of one record."""
    burgbaumeister.start(setup)
    options = setup.options
    if not options.stall:
        raise SetupError("with stall=no the game need not end, so no kernel plays it (BB-12)")
    agreed = np.zeros(1, SETUP)
    out = agreed[0]
    out["seats"] = setup.seats
    out["first"] = NATURE if options.first == "lot" else options.first
    out["variant"] = options.variant
    out["chaotic"] = options.depot == "chaotic"
    out["aid"] = options.memory_aid
    if not options.variant:
        return agreed
    faces = pictures(options.pictures)
    out["pictures"] = picture_codes(setup)
    for field, worth in (("ones", 1), ("twos", 2), ("threes", 3)):
        out[field] = cards(n for n, picture in faces.items() if EXTRA.get(picture) == worth)
    for field, kind in (
        ("knights", Picture.KNIGHT),
        ("damsels", Picture.DAMSEL),
        ("cannons", Picture.CANNON),
        ("towers", Picture.TOWER),
        ("wizards", Picture.WIZARD),
    ):
        out[field] = cards(n for n, picture in faces.items() if picture is kind)
    return agreed


def any_setup(draw: Chance, /) -> Setup[Options]:
    """A random setup; over time all options that change play occur."""
    seats = burgbaumeister.SEATS[draw(len(burgbaumeister.SEATS))]
    first = draw(seats + 1)
    options = Options(
        variant=draw(3) > 0,
        first="lot" if first == seats else first,
        depot="chaotic" if draw(3) == 0 else "rectangle",
        memory_aid=draw(3) == 0,
        pictures=STANDARD if draw(3) == 0 else _any_pictures(draw),
    )
    return Setup(seats, options)


def _any_pictures(draw: Chance) -> str:
    """A table of pictures by chance that keeps to the counts (BB-21 to BB-26)."""
    numbers = list(CARDS)
    ravens = [("r", "rr")[draw(2)] for _ in range(5)]
    letters = [*"kq", *"nnn", *"ddd", *"ccc", *"tttt", "w", *ravens]
    assert set(letters) <= LETTERS.keys()
    return ",".join(f"{numbers.pop(draw(len(numbers)))}{letter}" for letter in letters)


def actions(_setup: Setup[Options], /) -> Sequence[Action]:
    """Every action there is, by its number."""
    return ACTIONS


def layout(_setup: Setup[Options], /) -> Mapping[str, slice]:
    """Which part of an observation is where."""
    return LAYOUT


def at_once(_setup: Setup[Options], /) -> int:
    """One after another."""
    return 1


def features(setup: Setup[Options], view: View, /) -> Sequence[int]:
    """What `observe` writes, from a view and the pictures agreed on."""
    seats, own = len(view.walls), view.seat or 0
    clockwise = [(own + step) % seats for step in range(seats)]
    absent = [0] * (MOST_SEATS - seats)
    turned, seen = view.turned, view.seen or ()
    face_up = turned.card if turned else None
    parts: dict[str, list[int]] = {
        "task": [int(task is view.task) for task in Task],
        "waiting": [int(seat in view.waiting) for seat in clockwise] + absent,
        "player": [int(seat == view.player) for seat in clockwise] + absent,
        "variant": [int(view.variant)],
        "pictures": picture_codes(setup),
        "layout": [0 if view.layout is None else 1 + view.layout],
        "depot": _row(len(PLACES), dict.fromkeys(view.depot, 1)),
        "turned": _row(len(PLACES), {turned.place: 1} if turned else {}),
        "number": _row(len(CARDS), {face_up.number - LOWEST: 1} if face_up else {}),
        "walls": [
            bit
            for seat in clockwise
            for bit in _row(len(CARDS), {card.number - LOWEST: 1 for card in view.walls[seat]})
        ]
        + absent * len(CARDS),
        "safe": [view.safe[seat] for seat in clockwise] + absent,
        "points": [view.points[seat] for seat in clockwise] + absent,
        "spell": [int(seat == view.spell) for seat in clockwise] + absent,
        "idle": [view.idle],
        "turns": [view.turns],
        "aid": [int(view.seen is not None)],
        "seen": _row(len(PLACES), {each.place: each.card.number for each in seen if each.card}),
        "ending": [int(ending is view.ending) for ending in Ending],
    }
    return [feature for part in WIDTHS for feature in parts[part]]


def scored(view: View, /) -> Sequence[int]:
    """The points of each seat so far, from a view."""
    return view.points


def picture_codes(setup: Setup[Options]) -> list[int]:
    """What each number shows; all 0 where pictures do not count."""
    faces = shown(setup.options)
    return _row(len(CARDS), {number - LOWEST: _CODES[faces[number]] for number in faces})


def _row(width: int, marks: Mapping[int, int]) -> list[int]:
    """Zeros, and what is marked."""
    row = [0] * width
    for place, mark in marks.items():
        row[place] = mark
    return row


def cards(numbers: Iterable[int]) -> int:
    """Numbers as a set of bits."""
    return sum(1 << number - LOWEST for number in numbers)


def _numbers_in(held: int) -> tuple[int, ...]:
    return tuple(number for number in CARDS if held >> number - LOWEST & 1)


def _bits(places: Iterable[int]) -> int:
    return sum(1 << place for place in places)


def _places_in(held: int) -> tuple[int, ...]:
    return tuple(place for place in PLACES if held >> place & 1)


def pack(_setup: Setup[Options], state: State, out: Record, /) -> None:
    """Write a state of the rules into a record."""
    for field in STATE.names or ():
        out[field] = 0
    out["phase"] = _phase_of(state)
    match state:
        case Drawing() | Spreading():
            out["depot"] = ALL_PLACES
            out["lying"] = out["unseen"] = ALL_CARDS
            out["spell"], out["layout"] = NOBODY, RECTANGLE
            out["player"] = state.first if isinstance(state, Spreading) else 0
            return
        case Showing(place=place) | Deciding(place=place):
            out["place"] = place
        case Over(ending=ending):
            out["ending"] = _ENDINGS.index(ending)
        case Turning() | Firing():
            pass
        case _:
            assert_never(state)
    _pack_table(state.table, out)


def _phase_of(state: State) -> int:
    kinds = (Drawing, Spreading, Turning, Showing, Deciding, Firing, Over)
    return kinds.index(type(state))


def _pack_table(table: Table, out: Record) -> None:
    out["depot"], out["left"] = _bits(table.depot), _bits(table.left)
    gone = {*table.destroyed}.union(*table.walls)
    out["lying"] = ALL_CARDS & ~cards(gone)
    out["unseen"] = ALL_CARDS & ~cards(number for number in table.numbers if number)
    for seat, wall in enumerate(table.walls):
        out["walls"][seat] = cards(wall)
    out["turns"], out["player"], out["idle"] = table.turns, table.player, table.idle
    out["spell"] = NOBODY if table.spell is None else table.spell
    out["layout"] = RECTANGLE if table.layout is None else table.layout
    out["shots"] = len(table.destroyed)
    out["destroyed"][: len(table.destroyed)] = table.destroyed
    out["numbers"] = [number or 0 for number in table.numbers]


def unpack(setup: Setup[Options], record: Record, /) -> State:
    """The state of the rules that a record stands for."""
    task: Task = _TASKS[int(record["phase"])]
    match task:
        case Task.LOT:
            return Drawing(setup.seats, setup.options)
        case Task.SPREAD:
            return Spreading(setup.seats, setup.options, Seat(int(record["player"])))
        case Task.TURN:
            return Turning(_unpack_table(setup, record))
        case Task.SHOW:
            return Showing(_unpack_table(setup, record), int(record["place"]))
        case Task.DECIDE:
            return Deciding(_unpack_table(setup, record), int(record["place"]))
        case Task.FIRE:
            return Firing(_unpack_table(setup, record))
        case Task.NOTHING:
            return Over(_unpack_table(setup, record), _ENDINGS[int(record["ending"])])
        case _:
            assert_never(task)


def _unpack_table(setup: Setup[Options], record: Record) -> Table:
    spell, spread = int(record["spell"]), int(record["layout"])
    return Table(
        options=setup.options,
        layout=None if spread == RECTANGLE else spread,
        player=Seat(int(record["player"])),
        depot=_places_in(int(record["depot"])),
        numbers=tuple(number or None for number in record["numbers"].tolist()),
        walls=tuple(_numbers_in(wall) for wall in record["walls"].tolist()[: setup.seats]),
        destroyed=tuple(record["destroyed"].tolist()[: record["shots"]]),
        spell=None if spell == NOBODY else Seat(spell),
        left=_places_in(int(record["left"])),
        idle=int(record["idle"]),
        turns=int(record["turns"]),
    )


def believed(_setup: Setup[Options], belief: Belief, /) -> Array:
    """The numbers that can be named, those taken included; the others nature will deal."""
    out = np.zeros(1, BELIEF)
    out["left"] = _bits(belief.left)
    out["shots"] = len(belief.destroyed)
    out["destroyed"][0, : len(belief.destroyed)] = belief.destroyed
    out["numbers"] = [number or 0 for number in belief.taken]
    for place, number in known(belief).items():
        out["numbers"][0, place] = number
    return out
