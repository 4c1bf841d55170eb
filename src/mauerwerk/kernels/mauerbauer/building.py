"""Mauerbauer in a kernel, set-up and the first half of a turn: wall, dice, towers, houses, city.

The clauses are those of `docs/rules/mauerbauer.md`.
"""

from numpy import int64

from mauerwerk.kernels.bits import size
from mauerwerk.kernels.contract import Int, Record, compiled
from mauerwerk.kernels.mauerbauer.cards import next_seat, next_turn, score
from mauerwerk.kernels.mauerbauer.cities import close, has_tower, join, neighbours, turn_to
from mauerwerk.kernels.mauerbauer.records import (
    ANY,
    APPOINTING,
    BUILDING,
    DEALING,
    DIGIT,
    EDGE_HOUSE,
    FIELD_WORDS,
    FIRST_HOUSE,
    FREE_TOWER,
    FULL_DECK,
    HAND_SIZE,
    HOUSE_COLOURS,
    JOINING,
    LINE_WORDS,
    MOST_FIELDS,
    MOST_POINTS,
    MOST_SEATS,
    NO_HOUSE,
    NO_TOWER,
    NO_WALL,
    NONE,
    POINT_WORDS,
    REGIONS,
    ROLLED_TOWER,
    ROLLING,
    ROLLS,
    SECOND_HOUSE,
    TOWER_COLOURS,
)
from mauerwerk.kernels.mauerbauer.sets import drop, put, with_card, without_card

# --- Set-up ----------------------------------------------------------------------------------


@compiled
def start(setup: Record, state: Record) -> None:
    """An empty board, a full supply and pile; the first builder, or nature (MB-1 to MB-8)."""
    for word in range(LINE_WORDS):
        state.walls[word] = 0
        state.rings[word] = 0
        state.free[word] = setup.all_lines[word]
    for word in range(POINT_WORDS):
        state.ring_points[word] = 0
    for word in range(TOWER_COLOURS * POINT_WORDS):
        state.towers[word] = 0
    for word in range(FIELD_WORDS):
        state.names[word] = 0
        state.closed[word] = 0
        state.housed[word] = 0
    for field in range(MOST_FIELDS):
        state.houses[field] = 0
        state.city_of[field] = 0
        state.reached[field] = 0
    for point in range(MOST_POINTS):
        state.walls_at[point] = 0
    _fill_supply(state)
    for seat in range(MOST_SEATS):
        state.hands[seat] = 0
        state.points[seat] = 0
        state.owed[seat] = 0
        state.laid[2 * seat] = 0
        state.laid[2 * seat + 1] = 0
    state.turns = 0
    state.line = state.last_line = state.last_seat = NONE
    state.die = state.dice[0] = state.dice[1] = NONE
    state.field = state.ending = NONE
    state.land = 0
    for region in range(REGIONS):
        state.in_region[region] = 0
    turn_to(setup, state, NONE)
    state.waiting = state.fixed = state.swapped = state.hasty = state.discarded = 0
    state.builder = max(setup.first, 0)
    state.phase = APPOINTING if setup.first < 0 else DEALING


@compiled
def _fill_supply(state: Record) -> None:
    """MB-2."""
    state.walls_left = 33
    for colour in range(TOWER_COLOURS):
        state.towers_left[colour] = 10
    for colour in range(HOUSE_COLOURS):
        state.houses_left[colour] = 12
        state.palaces_left[colour] = 3
    state.pile = FULL_DECK
    state.discard = 0


@compiled
def deal(setup: Record, state: Record, kind: Int) -> None:
    """Six to the starting player, then six to the next (MB-8)."""
    seat = int64(state.builder)
    while size(state.hands[seat]) == HAND_SIZE:
        seat = next_seat(setup, seat)
    state.hands[seat] = with_card(state.hands[seat], kind)
    state.pile = without_card(state.pile, kind)
    if next_seat(setup, seat) == state.builder and size(state.hands[seat]) == HAND_SIZE:
        state.phase = BUILDING


# --- A wall, and what goes with it ------------------------------------------------------------


