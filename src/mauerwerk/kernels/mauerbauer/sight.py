"""Mauerbauer in a kernel: what a seat sees, and what it cannot see.

Hands are secret until the game is over (MB-8, MB-44, MB-73); of the pile nobody knows more than
what is not elsewhere.
"""

from numpy import int64, uint64

from mauerwerk.kernels.bits import lowest, size
from mauerwerk.kernels.chance import below, by_weight
from mauerwerk.kernels.contract import Array, Int, Record, bits_of, compiled
from mauerwerk.kernels.mauerbauer.cards import first_waiting
from mauerwerk.kernels.mauerbauer.cities import palaces_in, value
from mauerwerk.kernels.mauerbauer.records import (
    ANY,
    APPOINTING,
    AT_BOARD,
    AT_BUILDER,
    AT_COUNTS,
    AT_DICE,
    AT_DIE,
    AT_DISCARD,
    AT_DISCARDED,
    AT_EARLY,
    AT_ENDING,
    AT_HAND,
    AT_HASTY,
    AT_HOUSES_LEFT,
    AT_LAID,
    AT_OWED,
    AT_PALACES_LEFT,
    AT_PILE,
    AT_SWAPPED,
    AT_SWAPPERS,
    AT_TASK,
    AT_TOTALS,
    AT_TOWERS_LEFT,
    AT_TURNS,
    AT_WAITING,
    AT_WALLS_LEFT,
    AT_WORTH,
    DIGIT,
    DIGITS,
    DRAWING,
    FIELD_WORDS,
    FULL_DECK,
    HOUSE_COLOURS,
    JOINING,
    KINDS,
    LINE_WORDS,
    NONE,
    ONE_OF_EACH,
    OVER,
    POINT_WORDS,
    TOWER_COLOURS,
)
from mauerwerk.kernels.mauerbauer.sets import (
    kind_at,
    number_of,
    with_card,
    without_card,
)

# --- What a seat sees ------------------------------------------------------------------------


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
    features[AT_TASK + state.phase] = 1
    features[AT_EARLY] = setup.early
    features[AT_HASTY] = state.hasty
    features[AT_TURNS] = state.turns
    features[AT_SWAPPED] = state.swapped
    features[AT_PILE] = size(state.pile)
    if state.ending != NONE:
        features[AT_ENDING + state.ending] = 1
    features[AT_WALLS_LEFT] = state.walls_left
    for colour in range(TOWER_COLOURS):
        features[AT_TOWERS_LEFT + colour] = state.towers_left[colour]
    for colour in range(HOUSE_COLOURS):
        features[AT_HOUSES_LEFT + colour] = state.houses_left[colour]
        features[AT_PALACES_LEFT + colour] = state.palaces_left[colour]
    if state.die != NONE:
        features[AT_DIE + state.die] = 1
    if state.dice[0] != NONE:
        features[AT_DICE + state.dice[0]] = 1
        features[AT_DICE + ANY + 1 + state.dice[1]] = 1
    if state.line != NONE:
        features[AT_BOARD + setup.lines + state.line] = 1
    at_city = at_fields(setup) + (2 + 2 * HOUSE_COLOURS) * setup.fields
    if state.city != NONE:
        features[at_city + state.city] = 1
    if state.field != NONE:
        features[at_city + setup.fields + state.field] = 1


@compiled
def at_fields(setup: Record) -> Int:
    """Where the parts for the fields begin."""
    return AT_BOARD + 2 * setup.lines + TOWER_COLOURS * setup.points


@compiled
def _observe_cards(setup: Record, state: Record, seat: Int, features: Array, own_bits: Int) -> None:
    """One's own cards and what they would score, and the discard pile."""
    kinds = state.discard & ONE_OF_EACH & own_bits
    while kinds:
        kind = lowest(kinds) >> 1
        kinds &= kinds - 1
        features[uint64(AT_DISCARD + kind)] = number_of(state.discard, kind)
    kinds = state.hands[seat] & ONE_OF_EACH & own_bits
    while kinds:
        kind = lowest(kinds) >> 1
        kinds &= kinds - 1
        features[uint64(AT_HAND + kind)] = number_of(state.hands[seat], kind)
        features[uint64(AT_WORTH + kind)] = value(setup, state, kind, int64(state.city))


