"""Der Wettkampf der Burgbaumeister, the rules, in the order of `docs/rules/burgbaumeister.md`."""

from typing import Any, Final

from msgspec.structs import replace

from mauerwerk.core import errors, options
from mauerwerk.core.game import Outcome, Seat, Setup, Step, ranked
from mauerwerk.games.burgbaumeister import events, values
from mauerwerk.games.burgbaumeister.cards import card, last, pictures, points, shown
from mauerwerk.games.burgbaumeister.legality import targets, why_not
from mauerwerk.games.burgbaumeister.notation import CLAUSES, NAME, write
from mauerwerk.games.burgbaumeister.values import (
    Action,
    Ending,
    Options,
    Picture,
    State,
    Table,
    Wall,
)

RULES: Final = 1
SEATS: Final = range(2, 5)


# --- Set-up ----------------------------------------------------------------------------------


def start(setup: Setup[Any], /) -> State:
    """A start tower each, all cards face down, and who begins (BB-1 to BB-4)."""
    options.check(NAME, SEATS, Options, setup)
    chosen: Options = setup.options
    pictures(chosen.pictures)
    if chosen.first == "lot":
        return values.Drawing(setup.seats, chosen)
    options.check_first(chosen.first, setup.seats)
    return _lay_out(setup.seats, chosen, Seat(chosen.first))


def _lay_out(seats: int, chosen: Options, first: Seat) -> State:
    """Nature spreads the cards where the table wants chaos (BB-3)."""
    if chosen.depot == "chaotic":
        return values.Spreading(seats, chosen, first)
    return first_turn(seats, chosen, first, None)


def first_turn(seats: int, chosen: Options, first: Seat, layout: int | None) -> values.Turning:
    """All cards lie in the depot, and nobody knows any (BB-3, BB-4)."""
    return values.Turning(
        Table(
            options=chosen,
            layout=layout,
            player=first,
            depot=tuple(values.places_of(chosen)),
            numbers=(None,) * chosen.cards,
            walls=((),) * seats,
            destroyed=(),
            spell=None,
            left=(),
            idle=0,
            turns=0,
        )
    )


# --- A turn ----------------------------------------------------------------------------------


def apply(state: State, seat: Seat, action: Action, /) -> Step[State, events.Event]:
    """Make the move, or say which clause forbids it."""
    if clause := why_not(state, seat, action):
        over = isinstance(state, values.Over)
        raise errors.refusal(seat, write(action), clause, CLAUSES[clause], over=over)
    match state, action:
        case values.Drawing(seats=seats, options=chosen), values.Appoint(first=first):
            return Step(_lay_out(seats, chosen, first), (events.Appointed(first),))
        case values.Spreading(seats=seats, options=chosen, first=first), values.Spread(
            layout=layout
        ):
            return Step(first_turn(seats, chosen, first, layout), (events.SpreadOut(layout),))
        case values.Turning(table=table), values.Turn(place=place):
            return Step(values.Showing(table, place), (events.Turned(seat, place),))
        case values.Showing(table=table, place=place), values.Show(number=number):
            return _show(table, place, number)
        case values.Deciding(table=table, place=place), values.Leave():
            return _leave(table, place)
        case values.Deciding(), values.Add() | values.Insert():
            return _build(state, action)
        case values.Firing(table=table), values.Fire(number=number):
            return _fire(table, number)
        case values.Firing(table=table), values.HoldFire():
            return _end_turn(table, events.FireHeld(seat))
        case _:
            raise AssertionError(state, action)


def _show(table: Table, place: int, number: int) -> Step[State, events.Event]:
    """The card lies face up; it keeps this number for good (BB-5, BB-9)."""
    told = events.Shown(table.player, place, card(number, shown(table.options)))
    if table.numbers[place] is None:
        numbers = (*table.numbers[:place], number, *table.numbers[place + 1 :])
        table = replace(table, numbers=numbers)
    return Step(values.Deciding(table, place), (told,))


def _leave(table: Table, place: int) -> Step[State, events.Event]:
    """The card is turned face down in its place (BB-8)."""
    left = table.left if place in table.left else tuple(sorted((*table.left, place)))
    return _end_turn(replace(table, left=left, idle=table.idle + 1), events.Left(table.player))


