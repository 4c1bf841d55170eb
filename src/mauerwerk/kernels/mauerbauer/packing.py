"""Mauerbauer, from a state of the rules to a record of the kernel and back."""

from collections.abc import Callable, Iterable, Mapping
from typing import Final, assert_never

import numpy as np
from msgspec.structs import replace

from mauerwerk.core.game import Seat, Setup
from mauerwerk.games import mauerbauer
from mauerwerk.games.mauerbauer.board import Board, Field, Line, Point, Region, board_of
from mauerwerk.games.mauerbauer.cities import free_lines, ring, ring_points
from mauerwerk.games.mauerbauer.guild import DECK, Card, Hand
from mauerwerk.games.mauerbauer.guild import KINDS as CARDS
from mauerwerk.games.mauerbauer.values import (
    COLOURS,
    FACES,
    TOWERS,
    Adding,
    Appointing,
    Building,
    Choosing,
    City,
    Colour,
    Dealing,
    Drawing,
    Ending,
    Finishing,
    Joining,
    Laid,
    Options,
    Over,
    PlacingEdgeHouse,
    PlacingFirstHouse,
    PlacingFreeTower,
    PlacingRolledTower,
    PlacingSecondHouse,
    Roll,
    Rolling,
    Scoring,
    State,
    Supply,
    Swapping,
    Table,
    Tower,
)
from mauerwerk.kernels.contract import Array, Record
from mauerwerk.kernels.mauerbauer.records import (
    ADDING,
    APPOINTING,
    BUILDING,
    CHOOSING,
    DEALING,
    DIGIT,
    DIGITS,
    DRAWING,
    EDGE_HOUSE,
    FIELD_WORDS,
    FINISHING,
    FIRST_HOUSE,
    FREE_TOWER,
    JOINING,
    LINE_WORDS,
    NONE,
    OVER,
    PALACE_DIGIT,
    PALACE_DIGITS,
    PALACES,
    POINT_WORDS,
    ROLLED_TOWER,
    ROLLING,
    SCORING,
    SECOND_HOUSE,
    STATE,
    SWAPPING,
    WORD,
)

PHASE_OF: Final[Mapping[type[State], int]] = {
    Appointing: APPOINTING,
    Dealing: DEALING,
    Rolling: ROLLING,
    Drawing: DRAWING,
    Building: BUILDING,
    PlacingRolledTower: ROLLED_TOWER,
    PlacingFreeTower: FREE_TOWER,
    PlacingFirstHouse: FIRST_HOUSE,
    PlacingSecondHouse: SECOND_HOUSE,
    PlacingEdgeHouse: EDGE_HOUSE,
    Joining: JOINING,
    Scoring: SCORING,
    Adding: ADDING,
    Choosing: CHOOSING,
    Finishing: FINISHING,
    Swapping: SWAPPING,
    Over: OVER,
}

_PLACING: Final[Mapping[int, Callable[[Table, Line, Roll], State]]] = {
    ROLLED_TOWER: PlacingRolledTower,
    FREE_TOWER: PlacingFreeTower,
    FIRST_HOUSE: PlacingFirstHouse,
    EDGE_HOUSE: PlacingEdgeHouse,
}
_SCORING: Final[
    Mapping[int, Callable[[Table, Field, tuple[Seat, ...], tuple[Laid, ...]], State]]
] = {SCORING: Scoring, ADDING: Adding}

_KIND: Final[Mapping[Card, int]] = {card: kind for kind, card in enumerate(CARDS)}
_ENDINGS: Final = tuple(Ending)
_REGIONS: Final = tuple(Region)


# --- Sets ------------------------------------------------------------------------------------


def words(places: Iterable[int], number: int) -> Array:
    """A set of places, in this many words."""
    bits = sum(1 << place for place in places)
    parts = [bits >> WORD * word & 2**WORD - 1 for word in range(number)]
    return np.array(parts, np.uint64).view(np.int64)


def members(given: Array) -> list[int]:
    """What is in a set of several words."""
    return [
        WORD * place + bit
        for place, word in enumerate(_integers(given))
        for bit in range(WORD)
        if word >> bit & 1
    ]


