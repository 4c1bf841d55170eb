"""Die Mauer, what each seat sees, and what is news (DM-2, DM-5, DM-19).

Views are built up from nothing: what is not put in here is not seen.
"""

from typing import assert_never

from msgspec.structs import replace

from mauerwerk.core.game import Seat
from mauerwerk.games.mauer.events import (
    Appointed,
    Built,
    Chosen,
    Closed,
    Event,
    FistClosed,
    FistsOpened,
    Given,
    NobodyBuilds,
    RoundEnded,
    StonePassed,
    Task,
    Thinking,
    View,
)
from mauerwerk.games.mauer.legality import to_act
from mauerwerk.games.mauer.rules import full_set
from mauerwerk.games.mauer.values import (
    Building,
    Choosing,
    Drawing,
    Giving,
    Hand,
    Over,
    Plan,
    Planning,
    State,
)

_TASKS = {
    Drawing: Task.LOT,
    Planning: Task.PLAN,
    Choosing: Task.CHOOSE,
    Building: Task.BUILD,
    Giving: Task.GIVE,
    Over: Task.NOTHING,
}


def view(state: State, seat: Seat | None, /) -> View:
    """The table as this seat, or a spectator, sees it now."""
    if isinstance(state, Drawing):
        return View(
            seat=seat,
            task=Task.LOT,
            waiting=to_act(state),
            master=None,
            wall=(),
            counts=(0,) * state.seats,
            hands=((),) * state.seats,
            fists=(Thinking(),) * state.seats,
            piece=None,
            rounds=state.options.rounds,
            scores=(),
            turns=0,
            idle=0,
            left=0,
            last=None,
            pieces=full_set(state.options),
        )
    table = state.table
    return View(
        seat=seat,
        task=_TASKS[type(state)],
        waiting=to_act(state),
        master=table.master,
        wall=table.wall,
        counts=tuple(len(hand) for hand in table.hands),
        hands=_hands(state, seat),
        fists=_fists(state, seat),
        piece=state.piece if isinstance(state, Building) else None,
        rounds=table.options.rounds,
        scores=table.scores,
        turns=table.turns,
        idle=table.idle,
        left=table.left,
        last=table.last,
        pieces=full_set(table.options),
    )


def open_view(state: State, /) -> View:
    """The table with every hand and every fist open."""
    plain = view(state, None)
    match state:
        case Drawing() | Over():
            return plain
        case Planning(table=table, fists=fists):
            shown = tuple(Thinking() if fist is None else fist for fist in fists)
            return replace(plain, hands=table.hands, fists=shown)
        case Choosing(table=table) | Building(table=table) | Giving(table=table):
            return replace(plain, hands=table.hands)
        case _:
            assert_never(state)


def _hands(
    state: Planning | Choosing | Building | Giving | Over, seat: Seat | None
) -> tuple[Hand | None, ...]:
    """One's own hand; all of them once the last round is over (DM-2)."""
    hands = state.table.hands
    if isinstance(state, Over):
        return hands
    return tuple(hand if each == seat else None for each, hand in enumerate(hands))


def _fists(
    state: Planning | Choosing | Building | Giving | Over, seat: Seat | None
) -> tuple[Thinking | Closed | Plan, ...]:
    """Closed fists are seen, not what is in them, until all open together (DM-5)."""
    match state:
        case Planning(fists=fists):
            return tuple(
                Thinking() if fist is None else fist if each == seat else Closed()
                for each, fist in enumerate(fists)
            )
        case Choosing(fists=fists) | Building(fists=fists) | Giving(fists=fists):
            return fists
        case Over(table=table):
            return (Thinking(),) * len(table.hands)
        case _:
            assert_never(state)


def seen(event: Event, seat: Seat | None, /) -> Event | None:
    """The event less what this seat may not know."""
    match event:
        case FistClosed(seat=owner, plan=plan):
            return FistClosed(owner, plan if owner == seat else None)
        case Given(giver=giver, receiver=receiver, piece=piece):
            return Given(giver, receiver, piece if seat in (giver, receiver) else None)
        case (
            Appointed()
            | FistsOpened()
            | NobodyBuilds()
            | Chosen()
            | Built()
            | RoundEnded()
            | StonePassed()
        ):
            return event
        case _:
            assert_never(event)


def reveals(event: Event, /) -> bool:
    """Open fists, named pieces, gifts and shown hands are news; what follows from them is not."""
    match event:
        case NobodyBuilds(clause=clause):
            # That no piece of his can be built tells of the master builder's hand (DM-2).
            return clause == "DM-18"
        case Appointed() | FistsOpened() | Chosen() | Given() | RoundEnded():
            return True
        case FistClosed() | Built() | StonePassed():
            return False
        case _:
            assert_never(event)
