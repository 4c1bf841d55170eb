"""Mauerbauer, what a seat sees as numbers.

Seats are counted clockwise from one's own. One of several possibilities is a 1 in its place. The
part of a seat that does not play is zero.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final

from numpy import int64, uint64

from mauerwerk.core.game import Seat, Setup
from mauerwerk.core.observation import ObservationSpec, Part
from mauerwerk.games.mauerbauer.board import Region, board_of
from mauerwerk.games.mauerbauer.events import View
from mauerwerk.games.mauerbauer.guild import KINDS as CARDS
from mauerwerk.games.mauerbauer.values import (
    COLOURS,
    FACES,
    TOWERS,
    Ending,
    Options,
    deck_of,
    full_supply,
    points_of,
)
from mauerwerk.games.mauerbauer.views import TASKS
from mauerwerk.kernels.bits import lowest, size
from mauerwerk.kernels.contract import Array, Int, Record, bits_of, compiled
from mauerwerk.kernels.mauerbauer import records
from mauerwerk.kernels.mauerbauer.cities import palaces_in, value
from mauerwerk.kernels.mauerbauer.moves import first_waiting

_TASKS: Final = tuple(TASKS[phase] for phase in records.PHASES)
"""In the order of the phases."""


# --- The parts -------------------------------------------------------------------------------


def largest_hand(setup: Setup[Options]) -> int:
    """A discard wins a card with each city that is closed (MB-45), which closes another field."""
    fields = board_of(setup.options.board).fields
    return min(len(deck_of(setup.options)), setup.options.hand + len(fields))


def _highest(setup: Setup[Options]) -> Mapping[str, int | Sequence[int]]:
    """What the options and the board decide.

    Two cards are played for each city that is closed, and two more in the end (MB-43, MB-72). Each
    turn places a house (MB-25, MB-28), and only two for a palace come back (MB-34).
    """
    options, worth, hand = setup.options, _worth(setup), largest_hand(setup)
    supply = full_supply(options)
    return {
        "walls_left": supply.walls,
        "towers_left": supply.towers,
        "houses_left": supply.houses,
        "palaces_left": supply.palaces,
        "houses": options.houses,
        "palaces": options.palaces,
        "pile": len(deck_of(options)),
        "turns": sum(supply.houses) + 2 * sum(supply.palaces),
        "task": [int(options.first == "lot"), *([1] * (len(_TASKS) - 1))],
        "early": int(options.early),
        "hasty": int(options.early),
        "counts": hand,
        "totals": most_points(setup),
        "worth": worth,
        "owed": hand,
        "swapped": hand,
    }


def most_points(setup: Setup[Options]) -> int:
    """More than anybody can score: two cards for each city, and two in the end (MB-43, MB-72)."""
    return 2 * max(_worth(setup)) * (len(board_of(setup.options.board).fields) + 1)


def _worth(setup: Setup[Options]) -> list[int]:
    """The most that each kind of card can score on this board, in their order (MB-50 to MB-64).

    A closed city has three walls at least, and a wall is that of two cities at most.
    """
    board, options = board_of(setup.options.board), setup.options
    fields, points, supply = len(board.fields), len(board.points), full_supply(options)
    each = points_of(options)
    walls = min(supply.walls, len(board.lines))
    towers = min(sum(supply.towers), points)
    houses = sum(supply.houses)
    of_a_colour = [min(number, points) for number in supply.towers]
    regions = set(board.regions.values())
    counts = [
        *(int(fields >= size) for size in (1, 2, 3, records.SEVEN_OR_MORE)),
        0,
        *of_a_colour,
        sum(supply.palaces),
        *([0] * len(COLOURS)),
        towers,
        *supply.houses,
        *(houses * (region in regions) for region in Region),
        towers,
        *of_a_colour,
        min(sum(supply.towers), len(board.shore)),
        walls,
        min(fields, 2 * walls // 3),
    ]
    worth = [each[name] * count for name, count in zip(records.WORTH, counts, strict=False)]
    worth[records.CITY_COLOURS] = max(each["city-colours-2"], each["city-colours-4"])
    for place, colour in enumerate(COLOURS):
        name = f"city-{colour.name.lower()}"
        worth[records.CITY_COLOUR + place] = (
            each[f"{name}-palace"] * supply.palaces[place]
            + each[f"{name}-house"] * supply.houses[place]
        )
    return worth


def _on_lines(setup: Setup[Options]) -> int:
    return len(board_of(setup.options.board).lines)


def _on_points(each: int) -> Callable[[Setup[Options]], int]:
    """So many numbers on each point."""
    return lambda setup: each * len(board_of(setup.options.board).points)


def _on_fields(each: int) -> Callable[[Setup[Options]], int]:
    """So many numbers on each field."""
    return lambda setup: each * len(board_of(setup.options.board).fields)


of_each: Final = partial(Part, seats=records.MOST_SEATS)
"""A part with numbers of each seat."""

OBSERVATION: Final = ObservationSpec(
    Part("task", len(_TASKS), "what the table waits for, one of the phases"),
    of_each("waiting", 1, "who must do it"),
    of_each("builder", 1, "whose turn it is"),
    Part("early", 1, "whether one may roll before building", fixed=True),
    Part("hasty", 1, "whether the builder has done so in this turn"),
    Part("die", records.TOWER_COLOURS, "the tower that was rolled"),
    Part("dice", 2 * len(FACES), "the face of each house die"),
    Part("walls_left", 1, "walls in the supply"),
    Part("towers_left", len(TOWERS), "towers in the supply, by colour"),
    Part("houses_left", len(COLOURS), "houses in the supply, by colour"),
    Part("palaces_left", len(COLOURS), "palaces in the supply, by colour"),
    of_each("counts", 1, "how many cards each seat holds"),
    of_each("totals", 1, "points of each seat"),
    Part("hand", records.KINDS, "how many of each kind of card one holds oneself", 2),
    Part("worth", records.KINDS, "what one of these would score now"),
    Part("pile", 1, "cards in the pile"),
    Part("discard", records.KINDS, "how many of each kind are discarded", 2),
    of_each("laid", records.KINDS, "what each seat has laid down for this scoring, by kind", 2),
    of_each("discarded", 1, "whether what a seat laid was discarded"),
    of_each("owed", 1, "how many cards each seat is still to draw"),
    of_each("swappers", 1, "who may still swap a card"),
    Part("swapped", 1, "how many cards the first of them has put away"),
    Part("turns", 1, "complete turns"),
    Part("ending", len(records.REASONS), "why the game ends"),
    Part("walls", _on_lines, "the lines with a wall"),
    Part("line", _on_lines, "the line of the wall that is being built"),
    Part("towers", _on_points(len(TOWERS)), "on each point the tower, by colour"),
    Part("closed", _on_fields(1), "the fields inside a closed city"),
    Part("cities", _on_fields(1), "the fields where a closed city has its name"),
    Part(
        "houses",
        _on_fields(len(COLOURS)),
        "on each field the houses, by colour; of a city, all where it has its name",
    ),
    Part("palaces", _on_fields(len(COLOURS)), "likewise the palaces"),
    Part("city", _on_fields(1), "the city that is joined or scored"),
    Part("field", _on_fields(1), "the side of that wall that waits for the second house"),
    highest=_highest,
)
AT: Final[Any] = OBSERVATION.starts()
"""Where the parts begin; `walls` is the first of those for the board."""


# --- From records ----------------------------------------------------------------------------


@compiled
def observe(
    setup: Record, state: Record, seat: Int, features: Array, lane: Int, lanes: Int
) -> None:
    """The table as this seat sees it."""
    if lane == 0:
        _observe_scalars(setup, state, features)
    own_bits = bits_of(lane, lanes)
    _observe_cards(setup, state, seat, features, own_bits)
    step = lane
    while step < setup.seats:
        other = seat + step if seat + step < setup.seats else seat + step - setup.seats
        _observe_seat(setup, state, other, step, features)
        step += lanes
    _observe_lines_and_points(setup, state, features, own_bits)
    _observe_fields(setup, state, features, own_bits)


@compiled
def _observe_scalars(setup: Record, state: Record, features: Array) -> None:
    """What there is once: the phase, what lies beside the board, the dice, one wall, one city."""
    features[AT.task + state.phase] = 1
    features[AT.early] = setup.early
    features[AT.hasty] = state.hasty
    features[AT.turns] = state.turns
    features[AT.swapped] = state.swapped
    features[AT.pile] = size(state.pile)
    if state.ending != records.NONE:
        features[AT.ending + state.ending] = 1
    features[AT.walls_left] = state.walls_left
    for colour in range(records.TOWER_COLOURS):
        features[AT.towers_left + colour] = state.towers_left[colour]
    for colour in range(records.HOUSE_COLOURS):
        features[AT.houses_left + colour] = state.houses_left[colour]
        features[AT.palaces_left + colour] = state.palaces_left[colour]
    if state.die != records.NONE:
        features[AT.die + state.die] = 1
    if state.dice[0] != records.NONE:
        features[AT.dice + state.dice[0]] = 1
        features[AT.dice + records.ANY + 1 + state.dice[1]] = 1
    if state.line != records.NONE:
        features[AT.walls + setup.lines + state.line] = 1
    at_city = at_fields(setup) + (2 + 2 * records.HOUSE_COLOURS) * setup.fields
    if state.city != records.NONE:
        features[at_city + state.city] = 1
    if state.field != records.NONE:
        features[at_city + setup.fields + state.field] = 1


@compiled
def at_fields(setup: Record) -> Int:
    """Where the parts for the fields begin."""
    return AT.walls + 2 * setup.lines + records.TOWER_COLOURS * setup.points


@compiled
def _observe_cards(setup: Record, state: Record, seat: Int, features: Array, own_bits: Int) -> None:
    """One's own cards and what they would score, and the discard pile."""
    kinds = state.discard & records.ONE_OF_EACH & own_bits
    while kinds:
        kind = lowest(kinds) >> 1
        kinds &= kinds - 1
        features[uint64(AT.discard + kind)] = records.number_of(state.discard, kind)
    kinds = state.hands[seat] & records.ONE_OF_EACH & own_bits
    while kinds:
        kind = lowest(kinds) >> 1
        kinds &= kinds - 1
        features[uint64(AT.hand + kind)] = records.number_of(state.hands[seat], kind)
        features[uint64(AT.worth + kind)] = value(setup, state, kind, int64(state.city))


