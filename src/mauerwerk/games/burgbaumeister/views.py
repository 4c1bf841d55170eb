"""Burgbaumeister, what each seat sees: the table as it lies now, and no memory (BB-9).

Views are built up from nothing: what is not put in here is not seen. In particular nothing here
asks what was turned before, except for the memory aid.
"""

from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from mauerwerk.core.game import Seat
from mauerwerk.games.burgbaumeister import events, legality, rules, values
from mauerwerk.games.burgbaumeister.cards import Pictures, card, safe, shown

_TASKS: Final = {
    values.Drawing: events.Task.LOT,
    values.Spreading: events.Task.SPREAD,
    values.Turning: events.Task.TURN,
    values.Showing: events.Task.SHOW,
    values.Deciding: events.Task.DECIDE,
    values.Firing: events.Task.FIRE,
    values.Over: events.Task.NOTHING,
}


def view(state: values.State, seat: Seat | None, /) -> events.View:
    """The table as this seat, or a spectator, sees it now."""
    if isinstance(state, values.Drawing | values.Spreading):
        table = rules.first_turn(state.seats, state.options, Seat(0), None).table
        player = state.first if isinstance(state, values.Spreading) else None
    else:
        table, player = state.table, state.table.player
    faces = shown(table.options)
    return events.View(
        seat=seat,
        task=_TASKS[type(state)],
        waiting=legality.to_act(state),
        player=player,
        variant=table.options.variant,
        layout=table.layout,
        depot=table.depot,
        turned=_turned(state, faces),
        walls=tuple(tuple(card(number, faces) for number in wall) for wall in table.walls),
        safe=tuple(safe(wall, faces) for wall in table.walls),
        points=rules.scores(table),
        spell=table.spell,
        idle=table.idle,
        stall=table.options.stall,
        turns=table.turns,
        seen=_seen(table, faces) if table.options.memory_aid else None,
        ending=state.ending if isinstance(state, values.Over) else None,
        cards=table.options.cards,
        full_wall=table.options.wall,
        most_idle=table.options.idle,
    )


def scores(view: events.View, /) -> Sequence[int]:
    """The points of each seat so far."""
    return view.points


def open_view(state: values.State, /) -> events.View:
    """The table with every card shown that was turned before and still lies in the depot."""
    if isinstance(state, values.Drawing | values.Spreading):
        return replace(view(state, None), seen=())
    faces = shown(state.table.options)
    return replace(view(state, None), seen=_seen(state.table, faces))


def _turned(state: values.State, faces: Pictures) -> events.Lying | None:
    """The card that is being turned: it is face up once nature has moved (BB-5)."""
    match state:
        case values.Showing(place=place):
            return events.Lying(place, None)
        case values.Deciding(place=place, number=number):
            return events.Lying(place, card(number, faces))
        case _:
            return None


def _seen(table: values.Table, faces: Pictures) -> tuple[events.Lying, ...]:
    """The memory aid: every card of the depot that was turned, with its number (BB-9)."""
    numbers = ((place, table.numbers[place]) for place in table.depot)
    return tuple(events.Lying(place, card(number, faces)) for place, number in numbers if number)


def seen(event: events.Event, seat: Seat | None, /) -> events.Event | None:  # noqa: ARG001 - all see the same
    """The event as it is: all players see everything, once (BB-5)."""
    return event


def reveals(event: events.Event, /) -> bool:
    """What is turned is news, and so is the end, after which all may be told again (BB-9).

    A card that was left is not turned up a second time when a move is taken back (BB-8).
    """
    match event:
        case (
            events.Appointed()
            | events.SpreadOut()
            | events.Turned()
            | events.Shown()
            | events.Left()
            | events.Ended()
        ):
            return True
        case events.Added() | events.Inserted() | events.Fired() | events.FireHeld():
            return False
