"""Mauerbauer as a kernel: a game in 984 bytes. The clauses are those of `docs/rules/mauerbauer.md`.

This is the rules a second time: who is asked for what is here, the moves of a turn are in `moves`,
cities and what cards score are in `cities`. What the records hold is in `records`, the way there
and back in `packing`. Hands are secret until the game is over (MB-8, MB-44, MB-73); of the pile
nobody knows more than what is not elsewhere.
"""

from numpy import int64, uint64

from mauerwerk.kernels.bits import lowest, size
from mauerwerk.kernels.chance import below, by_weight
from mauerwerk.kernels.contract import NATURE_TO_ACT, Array, Int, Record, compile_all, is_to_act
from mauerwerk.kernels.mauerbauer import cities, moves, records

compile_all(__name__)

# --- Set-up ----------------------------------------------------------------------------------


def start(setup: Record, state: Record) -> None:
    """An empty board, a full supply and pile; the first builder, or nature (MB-1 to MB-8)."""
    for word in range(records.LINE_WORDS):
        state.free[word] = setup.all_lines[word]
    records.clear(state.walls)
    records.clear(state.rings)
    records.clear(state.ring_points)
    records.clear(state.towers)
    records.clear(state.names)
    records.clear(state.closed)
    records.clear(state.housed)
    records.clear(state.houses)
    records.clear(state.city_of)
    records.clear(state.reached)
    records.clear(state.walls_at)
    state.walls_left = setup.walls
    for colour in range(records.TOWER_COLOURS):
        state.towers_left[colour] = setup.towers if colour < setup.tower_colours else 0
    for colour in range(records.HOUSE_COLOURS):
        state.houses_left[colour] = setup.houses if colour < setup.colours else 0
        state.palaces_left[colour] = setup.palaces if colour < setup.colours else 0
    state.pile = setup.deck
    state.discard = 0
    records.clear(state.hands)
    records.clear(state.points)
    records.clear(state.owed)
    records.clear(state.laid)
    state.turns = 0
    state.line = state.last_line = state.last_seat = records.NONE
    state.die = state.dice[0] = state.dice[1] = records.NONE
    state.field = state.ending = records.NONE
    state.land = 0
    records.clear(state.in_region)
    cities.turn_to(setup, state, records.NONE)
    state.waiting = state.fixed = state.swapped = state.hasty = state.discarded = 0
    state.builder = max(setup.first, 0)
    state.phase = records.APPOINTING if setup.first < 0 else records.DEALING


# --- Who must move, and the choices ----------------------------------------------------------


def to_act(setup: Record, state: Record) -> Int:
    """One at a time: nature, the player whose turn it is, or the first of those waiting."""
    if state.phase <= records.DRAWING:
        return NATURE_TO_ACT
    if state.phase <= records.JOINING:
        return 1 << state.builder
    if state.phase == records.OVER:
        return 0
    return 1 << moves.first_waiting(setup, state)


def _tower_colours(state: Record) -> Int:
    """The rolled colour; if it is out, or for the other end, any in supply (MB-21 to MB-23)."""
    if state.phase == records.ROLLED_TOWER and state.towers_left[state.die]:
        return 1 << state.die
    return records.colours_left(state.towers_left)


def _colours_for(state: Record, face: Int) -> Int:
    """The rolled colour; for `?`, or when it is out, any in supply (MB-26, MB-27)."""
    if face != records.ANY and state.houses_left[face]:
        return 1 << face
    return records.colours_left(state.houses_left)


def _house_colours(state: Record) -> Int:
    """What the die in question allows; on the edge, what either does (MB-19, MB-28)."""
    if state.phase == records.FIRST_HOUSE:
        return _colours_for(state, state.dice[0])
    if state.phase == records.SECOND_HOUSE:
        return _colours_for(state, state.dice[1])
    return _colours_for(state, state.dice[0]) | _colours_for(state, state.dice[1])