@compiled
def _observe_seat(setup: Record, state: Record, other: Int, step: Int, features: Array) -> None:
    """What all seats see of the one this many places further on."""
    features[uint64(AT.counts + step)] = size(state.hands[other])
    features[uint64(AT.totals + step)] = state.points[other]
    features[uint64(AT.owed + step)] = state.owed[other]
    features[uint64(AT.discarded + step)] = state.discarded >> other & 1
    if state.fixed:
        features[uint64(AT.swappers + step)] = state.waiting >> other & 1
    if other == state.builder and state.phase != records.APPOINTING:
        features[uint64(AT.builder + step)] = 1
    if records.DRAWING < state.phase < records.OVER:
        actor = state.builder if state.phase <= records.JOINING else first_waiting(setup, state)
        features[uint64(AT.waiting + step)] = other == actor
    for place in range(2 * other, 2 * other + 2):
        if state.laid[place]:
            features[uint64(AT.laid + step * records.KINDS + state.laid[place] - 1)] += 1


@compiled
def _observe_lines_and_points(setup: Record, state: Record, features: Array, own_bits: Int) -> None:
    """Walls and towers."""
    for word in range(records.LINE_WORDS):
        left = state.walls[word] & own_bits
        while left:
            features[uint64(AT.walls + (word << 6) + lowest(left))] = 1
            left &= left - 1
    at_towers = AT.walls + 2 * setup.lines
    for word in range(records.POINT_WORDS):
        left = 0
        for colour in range(records.TOWER_COLOURS):
            left |= state.towers[colour * records.POINT_WORDS + word]
        left &= own_bits
        while left:
            point = lowest(left)
            left &= left - 1
            for colour in range(records.TOWER_COLOURS):
                place = at_towers + records.TOWER_COLOURS * ((word << 6) + point) + colour
                held = state.towers[colour * records.POINT_WORDS + word]
                features[uint64(place)] = held >> point & 1


