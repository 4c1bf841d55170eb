"""Mauerbauer, the way between values and records: setups, states and beliefs."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate
from typing import Any, Final

import numpy as np
from msgspec.structs import replace

from mauerwerk.core.errors import SetupError
from mauerwerk.core.game import Chance, Seat, Setup
from mauerwerk.core.options import PRINTED, from_words
from mauerwerk.games import mauerbauer
from mauerwerk.games.mauerbauer import values
from mauerwerk.games.mauerbauer.beliefs import Belief
from mauerwerk.games.mauerbauer.board import BOARDS, Board, Field, Point, Region, board_of
from mauerwerk.games.mauerbauer.cities import free_lines, ring, ring_points
from mauerwerk.games.mauerbauer.guild import DECK, POINTS, Card, Hand
from mauerwerk.games.mauerbauer.guild import KINDS as CARDS
from mauerwerk.games.mauerbauer.numbering import number
from mauerwerk.kernels.chance import in_words
from mauerwerk.kernels.contract import NATURE, Array, Record
from mauerwerk.kernels.mauerbauer import records
from mauerwerk.kernels.mauerbauer.observation import most_points

_KIND: Final[Mapping[Card, int]] = {card: kind for kind, card in enumerate(CARDS)}
_ENDINGS: Final = tuple(values.Ending)
_REGIONS: Final = tuple(Region)


# --- Setups ----------------------------------------------------------------------------------


def pack_setup(setup: Setup[values.Options], /) -> Array:
    """The setup as an array of one record, with the board's neighbours."""
    mauerbauer.start(setup)
    options, board = setup.options, board_of(setup.options.board)
    limits = (
        (records.MOST_FIELDS, "fields"),
        (records.MOST_LINES, "lines"),
        (records.MOST_POINTS, "points"),
    )
    for most, kind in limits:
        if len(getattr(board, kind)) > most:
            raise SetupError(
                f"option board: kernels have room for {most} {kind}, "
                f"not for {len(getattr(board, kind))}"
            )
    if lacking := _lacking_room(setup):
        raise SetupError(lacking)
    packed_setup = np.zeros(1, records.SETUP)
    out = packed_setup[0]
    out["seats"], out["early"] = setup.seats, options.early
    out["first"] = NATURE if options.first == "lot" else options.first
    out["fields"], out["lines"], out["points"] = (len(getattr(board, kind)) for _, kind in limits)
    for name, begin in _begins(board).items():
        out[name] = number(begin, options.board)
    for name, table in _tables(board).items():
        out[name][: len(table)] = table
    for name in ("hand", "walls", "towers", "houses", "palaces", "tower_colours", "colours"):
        out[name] = getattr(options, name)
    points = values.points_of(options)
    out["worth"] = [points[name] for name in records.WORTH]
    out["deck"] = cards(values.deck_of(options))
    out["all_lines"] = words(board.place, board.lines, records.LINE_WORDS)
    out["shore"] = words(board.place, board.shore, records.POINT_WORDS)
    return packed_setup


def _lacking_room(setup: Setup[values.Options]) -> str:
    """What the records have no room for, by house rules; nothing, if there is room for all."""
    options, deck = setup.options, values.deck_of(setup.options)
    copies = max(deck.count(card) for card in deck)
    for needed, room, what in (
        (options.houses, records.MOST_HOUSES, "houses of a colour"),
        (options.palaces, records.MOST_PALACES, "palaces of a colour"),
        (copies, records.MOST_COPIES, "cards of a kind"),
        (most_points(setup), records.MOST_SCORED, "points of a player"),
    ):
        if needed > room:
            return f"kernels have room for {room} {what}, not for {needed}"
    return ""


def _begins(board: Board) -> Mapping[str, values.Action]:
    """The first action of each kind."""
    return {
        "roll_early": values.RollEarly(),
        "place_tower": values.PlaceTower(board.points[0], values.TOWERS[0]),
        "place_house": values.PlaceHouse(board.fields[0], values.COLOURS[0]),
        "join": values.Join(board.fields[0]),
        "play": values.Play(CARDS[0]),
        "discard": values.Discard(CARDS[0]),
        "swap": values.Swap(CARDS[0]),
        "done": values.Done(),
        "choose": values.Choose(board.fields[0]),
        "appoint": values.Appoint(Seat(0)),
        "deal": values.Deal(CARDS[0]),
        "roll": values.FULL_ROLLS[0],
        "roll_houses": values.HOUSE_ROLLS[0],
    }


