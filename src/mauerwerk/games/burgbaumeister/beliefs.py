"""Burgbaumeister, what a seat can work out, and how much of it a player keeps in mind.

Everybody is told everything, once (BB-9). So whoever forgets nothing knows each card of the depot
that was ever turned, and knows of all others only this: they carry the numbers that nobody has seen
yet, in any order, each order as likely. No player knew more, so nothing that players do is news.

Whoever forgets a card knows of it what they know of a card that was never turned: it carries one of
the numbers that lie in the depot and that they cannot place, each as likely. How players forget is
said by a `Memory`. The rules know nothing of it; bots use it to play like people.

    belief = begin()                              # or all at once: believe(sight)
    belief = after(belief, told)                  # step by step, as it is told
    chance(belief, place, range(20, 30))          # that the card there carries one of these
    fading = recall(belief, Memory(), draw)       # what a player of this memory still knows
    sample(fading, view, options, draw)           # a whole state, as it may be
"""

from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction
from typing import Annotated, Final, assert_never

from msgspec import Meta
from msgspec.structs import replace

from mauerwerk.core.game import Chance, Value
from mauerwerk.core.sight import Sight
from mauerwerk.games.burgbaumeister.values import (
    CARDS,
    PLACES,
    Action,
    Added,
    Appointed,
    Deciding,
    Drawing,
    Ended,
    Event,
    Fired,
    FireHeld,
    Firing,
    Inserted,
    Left,
    Options,
    Over,
    Showing,
    Shown,
    Spreading,
    SpreadOut,
    State,
    Table,
    Task,
    Turned,
    Turning,
    View,
)
from mauerwerk.games.burgbaumeister.views import view as view_of


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
    taken: tuple[int | None, ...] = (None,) * len(PLACES)
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


def believe(sight: Sight[Action, Event, View]) -> Belief:
    """What this seat can know, from all that it was told since the game began."""
    return after(begin(), sight.told)


def after(belief: Belief, told: Sequence[Event]) -> Belief:
    """What is believed once these events are told too."""
    for event in told:
        belief = _after_event(belief, event)
    return belief


def _after_event(belief: Belief, event: Event) -> Belief:
    match event:
        case Shown(place=place, card=card):
            others = (glimpse for glimpse in belief.glimpses if glimpse.place != place)
            glimpse = Glimpse(place, card.number, belief.turns)
            return replace(belief, glimpses=(*others, glimpse))
        case Left():
            left = tuple(sorted({*belief.left, belief.glimpses[-1].place}))
            return replace(belief, left=left, turns=belief.turns + 1)
        case Added(place=place, card=card) | Inserted(place=place, card=card):
            taken = (*belief.taken[:place], card.number, *belief.taken[place + 1 :])
            return replace(belief, taken=taken, left=(), turns=belief.turns + 1)
        case Fired(card=card):
            return replace(belief, destroyed=(*belief.destroyed, card.number))
        case Appointed() | SpreadOut() | Turned() | FireHeld() | Ended():
            return belief
        case _:
            assert_never(event)


# --- Asking ----------------------------------------------------------------------------------


def known(belief: Belief) -> Mapping[int, int]:
    """The cards of the depot that can be named: numbers by place, the last one seen last."""
    return {
        glimpse.place: glimpse.number
        for glimpse in belief.glimpses
        if belief.taken[glimpse.place] is None
    }


def unplaced(belief: Belief) -> tuple[int, ...]:
    """The numbers that lie in the depot, nobody can say where, in order."""
    elsewhere = {*belief.taken, *known(belief).values()}
    return tuple(number for number in CARDS if number not in elsewhere)


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


# --- Memory ----------------------------------------------------------------------------------

Thousandths = Annotated[int, Meta(ge=0, le=1000)]


class Memory(Value):
    """How a player forgets. Each card seen is kept with a chance that fades.

    It is `per_turn` / 1000 for each turn that has ended since the card was last seen, its own
    included, times `per_card` / 1000 for each other card seen since, counted once however often it
    was turned. Seeing a card again makes it new. What lies face up needs no memory, and what is in
    the walls or destroyed is public.

    Left as it is, memory keeps a card for 10 turns with 10 other cards in between with a chance of
    about 60 %, for 30 and 30 with about 22 %.
    """

    per_turn: Thousandths = 990
    per_card: Thousandths = 960


PERFECT: Final = Memory(1000, 1000)
ABSENT: Final = Memory(0, 0)

_TICKETS: Final = 1_000_000


def kept(memory: Memory, turns: int, cards: int) -> Fraction:
    """The chance that a card is still known after so many turns and other cards."""
    return Fraction(memory.per_turn, 1000) ** turns * Fraction(memory.per_card, 1000) ** cards


def recall(belief: Belief, memory: Memory, draw: Chance) -> Belief:
    """What a player of this memory still knows.

    Each glimpse has a ticket of its own, drawn in the order of the turns. Given a draw that begins
    anew, as `Random(seed).randrange` does, a player has the same tickets later in the game: what is
    forgotten stays forgotten until it is seen again.
    """
    tickets = [draw(_TICKETS) for _ in range(belief.turns + 1)]
    glimpses = tuple(
        glimpse
        for others, glimpse in zip(
            reversed(range(len(belief.glimpses))), belief.glimpses, strict=True
        )
        if tickets[glimpse.turn] < _TICKETS * kept(memory, belief.turns - glimpse.turn, others)
    )
    places = {glimpse.place for glimpse in glimpses}
    left = tuple(place for place in belief.left if place in places)
    return replace(belief, glimpses=glimpses, left=left)


# --- A world to play in ----------------------------------------------------------------------


def sample(belief: Belief, view: View, options: Options, draw: Chance) -> State:  # noqa: ARG001
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


def _state(belief: Belief, view: View, options: Options) -> State:
    """The state behind a view, with the numbers that are known."""
    if view.player is None:
        return Drawing(len(view.walls), options)
    if view.task is Task.SPREAD:
        return Spreading(len(view.walls), options, view.player)
    table = Table(
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
            return Turning(table)
        case Task.SHOW:
            assert view.turned is not None
            return Showing(table, view.turned.place)
        case Task.DECIDE:
            assert view.turned is not None
            return Deciding(table, view.turned.place)
        case Task.FIRE:
            return Firing(table)
        case Task.NOTHING:
            assert view.ending is not None
            return Over(table, view.ending)
        case Task.LOT:
            raise AssertionError(view)
        case _:
            assert_never(view.task)


def _numbers(belief: Belief, view: View) -> tuple[int | None, ...]:
    numbers = list(belief.taken)
    for place, number in known(belief).items():
        numbers[place] = number
    for lying in view.seen or ():
        numbers[lying.place] = lying.card.number if lying.card else None
    return tuple(numbers)
