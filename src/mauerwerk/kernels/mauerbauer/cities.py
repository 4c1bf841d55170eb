"""Mauerbauer in a kernel, cities: what a wall closes, what it is made of, what a card scores.

The clauses are those of `docs/rules/mauerbauer.md`.
"""

from numpy import int64

from mauerwerk.kernels.bits import size
from mauerwerk.kernels.contract import Int, Record, compile_all
from mauerwerk.kernels.mauerbauer import records

compile_all(__name__)

# --- Closing ---------------------------------------------------------------------------------


def has_tower(state: Record, point: Int) -> bool:
    """Whether a tower stands on this point."""
    word = point >> 6
    towers = state.towers[word]
    for colour in range(1, records.TOWER_COLOURS):
        towers |= state.towers[colour * records.POINT_WORDS + word]
    return bool(towers >> (point & 63) & 1)


def close(setup: Record, state: Record, line: Int) -> Int:
    """Make a city of what the wall on this line closes; its name, or NONE (MB-31 to MB-36).

    A wall with an end that touches no other wall closes nothing.
    """
    for end in range(2 * line, 2 * line + 2):
        if state.walls_at[setup.ends[end]] == 1:
            return records.NONE
    fields = _enclosed(setup, state, int64(setup.sides[2 * line]))
    if fields == 0 and setup.sides[2 * line + 1] != records.NONE:
        fields = _enclosed(setup, state, int64(setup.sides[2 * line + 1]))
    if fields == 0:
        return records.NONE
    name = setup.fields
    houses = 0
    for place in range(fields):
        field = int64(state.reached[place])
        name = min(name, field)
        houses += state.houses[field]
        state.in_region[setup.regions[field]] -= houses_in(state.houses[field])
        state.houses[field] = 0
        records.drop(state.housed, field)
        records.put(state.closed, field)
    state.land -= houses
    records.put(state.housed, name)
    for place in range(fields):
        state.city_of[state.reached[place]] = name + 1
        state.reached[place] = 0
    state.houses[name] = houses
    records.put(state.names, name)
    _settle(setup, state, name)
    return name


def _enclosed(setup: Record, state: Record, field: Int) -> Int:
    """How many fields can be reached from this one, now in `reached`; 0 if the outside can."""
    state.reached[0] = field
    state.city_of[field] = records.NONE
    number = 1
    place = 0
    is_open = False
    while place < number and not is_open:
        for side in range(3 * state.reached[place], 3 * state.reached[place] + 3):
            if not records.has(state.walls, int64(setup.around[side])):
                other = setup.beyond[side]
                if other == records.NONE:
                    is_open = True
                elif state.city_of[other] == 0:
                    state.city_of[other] = records.NONE
                    state.reached[number] = other
                    number += 1
        place += 1
    if not is_open:
        return number
    for place in range(number):
        state.city_of[state.reached[place]] = 0
        state.reached[place] = 0
    return 0


def _settle(setup: Record, state: Record, name: Int) -> None:
    """Build palaces; put back what stands free in the city (MB-34, MB-35)."""
    _build_palaces(state, name)
    for field in range(setup.fields):
        if state.city_of[field] == name + 1:
            for side in range(3 * field, 3 * field + 3):
                line = int64(setup.around[side])
                records.drop(state.free, line)
                other = setup.beyond[side]
                if (
                    other > field
                    and state.city_of[other] == name + 1
                    and records.has(state.walls, line)
                ):
                    _put_back(setup, state, line)
    _mark_rings(setup, state)


def _build_palaces(state: Record, name: Int) -> None:
    """Two houses of a colour become a palace as long as there are palaces (MB-34, MB-70)."""
    built = 0
    left = 0
    for colour in range(records.HOUSE_COLOURS):
        houses = state.houses[name] >> records.DIGIT * colour & records.DIGITS
        palaces = min(houses >> 1, state.palaces_left[colour])
        state.houses[name] += palaces << records.PALACES + records.PALACE_DIGIT * colour
        state.houses[name] -= 2 * palaces << records.DIGIT * colour
        state.houses_left[colour] += 2 * palaces
        state.palaces_left[colour] -= palaces
        built += palaces
        left += state.palaces_left[colour]
    if built and left == 0 and state.ending == records.NONE:
        state.ending = records.NO_PALACE


