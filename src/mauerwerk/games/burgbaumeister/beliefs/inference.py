"""The exact belief of a viewer: the cards of the depot that were ever turned.

Every event is told to everybody, once (BB-9). So a player who forgets nothing knows each card of
the depot that was ever turned, and knows of all others only that they carry the numbers that nobody
has seen yet, in any order, each order as likely. No player knows more, so nothing that players do
reveals anything else.
"""

from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction

from msgspec.structs import replace

from mauerwerk.core.game import Value
from mauerwerk.core.sight import Sight
from mauerwerk.games.burgbaumeister import events, values


class Glimpse(Value):
    """A card as it was last seen."""

    place: int
    number: int
    turn: int
    """How many cards had been decided upon before."""


class Belief(Value):
    """All that a viewer, a seat or a spectator, knows of the cards by what it was told."""

    glimpses: tuple[Glimpse, ...] = ()
    """All cards seen, those taken since too, in the order in which they were last seen."""
    taken: tuple[int | None, ...] = (None,) * len(values.PLACES)
    """For each place the number that was taken from there; None as long as a card lies there."""
    destroyed: tuple[int, ...] = ()
    left: tuple[int, ...] = ()
    """The places turned and left since a card was last added or inserted, in order (BB-12)."""
    turns: int = 0
    """How many cards have been decided upon."""


# --- Following the game ----------------------------------------------------------------------


def begin() -> Belief:
    """Nothing is known of any card."""
    return Belief()


def believe(sight: Sight[values.Action, events.Event, events.View]) -> Belief:
    """What this seat can know, from all that it was told since the game began."""
    return after(begin(), sight.told)


def after(belief: Belief, told: Sequence[events.Event]) -> Belief:
    """What is believed once these events are told too."""
    for event in told:
        belief = _after_event(belief, event)
    return belief


def _after_event(belief: Belief, event: events.Event) -> Belief:
    match event:
        case events.Shown(place=place, card=card):
            others = (glimpse for glimpse in belief.glimpses if glimpse.place != place)
            glimpse = Glimpse(place, card.number, belief.turns)
            return replace(belief, glimpses=(*others, glimpse))
        case events.Left():
            # A player who came later was not there when the card was shown.
            shown = {glimpse.place for glimpse in belief.glimpses[-1:]}
            left = tuple(sorted({*belief.left, *shown}))
            return replace(belief, left=left, turns=belief.turns + 1)
        case events.Added(place=place, card=card) | events.Inserted(place=place, card=card):
            taken = (*belief.taken[:place], card.number, *belief.taken[place + 1 :])
            return replace(belief, taken=taken, left=(), turns=belief.turns + 1)
        case events.Fired(card=card):
            return replace(belief, destroyed=(*belief.destroyed, card.number))
        case (
            events.Appointed()
            | events.SpreadOut()
            | events.Turned()
            | events.FireHeld()
            | events.Ended()
        ):
            return belief


# --- Asking ----------------------------------------------------------------------------------


def known(belief: Belief) -> Mapping[int, int]:
    """The cards of the depot that can be named: numbers by place, the last one seen last."""
    return {
        glimpse.place: glimpse.number
        for glimpse in belief.glimpses
        if belief.taken[glimpse.place] is None
    }


def unplaced(belief: Belief) -> tuple[int, ...]:
    """The numbers that lie in unknown places of the depot, in order."""
    elsewhere = {*belief.taken, *known(belief).values()}
    return tuple(number for number in values.CARDS if number not in elsewhere)


def numbers_at(belief: Belief, place: int) -> Mapping[int, Fraction]:
    """What the card in this place may carry, and how likely each number is."""
    if belief.taken[place] is not None:
        raise ValueError(f"no card lies at place {place} any more")
    if (number := known(belief).get(place)) is not None:
        return {number: Fraction(1)}
    numbers = unplaced(belief)
    return dict.fromkeys(numbers, Fraction(1, len(numbers)))


def chance(belief: Belief, place: int, numbers: Collection[int]) -> Fraction:
    """How likely the card in this place carries one of these numbers."""
    likely = numbers_at(belief, place)
    return sum((share for number, share in likely.items() if number in numbers), Fraction(0))
