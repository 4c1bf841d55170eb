"""Mauerbauer by rules of thumb: `bots.mauerbauer.greedy` and its `census` a second time, compiled.

It reads of the state only what the seat may know: its own hand, how many cards the others hold, and
what lies on the table. What is worth what, and why, is said in `bots`; a test compares both in
every position of many games.

What cards score is counted in thirds of points: of a tower that is still to come each of the three
colours has a third.
"""

from typing import Final

import numpy as np
from numpy import int64

from mauerwerk.kernels.bits import lowest, size
from mauerwerk.kernels.chance import any_best
from mauerwerk.kernels.contract import Int, Record, compile_all
from mauerwerk.kernels.mauerbauer import cities, records
from mauerwerk.kernels.mauerbauer.records import NONE
from mauerwerk.kernels.mauerbauer.rules import count, pick, time_left

compile_all(__name__)

_GROWTH: Final = 0.35
_PREPARED: Final = 0.3
_THREAT: Final = 0.5
_SECOND: Final = 0.5
_KEPT: Final = 0.5
_NEW_CARD: Final = 4.5
_EARLY: Final = -50.0
_TYPICAL: Final = (3.0, 2.5, 2.0, 1.5, 4.0, *3 * (3.5,), 1.0, *5 * (1.5,), 4.5)
"""By the names in `bots`: GROWTH, SETUP, THREAT, SECOND, KEPT, NEW_CARD, TYPICAL."""

_CHOICES: Final = records.MOST_LINES + 1
"""At most: every line, and to roll early."""
_PART: Final = 128
"""More than there are points: two of them make one number."""

ROOM: Final = np.dtype(
    [
        ("worth", "f8", (_CHOICES,)),  # of each choice, by its place among them
        ("threats", "f8", (_CHOICES,)),  # of each line: the worst that the next wall may close
        ("interests", "f8", (records.KINDS,)),  # of cards: how much more they matter to oneself
        ("nets", "f8", (records.KINDS,)),  # of one's own cards: what it is worth to play them now
        ("share", "f8"),  # how likely a card that is unseen is held by a certain other player
        ("discount", "f8"),  # what a point counts for that a card may score later
        ("walls", "i8", (records.LINE_WORDS,)),  # those that stand, and those that may come
        ("closing", "i8", (records.LINE_WORDS,)),  # lines on which a wall closes a city
        ("inside", "i8", (records.FIELD_WORDS,)),  # the fields of a city that may come
        ("ends", "i8", (records.POINT_WORDS,)),  # the ends of its ring
        ("own", "i8"),  # the hand
        ("unseen", "i8"),  # how many cards of each kind may be anywhere, in digits of two bits
        ("scores", "i4", (records.KINDS,)),  # what each kind of card would score, in thirds
        ("fields", "i4"),  # how many the city has; 0: no city is closed
        ("lines", "i2", (records.MOST_LINES,)),  # where a wall may be built
        ("joins", "i2", (records.MOST_LINES,)),  # which parts of the wall it would join
        ("parts", "i1", (records.MOST_POINTS,)),  # for each point another of the same part
        ("reached", "i1", (records.MOST_FIELDS,)),  # the fields of the city, in any order
        ("order", "i1", (records.KINDS,)),  # all kinds of card, the best first
    ],
    align=True,
)


def greedy_action(
    setup: Record, state: Record, seat: Int, room: Record, seed: Int, number: Int, draw: Int
) -> Int:
    """The best choice; of several that are as good any one, by chance."""
    choices = count(setup, state, seat)
    room.worth[0] = 0.0
    if choices > 1:
        _take_stock(setup, state, int64(seat), room)
        _weigh(setup, state, int64(seat), room, choices)
    return pick(setup, state, seat, any_best(room.worth, choices, seed, number, draw))


def _weigh(setup: Record, state: Record, seat: Int, room: Record, choices: Int) -> None:
    """Write what each choice is worth."""
    phase = state.phase
    if phase == records.BUILDING:
        _weigh_lines(setup, state, room)
        if choices > records.size_of(state.free):
            room.worth[choices - 1] = _EARLY
        return
    if phase <= records.EDGE_HOUSE:
        for word in range(records.LINE_WORDS):
            room.walls[word] = state.walls[word]
        _find_city(setup, room, int64(state.line))
    elif phase not in (records.JOINING, records.CHOOSING):
        _weigh_cards(setup, state, room)
    for choice in range(choices):
        action = pick(setup, state, seat, choice)
        if phase <= records.FREE_TOWER:
            worth = _tower(setup, state, room, action - setup.place_tower)
        elif phase <= records.EDGE_HOUSE:
            worth = _house(setup, state, room, action - setup.place_house)
        elif phase == records.JOINING:
            other = action - setup.join
            if other == setup.fields:
                other = int64(NONE)
            _score_city(setup, state, room, int64(state.city), other)
            worth = _swing(room)
        elif phase == records.CHOOSING:
            name = action - setup.choose
            if name == setup.fields:
                name = int64(NONE)
            _score_city(setup, state, room, name, int64(NONE))
            worth = _best_two(room)
        else:
            worth = _card(setup, state, room, action)
        room.worth[choice] = worth


