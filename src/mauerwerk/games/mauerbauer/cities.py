"""Mauerbauer, the cities: what a wall closes, what a city is made of, and what lies outside.

Fields are connected across lines without a wall; beyond an edge line lies the outside. A city is
closed when the outside cannot be reached from it (MB-31).
"""

from collections import Counter
from collections.abc import Collection, Sequence

from msgspec.structs import replace

from mauerwerk.games.mauerbauer import values
from mauerwerk.games.mauerbauer.board import Board, Field, Line, Point, board_of
from mauerwerk.games.mauerbauer.events import Cleared, Event, PalacesBuilt

# --- Lines and walls -------------------------------------------------------------------------


def free_lines(table: values.Table) -> tuple[Line, ...]:
    """Where a wall may be built: no wall yet, and not inside a closed city (MB-11, MB-12)."""
    board, walls, closed = board_of(table.options.board), set(table.walls), closed_fields(table)
    return tuple(
        line for line in board.lines if line not in walls and not inside_a_city(board, closed, line)
    )


def inside_a_city(board: Board, closed: Collection[Field], line: Line) -> bool:
    """Whether a line without a wall has a closed city on both sides (MB-12).

    No line without a wall leads out of a closed city, so that one look at either side will do.
    """
    return board.sides[line][0] in closed


def closed_fields(table: values.Table) -> frozenset[Field]:
    """The fields of all closed cities."""
    return frozenset(field for city in table.cities for field in city.fields)


def city_named(table: values.Table, name: Field) -> values.City:
    """The closed city with this first field."""
    return next(city for city in table.cities if city.fields[0] == name)


def enclosed(board: Board, walls: Collection[Line], field: Field) -> tuple[Field, ...] | None:
    """The city around this field, if walls close it off from the outside; else None (MB-31)."""
    reached = {field}
    ahead = [field]
    while ahead:
        for line in board.around[ahead.pop()]:
            if line not in walls:
                sides = board.sides[line]
                if len(sides) == 1:
                    return None
                for side in sides:
                    if side not in reached:
                        reached.add(side)
                        ahead.append(side)
    return tuple(sorted(reached, key=board.place.__getitem__))


def newly_closed(table: values.Table, line: Line) -> tuple[Field, ...] | None:
    """The fields of the city that the wall on this line closes: one city at most (MB-32)."""
    return closed_by(board_of(table.options.board), {*table.walls, line}, line)


def closed_by(board: Board, walls: Collection[Line], line: Line) -> tuple[Field, ...] | None:
    """The fields on either side of this line that these walls close off, if they do."""
    cities = (enclosed(board, walls, field) for field in board.sides[line])
    return next((city for city in cities if city), None)


# --- Rings -----------------------------------------------------------------------------------


def ring(board: Board, city: values.City) -> tuple[Line, ...]:
    """The lines with the city on exactly one side; all of them are walled (MB-56)."""
    counts = Counter(line for field in city.fields for line in board.around[field])
    return tuple(line for line, sides in counts.items() if sides == 1)


def ring_points(board: Board, cities: Sequence[values.City]) -> frozenset[Point]:
    """The tower spaces at the ends of these cities' rings (MB-56, MB-63)."""
    return frozenset(
        point for city in cities for line in ring(board, city) for point in board.ends[line]
    )


def towers_of(table: values.Table, city: values.City) -> tuple[values.Tower, ...]:
    """The towers of a city (MB-56)."""
    points = ring_points(board_of(table.options.board), (city,))
    return tuple(tower for point, tower in table.towers if point in points)


def outside_towers(table: values.Table) -> tuple[tuple[Point, values.Tower], ...]:
    """The towers that belong to no closed city (MB-63)."""
    points = ring_points(board_of(table.options.board), table.cities)
    return tuple((point, tower) for point, tower in table.towers if point not in points)


def outside_walls(table: values.Table) -> tuple[Line, ...]:
    """The walls that belong to no closed city, whatever is on their other side (MB-63)."""
    board = board_of(table.options.board)
    rings = {line for city in table.cities for line in ring(board, city)}
    return tuple(line for line in table.walls if line not in rings)