def _tables(board: Board) -> Mapping[str, Sequence[int]]:
    """The neighbours of lines and fields, by number."""
    place = board.place
    ends: list[int] = []
    sides: list[int] = []
    for line in board.lines:
        ends += sorted(place[point] for point in board.ends[line])
        beside = [place[field] for field in board.sides[line]]
        sides += [*beside, records.NONE][:2]
    around: list[int] = []
    beyond: list[int] = []
    for field in board.fields:
        for line in board.around[field]:
            others = [place[each] for each in board.sides[line] if each != field]
            around.append(place[line])
            beyond += others or [records.NONE]
    regions = [_REGIONS.index(board.regions[field]) for field in board.fields]
    return {"ends": ends, "sides": sides, "around": around, "beyond": beyond, "regions": regions}


def random_setup(draw: Chance, /) -> Setup[values.Options]:
    """A random setup that there is room for; over time all options that change play occur.

    Most boards are small: there more is closed, joined and played in fewer moves.
    """
    while _lacking_room(setup := _any_setup(draw)):
        pass
    return setup


def _any_setup(draw: Chance) -> Setup[values.Options]:
    seats = mauerbauer.SEATS[draw(len(mauerbauer.SEATS))]
    first = draw(seats + 1)
    options = values.Options(
        first="lot" if first == seats else first,
        board=BOARDS[draw(len(BOARDS))] if draw(5) == 0 else _any_board(draw),
        early=draw(2) == 1,
        **(_any_house_rules(draw, seats) if draw(3) == 0 else {}),
    )
    return Setup(seats, options)