@compiled
def free_ends(setup: Record, state: Record) -> Int:
    """The ends of the new wall that have no tower, a bit each."""
    ends = 0
    for end in range(2):
        if not has_tower(state, int64(setup.ends[2 * state.line + end])):
            ends |= 1 << end
    return ends


@compiled
def roll_early(state: Record) -> None:
    """A point is lost, but nobody slides back behind field 1; the roll is not made (MB-14)."""
    if state.points[state.builder] > 1:
        state.points[state.builder] -= 1
    state.hasty = 1


@compiled
def build(setup: Record, state: Record, line: Int) -> None:
    """The wall comes from the supply (MB-11)."""
    put(state.walls, line)
    drop(state.free, line)
    state.walls_at[setup.ends[2 * line]] += 1
    state.walls_at[setup.ends[2 * line + 1]] += 1
    state.walls_left -= 1
    if state.walls_left == 0:
        state.ending = NO_WALL
    state.line = state.last_line = line
    state.last_seat = state.builder
    state.hasty = 0
    state.phase = ROLLING


@compiled
def roll(setup: Record, state: Record, action: Int) -> None:
    """First the towers, if there is room for any, then the houses (MB-19)."""
    with_tower = action < setup.roll_houses
    roll = action - (setup.roll if with_tower else setup.roll_houses)
    state.dice[0] = roll // (ANY + 1) % (ANY + 1)
    state.dice[1] = roll % (ANY + 1)
    if with_tower:
        state.die = roll // ROLLS
        state.phase = ROLLED_TOWER
    else:
        _to_houses(setup, state)


@compiled
def place_tower(setup: Record, state: Record, point: Int, colour: Int) -> None:
    """Put the tower down; then the other end, if it is free and there is a tower (MB-24)."""
    state.towers[colour * POINT_WORDS + (point >> 6)] |= 1 << (point & 63)
    state.towers_left[colour] -= 1
    left = 0
    for each in range(TOWER_COLOURS):
        left += state.towers_left[each]
    if left == 0 and state.ending == NONE:
        state.ending = NO_TOWER
    if left and free_ends(setup, state):
        state.phase = FREE_TOWER
    else:
        _to_houses(setup, state)


@compiled
def _to_houses(setup: Record, state: Record) -> None:
    """One house for each field beside the wall (MB-25); on the edge there is one (MB-28)."""
    state.phase = EDGE_HOUSE if setup.sides[2 * state.line + 1] == NONE else FIRST_HOUSE


@compiled
def place_house(setup: Record, state: Record, field: Int, colour: Int) -> None:
    """Put the house down; then the other side, if there is a house left for it (MB-29)."""
    state.houses[field] += 1 << DIGIT * colour
    put(state.housed, field)
    state.land += 1 << DIGIT * colour
    state.in_region[setup.regions[field]] += 1
    state.houses_left[colour] -= 1
    left = 0
    for each in range(HOUSE_COLOURS):
        left += state.houses_left[each]
    if left == 0 and state.ending == NONE:
        state.ending = NO_HOUSE
    if left and state.phase == FIRST_HOUSE:
        side = 2 * state.line
        state.field = setup.sides[side + (setup.sides[side] == field)]
        state.phase = SECOND_HOUSE
    else:
        _finish(setup, state)


@compiled
def _finish(setup: Record, state: Record) -> None:
    """All is placed: deal with the city that the wall closed, if it did (MB-33)."""
    name = close(setup, state, int64(state.line))
    state.line = state.field = NONE
    state.die = state.dice[0] = state.dice[1] = NONE
    if name == NONE:
        next_turn(setup, state)
    elif neighbours(setup, state, name):
        turn_to(setup, state, name)
        state.phase = JOINING
    else:
        score(setup, state, name)


@compiled
def join_with(setup: Record, state: Record, other: Int) -> None:
    """Join the city just closed with one of its neighbours, or with none (MB-40)."""
    name = int64(state.city)
    if other < setup.fields:
        name = join(setup, state, name, other)
    score(setup, state, name)
