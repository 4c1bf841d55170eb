"""Die Mauer, what each seat sees, built up from nothing, and what is news (DM-2, DM-5, DM-19)."""

from collections.abc import Sequence

from msgspec.structs import replace

from mauerwerk.core.game import Seat
from mauerwerk.games.mauer import events, legality, rules, values

_TASKS = {
    values.Drawing: events.Task.LOT,
    values.Planning: events.Task.PLAN,
    values.Choosing: events.Task.CHOOSE,
    values.Building: events.Task.BUILD,
    values.Giving: events.Task.GIVE,
    values.Over: events.Task.NOTHING,
}


def view(state: values.State, seat: Seat | None, /) -> events.View:
    """The table as this seat, or a spectator, sees it now."""
    if lot := isinstance(state, values.Drawing):
        empty = ((),) * state.seats
        table = values.Table(state.options, Seat(0), (), empty, idle=0, turns=0, scores=())
    else:
        table = state.table
    return events.View(
        seat=seat,
        task=_TASKS[type(state)],
        waiting=legality.to_act(state),
        master=None if lot else table.master,
        wall=table.wall,
        counts=tuple(len(hand) for hand in table.hands),
        hands=tuple(  # all of them once the last round is over (DM-2)
            hand if each == seat or lot or isinstance(state, values.Over) else None
            for each, hand in enumerate(table.hands)
        ),
        fists=_fists(state, seat),
        piece=state.piece if isinstance(state, values.Building) else None,
        rounds=table.options.rounds,
        scores=table.scores,
        turns=table.turns,
        idle=table.idle,
        left=table.left,
        last=table.last,
        pieces=rules.full_set(table.options),
        penalties=table.options.penalties,
    )


def scores(view: events.View, /) -> Sequence[int]:
    """The points of each seat so far."""
    return [sum(points[seat] for points in view.scores) for seat in range(len(view.counts))]


def open_view(state: values.State, /) -> events.View:
    """The table with every hand and every fist open."""
    plain = view(state, None)
    match state:
        case values.Drawing() | values.Over():
            return plain
        case values.Planning(table=table, fists=fists):
            shown = tuple(events.Thinking() if fist is None else fist for fist in fists)
            return replace(plain, hands=table.hands, fists=shown)
        case (
            values.Choosing(table=table) | values.Building(table=table) | values.Giving(table=table)
        ):
            return replace(plain, hands=table.hands)


def _fists(
    state: values.State, seat: Seat | None
) -> tuple[events.Thinking | events.Closed | values.Plan, ...]:
    """Closed fists are seen, not what is in them, until all open together (DM-5)."""
    match state:
        case values.Planning(fists=fists):
            return tuple(
                events.Thinking() if fist is None else fist if each == seat else events.Closed()
                for each, fist in enumerate(fists)
            )
        case (
            values.Choosing(fists=fists) | values.Building(fists=fists) | values.Giving(fists=fists)
        ):
            return fists
        case values.Drawing(seats=seats):
            return (events.Thinking(),) * seats
        case values.Over(table=table):
            return (events.Thinking(),) * len(table.hands)


def seen(event: events.Event, seat: Seat | None, /) -> events.Event | None:
    """The event less what this seat may not know."""
    match event:
        case events.FistClosed(seat=owner, plan=plan):
            return events.FistClosed(owner, plan if owner == seat else None)
        case events.Given(giver=giver, receiver=receiver, piece=piece):
            return events.Given(giver, receiver, piece if seat in (giver, receiver) else None)
        case (
            events.Appointed()
            | events.FistsOpened()
            | events.NobodyBuilds()
            | events.Chosen()
            | events.Built()
            | events.RoundEnded()
            | events.StonePassed()
        ):
            return event


def reveals(event: events.Event, /) -> bool:
    """Open fists, named pieces, gifts and shown hands are news; what follows from them is not."""
    match event:
        case events.NobodyBuilds(clause=clause):
            # That no piece of his can be built tells of the master builder's hand (DM-2).
            return clause == "DM-18"
        case (
            events.Appointed()
            | events.FistsOpened()
            | events.Chosen()
            | events.Given()
            | events.RoundEnded()
        ):
            return True
        case events.FistClosed() | events.Built() | events.StonePassed():
            return False