def neighbours(table: values.Table, name: Field) -> tuple[Field, ...]:
    """The closed cities that share a wall with this one (MB-40)."""
    board = board_of(table.options.board)
    around = set(ring(board, city_named(table, name)))
    return tuple(
        city.name
        for city in table.cities
        if city.name != name and not around.isdisjoint(ring(board, city))
    )


# --- Closing and joining ---------------------------------------------------------------------


def close(table: values.Table, fields: tuple[Field, ...]) -> tuple[values.Table, tuple[Event, ...]]:
    """Make these fields a city, with the houses that stand on them (MB-33 to MB-36)."""
    houses = tuple(colour for field, colour in table.houses if field in fields)
    left = tuple(house for house in table.houses if house[0] not in fields)
    city = values.City(fields, houses, ())
    return _settled(replace(table, houses=left), (*table.cities, city), city)


def join(table: values.Table, one: Field, other: Field) -> tuple[values.Table, tuple[Event, ...]]:
    """Make one city of two; the walls between them now have it on both sides (MB-41, MB-42)."""
    first, second = city_named(table, one), city_named(table, other)
    place = board_of(table.options.board).place
    fields = tuple(sorted((*first.fields, *second.fields), key=place.__getitem__))
    city = values.City(fields, (*first.houses, *second.houses), (*first.palaces, *second.palaces))
    others = (each for each in table.cities if each not in (first, second))
    return _settled(table, (*others, city), city)


def _settled(
    table: values.Table, cities: tuple[values.City, ...], city: values.City
) -> tuple[values.Table, tuple[Event, ...]]:
    """The table with this city paved: palaces built, what stood free in it put back."""
    board = board_of(table.options.board)
    built, city, supply = _with_palaces(city, table.supply)
    palaces_gone = bool(built) and not any(supply.palaces)
    outer = set(ring(board, city))
    own = {line for field in city.fields for line in board.around[field] if line not in outer}
    free_walls = tuple(line for line in table.walls if line in own)
    walls = tuple(line for line in table.walls if line not in free_walls)
    free_towers = _without_a_wall(board, walls, free_walls, table)
    counts = list(supply.towers)
    for _, tower in free_towers:
        counts[values.TOWERS.index(tower)] += 1
    in_order = sorted((*cities[:-1], city), key=lambda each: board.place[each.name])
    paved = replace(
        table,
        walls=walls,
        towers=tuple(tower for tower in table.towers if tower not in free_towers),
        cities=tuple(in_order),
        supply=replace(supply, walls=supply.walls + len(free_walls), towers=tuple(counts)),
        ending=table.ending or (values.Ending.PALACES if palaces_gone else None),
    )
    events: tuple[Event, ...] = ()
    if built:
        events += (PalacesBuilt(city.name, built),)
    if free_walls:
        events += (Cleared(city.name, free_walls, free_towers),)
    return paved, events


def _with_palaces(
    city: values.City, supply: values.Supply
) -> tuple[tuple[values.Colour, ...], values.City, values.Supply]:
    """Two houses of a colour become a palace as long as there are palaces (MB-34)."""
    houses, palaces = list(supply.houses), list(supply.palaces)
    built: list[values.Colour] = []
    standing: list[values.Colour] = []
    for place, colour in enumerate(values.COLOURS):
        count = city.houses.count(colour)
        new = min(count // 2, palaces[place])
        palaces[place] -= new
        houses[place] += 2 * new
        built += [colour] * new
        standing += [colour] * (count - 2 * new)
    all_palaces = tuple(sorted((*city.palaces, *built), key=values.COLOURS.index))
    left = replace(supply, houses=tuple(houses), palaces=tuple(palaces))
    return tuple(built), values.City(city.fields, tuple(standing), all_palaces), left


def _without_a_wall(
    board: Board, walls: Collection[Line], removed: Collection[Line], table: values.Table
) -> tuple[tuple[Point, values.Tower], ...]:
    """The towers that touch no wall any more, now that some are removed (MB-35, MB-41)."""
    ends = {point for line in removed for point in board.ends[line]}
    bare = {point for point in ends if not any(line in walls for line in board.lines_at[point])}
    return tuple((point, tower) for point, tower in table.towers if point in bare)
