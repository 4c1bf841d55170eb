"""Burgbaumeister, what each seat sees: the table as it lies now, and no memory (BB-9).

Views are built up from nothing: what is not put in here is not seen. In particular nothing here
asks what was turned before, except for the memory aid.
"""

from typing import Final, assert_never

from msgspec.structs import replace

from mauerwerk.core.game import Seat
from mauerwerk.games.burgbaumeister.cards import Pictures, card, safe, shown
from mauerwerk.games.burgbaumeister.events import (
    Added,
    Appointed,
    Ended,
    Event,
    Fired,
    FireHeld,
    Inserted,
    Left,
    Lying,
    Shown,
    SpreadOut,
    Task,
    Turned,
    View,
)
from mauerwerk.games.burgbaumeister.legality import to_act
from mauerwerk.games.burgbaumeister.rules import scores
from mauerwerk.games.burgbaumeister.values import (
    PLACES,
    Deciding,
    Drawing,
    Firing,
    Over,
    Showing,
    Spreading,
    State,
    Table,
    Turning,
)

_TASKS: Final = {
    Drawing: Task.LOT,
    Spreading: Task.SPREAD,
    Turning: Task.TURN,
    Showing: Task.SHOW,
    Deciding: Task.DECIDE,
    Firing: Task.FIRE,
    Over: Task.NOTHING,
}


def view(state: State, seat: Seat | None, /) -> View:
    """The table as this seat, or a spectator, sees it now."""
    if isinstance(state, Drawing | Spreading):
        return View(
            seat=seat,
            task=_TASKS[type(state)],
            waiting=to_act(state),
            player=state.first if isinstance(state, Spreading) else None,
            variant=state.options.variant,
            layout=None,
            depot=tuple(PLACES),
            turned=None,
            walls=((),) * state.seats,
            safe=(0,) * state.seats,
            points=(0,) * state.seats,
            spell=None,
            idle=0,
            stall=state.options.stall,
            turns=0,
            seen=() if state.options.memory_aid else None,
            ending=None,
        )
    table = state.table
    faces = shown(table.options)
    return View(
        seat=seat,
        task=_TASKS[type(state)],
        waiting=to_act(state),
        player=table.player,
        variant=table.options.variant,
        layout=table.layout,
        depot=table.depot,
        turned=_turned(state, faces),
        walls=tuple(tuple(card(number, faces) for number in wall) for wall in table.walls),
        safe=tuple(safe(wall, faces) for wall in table.walls),
        points=scores(table),
        spell=table.spell,
        idle=table.idle,
        stall=table.options.stall,
        turns=table.turns,
        seen=_seen(table, faces) if table.options.memory_aid else None,
        ending=state.ending if isinstance(state, Over) else None,
    )


def open_view(state: State, /) -> View:
    """The table with every card shown that was turned before and still lies in the depot."""
    if isinstance(state, Drawing | Spreading):
        return replace(view(state, None), seen=())
    faces = shown(state.table.options)
    return replace(view(state, None), seen=_seen(state.table, faces))


def _turned(state: Turning | Showing | Deciding | Firing | Over, faces: Pictures) -> Lying | None:
    """The card that is being turned: it is face up once nature has moved (BB-5)."""
    match state:
        case Showing(place=place):
            return Lying(place, None)
        case Deciding(place=place, number=number):
            return Lying(place, card(number, faces))
        case _:
            return None


def _seen(table: Table, faces: Pictures) -> tuple[Lying, ...]:
    """The memory aid: every card of the depot that was turned, with its number (BB-9)."""
    numbers = ((place, table.numbers[place]) for place in table.depot)
    return tuple(Lying(place, card(number, faces)) for place, number in numbers if number)


def seen(event: Event, seat: Seat | None, /) -> Event | None:  # noqa: ARG001 - all see the same
    """The event as it is: all players see everything, once (BB-5)."""
    return event


def reveals(event: Event, /) -> bool:
    """What is turned is news, and so is the end, after which all may be told again (BB-9).

    A card that was left is not turned up a second time when a move is taken back (BB-8).
    """
    match event:
        case Appointed() | SpreadOut() | Turned() | Shown() | Left() | Ended():
            return True
        case Added() | Inserted() | Fired() | FireHeld():
            return False
        case _:
            assert_never(event)