# --- What is known ---------------------------------------------------------------------------


def _take_stock(setup: Record, state: Record, seat: Int, room: Record) -> None:
    """Count the cards that may be in other hands, and how much of the game is left."""
    room.own = state.hands[seat]
    seen = _counted(state.hands[seat]) + _counted(state.discard)
    for place in range(2 * setup.seats):
        if state.laid[place]:
            seen += 1 << 2 * (state.laid[place] - 1)
    room.unseen = _counted(setup.deck) - seen
    unseen = 0
    for kind in range(records.KINDS):
        unseen += room.unseen >> 2 * kind & 3
        room.order[kind] = kind
    held = 0
    for other in range(setup.seats):
        if other != seat:
            held += size(state.hands[other])
    room.share = held / ((setup.seats - 1) * max(unseen, 1))
    for kind in range(records.KINDS):
        likely = min((room.unseen >> 2 * kind & 3) * room.share, 1.0)
        room.interests[kind] = (room.own >> 2 * kind & 1) - likely
    room.share = min(room.share, 1.0)
    room.discount = time_left(setup, state)


def _counted(cards: Int) -> Int:
    """How many cards there are of each kind, in digits of two bits."""
    return (cards & records.ONE_OF_EACH) + (cards >> 1 & records.ONE_OF_EACH)


def _swing(room: Record) -> float:
    """One's own best two cards, less what another player may have, by what cards score.

    The order is kept from one city to the next: most cards score alike there.
    """
    for place in range(1, records.KINDS):
        kind = room.order[place]
        score = room.scores[kind]
        before = place
        while before > 0 and room.scores[room.order[before - 1]] < score:
            room.order[before] = room.order[before - 1]
            before -= 1
        room.order[before] = kind
    mine = theirs = 0.0
    weight = 1.0
    none, one = 1.0, 0.0  # how likely the cards so far hold none of theirs, just one
    for place in range(records.KINDS):
        kind = int64(room.order[place])
        score = float(room.scores[kind])
        for _ in range(records.number_of(room.own, kind)):
            mine += weight * score
            weight = _SECOND if weight == 1.0 else 0.0
        for _ in range(room.unseen >> 2 * kind & 3):
            theirs += (none + _SECOND * one) * room.share * score
            one = one * (1 - room.share) + none * room.share
            none *= 1 - room.share
    return (mine - theirs) / 3


def _best_two(room: Record) -> float:
    """What one's own best two cards score."""
    best = second = int64(0)
    left = room.own
    while left:
        score = int64(room.scores[lowest(left) >> 1])
        left &= left - 1
        second = max(second, min(best, score))
        best = max(best, score)
    return (best + second) / 3


# --- Cards -----------------------------------------------------------------------------------


def _later(setup: Record, state: Record, room: Record, kind: Int) -> float:
    """What a card in the hand is worth, as long as there is time to play it."""
    if kind < records.LAND_COLOUR:
        return float(room.discount * _TYPICAL[int(kind)])
    value = cities.value(setup, state, kind, int64(NONE)) + (kind == records.CITIES)
    return float(room.discount * value)


def _weigh_cards(setup: Record, state: Record, room: Record) -> None:
    """Write of each of one's own cards what it is worth to play it now and not later."""
    left = room.own & records.ONE_OF_EACH
    while left:
        kind = lowest(left) >> 1
        left &= left - 1
        kept = _KEPT if state.ending != NONE else _later(setup, state, room, kind)
        room.nets[kind] = cities.value(setup, state, kind, int64(state.city)) - kept


def _card(setup: Record, state: Record, room: Record, action: Int) -> float:
    """To play a card, and perhaps another (MB-43), to trade one for new ones, or neither."""
    if action == setup.done:
        return 0.0
    if action >= setup.discard:
        if state.ending != NONE:
            return -_KEPT
        kind = action - (setup.discard if action < setup.swap else setup.swap)
        return float(_NEW_CARD * room.discount - _later(setup, state, room, kind))
    more = 0.0
    if state.phase == records.SCORING:
        left = records.without_card(room.own, action - setup.play)
        while left:
            more = max(more, room.nets[lowest(left) >> 1])
            left &= left - 1
    return float(room.nets[action - setup.play] + more)


