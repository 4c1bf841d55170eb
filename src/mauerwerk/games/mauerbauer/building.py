"""Mauerbauer, the first half of a turn: wall, dice, towers, houses; the second is in `cards`."""

from collections.abc import Sequence

from msgspec.structs import replace

from mauerwerk.core.game import Step
from mauerwerk.games.mauerbauer import events, values
from mauerwerk.games.mauerbauer.board import Field, Line, Point, board_of
from mauerwerk.games.mauerbauer.cards import next_turn, score
from mauerwerk.games.mauerbauer.cities import close, join, neighbours, newly_closed
from mauerwerk.games.mauerbauer.events import Event
from mauerwerk.games.mauerbauer.values import (
    COLOURS,
    TOWERS,
    Colour,
    Roll,
    State,
    Supply,
    Table,
    Tower,
)

# --- Wall and dice ---------------------------------------------------------------------------


def roll_early(table: Table) -> Step[State, Event]:
    """A point is lost, but nobody slides back behind field 1; the roll is not made (MB-14)."""
    builder, points = table.builder, table.points
    lost = 1 if points[builder] >= 2 else 0  # noqa: PLR2004 - field 2 is the first to slide from
    left = (*points[:builder], points[builder] - lost, *points[builder + 1 :])
    return Step(
        values.Building(replace(table, points=left), hasty=True),
        (events.RolledEarly(builder, lost),),
    )


def build(table: Table, line: Line) -> Step[State, Event]:
    """The wall comes from the supply (MB-11)."""
    place = board_of(table.options.board).place
    walls = tuple(sorted((*table.walls, line), key=place.__getitem__))
    supply = replace(table.supply, walls=table.supply.walls - 1)
    table = replace(table, walls=walls, supply=supply, last=(table.builder, line))
    table, decided = _checked(table, values.Ending.WALLS, supply.walls)
    return Step(values.Rolling(table, line), (events.Built(table.builder, line), *decided))


def rolls(table: Table, line: Line) -> tuple[Roll, ...]:
    """The tower die is left out between two towers (MB-20)."""
    chosen = table.options
    if free_ends(table, line):
        return values.full_rolls(chosen.tower_colours, chosen.colours)
    return values.house_rolls(chosen.colours)


def roll(table: Table, line: Line, rolled: Roll) -> Step[State, Event]:
    """First the towers, if there is room for any, then the houses (MB-19)."""
    told = events.Rolled(table.builder, rolled)
    if rolled.tower is None:
        return Step(_to_houses(table, line, rolled), (told,))
    return Step(values.PlacingRolledTower(table, line, rolled), (told,))


# --- Towers ----------------------------------------------------------------------------------


def free_ends(table: Table, line: Line) -> tuple[Point, ...]:
    """The ends of the new wall that have no tower, in the board's order."""
    board, taken = board_of(table.options.board), {point for point, _ in table.towers}
    free = (point for point in board.ends[line] if point not in taken)
    return tuple(sorted(free, key=board.place.__getitem__))


def rolled_towers(table: Table, line: Line, rolled: Tower) -> tuple[values.PlaceTower, ...]:
    """The rolled colour, or any other when it is out, on a free end (MB-21, MB-23)."""
    left = _towers_left(table.supply)
    colours = (rolled,) if rolled in left else left
    return tuple(values.PlaceTower(end, each) for end in free_ends(table, line) for each in colours)


def free_towers(table: Table, line: Line) -> tuple[values.PlaceTower, ...]:
    """Any colour in supply on the other end (MB-22)."""
    left = _towers_left(table.supply)
    return tuple(values.PlaceTower(end, each) for end in free_ends(table, line) for each in left)


def _towers_left(supply: Supply) -> tuple[Tower, ...]:
    return tuple(tower for tower, count in zip(TOWERS, supply.towers, strict=True) if count)


def place_tower(
    state: values.PlacingRolledTower | values.PlacingFreeTower, point: Point, tower: Tower
) -> Step[State, Event]:
    """Put the tower down; then the other end, if it is free and there is a tower (MB-24)."""
    table, line = state.table, state.line
    place = board_of(table.options.board).place
    towers = tuple(sorted((*table.towers, (point, tower)), key=lambda each: place[each[0]]))
    supply = replace(table.supply, towers=_less(table.supply.towers, TOWERS.index(tower)))
    table = replace(table, towers=towers, supply=supply)
    table, decided = _checked(table, values.Ending.TOWERS, sum(supply.towers))
    told = (events.TowerPlaced(table.builder, point, tower), *decided)
    if free_ends(table, line) and any(supply.towers):
        return Step(values.PlacingFreeTower(table, line, state.roll), told)
    return Step(_to_houses(table, line, state.roll), told)


# --- Houses ----------------------------------------------------------------------------------


