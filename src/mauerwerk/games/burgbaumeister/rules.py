"""Der Wettkampf der Burgbaumeister, the rules, in the order of `docs/rules/burgbaumeister.md`."""

from collections.abc import Mapping
from typing import Any, Final, assert_never

from msgspec.structs import replace

from mauerwerk.core import options
from mauerwerk.core.game import (
    NATURE,
    Outcome,
    Seat,
    Setup,
    Step,
    ranked,
    refusal,
)
from mauerwerk.games.burgbaumeister.cards import card, last, pictures, points, safe, shown
from mauerwerk.games.burgbaumeister.notation import CLAUSES, NAME, write
from mauerwerk.games.burgbaumeister.values import (
    CARDS,
    FULL_WALL,
    LAYOUTS,
    MOST_IDLE_TURNS,
    PLACES,
    Action,
    Add,
    Added,
    Appoint,
    Appointed,
    Deciding,
    Drawing,
    Ended,
    Ending,
    Event,
    Fire,
    Fired,
    FireHeld,
    Firing,
    HoldFire,
    Insert,
    Inserted,
    Leave,
    Left,
    Options,
    Over,
    Picture,
    Show,
    Showing,
    Shown,
    Spread,
    Spreading,
    SpreadOut,
    State,
    Table,
    Turn,
    Turned,
    Turning,
    Wall,
)

RULES: Final = 1
SEATS: Final = range(2, 5)

ADD: Final = Add()
INSERT: Final = Insert()
LEAVE: Final = Leave()
HOLD_FIRE: Final = HoldFire()

# Every action there is, made once: a game asks for the same few again and again.
_TURNS: Final = tuple(Turn(place) for place in PLACES)
_SHOWS: Final = {number: Show(number) for number in CARDS}
_FIRES: Final = {number: Fire(number) for number in CARDS}
_SPREADS: Final = tuple(Spread(layout) for layout in LAYOUTS)


# --- Set-up ----------------------------------------------------------------------------------


def start(setup: Setup[Any], /) -> State:
    """A start tower each, all cards face down, and who begins (BB-1 to BB-4)."""
    options.check(NAME, SEATS, Options, setup)
    chosen: Options = setup.options
    pictures(chosen.pictures)
    if chosen.first == "lot":
        return Drawing(setup.seats, chosen)
    options.check_first(chosen.first, setup.seats)
    return _lay_out(setup.seats, chosen, Seat(chosen.first))


def _lay_out(seats: int, chosen: Options, first: Seat) -> State:
    """Nature spreads the cards where the table wants chaos (BB-3)."""
    if chosen.depot == "chaotic":
        return Spreading(seats, chosen, first)
    return _first_turn(seats, chosen, first, None)


def _first_turn(seats: int, chosen: Options, first: Seat, layout: int | None) -> Turning:
    return Turning(
        Table(
            options=chosen,
            layout=layout,
            player=first,
            depot=tuple(PLACES),
            numbers=(None,) * len(PLACES),
            walls=((),) * seats,
            destroyed=(),
            spell=None,
            left=(),
            idle=0,
            turns=0,
        )
    )


# --- What fits, and what can be hit ----------------------------------------------------------


def fits(table: Table, seat: Seat, number: int) -> bool:
    """Whether the card can be added at the right end of this wall (BB-7)."""
    return number > last(table.walls[seat])


def can_insert(table: Table, seat: Seat, number: int) -> bool:
    """Whether the wizard can put a card where `fits` says no: there is just one place (BB-26)."""
    return table.spell == seat and not fits(table, seat, number)


def targets(table: Table) -> tuple[int, ...]:
    """What a cannon of the player whose turn it is can destroy, by number (BB-24, BB-25)."""
    faces = shown(table.options)
    return tuple(
        sorted(
            number
            for seat, wall in enumerate(table.walls)
            if seat != table.player
            for number in wall[safe(wall, faces) :]
        )
    )


def unseen(table: Table) -> tuple[int, ...]:
    """The numbers that no card has shown yet (BB-9)."""
    seen = set(table.numbers)
    return tuple(number for number in CARDS if number not in seen)


# --- Who must act, and how -------------------------------------------------------------------