# --- Towers and houses -----------------------------------------------------------------------


def _tower(setup: Record, state: Record, room: Record, tower: Int) -> float:
    """By the city that the wall closes, or else by the country."""
    point, colour = tower // records.TOWER_COLOURS, tower % records.TOWER_COLOURS
    worth = _GROWTH * room.interests[records.CITY_TOWER + colour]
    if room.fields:
        _score_closed(setup, state, room, colour, int64(NONE))
        worth += _swing(room)
    elif not records.has(state.ring_points, point):
        worth += 2 * _GROWTH * room.interests[records.LAND_TOWER + colour]
    return float(worth)


def _house(setup: Record, state: Record, room: Record, house: Int) -> float:
    """By the city that the wall closes, if it is in there; else by the country and its twins."""
    field, colour = house // records.HOUSE_COLOURS, house % records.HOUSE_COLOURS
    if room.fields and records.has(room.inside, field):
        _score_closed(setup, state, room, int64(NONE), colour)
        return _swing(room)
    twins = state.houses[field] >> records.DIGIT * colour & records.DIGITS
    region = records.LAND_REGION + setup.regions[field]
    worth = room.interests[records.LAND_COLOUR + colour] + room.interests[region]
    worth += room.interests[records.CITY_COLOUR + colour] * (1.0 if twins else 0.5)
    return float(_GROWTH * worth)


# --- Walls -----------------------------------------------------------------------------------


def _weigh_lines(setup: Record, state: Record, room: Record) -> None:
    """Write what a wall on each free line is worth: by the city that it closes, or may prepare.

    Two walls close a city together if they join the same parts of the wall. So the first time each
    line is tried alone, if it has both ends in one part, and the second time with others like it.
    """
    lines = _list_lines(setup, state, room)
    waiting = 0.0
    for walls in range(1, 3):
        for place in range(lines):
            line = int64(room.lines[place])
            joins = room.joins[place]
            alone = joins // _PART == joins % _PART
            is_first = walls == 1
            if (is_first and not alone) or records.has(room.closing, line):
                continue
            if not is_first and not alone and not _touches(setup, state, line):
                continue
            records.put(room.walls, line)
            # Where one part is joined with itself around a lake, the order matters.
            other = place if is_first else 0 if alone else place + 1
            while other < lines:
                if room.joins[other] == joins and (is_first or other != place):
                    last = int64(room.lines[other])
                    records.put(room.walls, last)
                    _find_city(setup, room, last)
                    records.drop(room.walls, last)
                    records.put(room.walls, line)
                    if room.fields:
                        _score_closed(setup, state, room, int64(NONE), int64(NONE))
                        swing = _swing(room)
                        if is_first:
                            records.put(room.closing, line)
                            room.worth[place] = swing
                            waiting = min(waiting, swing)
                        else:
                            _offer(room, place, swing)
                            if not alone:
                                _offer(room, other, swing)
                other = lines if is_first else other + 1
            records.drop(room.walls, line)
    for place in range(lines):
        line = int64(room.lines[place])
        if not records.has(room.closing, line):
            prepared = _PREPARED * (room.worth[place] + waiting) + _THREAT * room.threats[place]
            room.worth[place] = prepared + _growth(setup, state, room, line)


def _list_lines(setup: Record, state: Record, room: Record) -> Int:
    """List the lines on which a wall may be built, with the parts they would join; how many."""
    for point in range(setup.points):
        room.parts[point] = point
    records.clear(room.closing)
    for word in range(records.LINE_WORDS):
        room.walls[word] = state.walls[word]
        left = state.walls[word]
        while left:
            line = (word << 6) + lowest(left)
            left &= left - 1
            one, other = _part(room, setup.ends[2 * line]), _part(room, setup.ends[2 * line + 1])
            room.parts[max(one, other)] = min(one, other)
    lines = 0
    for word in range(records.LINE_WORDS):
        left = state.free[word]
        while left:
            line = (word << 6) + lowest(left)
            left &= left - 1
            one, other = _part(room, setup.ends[2 * line]), _part(room, setup.ends[2 * line + 1])
            room.lines[lines] = line
            room.joins[lines] = _PART * min(one, other) + max(one, other)
            room.worth[lines] = 0.0
            room.threats[lines] = 0.0
            lines += 1
    return lines