def _to_houses(table: Table, line: Line, rolled: Roll) -> State:
    """One house for each field beside the wall (MB-25); on the edge there is one (MB-28)."""
    if len(board_of(table.options.board).sides[line]) == 1:
        return values.PlacingEdgeHouse(table, line, rolled)
    return values.PlacingFirstHouse(table, line, rolled)


def houses_for(supply: Supply, face: Colour | None) -> tuple[Colour, ...]:
    """The rolled colour; for `?`, or when it is out, any in supply (MB-26, MB-27)."""
    left = tuple(colour for colour, count in zip(COLOURS, supply.houses, strict=True) if count)
    return (face,) if face in left else left


def edge_houses(table: Table, line: Line, rolled: Roll) -> tuple[values.PlaceHouse, ...]:
    """A colour that one of the dice allows (MB-28)."""
    allowed = {each for face in rolled.houses for each in houses_for(table.supply, face)}
    (field,) = board_of(table.options.board).sides[line]
    return tuple(values.PlaceHouse(field, colour) for colour in COLOURS if colour in allowed)


def first_houses(table: Table, line: Line, rolled: Roll) -> tuple[values.PlaceHouse, ...]:
    """What the first die allows, on either side (MB-19, MB-25)."""
    sides = board_of(table.options.board).sides[line]
    return _houses(table, sides, rolled.houses[0])


def second_houses(table: Table, field: Field, rolled: Roll) -> tuple[values.PlaceHouse, ...]:
    """What the second die allows, on the side that is left (MB-19, MB-25)."""
    return _houses(table, (field,), rolled.houses[1])


def _houses(
    table: Table, fields: Sequence[Field], face: Colour | None
) -> tuple[values.PlaceHouse, ...]:
    colours = houses_for(table.supply, face)
    return tuple(values.PlaceHouse(field, colour) for field in fields for colour in colours)


def place_house(
    state: values.PlacingFirstHouse | values.PlacingSecondHouse | values.PlacingEdgeHouse,
    field: Field,
    colour: Colour,
) -> Step[State, Event]:
    """Put the house down; then the other side, if there is a house left for it (MB-29)."""
    table, line = state.table, state.line
    board = board_of(table.options.board)
    houses = sorted(
        (*table.houses, (field, colour)),
        key=lambda house: (board.place[house[0]], COLOURS.index(house[1])),
    )
    supply = replace(table.supply, houses=_less(table.supply.houses, COLOURS.index(colour)))
    table = replace(table, houses=tuple(houses), supply=supply)
    table, decided = _checked(table, values.Ending.HOUSES, sum(supply.houses))
    told = (events.HousePlaced(table.builder, field, colour), *decided)
    if isinstance(state, values.PlacingFirstHouse) and any(supply.houses):
        (other,) = (side for side in board.sides[line] if side != field)
        return Step(values.PlacingSecondHouse(table, line, state.roll, other), told)
    return _finish(table, line, told)


# --- The city --------------------------------------------------------------------------------


def _finish(table: Table, line: Line, told: tuple[Event, ...]) -> Step[State, Event]:
    """All is placed: deal with the city that the wall closed, if it did (MB-33)."""
    fields = newly_closed(table, line)
    if fields is None:
        return next_turn(table, told)
    told = (*told, events.Closed(table.builder, fields))
    closed, changes = close(table, fields)
    told = (*told, *changes, *_decided(table, closed))
    if neighbours(closed, fields[0]):
        return Step(values.Joining(closed, fields[0]), told)
    return score(closed, fields[0], told)


def join_with(table: Table, name: Field, other: Field | None) -> Step[State, Event]:
    """Join the city just closed with one of its neighbours, or with none (MB-40)."""
    told: tuple[Event, ...] = (events.Joined(table.builder, name, other),)
    if other is None:
        return score(table, name, told)
    joined, changes = join(table, name, other)
    place = board_of(table.options.board).place
    name = min(name, other, key=place.__getitem__)
    return score(joined, name, (*told, *changes, *_decided(table, joined)))


# --- The end ---------------------------------------------------------------------------------


def _checked(table: Table, kind: values.Ending, left: int) -> tuple[Table, tuple[Event, ...]]:
    """The end is decided as soon as the last of a whole kind is built (MB-70)."""
    if left or table.ending:
        return table, ()
    return replace(table, ending=kind), (events.EndDecided(kind),)


def _decided(before: Table, after: Table) -> tuple[Event, ...]:
    """The last palace decides the end too (MB-70)."""
    if after.ending is None or before.ending is after.ending:
        return ()
    return (events.EndDecided(after.ending),)


def _less(counts: tuple[int, ...], place: int) -> tuple[int, ...]:
    return (*counts[:place], counts[place] - 1, *counts[place + 1 :])