def count(setup: Record, state: Record, seat: Int) -> Int:
    """How many choices there are."""
    phase = state.phase
    if records.DEALING <= phase <= records.DRAWING:
        return size(state.pile)
    if phase == records.BUILDING:
        return records.size_of(state.free) + _may_roll_early(setup, state)
    if phase == records.ROLLING:
        towers = setup.tower_colours if moves.free_ends(setup, state) else 1
        return towers * (setup.colours + 1) * (setup.colours + 1)
    if records.ROLLED_TOWER <= phase <= records.FREE_TOWER:
        return size(moves.free_ends(setup, state)) * size(_tower_colours(state))
    if records.FIRST_HOUSE <= phase <= records.EDGE_HOUSE:
        return size(_house_colours(state)) << (phase == records.FIRST_HOUSE)
    if phase == records.JOINING:
        return cities.neighbours(setup, state, int64(state.city)) + 1
    if phase == records.CHOOSING:
        return records.size_of(state.names) + 1
    if phase == records.APPOINTING:
        return setup.seats
    kinds = size(state.hands[seat] & records.ONE_OF_EACH)
    return 2 * kinds if phase == records.SCORING else kinds + 1


def _may_roll_early(setup: Record, state: Record) -> Int:
    return 1 if setup.early and not state.hasty else 0


def pick(setup: Record, state: Record, seat: Int, ticket: Int) -> Int:
    """The choice with this place; every roll and every card of the pile is as likely."""
    phase = state.phase
    place = int64(ticket)  # the caller may pass an integer of another type
    if records.DEALING <= phase <= records.DRAWING:
        return setup.deal + records.kind_at(state.pile, place)
    if phase == records.BUILDING:
        lines = records.size_of(state.free)
        return records.nth_of(state.free, place) if place < lines else setup.roll_early
    if phase == records.ROLLING:
        begin = setup.roll if moves.free_ends(setup, state) else setup.roll_houses
        return begin + (place if setup.colours == records.ANY else _nth_roll(setup, place))
    if phase == records.APPOINTING:
        return setup.appoint + place
    if phase <= records.FREE_TOWER:
        return _pick_tower(setup, state, place)
    if phase <= records.EDGE_HOUSE:
        return _pick_house(setup, state, place)
    if phase == records.JOINING:
        other = cities.nth_neighbour(setup, state, int64(state.city), place)
        return setup.join + (setup.fields if other == records.NONE else other)
    if phase == records.CHOOSING:
        if place == records.size_of(state.names):
            return setup.choose + setup.fields
        return setup.choose + records.nth_of(state.names, place)
    return _pick_card(setup, state, int64(seat), place)


def _nth_roll(setup: Record, place: Int) -> Int:
    """The number of a roll, among those of dice with fewer colours."""
    faces = setup.colours + 1
    one, other = place // faces % faces, place % faces
    one = records.ANY if one == setup.colours else one
    other = records.ANY if other == setup.colours else other
    tower = place // (faces * faces)
    return records.ROLLS * tower + (records.ANY + 1) * one + other


def _is_roll(setup: Record, roll: Int, towers: Int) -> bool:
    """Whether dice with so many colours can show this."""
    if not 0 <= roll < records.ROLLS * towers:
        return False
    one, other = roll // (records.ANY + 1) % (records.ANY + 1), roll % (records.ANY + 1)
    return bool(
        (one < setup.colours or one == records.ANY)
        and (other < setup.colours or other == records.ANY)
    )