def _part(room: Record, point: Int) -> Int:
    """The first point of the part of the wall that this one belongs to; without a wall, itself."""
    first = int64(point)
    while room.parts[first] != first:
        first = int64(room.parts[first])
    room.parts[point] = first
    return first


def _touches(setup: Record, state: Record, line: Int) -> bool:
    """Whether a wall ends where this line does."""
    return bool(state.walls_at[setup.ends[2 * line]] or state.walls_at[setup.ends[2 * line + 1]])


def _offer(room: Record, place: Int, swing: float) -> None:
    """The next player, or oneself some day, may close a city with this swing."""
    room.worth[place] = max(room.worth[place], swing)
    room.threats[place] = min(room.threats[place], swing)


def _growth(setup: Record, state: Record, room: Record, line: Int) -> float:
    """What a wall with its towers and houses adds to the cards one cares for."""
    value = room.interests[records.LAND_WALLS]
    for place in range(2 * line, 2 * line + 2):
        point = int64(setup.ends[place])
        if not cities.has_tower(state, point) and not records.has(state.ring_points, point):
            value += room.interests[records.LAND_TOWERS]
            if records.has(setup.shore, point):
                value += 2 * room.interests[records.LAND_WATER]
        field = setup.sides[place]
        if field != NONE:
            value += room.interests[records.LAND_REGION + setup.regions[field]]
    return float(_GROWTH * value)


# --- What cards would score ------------------------------------------------------------------


def _find_city(setup: Record, room: Record, line: Int) -> None:
    """Find the fields that the wall on this line closes off from the outside (MB-31)."""
    room.fields = 0
    side = 2 * line
    while room.fields == 0 and side < 2 * line + 2:
        if setup.sides[side] != NONE:
            room.fields = _enclosed(setup, room, int64(setup.sides[side]))
        side += 1


def _enclosed(setup: Record, room: Record, field: Int) -> Int:
    """How many fields can be reached from this one, listed in the room; 0 if the outside can."""
    records.clear(room.inside)
    records.put(room.inside, field)
    room.reached[0] = field
    fields, place = 1, 0
    while place < fields:
        for side in range(3 * room.reached[place], 3 * room.reached[place] + 3):
            if not records.has(room.walls, int64(setup.around[side])):
                other = int64(setup.beyond[side])
                if other == NONE:
                    return 0
                if not records.has(room.inside, other):
                    records.put(room.inside, other)
                    room.reached[fields] = other
                    fields += 1
        place += 1
    return fields


def _score_closed(setup: Record, state: Record, room: Record, tower: Int, colour: Int) -> None:
    """Write what each card would score, were the fields that were found a city.

    It has a tower at every end of its ring: one of them may have a colour already, and one more
    house may stand in the city.
    """
    records.clear(room.ends)
    for region in range(records.REGIONS):
        kind = records.LAND_REGION + region
        room.scores[kind] = 3 * setup.worth[kind] * state.in_region[region]
    held = 0
    outside = records.size_of(state.walls) - records.size_of(state.rings)
    for place in range(room.fields):
        field = int64(room.reached[place])
        held += state.houses[field]
        region = records.LAND_REGION + setup.regions[field]
        room.scores[region] -= 3 * setup.worth[region] * cities.houses_in(state.houses[field])
        for side in range(3 * field, 3 * field + 3):
            beyond = int64(setup.beyond[side])
            if beyond == NONE or not records.has(room.inside, beyond):
                line = int64(setup.around[side])
                records.put(room.ends, int64(setup.ends[2 * line]))
                records.put(room.ends, int64(setup.ends[2 * line + 1]))
                outside -= records.has(state.walls, line) and not records.has(state.rings, line)
    for each in range(records.HOUSE_COLOURS):
        digit = records.DIGIT * each
        land = (state.land >> digit & records.DIGITS) - (held >> digit & records.DIGITS)
        kind = records.LAND_COLOUR + each
        room.scores[kind] = 3 * setup.worth[kind] * land
    if colour != NONE:
        held += 1 << records.DIGIT * colour
    _score_pieces(setup, state, room, int64(room.fields), held)
    _score_towers(setup, state, room, tower)
    room.scores[records.LAND_WALLS] = 3 * setup.worth[records.LAND_WALLS] * outside
    cities_then = records.size_of(state.names) + 1
    room.scores[records.CITIES] = 3 * setup.worth[records.CITIES] * cities_then