def cards(hand: Hand) -> int:
    """Cards as the record has them."""
    return sum(1 << 2 * _KIND[card] + place - hand.index(card) for place, card in enumerate(hand))


def _hand_of(packed: int) -> Hand:
    return tuple(CARDS[place >> 1] for place in range(len(DECK)) if packed >> place & 1)


# --- From values to records ------------------------------------------------------------------


def pack(setup: Setup[Options], state: State, out: Record, /) -> None:
    """Write a state of the rules into a record."""
    for name in STATE.names or ():
        out[name] = 0
    for name in ("line", "last_line", "last_seat", "ending", "die", "dice", "field", "city"):
        out[name] = NONE
    out["phase"] = PHASE_OF[type(state)]
    if isinstance(state, Appointing):
        _pack_table(_bare_table(setup), out)
    else:
        _pack_table(state.table, out)
        _pack_phase(state, board_of(setup.options.board), out)
        _pack_city(state.table, out)


def _bare_table(setup: Setup[Options]) -> Table:
    """What lies there before the lot: as if seat 0 began."""
    state: State = mauerbauer.start(Setup(setup.seats, replace(setup.options, first=0)))
    assert isinstance(state, Dealing)
    return state.table


def _pack_table(table: Table, out: Record) -> None:
    board = board_of(table.options.board)
    place, supply = board.place, table.supply
    rings = {line for city in table.cities for line in ring(board, city)}
    out["walls"] = words((place[line] for line in table.walls), LINE_WORDS)
    out["free"] = words((place[line] for line in free_lines(table)), LINE_WORDS)
    out["rings"] = words((place[line] for line in rings), LINE_WORDS)
    outer = ring_points(board, table.cities)
    out["ring_points"] = words((place[point] for point in outer), POINT_WORDS)
    out["towers"] = [
        word
        for tower in TOWERS
        for word in words((place[at] for at, each in table.towers if each is tower), POINT_WORDS)
    ]
    for line in table.walls:
        for point in board.ends[line]:
            out["walls_at"][place[point]] += 1
    for field, colour in table.houses:
        out["houses"][place[field]] += _digit(colour)
        out["land"] += _digit(colour)
        out["in_region"][_REGIONS.index(board.regions[field])] += 1
    _pack_cities(table, place, out)
    out["walls_left"], out["towers_left"] = supply.walls, supply.towers
    out["houses_left"], out["palaces_left"] = supply.houses, supply.palaces
    seats = len(table.hands)
    out["hands"][:seats] = [cards(hand) for hand in table.hands]
    out["pile"], out["discard"] = cards(table.pile), cards(table.discard)
    out["points"][:seats] = table.points
    out["turns"], out["builder"] = table.turns, table.builder
    if table.ending is not None:
        out["ending"] = _ENDINGS.index(table.ending)
    if table.last is not None:
        out["last_seat"], out["last_line"] = table.last[0], place[table.last[1]]


def _digit(colour: Colour) -> int:
    return 1 << DIGIT * COLOURS.index(colour)


def _pack_cities(table: Table, place: Mapping[str, int], out: Record) -> None:
    names = [place[city.name] for city in table.cities]
    closed = (place[field] for city in table.cities for field in city.fields)
    out["names"], out["closed"] = words(names, FIELD_WORDS), words(closed, FIELD_WORDS)
    housed = {*names, *(place[field] for field, _ in table.houses)}
    out["housed"] = words(housed, FIELD_WORDS)
    for city in table.cities:
        for field in city.fields:
            out["city_of"][place[field]] = place[city.name] + 1
        houses = sum(map(_digit, city.houses))
        palaces = sum(
            1 << PALACES + PALACE_DIGIT * COLOURS.index(colour) for colour in city.palaces
        )
        out["houses"][place[city.name]] = houses + palaces


def _pack_city(table: Table, out: Record) -> None:
    """The city that is joined or scored, if there is one."""
    board = board_of(table.options.board)
    for city in table.cities:
        if board.place[city.name] == out["city"]:
            points = ring_points(board, (city,))
            out["city_size"] = len(city.fields)
            out["city_points"] = words((board.place[point] for point in points), POINT_WORDS)