def _any_house_rules(draw: Chance, seats: int) -> dict[str, Any]:
    """Other numbers of everything, as far as there is room for them."""
    copies = {card.value: draw(records.MOST_COPIES + 1) for card in CARDS}
    deck = sum(copies.values())
    points = {name: draw(4) for name in POINTS if draw(2)}
    chosen = values.Options()
    words = {
        "deck": ",".join(f"{name}:{number}" for name, number in copies.items()),
        "points": ",".join(f"{name}:{number}" for name, number in points.items()) or PRINTED,
    }
    return {
        "walls": 1 + draw(40),
        "towers": 1 + draw(12),
        "houses": 1 + draw(records.MOST_HOUSES),
        "palaces": draw(records.MOST_PALACES + 1),
        "tower_colours": 1 + draw(3),
        "colours": 1 + draw(5),
        "hand": 1 + draw(min(8, deck // seats)) if deck >= seats else chosen.hand,
        "deck": _in_words("deck", words) if deck >= seats else PRINTED,
        "points": _in_words("points", words),
    }


def _in_words(name: str, words: Mapping[str, str]) -> str:
    chosen: str = getattr(from_words(values.Options, {name: words[name]}), name)
    return chosen


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


def max_to_act(_setup: Setup[values.Options], /) -> int:
    """One after another."""
    return 1


# --- Sets ------------------------------------------------------------------------------------


def words(place: Mapping[str, int], things: Iterable[str], number: int) -> Array:
    """A set of lines, points or fields of the board, in this many words."""
    bits = sum(1 << place[each] for each in things)
    parts = [bits >> records.WORD * word & 2**records.WORD - 1 for word in range(number)]
    return np.array(parts, np.uint64).view(np.int64)


def members(given: Array) -> list[int]:
    """What is in a set of several words."""
    return [
        records.WORD * place + bit
        for place, word in enumerate(_integers(given))
        for bit in range(records.WORD)
        if word >> bit & 1
    ]


def cards(hand: Hand) -> int:
    """Cards as the record has them."""
    return sum(1 << 2 * _KIND[card] + place - hand.index(card) for place, card in enumerate(hand))


def _hand_of(packed: int) -> Hand:
    return tuple(CARDS[place >> 1] for place in range(len(DECK)) if packed >> place & 1)


# --- From values to records ------------------------------------------------------------------


def pack(setup: Setup[values.Options], state: values.State, out: Record, /) -> None:
    """Write a state of the rules into a record."""
    for name in records.STATE.names or ():
        out[name] = 0
    for name in ("line", "last_line", "last_seat", "ending", "die", "dice", "field", "city"):
        out[name] = records.NONE
    out["phase"] = records.PHASES.index(type(state))
    if isinstance(state, values.Appointing):
        _pack_table(_bare_table(setup), out)
    else:
        _pack_table(state.table, out)
        _pack_phase(state, board_of(setup.options.board).place, out)
        _pack_city(state.table, out)


def _bare_table(setup: Setup[values.Options]) -> values.Table:
    """What lies there before the lot: as if seat 0 began."""
    state: values.State = mauerbauer.start(Setup(setup.seats, replace(setup.options, first=0)))
    assert isinstance(state, values.Dealing)
    return state.table


def _pack_table(table: values.Table, out: Record) -> None:
    board = board_of(table.options.board)
    place, supply = board.place, table.supply
    rings = {line for city in table.cities for line in ring(board, city)}
    out["walls"] = words(place, table.walls, records.LINE_WORDS)
    out["free"] = words(place, free_lines(table), records.LINE_WORDS)
    out["rings"] = words(place, rings, records.LINE_WORDS)
    out["ring_points"] = words(place, ring_points(board, table.cities), records.POINT_WORDS)
    for colour_number, tower in enumerate(values.TOWERS):
        points = [point for point, each in table.towers if each is tower]
        begin = colour_number * records.POINT_WORDS
        out["towers"][begin : begin + records.POINT_WORDS] = words(
            place, points, records.POINT_WORDS
        )
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


def _digit(colour: values.Colour) -> int:
    return 1 << records.DIGIT * values.COLOURS.index(colour)


def _pack_cities(table: values.Table, place: Mapping[str, int], out: Record) -> None:
    names = [city.name for city in table.cities]
    closed = [field for city in table.cities for field in city.fields]
    out["names"] = words(place, names, records.FIELD_WORDS)
    out["closed"] = words(place, closed, records.FIELD_WORDS)
    housed = {*names, *(field for field, _ in table.houses)}
    out["housed"] = words(place, housed, records.FIELD_WORDS)
    for city in table.cities:
        for field in city.fields:
            out["city_of"][place[field]] = place[city.name] + 1
        houses = sum(map(_digit, city.houses))
        palaces = sum(
            1 << records.PALACES + records.PALACE_DIGIT * values.COLOURS.index(colour)
            for colour in city.palaces
        )
        out["houses"][place[city.name]] = houses + palaces


def _pack_city(table: values.Table, out: Record) -> None:
    """The city that is joined or scored, if there is one."""
    board = board_of(table.options.board)
    for city in table.cities:
        if board.place[city.name] == out["city"]:
            points = ring_points(board, (city,))
            out["city_size"] = len(city.fields)
            out["city_points"] = words(board.place, points, records.POINT_WORDS)


def _pack_phase(state: values.State, place: Mapping[str, int], out: Record) -> None:
    """What a phase knows beyond the table; most of it has the same name in the record."""
    for name in state.__struct_fields__:
        given = getattr(state, name)
        match name:
            case "table":
                pass
            case "hasty" | "swapped":
                out[name] = given
            case "line" | "field" | "city":
                out[name] = records.NONE if given is None else place[given]
            case "roll":
                if given.tower is not None:
                    out["die"] = values.TOWERS.index(given.tower)
                out["dice"] = [values.FACES.index(face) for face in given.houses]
            case "waiting":
                out["waiting"] = _bits(given)
            case "swappers":
                out["waiting"], out["fixed"] = _bits(given or ()), given is not None
            case "owed":
                for seat in given:
                    out["owed"][seat] += 1
            case "laid":
                out["discarded"] = _bits(each.seat for each in given if each.discarded)
                for each in given:
                    for at, card in enumerate(each.cards):
                        out["laid"][2 * each.seat + at] = _KIND[card] + 1
            case _:
                raise AssertionError(name)


def _bits(seats: Iterable[Seat]) -> int:
    return sum(1 << seat for seat in seats)


# --- From records to values ------------------------------------------------------------------


def unpack(setup: Setup[values.Options], record: Record, /) -> values.State:
    """The state of the rules that a record stands for."""
    phase, board = records.PHASES[int(record["phase"])], board_of(setup.options.board)
    table = _unpack_table(setup, record)
    waiting, owed = _clockwise(table, int(record["waiting"])), _integers(record["owed"])
    die, (one, other) = int(record["die"]), _integers(record["dice"])
    tower = None if die == records.NONE else values.TOWERS[die]
    city = int(record["city"])
    known: dict[str, Any] = {
        "seats": setup.seats,
        "options": setup.options,
        "table": table,
        "hasty": bool(record["hasty"]),
        "line": board.lines[int(record["line"])],
        "roll": values.Roll(tower, (values.FACES[one], values.FACES[other])),
        "field": board.fields[int(record["field"])],
        "city": None if city == records.NONE else board.fields[city],
        "waiting": waiting,
        "laid": _unpack_laid(table, record),
        "owed": tuple(seat for seat in _clockwise(table, -1) for _ in range(owed[seat])),
        "swappers": waiting if record["fixed"] else None,
        "swapped": int(record["swapped"]),
    }
    return phase(**{name: known[name] for name in phase.__struct_fields__})


def _integers(given: Array) -> list[int]:
    return [int(each) for each in given]


def _clockwise(table: values.Table, seats: int) -> tuple[Seat, ...]:
    """These seats, a bit each, beginning with the player whose turn it is."""
    number = len(table.hands)
    in_order = ((table.builder + step) % number for step in range(number))
    return tuple(Seat(seat) for seat in in_order if seats >> seat & 1)


def _unpack_laid(table: values.Table, record: Record) -> tuple[values.Laid, ...]:
    discarded, kinds = int(record["discarded"]), _integers(record["laid"])
    return tuple(
        values.Laid(
            seat,
            tuple(CARDS[kind - 1] for kind in kinds[2 * seat : 2 * seat + 2] if kind),
            discarded=bool(discarded >> seat & 1),
        )
        for seat in _clockwise(table, -1)
        if kinds[2 * seat]
    )


def _unpack_table(setup: Setup[values.Options], record: Record) -> values.Table:
    board = board_of(setup.options.board)
    ending, last_seat = int(record["ending"]), int(record["last_seat"])
    last_line = board.lines[int(record["last_line"])]
    return values.Table(
        options=setup.options,
        builder=Seat(int(record["builder"])),
        walls=tuple(board.lines[place] for place in members(record["walls"])),
        towers=_unpack_towers(board, record),
        houses=_unpack_houses(board, record),
        cities=_unpack_cities(board, record),
        supply=values.Supply(
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
        ending=None if ending == records.NONE else _ENDINGS[ending],
        last=None if last_seat == records.NONE else (Seat(last_seat), last_line),
    )


def _unpack_towers(board: Board, record: Record) -> tuple[tuple[Point, values.Tower], ...]:
    found = {
        place: tower
        for colour, tower in enumerate(values.TOWERS)
        for place in members(
            record["towers"][colour * records.POINT_WORDS : (colour + 1) * records.POINT_WORDS]
        )
    }
    return tuple((board.points[place], found[place]) for place in sorted(found))


def _colours_in(held: int) -> tuple[values.Colour, ...]:
    return tuple(
        colour
        for place, colour in enumerate(values.COLOURS)
        for _ in range(held >> records.DIGIT * place & records.DIGITS)
    )


def _unpack_houses(board: Board, record: Record) -> tuple[tuple[Field, values.Colour], ...]:
    closed, houses = _integers(record["city_of"]), _integers(record["houses"])
    return tuple(
        (field, colour)
        for place, field in enumerate(board.fields)
        if not closed[place]
        for colour in _colours_in(houses[place])
    )


def _unpack_cities(board: Board, record: Record) -> tuple[values.City, ...]:
    city_of, houses = _integers(record["city_of"]), _integers(record["houses"])
    return tuple(
        values.City(
            fields=tuple(
                field for place, field in enumerate(board.fields) if city_of[place] == name + 1
            ),
            houses=_colours_in(houses[name]),
            palaces=tuple(
                colour
                for place, colour in enumerate(values.COLOURS)
                for _ in range(
                    houses[name] >> records.PALACES + records.PALACE_DIGIT * place
                    & records.PALACE_DIGITS
                )
            ),
        )
        for name in members(record["names"])
    )


# --- Beliefs ---------------------------------------------------------------------------------


def pack_belief(_setup: Setup[values.Options], belief: Belief, /) -> tuple[Array, Array, Array]:
    """The cards and slots of every shift of every hypothesis, and the sums of their weights.

    The sums are as `by_weight` reads them; a hypothesis of fewer shifts has empty ones.
    """
    shifts = max(len(each.shifts) for each in belief.hypotheses)
    unseen = np.zeros((len(belief.hypotheses), shifts), np.int64)
    slots = np.zeros((len(belief.hypotheses), shifts, records.MOST_SEATS), np.int64)
    for row, each in enumerate(belief.hypotheses):
        for column, shift in enumerate(each.shifts):
            unseen[row, column] = cards(shift.cards)
            slots[row, column, : len(shift.slots)] = shift.slots
    sums = list(accumulate(each.weight for each in belief.hypotheses))
    return unseen, slots, in_words(sums)
