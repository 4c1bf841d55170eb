"""States of Die Mauer that agree with a belief and with what a viewer sees."""

from mauerwerk.core.game import Chance, Seat
from mauerwerk.games.mauer import values
from mauerwerk.games.mauer.beliefs.inference import Belief, Hands
from mauerwerk.games.mauer.events import Closed, Task, Thinking, View
from mauerwerk.games.mauer.views import view as view_of


def sample(belief: Belief, view: View, options: values.Options, draw: Chance) -> values.State:
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
    view: View, options: values.Options, hands: Hands, ending: values.Ending | None, draw: Chance
) -> values.State:
    """The state behind a view, with these hands."""
    if view.master is None:
        return values.Drawing(len(hands), options)
    table = values.Table(
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
    shown = tuple(fist for fist in view.fists if isinstance(fist, values.Plan))
    match view.task:
        case Task.PLAN:
            return values.Planning(table, _filled(view, hands, draw))
        case Task.CHOOSE:
            return values.Choosing(table, shown)
        case Task.BUILD:
            assert view.piece is not None
            return values.Building(table, shown, view.piece, _builders(view, shown))
        case Task.GIVE:
            return values.Giving(table, shown, view.waiting[0])
        case Task.NOTHING:
            assert ending is not None
            return values.Over(table, ending)
        case Task.LOT:
            raise AssertionError(view)


def _filled(view: View, hands: Hands, draw: Chance) -> tuple[values.Plan | None, ...]:
    """The fists as they may be: one's own as it is, each other with anything it can hold."""

    def filled(fist: Thinking | Closed | values.Plan, hand: values.Hand) -> values.Plan | None:
        match fist:
            case Thinking():
                return None
            case Closed():
                plans = (*dict.fromkeys(hand), None)
                return values.Plan(plans[draw(len(plans))])
            case values.Plan():
                return fist

    return tuple(filled(fist, hand) for fist, hand in zip(view.fists, hands, strict=True))


def _builders(view: View, shown: tuple[values.Plan, ...]) -> tuple[Seat, ...]:
    """The seats that still have to build: the master builder, or the guessers in order (DM-17)."""
    builder, master, seats = view.waiting[0], view.master, len(shown)
    assert master is not None
    if builder == master:
        return (master,)
    rest = range((builder - master) % seats, seats)
    clockwise = (Seat((master + step) % seats) for step in rest)
    return tuple(seat for seat in clockwise if shown[seat].piece is view.piece)