def _pack_phase(state: State, board: Board, out: Record) -> None:
    place = board.place
    match state:
        case Appointing() | Dealing() | Over():
            pass
        case Building(hasty=hasty):
            out["hasty"] = hasty
        case Rolling(line=line):
            out["line"] = place[line]
        case (
            PlacingRolledTower(line=line, roll=roll)
            | PlacingFreeTower(line=line, roll=roll)
            | PlacingFirstHouse(line=line, roll=roll)
            | PlacingEdgeHouse(line=line, roll=roll)
        ):
            _pack_roll(place[line], roll, out)
        case PlacingSecondHouse(line=line, roll=roll, field=field):
            _pack_roll(place[line], roll, out)
            out["field"] = place[field]
        case Joining(city=city):
            out["city"] = place[city]
        case (
            Scoring(city=city, waiting=waiting, laid=laid)
            | Adding(city=city, waiting=waiting, laid=laid)
        ):
            out["city"] = place[city]
            _pack_laid(waiting, laid, out)
        case Drawing(owed=owed, swappers=swappers):
            for seat in owed:
                out["owed"][seat] += 1
            out["fixed"] = swappers is not None
            out["waiting"] = _bits(swappers or ())
        case Swapping(swappers=swappers, swapped=swapped):
            out["fixed"], out["waiting"], out["swapped"] = 1, _bits(swappers), swapped
        case Choosing(waiting=waiting, laid=laid):
            _pack_laid(waiting, laid, out)
        case Finishing(waiting=waiting, laid=laid, city=chosen):
            _pack_laid(waiting, laid, out)
            out["city"] = NONE if chosen is None else place[chosen]
        case _:
            assert_never(state)


def _pack_roll(line: int, roll: Roll, out: Record) -> None:
    out["line"] = line
    out["die"] = NONE if roll.tower is None else TOWERS.index(roll.tower)
    out["dice"] = [FACES.index(face) for face in roll.houses]


def _pack_laid(waiting: tuple[Seat, ...], laid: tuple[Laid, ...], out: Record) -> None:
    out["waiting"] = _bits(waiting)
    out["discarded"] = _bits(each.seat for each in laid if each.discarded)
    for each in laid:
        for place, card in enumerate(each.cards):
            out["laid"][2 * each.seat + place] = _KIND[card] + 1


def _bits(seats: Iterable[Seat]) -> int:
    return sum(1 << seat for seat in seats)


# --- From records to values ------------------------------------------------------------------


def unpack(setup: Setup[Options], record: Record, /) -> State:
    """The state of the rules that a record stands for."""
    phase = int(record["phase"])
    if phase == APPOINTING:
        return Appointing(setup.seats, setup.options)
    table = _unpack_table(setup, record)
    if phase == DEALING:
        return Dealing(table)
    if phase == BUILDING:
        return Building(table, hasty=bool(record["hasty"]))
    if phase == OVER:
        return Over(table)
    if record["line"] != NONE:
        return _unpack_turn(phase, table, record)
    return _unpack_scoring(phase, table, record)


def _unpack_turn(phase: int, table: Table, record: Record) -> State:
    """The phases of a wall that is being built."""
    board = board_of(table.options.board)
    line = board.lines[int(record["line"])]
    if phase == ROLLING:
        return Rolling(table, line)
    die, (one, other) = int(record["die"]), _integers(record["dice"])
    roll = Roll(None if die == NONE else TOWERS[die], (FACES[one], FACES[other]))
    if phase == SECOND_HOUSE:
        return PlacingSecondHouse(table, line, roll, board.fields[int(record["field"])])
    return _PLACING[phase](table, line, roll)


