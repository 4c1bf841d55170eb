"""Burgbaumeister, who must act, what is legal, and which clause forbids the rest."""

from collections.abc import Mapping
from typing import Final

from mauerwerk.core.game import NATURE, Seat
from mauerwerk.games.burgbaumeister import values
from mauerwerk.games.burgbaumeister.cards import last, safe, shown
from mauerwerk.games.burgbaumeister.values import CARDS, Action, State, Table

ADD: Final = values.Add()
INSERT: Final = values.Insert()
LEAVE: Final = values.Leave()
HOLD_FIRE: Final = values.HoldFire()
# Every action there is, made once: a game asks for the same few again and again.
_TURNS: Final = tuple(values.Turn(place) for place in values.PLACES)
_SHOWS: Final = {number: values.Show(number) for number in CARDS}
_FIRES: Final = {number: values.Fire(number) for number in CARDS}
_SPREADS: Final = tuple(values.Spread(layout) for layout in values.LAYOUTS)


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
    return tuple(number for number in values.numbers_of(table.options) if number not in seen)


def to_act(state: State, /) -> tuple[Seat, ...]:
    """One player at a time; nature answers every card that is turned (BB-5, BB-9)."""
    match state:
        case (
            values.Turning(table=table) | values.Deciding(table=table) | values.Firing(table=table)
        ):
            return (table.player,)
        case values.Showing() | values.Drawing() | values.Spreading():
            return (NATURE,)
        case values.Over():
            return ()


def legal(state: State, seat: Seat, /) -> tuple[Action, ...]:
    """All that this seat may do: places and numbers rising, leaving and holding fire last."""
    if seat not in to_act(state):
        return ()
    match state:
        case values.Drawing(seats=seats):
            return tuple(values.Appoint(Seat(each)) for each in range(seats))
        case values.Spreading():
            return _SPREADS
        case values.Turning(table=table):
            return tuple(_TURNS[place] for place in table.depot)
        case values.Showing(table=table, place=place):
            known = table.numbers[place]
            numbers = unseen(table) if known is None else (known,)
            return tuple(_SHOWS[number] for number in numbers)
        case values.Deciding(table=table, number=number):
            if fits(table, seat, number):
                return (ADD, LEAVE)
            return (INSERT, LEAVE) if can_insert(table, seat, number) else (LEAVE,)
        case values.Firing(table=table):
            return (*(_FIRES[number] for number in targets(table)), HOLD_FIRE)
        case values.Over():
            return ()


def odds(state: State, /) -> Mapping[Action, int]:
    """Every seat, layout and unseen number is as likely; a number once seen is certain (BB-9)."""
    return dict.fromkeys(legal(state, NATURE), 1)


def why_not(state: State, seat: Seat, action: Action, /) -> str:
    """The clause that forbids the move; empty when nothing does."""
    if action in legal(state, seat):
        return ""
    asked = seat in to_act(state)
    match state, action:
        case values.Drawing(), _:
            return "BB-4"
        case values.Spreading(), _:
            return "BB-3"
        case values.Turning(), _:
            return "BB-5"
        case values.Showing(), _:
            return "BB-9"
        case values.Deciding(), values.Add() if asked:
            return "BB-7"
        case values.Deciding(), values.Insert() if asked:
            return "BB-26"
        case values.Deciding(), _:
            return "BB-6"
        case values.Firing(table=table), values.Fire(number=number) if asked:
            opponents = (wall for each, wall in enumerate(table.walls) if each != seat)
            return "BB-25" if any(number in wall for wall in opponents) else "BB-24"
        case values.Firing(), _:
            return "BB-24"
        case values.Over(), _:
            return "BB-10"
