"""How bots keep a belief of Burgbaumeister up to date; it cannot grow, so it stays exact."""

from collections.abc import Iterator, Sequence

from mauerwerk.core.game import Chance, Seat
from mauerwerk.core.sight import Sight
from mauerwerk.games.burgbaumeister.beliefs.inference import Belief, after, begin, believe
from mauerwerk.games.burgbaumeister.events import Event, View
from mauerwerk.games.burgbaumeister.values import Action, State


def certain(state: State, events: Sequence[Event], seat: Seat) -> Belief:
    """What a seat knows that has forgotten nothing: an unseen card is not decided yet."""
    del state, seat
    return after(begin(), events)


def latest(sight: Sight[Action, Event, View]) -> tuple[Belief, int]:
    """The belief before the first event."""
    del sight
    return begin(), 0


def steps(told: tuple[Event, ...], begin: int) -> Iterator[tuple[Event, ...]]:
    """All further events at once: following them takes next to no time."""
    if begin < len(told):
        yield told[begin:]


def bounded(belief: Belief, draw: Chance) -> Belief:
    """The belief itself, which holds no more than the cards of the depot."""
    del draw
    return belief


def dealt(sight: Sight[Action, Event, View], draw: Chance) -> Belief:
    """The exact belief, as it is quickly found."""
    del draw
    return believe(sight)
