"""States of Burgbaumeister that agree with a belief and with what a viewer sees."""

from mauerwerk.core.game import Chance
from mauerwerk.games.burgbaumeister import values
from mauerwerk.games.burgbaumeister.beliefs.inference import Belief, known
from mauerwerk.games.burgbaumeister.events import Task, View
from mauerwerk.games.burgbaumeister.views import view as view_of


def sample(belief: Belief, view: View, options: values.Options, draw: Chance) -> values.State:  # noqa: ARG001
    """A whole state that looks to this viewer just as the table does.

    What is not known has no number in it: nature will deal it, by just the chances of this belief.
    So there is nothing to draw, other than in games where hands are hidden. At a table with the
    memory aid whatever it shows is known, forgotten or not (BB-9). The options are public, but a
    view does not hold them.
    """
    state = _state(belief, view, options)
    if view_of(state, view.seat) != view:
        raise ValueError("belief, view and options are not of one game at one moment")
    return state


def _state(belief: Belief, view: View, options: values.Options) -> values.State:
    """The state behind a view, with the numbers that are known."""
    if view.player is None:
        return values.Drawing(len(view.walls), options)
    if view.task is Task.SPREAD:
        return values.Spreading(len(view.walls), options, view.player)
    table = values.Table(
        options=options,
        layout=view.layout,
        player=view.player,
        depot=view.depot,
        numbers=_numbers(belief, view),
        walls=tuple(tuple(card.number for card in wall) for wall in view.walls),
        destroyed=belief.destroyed,
        spell=view.spell,
        left=belief.left,
        idle=view.idle,
        turns=view.turns,
    )
    match view.task:
        case Task.TURN:
            return values.Turning(table)
        case Task.SHOW:
            assert view.turned is not None
            return values.Showing(table, view.turned.place)
        case Task.DECIDE:
            assert view.turned is not None
            return values.Deciding(table, view.turned.place)
        case Task.FIRE:
            return values.Firing(table)
        case Task.NOTHING:
            assert view.ending is not None
            return values.Over(table, view.ending)
        case Task.LOT:
            raise AssertionError(view)


def _numbers(belief: Belief, view: View) -> tuple[int | None, ...]:
    numbers = list(belief.taken)
    for place, number in known(belief).items():
        numbers[place] = number
    for lying in view.seen or ():
        numbers[lying.place] = lying.card.number if lying.card else None
    return tuple(numbers)