@compiled
def _observe_seat(setup: Record, state: Record, other: Int, step: Int, features: Array) -> None:
    """What all seats see of the one this many places further on."""
    features[uint64(AT_COUNTS + step)] = size(state.hands[other])
    features[uint64(AT_TOTALS + step)] = state.points[other]
    features[uint64(AT_OWED + step)] = state.owed[other]
    features[uint64(AT_DISCARDED + step)] = state.discarded >> other & 1
    if state.fixed:
        features[uint64(AT_SWAPPERS + step)] = state.waiting >> other & 1
    if other == state.builder and state.phase != APPOINTING:
        features[uint64(AT_BUILDER + step)] = 1
    if DRAWING < state.phase < OVER:
        actor = state.builder if state.phase <= JOINING else first_waiting(setup, state)
        features[uint64(AT_WAITING + step)] = other == actor
    for place in range(2 * other, 2 * other + 2):
        if state.laid[place]:
            features[uint64(AT_LAID + step * KINDS + state.laid[place] - 1)] += 1


@compiled
def _observe_lines_and_points(setup: Record, state: Record, features: Array, own_bits: Int) -> None:
    """Walls and towers."""
    for word in range(LINE_WORDS):
        left = state.walls[word] & own_bits
        while left:
            features[uint64(AT_BOARD + (word << 6) + lowest(left))] = 1
            left &= left - 1
    at_towers = AT_BOARD + 2 * setup.lines
    for word in range(POINT_WORDS):
        left = 0
        for colour in range(TOWER_COLOURS):
            left |= state.towers[colour * POINT_WORDS + word]
        left &= own_bits
        while left:
            point = lowest(left)
            left &= left - 1
            for colour in range(TOWER_COLOURS):
                place = at_towers + TOWER_COLOURS * ((word << 6) + point) + colour
                held = state.towers[colour * POINT_WORDS + word]
                features[uint64(place)] = held >> point & 1


@compiled
def _observe_fields(setup: Record, state: Record, features: Array, own_bits: Int) -> None:
    """Cities, houses and palaces."""
    at_closed = at_fields(setup)
    at_cities = at_closed + setup.fields
    at_houses = at_cities + setup.fields
    at_palaces = at_houses + HOUSE_COLOURS * setup.fields
    for word in range(FIELD_WORDS):
        left = state.closed[word] & own_bits
        while left:
            features[uint64(at_closed + (word << 6) + lowest(left))] = 1
            left &= left - 1
        left = state.housed[word] & own_bits
        while left:
            field = (word << 6) + lowest(left)
            left &= left - 1
            held = state.houses[uint64(field)]
            for colour in range(HOUSE_COLOURS):
                place = at_houses + HOUSE_COLOURS * field + colour
                features[uint64(place)] = held >> DIGIT * colour & DIGITS
        left = state.names[word] & own_bits
        while left:
            name = (word << 6) + lowest(left)
            left &= left - 1
            features[uint64(at_cities + name)] = 1
            held = state.houses[uint64(name)]
            for colour in range(HOUSE_COLOURS):
                place = at_palaces + HOUSE_COLOURS * name + colour
                features[uint64(place)] = palaces_in(held, colour)


# --- What a seat cannot see ------------------------------------------------------------------


@compiled
def fill(setup: Record, state: Record, seat: Int, belief: Array, seed: Int, number: Int) -> None:
    """Others' hands and the pile, by a hypothesis drawn by its weight (MB-46).

    The slots that each seat has of a shift are filled from its cards; the others are in the pile.
    """
    if state.phase == OVER:
        _fill_pile(setup, state)
        return
    cards, slots, sums = belief
    hypothesis = by_weight(seed, number, 0, sums)
    for other in range(setup.seats):
        if other != seat:
            state.hands[other] = 0
    state.pile = 0
    drawn = 0
    for shift in range(cards.shape[1]):
        left = cards[hypothesis, shift]
        for other in range(setup.seats):
            for _ in range(slots[hypothesis, shift, other]):
                drawn += 1
                kind = kind_at(left, int64(below(seed, number, drawn, size(left))))
                left = without_card(left, kind)
                state.hands[other] = with_card(state.hands[other], kind)
        while left:
            kind = lowest(left) >> 1
            left = without_card(left, kind)
            state.pile = with_card(state.pile, kind)


@compiled
def _fill_pile(setup: Record, state: Record) -> None:
    """Once nothing is hidden any more, what is nowhere else (MB-73)."""
    state.pile = FULL_DECK
    for kind in range(KINDS):
        elsewhere = number_of(state.discard, kind)
        for seat in range(setup.seats):
            elsewhere += number_of(state.hands[seat], kind)
        for _ in range(elsewhere):
            state.pile = without_card(state.pile, kind)