def _unpack_scoring(phase: int, table: Table, record: Record) -> State:
    """The phases of cities and cards."""
    fields = board_of(table.options.board).fields
    waiting, laid = _clockwise(table, int(record["waiting"])), _unpack_laid(table, record)
    city = None if record["city"] == NONE else fields[int(record["city"])]
    if phase == DRAWING:
        owed = _integers(record["owed"])
        seats = tuple(seat for seat in _clockwise(table, -1) for _ in range(owed[seat]))
        return Drawing(table, seats, waiting if record["fixed"] else None)
    if phase == SWAPPING:
        return Swapping(table, waiting, int(record["swapped"]))
    if phase == CHOOSING:
        return Choosing(table, waiting, laid)
    if phase == FINISHING:
        return Finishing(table, waiting, laid, city)
    assert city is not None
    if phase == JOINING:
        return Joining(table, city)
    return _SCORING[phase](table, city, waiting, laid)


def _integers(given: Array) -> list[int]:
    return [int(each) for each in given]


def _clockwise(table: Table, seats: int) -> tuple[Seat, ...]:
    """These seats, a bit each, beginning with the player whose turn it is."""
    number = len(table.hands)
    in_order = ((table.builder + step) % number for step in range(number))
    return tuple(Seat(seat) for seat in in_order if seats >> seat & 1)


def _unpack_laid(table: Table, record: Record) -> tuple[Laid, ...]:
    discarded, kinds = int(record["discarded"]), _integers(record["laid"])
    return tuple(
        Laid(
            seat,
            tuple(CARDS[kind - 1] for kind in kinds[2 * seat : 2 * seat + 2] if kind),
            discarded=bool(discarded >> seat & 1),
        )
        for seat in _clockwise(table, -1)
        if kinds[2 * seat]
    )


def _unpack_table(setup: Setup[Options], record: Record) -> Table:
    board = board_of(setup.options.board)
    ending, last_seat = int(record["ending"]), int(record["last_seat"])
    last_line = board.lines[int(record["last_line"])]
    return Table(
        options=setup.options,
        builder=Seat(int(record["builder"])),
        walls=tuple(board.lines[place] for place in members(record["walls"])),
        towers=_unpack_towers(board, record),
        houses=_unpack_houses(board, record),
        cities=_unpack_cities(board, record),
        supply=Supply(
            walls=int(record["walls_left"]),
            towers=tuple(_integers(record["towers_left"])),
            houses=tuple(_integers(record["houses_left"])),
            palaces=tuple(_integers(record["palaces_left"])),
        ),
        hands=tuple(_hand_of(hand) for hand in _integers(record["hands"])[: setup.seats]),
        pile=_hand_of(int(record["pile"])),
        discard=_hand_of(int(record["discard"])),
        points=tuple(_integers(record["points"])[: setup.seats]),
        turns=int(record["turns"]),
        ending=None if ending == NONE else _ENDINGS[ending],
        last=None if last_seat == NONE else (Seat(last_seat), last_line),
    )


def _unpack_towers(board: Board, record: Record) -> tuple[tuple[Point, Tower], ...]:
    found = {
        place: tower
        for colour, tower in enumerate(TOWERS)
        for place in members(record["towers"][colour * POINT_WORDS : (colour + 1) * POINT_WORDS])
    }
    return tuple((board.points[place], found[place]) for place in sorted(found))


def _colours_in(held: int) -> tuple[Colour, ...]:
    return tuple(
        colour
        for place, colour in enumerate(COLOURS)
        for _ in range(held >> DIGIT * place & DIGITS)
    )


def _unpack_houses(board: Board, record: Record) -> tuple[tuple[Field, Colour], ...]:
    closed, houses = _integers(record["city_of"]), _integers(record["houses"])
    return tuple(
        (field, colour)
        for place, field in enumerate(board.fields)
        if not closed[place]
        for colour in _colours_in(houses[place])
    )


def _unpack_cities(board: Board, record: Record) -> tuple[City, ...]:
    city_of, houses = _integers(record["city_of"]), _integers(record["houses"])
    return tuple(
        City(
            fields=tuple(
                field for place, field in enumerate(board.fields) if city_of[place] == name + 1
            ),
            houses=_colours_in(houses[name]),
            palaces=tuple(
                colour
                for place, colour in enumerate(COLOURS)
                for _ in range(houses[name] >> PALACES + PALACE_DIGIT * place & PALACE_DIGITS)
            ),
        )
        for name in members(record["names"])
    )