def _pick_tower(setup: Record, state: Record, ticket: Int) -> Int:
    colours = _tower_colours(state)
    number = size(colours)
    end = records.nth(moves.free_ends(setup, state), ticket // number)
    point = setup.ends[2 * state.line + end]
    return setup.place_tower + records.TOWER_COLOURS * point + records.nth(colours, ticket % number)


def _pick_house(setup: Record, state: Record, ticket: Int) -> Int:
    colours = _house_colours(state)
    number = size(colours)
    field = int64(setup.sides[2 * state.line + ticket // number])
    if state.phase == records.SECOND_HOUSE:
        field = int64(state.field)
    return setup.place_house + records.HOUSE_COLOURS * field + records.nth(colours, ticket % number)


def _pick_card(setup: Record, state: Record, seat: Int, ticket: Int) -> Int:
    """Play or swap a card, or discard one, or be done."""
    hand = state.hands[seat] & records.ONE_OF_EACH
    kinds = size(hand)
    if ticket < kinds:
        begin = setup.swap if state.phase == records.SWAPPING else setup.play
        return begin + records.kind_at(hand, ticket)
    if state.phase == records.SCORING:
        return setup.discard + records.kind_at(hand, ticket - kinds)
    return setup.done


def allowed(setup: Record, state: Record, seat: Int, action: Int) -> bool:
    """Whether it is among the choices of a seat that is to act."""
    own = int64(seat)
    return is_to_act(setup, state, own) and _is_choice(setup, state, own, int64(action))


def _is_choice(setup: Record, state: Record, seat: Int, action: Int) -> bool:
    phase = state.phase
    if records.DEALING <= phase <= records.DRAWING:
        return _is_held(state.pile, action - setup.deal)
    if phase == records.BUILDING:
        if action < setup.lines:
            return action >= 0 and records.has(state.free, action)
        return bool(action == setup.roll_early and _may_roll_early(setup, state))
    if phase == records.ROLLING:
        if moves.free_ends(setup, state):
            return _is_roll(setup, action - setup.roll, setup.tower_colours)
        return _is_roll(setup, action - setup.roll_houses, 1)
    if phase == records.APPOINTING:
        return bool(0 <= action - setup.appoint < setup.seats)
    if phase <= records.EDGE_HOUSE:
        return _may_place(setup, state, action)
    if phase == records.JOINING:
        other = action - setup.join
        if 0 <= other < setup.fields:
            return cities.is_neighbour(setup, state, int64(state.city), other)
        return bool(other == setup.fields)
    if phase == records.CHOOSING:
        name = action - setup.choose
        if 0 <= name < setup.fields:
            return records.has(state.names, name)
        return bool(name == setup.fields)
    return _may_use(setup, state, seat, action)


def _may_place(setup: Record, state: Record, action: Int) -> bool:
    """Whether it puts a tower or house of a colour there is where one is missing."""
    if state.phase <= records.FREE_TOWER:
        tower = action - setup.place_tower
        if not 0 <= tower < records.TOWER_COLOURS * setup.points:
            return False
        ends, point = moves.free_ends(setup, state), tower // records.TOWER_COLOURS
        for end in range(2):
            if ends >> end & 1 and setup.ends[2 * state.line + end] == point:
                return bool(_tower_colours(state) >> tower % records.TOWER_COLOURS & 1)
        return False
    house = action - setup.place_house
    if not 0 <= house < records.HOUSE_COLOURS * setup.fields:
        return False
    field = house // records.HOUSE_COLOURS
    if state.phase == records.SECOND_HOUSE:
        if field != state.field:
            return False
    elif field != setup.sides[2 * state.line] and field != setup.sides[2 * state.line + 1]:
        return False
    return bool(_house_colours(state) >> house % records.HOUSE_COLOURS & 1)


def _may_use(setup: Record, state: Record, seat: Int, action: Int) -> bool:
    """Whether it plays, discards or swaps a card that is held, or may be left."""
    if action == setup.done:
        return bool(state.phase != records.SCORING)
    if state.phase == records.SWAPPING:
        return _is_held(state.hands[seat], action - setup.swap)
    if state.phase == records.SCORING and action >= setup.discard:
        return _is_held(state.hands[seat], action - setup.discard)
    return _is_held(state.hands[seat], action - setup.play)


def _is_held(cards: Int, kind: Int) -> bool:
    return 0 <= kind < records.KINDS and bool(cards >> 2 * kind & 1)


def legal(setup: Record, state: Record, seat: Int, mask: Array, lane: Int, lanes: Int) -> None:
    """The choices of a seat, one place each; none when it is not to act."""
    if not is_to_act(setup, state, seat):
        return
    if state.phase == records.BUILDING:
        line = lane
        while line < setup.lines:
            mask[uint64(line)] = state.free[uint64(line >> 6)] >> (line & 63) & 1
            line += lanes
        if lane == 0:
            mask[setup.roll_early] = _may_roll_early(setup, state)
        return
    ticket, end = lane, count(setup, state, seat)
    while ticket < end:
        mask[uint64(pick(setup, state, seat, ticket))] = 1
        ticket += lanes


# --- The first half of a turn ----------------------------------------------------------------


def apply(setup: Record, state: Record, seat: Int, action: Int) -> None:
    """Make a legal move."""
    _move(setup, state, int64(seat), int64(action))
    moves.go_on(setup, state)


def _move(setup: Record, state: Record, seat: Int, action: Int) -> None:
    """What the move itself does; what follows then is in `go_on`."""
    phase = state.phase
    if phase == records.DRAWING:
        moves.draw(setup, state, action - setup.deal)
    elif phase == records.DEALING:
        moves.deal(setup, state, action - setup.deal)
    elif phase == records.BUILDING:
        if action == setup.roll_early:  # nobody slides back behind field 1 (MB-14)
            if state.points[state.builder] > 1:
                state.points[state.builder] -= 1
            state.hasty = 1
        else:
            moves.build(setup, state, action)
    elif phase == records.ROLLING:
        moves.roll(setup, state, action)
    elif phase == records.APPOINTING:
        state.builder = action - setup.appoint
        state.phase = records.DEALING
    elif phase <= records.FREE_TOWER:
        moves.place_tower(setup, state, action - setup.place_tower)
    elif phase <= records.EDGE_HOUSE:
        moves.place_house(setup, state, action - setup.place_house)
    elif phase == records.JOINING:
        moves.join_with(setup, state, action - setup.join)
    elif phase == records.CHOOSING:
        name = action - setup.choose  # city cards will count for this city (MB-72)
        cities.turn_to(setup, state, records.NONE if name == setup.fields else name)
        state.phase = records.FINISHING
    else:
        _use(setup, state, seat, action)


def _use(setup: Record, state: Record, seat: Int, action: Int) -> None:
    """Play, discard or swap a card, or be done."""
    if state.phase == records.SWAPPING:
        if action == setup.done:
            moves.swapped_enough(state, seat)
        else:
            moves.swap(state, seat, action - setup.swap)
    elif action == setup.done:
        moves.enough(setup, state, seat)
    elif action < setup.discard:
        moves.play(setup, state, seat, action - setup.play)
    else:
        moves.discard(setup, state, seat, action - setup.discard)


# --- The end ---------------------------------------------------------------------------------


def points(setup: Record, state: Record, seat: Int) -> Int:
    """What the seat has scored."""
    return int64(state.points[seat])


def rank(setup: Record, state: Record, seat: Int) -> Int:
    """Most points win, then more cards in hand; equal seats share the rank (MB-73)."""
    own = 64 * state.points[seat] + size(state.hands[seat])
    better = 0
    for other in range(setup.seats):
        if 64 * state.points[other] + size(state.hands[other]) > own:
            better += 1
    return better + 1


def time_left(setup: Record, state: Record) -> float:
    """How much of the game is left, by the kind of piece that runs out first (MB-70).

    It is 1 as long as there is half of all pieces, then less, and in the end 0.
    """
    if state.ending != records.NONE:
        return 0.0
    houses = records.total(state.houses_left) / (setup.houses * setup.colours)
    palaces = 1.0
    if setup.palaces:
        palaces = records.total(state.palaces_left) / (setup.palaces * setup.colours)
    towers = records.total(state.towers_left) / (setup.towers * setup.tower_colours)
    left = min(state.walls_left / setup.walls, towers)
    return float(min(1.0, 2.0 * min(left, houses, palaces)))


# --- What a seat cannot see ------------------------------------------------------------------


def fill(setup: Record, state: Record, seat: Int, belief: Array, seed: Int, number: Int) -> None:
    """Others' hands and the pile, by a hypothesis drawn by its weight (MB-46).

    The slots that each seat has of a shift are filled from its cards; the others are in the pile.
    """
    if state.phase == records.OVER:
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
                kind = records.kind_at(left, int64(below(seed, number, drawn, size(left))))
                left = records.without_card(left, kind)
                state.hands[other] = records.with_card(state.hands[other], kind)
        while left:
            kind = lowest(left) >> 1
            left = records.without_card(left, kind)
            state.pile = records.with_card(state.pile, kind)


def _fill_pile(setup: Record, state: Record) -> None:
    """Once nothing is hidden any more, what is nowhere else (MB-73)."""
    state.pile = setup.deck
    for kind in range(records.KINDS):
        elsewhere = records.number_of(state.discard, kind)
        for seat in range(setup.seats):
            elsewhere += records.number_of(state.hands[seat], kind)
        for _ in range(elsewhere):
            state.pile = records.without_card(state.pile, kind)