def to_act(state: State, /) -> tuple[Seat, ...]:
    """One player at a time; nature answers every card that is turned (BB-5, BB-9)."""
    match state:
        case Turning(table=table) | Deciding(table=table) | Firing(table=table):
            return (table.player,)
        case Showing() | Drawing() | Spreading():
            return (NATURE,)
        case Over():
            return ()
        case _:
            assert_never(state)


def legal(state: State, seat: Seat, /) -> tuple[Action, ...]:
    """All that this seat may do: places and numbers rising, leaving and holding fire last."""
    if seat not in to_act(state):
        return ()
    match state:
        case Drawing(seats=seats):
            return tuple(Appoint(Seat(each)) for each in range(seats))
        case Spreading():
            return _SPREADS
        case Turning(table=table):
            return tuple(_TURNS[place] for place in table.depot)
        case Showing(table=table, place=place):
            known = table.numbers[place]
            numbers = unseen(table) if known is None else (known,)
            return tuple(_SHOWS[number] for number in numbers)
        case Deciding(table=table, number=number):
            if fits(table, seat, number):
                return (ADD, LEAVE)
            return (INSERT, LEAVE) if can_insert(table, seat, number) else (LEAVE,)
        case Firing(table=table):
            return (*(_FIRES[number] for number in targets(table)), HOLD_FIRE)
        case Over():
            return ()
        case _:
            assert_never(state)


def odds(state: State, /) -> Mapping[Action, int]:
    """Every seat, layout and unseen number is as likely; a number once seen is certain (BB-9)."""
    return dict.fromkeys(legal(state, NATURE), 1)


def why_not(state: State, seat: Seat, action: Action, /) -> str:
    """The clause that forbids the move; empty when nothing does."""
    asked = seat in to_act(state)
    match state, action:
        case Drawing(seats=seats), Appoint(first=first):
            return "" if asked and 0 <= first < seats else "BB-4"
        case Drawing(), _:
            return "BB-4"
        case Spreading(), Spread(layout=layout):
            return "" if asked and layout in LAYOUTS else "BB-3"
        case Spreading(), _:
            return "BB-3"
        case Turning(table=table), Turn(place=place):
            return "" if asked and place in table.depot else "BB-5"
        case Turning(), _:
            return "BB-5"
        case Showing(table=table, place=place), Show(number=number):
            return "" if asked and _can_be(table, place, number) else "BB-9"
        case Showing(), _:
            return "BB-9"
        case Deciding(), Add() | Insert() | Leave():
            return _why_not_there(state, action) if asked else "BB-6"
        case Deciding(), _:
            return "BB-6"
        case Firing(table=table), Fire(number=number):
            return _why_not_hit(table, number) if asked else "BB-24"
        case Firing(), HoldFire():
            return "" if asked else "BB-24"
        case Firing(), _:
            return "BB-24"
        case Over(), _:
            return "BB-10"
        case _:
            assert_never(state)


def _can_be(table: Table, place: int, number: int) -> bool:
    """Whether the card in this place can carry this number: the one it showed, or a new one."""
    known = table.numbers[place]
    if known is not None:
        return number == known
    return number in CARDS and number not in table.numbers


def _why_not_there(state: Deciding, action: Add | Insert | Leave) -> str:
    table, number = state.table, state.number
    match action:
        case Add():
            return "" if fits(table, table.player, number) else "BB-7"
        case Insert():
            return "" if can_insert(table, table.player, number) else "BB-26"
        case Leave():
            return ""
        case _:
            assert_never(action)


def _why_not_hit(table: Table, number: int) -> str:
    if number in targets(table):
        return ""
    opponents = (wall for seat, wall in enumerate(table.walls) if seat != table.player)
    return "BB-25" if any(number in wall for wall in opponents) else "BB-24"


# --- A turn ----------------------------------------------------------------------------------