@compiled
def _observe_fields(setup: Record, state: Record, features: Array, own_bits: Int) -> None:
    """Cities, houses and palaces."""
    at_closed = at_fields(setup)
    at_cities = at_closed + setup.fields
    at_houses = at_cities + setup.fields
    at_palaces = at_houses + records.HOUSE_COLOURS * setup.fields
    for word in range(records.FIELD_WORDS):
        left = state.closed[word] & own_bits
        while left:
            features[uint64(at_closed + (word << 6) + lowest(left))] = 1
            left &= left - 1
        left = state.housed[word] & own_bits
        while left:
            field = (word << 6) + lowest(left)
            left &= left - 1
            held = state.houses[uint64(field)]
            for colour in range(records.HOUSE_COLOURS):
                place = at_houses + records.HOUSE_COLOURS * field + colour
                features[uint64(place)] = held >> records.DIGIT * colour & records.DIGITS
        left = state.names[word] & own_bits
        while left:
            name = (word << 6) + lowest(left)
            left &= left - 1
            features[uint64(at_cities + name)] = 1
            held = state.houses[uint64(name)]
            for colour in range(records.HOUSE_COLOURS):
                place = at_palaces + records.HOUSE_COLOURS * name + colour
                features[uint64(place)] = palaces_in(held, colour)


# --- From views ------------------------------------------------------------------------------


def features(setup: Setup[Options], view: View, /) -> Sequence[int]:
    """What `observe` writes, from a view."""
    return OBSERVATION.joined(setup, parts_of(setup, view))


def parts_of(setup: Setup[Options], view: View) -> dict[str, list[int]]:
    """The numbers of each part, without zeros at its end."""
    return {**_seats(view), **_cards(view), **_beside_the_board(setup, view), **_on_board(view)}


def _seats(view: View) -> dict[str, list[int]]:
    """What is known of every seat, counted from one's own."""
    seats, own = len(view.counts), view.seat or 0
    clockwise = [Seat((own + step) % seats) for step in range(seats)]
    laid = {each.seat: each for each in view.laid}
    swappers = view.swappers or ()
    return {
        "waiting": [int(seat in view.waiting) for seat in clockwise],
        "builder": [int(seat == view.builder) for seat in clockwise],
        "counts": [view.counts[seat] for seat in clockwise],
        "totals": [view.points[seat] for seat in clockwise],
        "owed": [view.owed.count(seat) for seat in clockwise],
        "swappers": [int(seat in swappers) for seat in clockwise],
        "discarded": [int(seat in laid and laid[seat].discarded) for seat in clockwise],
        "laid": [
            laid[seat].cards.count(card) if seat in laid else 0
            for seat in clockwise
            for card in CARDS
        ],
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
        "dice": [int(each is face) for face in houses for each in FACES],
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
