"""Mauerbauer in a kernel, a turn: dealing; wall, dice, towers, houses, city; then the cards.

The clauses are those of `docs/rules/mauerbauer.md`.
"""

from numpy import int64

from mauerwerk.kernels.bits import size
from mauerwerk.kernels.contract import Int, Record, compile_all
from mauerwerk.kernels.mauerbauer import cities, records
from mauerwerk.kernels.mauerbauer.records import NONE

compile_all(__name__)

# --- Seats -----------------------------------------------------------------------------------


def next_seat(setup: Record, seat: Int) -> Int:
    """Clockwise."""
    return seat + 1 if seat + 1 < setup.seats else 0


def first_waiting(setup: Record, state: Record) -> Int:
    """The first of those waiting, clockwise from the player whose turn it is."""
    seat = int64(state.builder)
    while not state.waiting >> seat & 1:
        seat = next_seat(setup, seat)
    return seat


def _all_with_cards(setup: Record, state: Record) -> None:
    state.waiting = 0
    for seat in range(setup.seats):
        if state.hands[seat]:
            state.waiting |= 1 << seat


# --- Set-up ----------------------------------------------------------------------------------


def deal(setup: Record, state: Record, kind: Int) -> None:
    """Six to the starting player, then six to the next (MB-8)."""
    seat = int64(state.builder)
    while size(state.hands[seat]) == setup.hand:
        seat = next_seat(setup, seat)
    state.hands[seat] = records.with_card(state.hands[seat], kind)
    state.pile = records.without_card(state.pile, kind)
    if next_seat(setup, seat) == state.builder and size(state.hands[seat]) == setup.hand:
        state.phase = records.BUILDING


# --- A wall, and what goes with it ------------------------------------------------------------


def free_ends(setup: Record, state: Record) -> Int:
    """The ends of the new wall that have no tower, a bit each."""
    ends = 0
    for end in range(2):
        if not cities.has_tower(state, int64(setup.ends[2 * state.line + end])):
            ends |= 1 << end
    return ends


def build(setup: Record, state: Record, line: Int) -> None:
    """The wall comes from the supply (MB-11)."""
    records.put(state.walls, line)
    records.drop(state.free, line)
    state.walls_at[setup.ends[2 * line]] += 1
    state.walls_at[setup.ends[2 * line + 1]] += 1
    state.walls_left -= 1
    if state.walls_left == 0:
        state.ending = records.NO_WALL
    state.line = state.last_line = line
    state.last_seat = state.builder
    state.hasty = 0
    state.phase = records.ROLLING


def roll(setup: Record, state: Record, action: Int) -> None:
    """First the towers, if there is room for any, then the houses (MB-19)."""
    with_tower = action < setup.roll_houses
    roll = action - (setup.roll if with_tower else setup.roll_houses)
    state.dice[0] = roll // (records.ANY + 1) % (records.ANY + 1)
    state.dice[1] = roll % (records.ANY + 1)
    if with_tower:
        state.die = roll // records.ROLLS
        state.phase = records.ROLLED_TOWER
    else:
        _to_houses(setup, state)


def place_tower(setup: Record, state: Record, tower: Int) -> None:
    """Put the tower down; then the other end, if it is free and there is a tower (MB-24)."""
    point, colour = tower // records.TOWER_COLOURS, tower % records.TOWER_COLOURS
    state.towers[colour * records.POINT_WORDS + (point >> 6)] |= 1 << (point & 63)
    state.towers_left[colour] -= 1
    left = records.total(state.towers_left)
    if left == 0 and state.ending == NONE:
        state.ending = records.NO_TOWER
    if left and free_ends(setup, state):
        state.phase = records.FREE_TOWER
    else:
        _to_houses(setup, state)


def _to_houses(setup: Record, state: Record) -> None:
    """One house for each field beside the wall (MB-25); on the edge there is one (MB-28)."""
    state.phase = (
        records.EDGE_HOUSE if setup.sides[2 * state.line + 1] == NONE else records.FIRST_HOUSE
    )


def place_house(setup: Record, state: Record, house: Int) -> None:
    """Put the house down; then the other side, if there is a house left for it (MB-29)."""
    field, colour = house // records.HOUSE_COLOURS, house % records.HOUSE_COLOURS
    state.houses[field] += 1 << records.DIGIT * colour
    records.put(state.housed, field)
    state.land += 1 << records.DIGIT * colour
    state.in_region[setup.regions[field]] += 1
    state.houses_left[colour] -= 1
    left = records.total(state.houses_left)
    if left == 0 and state.ending == NONE:
        state.ending = records.NO_HOUSE
    if left and state.phase == records.FIRST_HOUSE:
        side = 2 * state.line
        state.field = setup.sides[side + (setup.sides[side] == field)]
        state.phase = records.SECOND_HOUSE
    else:
        _finish(setup, state)


def _finish(setup: Record, state: Record) -> None:
    """All is placed: deal with the city that the wall closed, if it did (MB-33)."""
    name = cities.close(setup, state, int64(state.line))
    state.line = state.field = NONE
    state.die = state.dice[0] = state.dice[1] = NONE
    if name == NONE:
        next_turn(setup, state)
    elif cities.neighbours(setup, state, name):
        cities.turn_to(setup, state, name)
        state.phase = records.JOINING
    else:
        score(setup, state, name)


def join_with(setup: Record, state: Record, other: Int) -> None:
    """Join the city just closed with one of its neighbours, or with none (MB-40)."""
    name = int64(state.city)
    if other < setup.fields:
        name = cities.join(setup, state, name, other)
    score(setup, state, name)


# --- Playing cards ---------------------------------------------------------------------------