def _put_back(setup: Record, state: Record, line: Int) -> None:
    """A wall, and the towers that then touch none, return to the supply (MB-35, MB-41)."""
    records.drop(state.walls, line)
    state.walls_left += 1
    for end in range(2 * line, 2 * line + 2):
        point = setup.ends[end]
        state.walls_at[point] -= 1
        if state.walls_at[point] == 0:
            word, bit = point >> 6, 1 << (point & 63)
            for colour in range(records.TOWER_COLOURS):
                if state.towers[colour * records.POINT_WORDS + word] & bit:
                    state.towers[colour * records.POINT_WORDS + word] ^= bit
                    state.towers_left[colour] += 1


def _mark_rings(setup: Record, state: Record) -> None:
    """Every wall beside a closed city is of its ring, and so are its ends (MB-56, MB-63)."""
    records.clear(state.rings)
    records.clear(state.ring_points)
    for field in range(setup.fields):
        if state.city_of[field]:
            for side in range(3 * field, 3 * field + 3):
                line = int64(setup.around[side])
                if records.has(state.walls, line):
                    records.put(state.rings, line)
                    records.put(state.ring_points, int64(setup.ends[2 * line]))
                    records.put(state.ring_points, int64(setup.ends[2 * line + 1]))


# --- Joining ---------------------------------------------------------------------------------


def is_neighbour(setup: Record, state: Record, name: Int, other: Int) -> bool:
    """Whether these are two closed cities that share a wall (MB-40)."""
    if state.city_of[other] != other + 1 or name == other:
        return False
    for field in range(setup.fields):
        if state.city_of[field] == name + 1:
            for side in range(3 * field, 3 * field + 3):
                beyond = setup.beyond[side]
                if beyond != records.NONE and state.city_of[beyond] == other + 1:
                    return True
    return False


def neighbours(setup: Record, state: Record, name: Int) -> Int:
    """How many closed cities share a wall with this one."""
    number = 0
    for other in range(setup.fields):
        if is_neighbour(setup, state, name, other):
            number += 1
    return number


def nth_neighbour(setup: Record, state: Record, name: Int, number: Int) -> Int:
    """The one after this many others; NONE if there are fewer."""
    for other in range(setup.fields):
        if is_neighbour(setup, state, name, other):
            if number == 0:
                return other
            number -= 1
    return records.NONE


def join(setup: Record, state: Record, one: Int, other: Int) -> Int:
    """Make one city of two; the walls between them go (MB-41, MB-42). Its name."""
    name, gone = min(one, other), max(one, other)
    state.houses[name] += state.houses[gone]
    state.houses[gone] = 0
    records.drop(state.housed, gone)
    for field in range(setup.fields):
        if state.city_of[field] == gone + 1:
            state.city_of[field] = name + 1
    records.drop(state.names, gone)
    _settle(setup, state, name)
    return name


# --- What a card scores ----------------------------------------------------------------------


def turn_to(setup: Record, state: Record, name: Int) -> None:
    """This city, or none, is joined or scored: find out what its cards will ask for."""
    state.city = name
    state.city_size = 0
    records.clear(state.city_points)
    if name == records.NONE:
        return
    for field in range(setup.fields):
        if state.city_of[field] == name + 1:
            state.city_size += 1
            for side in range(3 * field, 3 * field + 3):
                line = int64(setup.around[side])
                if records.has(state.walls, line):
                    records.put(state.city_points, int64(setup.ends[2 * line]))
                    records.put(state.city_points, int64(setup.ends[2 * line + 1]))


def houses_in(held: Int) -> Int:
    """How many houses these are, of all colours."""
    number = 0
    for colour in range(records.HOUSE_COLOURS):
        number += held >> records.DIGIT * colour & records.DIGITS
    return number