def _score_towers(setup: Record, state: Record, room: Record, tower: Int) -> None:
    """Those at the ends of the ring, and those that remain in the country."""
    first, second = room.ends[0], room.ends[1]
    towers = size(first) + size(second)
    missing = towers
    room.scores[records.LAND_TOWERS] = room.scores[records.LAND_WATER] = 0
    outside, beyond = ~(state.ring_points[0] | first), ~(state.ring_points[1] | second)
    shore, coast = outside & setup.shore[0], beyond & setup.shore[1]
    for each in range(records.TOWER_COLOURS):
        standing = cities.towers_on(state, each, first, second) + (each == tower)
        missing -= standing
        city, land = records.CITY_TOWER + each, records.LAND_TOWER + each
        room.scores[city] = 3 * setup.worth[city] * standing
        standing = cities.towers_on(state, each, outside, beyond)
        wet = cities.towers_on(state, each, shore, coast)
        room.scores[land] = 3 * setup.worth[land] * standing
        room.scores[records.LAND_TOWERS] += 3 * setup.worth[records.LAND_TOWERS] * standing
        room.scores[records.LAND_WATER] += 3 * setup.worth[records.LAND_WATER] * wet
    for each in range(records.TOWER_COLOURS):
        city = records.CITY_TOWER + each
        room.scores[city] += setup.worth[city] * missing
    room.scores[records.CITY_TOWERS] = 3 * setup.worth[records.CITY_TOWERS] * towers


def _score_pieces(setup: Record, state: Record, room: Record, fields: Int, held: Int) -> None:
    """City cards but those of towers, by the size of the city and what stands in it (MB-34)."""
    for kind in range(records.CITY_COLOURS):
        room.scores[kind] = 0
    if fields >= records.SEVEN_OR_MORE:
        room.scores[records.CITY_COLOURS - 1] = 3 * setup.worth[records.CITY_COLOURS - 1]
    elif 1 <= fields < records.CITY_COLOURS:
        room.scores[fields - 1] = 3 * setup.worth[fields - 1]
    colours = all_palaces = 0
    for colour in range(records.HOUSE_COLOURS):
        houses = held >> records.DIGIT * colour & records.DIGITS
        palaces = cities.palaces_in(held, colour)
        colours += houses + palaces > 0
        built = min(houses >> 1, int64(state.palaces_left[colour]))
        palaces += built
        all_palaces += palaces
        kind = records.CITY_COLOUR + colour
        left = setup.worth[records.HOUSE_WORTH + colour] * (houses - 2 * built)
        room.scores[kind] = 3 * (setup.worth[kind] * palaces + left)
    room.scores[records.CITY_COLOURS] = 3 * cities.for_colours(setup, colours)
    room.scores[records.CITY_PALACES] = 3 * setup.worth[records.CITY_PALACES] * all_palaces


def _score_city(setup: Record, state: Record, room: Record, name: Int, other: Int) -> None:
    """Write what each card would score in this city, joined with the other, if any (MB-40).

    Joining changes nothing outside but the number of cities: the walls between were of both rings.
    With no city, city cards score nothing (MB-72).
    """
    for kind in range(records.LAND_COLOUR, records.KINDS):
        room.scores[kind] = 3 * cities.value(setup, state, kind, int64(NONE))
    if other != NONE:
        room.scores[records.CITIES] -= 3 * setup.worth[records.CITIES]
    records.clear(room.ends)
    fields = 0
    for field in range(setup.fields):
        if _is_of(state, field, name, other):
            fields += 1
            for side in range(3 * field, 3 * field + 3):
                beyond = int64(setup.beyond[side])
                if beyond == NONE or not _is_of(state, beyond, name, other):
                    line = setup.around[side]
                    records.put(room.ends, int64(setup.ends[2 * line]))
                    records.put(room.ends, int64(setup.ends[2 * line + 1]))
    held = int64(state.houses[name]) if name != NONE else 0
    if other != NONE:
        held += state.houses[other]
    _score_pieces(setup, state, room, fields, held)
    towers = 0
    for colour in range(records.TOWER_COLOURS):
        standing = cities.towers_on(state, colour, room.ends[0], room.ends[1])
        kind = records.CITY_TOWER + colour
        room.scores[kind] = 3 * setup.worth[kind] * standing
        towers += standing
    room.scores[records.CITY_TOWERS] = 3 * setup.worth[records.CITY_TOWERS] * towers


def _is_of(state: Record, field: Int, name: Int, other: Int) -> bool:
    """Whether a field is one of these two closed cities."""
    city = state.city_of[field]
    return bool(city and (city == name + 1 or city == other + 1))