def score(setup: Record, state: Record, name: Int) -> None:
    """All seats that have cards play or discard (MB-43)."""
    cities.turn_to(setup, state, name)
    state.phase = records.SCORING
    _all_with_cards(setup, state)


def _lay(state: Record, seat: Int, kind: Int) -> None:
    """A card leaves the hand and lies before its player."""
    state.hands[seat] = records.without_card(state.hands[seat], kind)
    state.laid[2 * seat + (state.laid[2 * seat] != 0)] = kind + 1


def play(setup: Record, state: Record, seat: Int, kind: Int) -> None:
    """The card scores at once (MB-44); after one card another may follow (MB-43, MB-72)."""
    state.points[seat] += cities.value(setup, state, kind, int64(state.city))
    _lay(state, seat, kind)
    if state.hands[seat] == 0 or state.laid[2 * seat + 1]:
        enough(setup, state, seat)
    elif state.phase == records.SCORING:
        state.phase = records.ADDING


def discard(setup: Record, state: Record, seat: Int, kind: Int) -> None:
    """One card is laid down without scoring it (MB-43)."""
    _lay(state, seat, kind)
    state.discarded |= 1 << seat
    enough(setup, state, seat)


def enough(setup: Record, state: Record, seat: Int) -> None:
    """No card more; the next one's turn to play, or to choose a city first (MB-72)."""
    state.waiting &= ~(1 << seat)
    if state.phase == records.FINISHING:
        cities.turn_to(setup, state, NONE)
        state.phase = records.CHOOSING
    else:
        state.phase = records.SCORING


# --- Drawing and swapping --------------------------------------------------------------------


def draw(setup: Record, state: Record, kind: Int) -> None:
    """One card goes from the pile to the first seat that is owed one (MB-48)."""
    seat = int64(state.builder)
    while not state.owed[seat]:
        seat = next_seat(setup, seat)
    state.owed[seat] -= 1
    state.hands[seat] = records.with_card(state.hands[seat], kind)
    state.pile = records.without_card(state.pile, kind)
    _reshuffle(state)


def _reshuffle(state: Record) -> None:
    """An empty pile is replaced by the discard pile, as far as there is one (MB-46)."""
    if state.pile == 0:
        state.pile = state.discard
        state.discard = 0


def swap(state: Record, seat: Int, kind: Int) -> None:
    """A card goes to the discard pile; with the last one the player is done (MB-47)."""
    state.hands[seat] = records.without_card(state.hands[seat], kind)
    state.discard = records.with_card(state.discard, kind)
    state.swapped += 1
    if state.hands[seat] == 0:
        swapped_enough(state, seat)


def swapped_enough(state: Record, seat: Int) -> None:
    """As many cards are drawn as were put away (MB-47)."""
    state.waiting &= ~(1 << seat)
    state.owed[seat] = state.swapped
    state.swapped = 0
    state.phase = records.DRAWING


# --- What follows ----------------------------------------------------------------------------


def go_on(setup: Record, state: Record) -> None:
    """Move to the next phase as long as no seat has anything to do in this one."""
    if state.phase == records.SCORING and not state.waiting:
        _end_scoring(setup, state)
    if state.phase == records.DRAWING and not _can_draw(state):
        _to_swapping(setup, state)
    if state.phase == records.SWAPPING and not state.waiting:
        state.fixed = 0
        next_turn(setup, state)
    if state.phase == records.CHOOSING:
        if not state.waiting:
            _put_away(setup, state)
            _over(state)
        elif records.size_of(state.names) == 0:
            state.phase = records.FINISHING


def _put_away(setup: Record, state: Record) -> None:
    """What was laid goes to the discard pile (MB-45)."""
    for place in range(2 * setup.seats):
        if state.laid[place]:
            state.discard = records.with_card(state.discard, state.laid[place] - 1)
            state.laid[place] = 0
    state.discarded = 0


def _over(state: Record) -> None:
    """The turn is complete; but one that found no line was none (MB-13)."""
    if state.ending != records.NO_LINE:
        state.turns += 1
    state.phase = records.OVER


def _end_scoring(setup: Record, state: Record) -> None:
    """All draw; those who discarded draw two (MB-45). Nobody does if the end is decided (MB-71)."""
    cities.turn_to(setup, state, NONE)
    for seat in range(setup.seats):
        state.owed[seat] = 1 + (state.discarded >> seat & 1)
    _put_away(setup, state)
    state.phase = records.DRAWING
    if state.ending != NONE:
        records.clear(state.owed)
        _over(state)


def _can_draw(state: Record) -> bool:
    """Whether a seat is owed a card and there is one (MB-46)."""
    owed = records.total(state.owed)
    if owed:
        _reshuffle(state)
    return bool(owed and state.pile)


def _to_swapping(setup: Record, state: Record) -> None:
    """Those furthest behind who have cards may swap; this is fixed once (MB-47)."""
    records.clear(state.owed)
    state.phase = records.SWAPPING
    if state.fixed:
        return
    fewest = int64(state.points[0])
    for seat in range(1, setup.seats):
        if state.points[seat] < fewest:
            fewest = int64(state.points[seat])
    _all_with_cards(setup, state)
    for seat in range(setup.seats):
        if state.points[seat] != fewest:
            state.waiting &= ~(1 << seat)
    state.fixed = 1


def next_turn(setup: Record, state: Record) -> None:
    """The dice go clockwise (MB-10); if the end is decided, or no line is left, it is time."""
    if state.ending == NONE:
        state.builder = next_seat(setup, int64(state.builder))
        state.turns += 1
        for word in range(records.LINE_WORDS):
            if state.free[word]:
                state.phase = records.BUILDING
                return
        state.ending = records.NO_LINE  # MB-13
    _all_with_cards(setup, state)
    state.phase = records.CHOOSING