def value(setup: Record, state: Record, kind: Int, name: Int) -> Int:
    """What a card scores now: city cards for this city, and nothing with none (MB-72)."""
    if kind >= records.LAND_COLOUR:
        return setup.worth[kind] * _in_the_country(setup, state, kind)
    if name == records.NONE:
        return 0
    return _city_value(setup, state, kind, name)


def _city_value(setup: Record, state: Record, kind: Int, name: Int) -> Int:
    """MB-50 to MB-55."""
    if kind < records.CITY_COLOURS:
        fields = state.city_size
        if kind == records.CITY_COLOURS - 1:
            return int64(setup.worth[kind]) if fields >= records.SEVEN_OR_MORE else 0
        return int64(setup.worth[kind]) if fields == kind + 1 else 0
    held = state.houses[name]
    if kind == records.CITY_COLOURS:
        colours = 0
        for colour in range(records.HOUSE_COLOURS):
            if held >> records.DIGIT * colour & records.DIGITS or palaces_in(held, colour):
                colours += 1
        return for_colours(setup, colours)
    if kind == records.CITY_PALACES:
        palaces = 0
        for colour in range(records.HOUSE_COLOURS):
            palaces += palaces_in(held, colour)
        return setup.worth[kind] * palaces
    if records.CITY_COLOUR <= kind < records.CITY_TOWERS:
        colour = kind - records.CITY_COLOUR
        houses = held >> records.DIGIT * colour & records.DIGITS
        own = setup.worth[records.HOUSE_WORTH + colour] * houses
        return setup.worth[kind] * palaces_in(held, colour) + own
    return setup.worth[kind] * _city_towers(state, kind)


def for_colours(setup: Record, colours: Int) -> Int:
    """What a city scores by its number of colours (MB-51)."""
    if colours >= records.FOUR_OR_MORE:
        return int64(setup.worth[records.MANY_COLOURS])
    return int64(setup.worth[records.CITY_COLOURS]) if colours > 1 else 0


def palaces_in(held: Int, colour: Int) -> Int:
    """How many palaces of a colour a city holds."""
    return held >> records.PALACES + records.PALACE_DIGIT * colour & records.PALACE_DIGITS


def _city_towers(state: Record, kind: Int) -> Int:
    """The towers at the ends of the city's walls (MB-52, MB-55, MB-56)."""
    first, second = state.city_points[0], state.city_points[1]
    if kind == records.CITY_TOWERS:
        return _all_towers_on(state, first, second)
    return towers_on(state, kind - records.CITY_TOWER, first, second)


def _all_towers_on(state: Record, first: Int, second: Int) -> Int:
    """How many towers stand on these points, a set of two words."""
    towers = 0
    for colour in range(records.TOWER_COLOURS):
        towers += towers_on(state, colour, first, second)
    return towers


def towers_on(state: Record, colour: Int, first: Int, second: Int) -> Int:
    """How many towers of a colour stand on these points, a set of two words."""
    place = colour * records.POINT_WORDS
    return size(state.towers[place] & first) + size(state.towers[place + 1] & second)


def _in_the_country(setup: Record, state: Record, kind: Int) -> Int:
    """What a card counts outside all closed cities and their rings (MB-57 to MB-64)."""
    if kind < records.LAND_REGION:
        return state.land >> records.DIGIT * (kind - records.LAND_COLOUR) & records.DIGITS
    if kind < records.LAND_TOWERS:
        return int64(state.in_region[kind - records.LAND_REGION])
    if kind == records.LAND_WALLS:
        return records.size_of(state.walls) - records.size_of(state.rings)
    if kind == records.CITIES:
        return records.size_of(state.names)
    first, second = ~state.ring_points[0], ~state.ring_points[1]
    if records.LAND_TOWER <= kind < records.LAND_WATER:
        return towers_on(state, kind - records.LAND_TOWER, first, second)
    if kind == records.LAND_WATER:
        first &= setup.shore[0]
        second &= setup.shore[1]
    return _all_towers_on(state, first, second)