def apply(state: State, seat: Seat, action: Action, /) -> Step[State, Event]:
    """Make the move, or say which clause forbids it."""
    if clause := why_not(state, seat, action):
        over = isinstance(state, Over)
        raise refusal(seat, write(action), clause, CLAUSES[clause], over=over)
    match state, action:
        case Drawing(seats=seats, options=chosen), Appoint(first=first):
            return Step(_lay_out(seats, chosen, first), (Appointed(first),))
        case Spreading(seats=seats, options=chosen, first=first), Spread(layout=layout):
            return Step(_first_turn(seats, chosen, first, layout), (SpreadOut(layout),))
        case Turning(table=table), Turn(place=place):
            return Step(Showing(table, place), (Turned(seat, place),))
        case Showing(table=table, place=place), Show(number=number):
            return _show(table, place, number)
        case Deciding(table=table, place=place), Leave():
            return _leave(table, place)
        case Deciding(), Add() | Insert():
            return _build(state, action)
        case Firing(table=table), Fire(number=number):
            return _fire(table, number)
        case Firing(table=table), HoldFire():
            return _end_turn(table, FireHeld(seat))
        case _:
            raise AssertionError(state, action)


def _show(table: Table, place: int, number: int) -> Step[State, Event]:
    """The card lies face up; it keeps this number for good (BB-5, BB-9)."""
    told = Shown(table.player, place, card(number, shown(table.options)))
    if table.numbers[place] is None:
        numbers = (*table.numbers[:place], number, *table.numbers[place + 1 :])
        table = replace(table, numbers=numbers)
    return Step(Deciding(table, place), (told,))


def _leave(table: Table, place: int) -> Step[State, Event]:
    """The card is turned face down in its place (BB-8)."""
    left = table.left if place in table.left else tuple(sorted((*table.left, place)))
    return _end_turn(replace(table, left=left, idle=table.idle + 1), Left(table.player))


def _build(state: Deciding, action: Add | Insert) -> Step[State, Event]:
    """The card goes into the wall; whatever is on it works at once (BB-7, BB-24, BB-26)."""
    table, place, number, player = state.table, state.place, state.number, state.table.player
    face = card(number, shown(table.options))
    spell = table.spell
    if isinstance(action, Insert):
        wall = tuple(sorted((*table.walls[player], number)))
        built: Event = Inserted(player, place, face)
        spell = None
    else:
        wall = (*table.walls[player], number)
        built = Added(player, place, face)
    table = replace(
        table,
        depot=tuple(each for each in table.depot if each != place),
        walls=_with_wall(table.walls, player, wall),
        spell=player if face.picture is Picture.WIZARD else spell,
        left=(),
        idle=0,
    )
    if face.picture is Picture.CANNON and targets(table):
        return Step(Firing(table), (built,))
    return _end_turn(table, built)


def _fire(table: Table, number: int) -> Step[State, Event]:
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
    return _end_turn(table, Fired(table.player, victim, face))


def _with_wall(walls: tuple[Wall, ...], seat: Seat, wall: Wall) -> tuple[Wall, ...]:
    return (*walls[:seat], wall, *walls[seat + 1 :])


# --- The end ---------------------------------------------------------------------------------


def _end_turn(table: Table, happened: Event) -> Step[State, Event]:
    """Either the game is over, or the next player clockwise turns a card (BB-4)."""
    table = replace(table, turns=table.turns + 1)
    ending = _ending(table)
    if ending is not None:
        return Step(Over(table, ending), (happened, Ended(ending)))
    player = Seat((table.player + 1) % len(table.walls))
    return Step(Turning(replace(table, player=player)), (happened,))


def _ending(table: Table) -> Ending | None:
    """Why the game is over, if it is; looked at in this order (BB-10, BB-13, BB-11, BB-12)."""
    if len(table.walls[table.player]) >= FULL_WALL:
        return Ending.NINE
    if not table.depot:
        return Ending.EMPTY
    if blocked(table):
        return Ending.BLOCKED
    if table.options.stall and (
        len(table.left) == len(table.depot) or table.idle >= MOST_IDLE_TURNS
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
    highest = next(number for number in reversed(CARDS) if number not in gone)
    return highest < min(map(last, table.walls))


def outcome(state: State, /) -> Outcome | None:
    """The most points win, then the higher last number (BB-10, BB-11, BB-20)."""
    match state:
        case Over(table=table, ending=ending):
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
    return 0 if isinstance(state, Drawing | Spreading) else state.table.turns
