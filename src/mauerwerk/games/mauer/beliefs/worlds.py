"""States of Die Mauer that agree with a belief and with what a viewer sees."""

from typing import assert_never

from mauerwerk.core.game import Chance, Seat
from mauerwerk.games.mauer.beliefs.inference import Belief, Hands
from mauerwerk.games.mauer.events import Closed, Task, Thinking, View
from mauerwerk.games.mauer.values import (
    Building,
    Choosing,
    Drawing,
    Ending,
    Giving,
    Hand,
    Options,
    Over,
    Plan,
    Planning,
    State,
    Table,
)
from mauerwerk.games.mauer.views import view as view_of


def sample(belief: Belief, view: View, options: Options, draw: Chance) -> State:
    """A whole state that looks to this viewer just as the table does, drawn by its chance.

    Hands are drawn by weight. A closed fist of another seat holds any kind of that hand, or
    nothing, with the same probability (DM-5). The options are public, but a view does not hold
    them.
    """
    state = _state(view, options, _sampled(belief, draw), belief.ending, draw)
    if view_of(state, view.seat) != view:
        raise ValueError("belief, view and options are not of one game at one moment")
    return state


def _sampled(belief: Belief, draw: Chance) -> Hands:
    ticket = draw(sum(world.weight for world in belief.worlds))
    for world in belief.worlds:
        ticket -= world.weight
        if ticket < 0:
            return world.hands
    raise AssertionError(ticket)


def _state(
    view: View, options: Options, hands: Hands, ending: Ending | None, draw: Chance
) -> State:
    """The state behind a view, with these hands."""
    if view.master is None:
        return Drawing(len(hands), options)
    table = Table(
        options,
        view.master,
        view.wall,
        hands,
        idle=view.idle,
        turns=view.turns,
        scores=view.scores,
        left=view.left,
        last=view.last,
    )
    shown = tuple(fist for fist in view.fists if isinstance(fist, Plan))
    match view.task:
        case Task.PLAN:
            return Planning(table, _filled(view, hands, draw))
        case Task.CHOOSE:
            return Choosing(table, shown)
        case Task.BUILD:
            assert view.piece is not None
            return Building(table, shown, view.piece, _builders(view, shown))
        case Task.GIVE:
            return Giving(table, shown, view.waiting[0])
        case Task.NOTHING:
            assert ending is not None
            return Over(table, ending)
        case Task.LOT:
            raise AssertionError(view)
        case _:
            assert_never(view.task)


def _filled(view: View, hands: Hands, draw: Chance) -> tuple[Plan | None, ...]:
    """The fists as they may be: one's own as it is, each other with anything it can hold."""

    def filled(fist: Thinking | Closed | Plan, hand: Hand) -> Plan | None:
        match fist:
            case Thinking():
                return None
            case Closed():
                plans = (*dict.fromkeys(hand), None)
                return Plan(plans[draw(len(plans))])
            case Plan():
                return fist
            case _:
                assert_never(fist)

    return tuple(filled(fist, hand) for fist, hand in zip(view.fists, hands, strict=True))


def _builders(view: View, shown: tuple[Plan, ...]) -> tuple[Seat, ...]:
    """The seats that still have to build: the master builder, or the guessers in order (DM-17)."""
    builder, master, seats = view.waiting[0], view.master, len(shown)
    assert master is not None
    if builder == master:
        return (master,)
    rest = range((builder - master) % seats, seats)
    clockwise = (Seat((master + step) % seats) for step in rest)
    return tuple(seat for seat in clockwise if shown[seat].piece is view.piece)