def _build(state: values.Deciding, action: values.Add | values.Insert) -> Step[State, events.Event]:
    """The card goes into the wall; whatever is on it works at once (BB-7, BB-24, BB-26)."""
    table, place, number, player = state.table, state.place, state.number, state.table.player
    face = card(number, shown(table.options))
    spell = table.spell
    if isinstance(action, values.Insert):
        wall = tuple(sorted((*table.walls[player], number)))
        built: events.Event = events.Inserted(player, place, face)
        spell = None
    else:
        wall = (*table.walls[player], number)
        built = events.Added(player, place, face)
    table = replace(
        table,
        depot=tuple(each for each in table.depot if each != place),
        walls=_with_wall(table.walls, player, wall),
        spell=player if face.picture is Picture.WIZARD else spell,
        left=(),
        idle=0,
    )
    if face.picture is Picture.CANNON and targets(table):
        return Step(values.Firing(table), (built,))
    return _end_turn(table, built)


def _fire(table: Table, number: int) -> Step[State, events.Event]:
    """The card leaves the game, and with the wizard his spell (BB-24, BB-27)."""
    face = card(number, shown(table.options))
    victim = next(Seat(seat) for seat, wall in enumerate(table.walls) if number in wall)
    wall = tuple(each for each in table.walls[victim] if each != number)
    table = replace(
        table,
        walls=_with_wall(table.walls, victim, wall),
        destroyed=(*table.destroyed, number),
        spell=None if face.picture is Picture.WIZARD else table.spell,
    )
    return _end_turn(table, events.Fired(table.player, victim, face))


def _with_wall(walls: tuple[Wall, ...], seat: Seat, wall: Wall) -> tuple[Wall, ...]:
    return (*walls[:seat], wall, *walls[seat + 1 :])


# --- The end ---------------------------------------------------------------------------------


def _end_turn(table: Table, happened: events.Event) -> Step[State, events.Event]:
    """Either the game is over, or the next player clockwise turns a card (BB-4)."""
    table = replace(table, turns=table.turns + 1)
    ending = _ending(table)
    if ending is not None:
        ended = events.Ended(ending, table.options.wall)
        return Step(values.Over(table, ending), (happened, ended))
    player = Seat((table.player + 1) % len(table.walls))
    return Step(values.Turning(replace(table, player=player)), (happened,))


def _ending(table: Table) -> Ending | None:
    """Why the game is over, if it is; looked at in this order (BB-10, BB-13, BB-11, BB-12)."""
    if len(table.walls[table.player]) >= table.options.wall:
        return Ending.NINE
    if not table.depot:
        return Ending.EMPTY
    if blocked(table):
        return Ending.BLOCKED
    if table.options.stall and (
        len(table.left) == len(table.depot) or table.idle >= table.options.idle
    ):
        return Ending.STALL
    return None


def blocked(table: Table) -> bool:
    """Whether no card that is left in the depot can be added or inserted any more (BB-11, BB-28).

    All that is left is lower than every wall's last card then, so that an unused spell could
    insert any of it.
    """
    if table.spell is not None:
        return False
    gone = {*table.destroyed}.union(*table.walls)
    highest = next(
        number for number in reversed(values.numbers_of(table.options)) if number not in gone
    )
    return highest < min(map(last, table.walls))


def outcome(state: State, /) -> Outcome | None:
    """The most points win, then the higher last number (BB-10, BB-11, BB-20)."""
    match state:
        case values.Over(table=table, ending=ending):
            sheet = scores(table)
            keys = [(-share, -last(wall)) for share, wall in zip(sheet, table.walls, strict=True)]
            return Outcome(ranked(keys), sheet, ending.value)
        case _:
            return None


def scores(table: Table) -> tuple[int, ...]:
    """The points of every wall; without the variant pictures count for nothing (BB-10, BB-20)."""
    faces = shown(table.options)
    return tuple(points(wall, faces) for wall in table.walls)


def turn(state: State, /) -> int:
    """How many complete turns lie behind."""
    return 0 if isinstance(state, values.Drawing | values.Spreading) else state.table.turns


def must_end(setup: Setup[Options], /) -> bool:
    """Without BB-12 the players could leave every card for ever."""
    return setup.options.stall


def longest(setup: Setup[Options], /) -> int | None:
    """Every card can be added once, after the idle turns that BB-12 allows.

    In a turn a card is turned, decided upon and perhaps fired.
    """
    chosen = setup.options
    return (chosen.cards + 1) * chosen.idle * 3 if must_end(setup) else None
