"""What a seat of Burgbaumeister can infer about the cards of the depot, and how much it remembers.

    belief = begin()                              # or all at once: believe(sight)
    belief = after(belief, told)                  # step by step, as it is told
    chance(belief, place, range(20, 30))          # that the card there carries one of these
    fading = recall(belief, Memory(), draw)       # what a player with this memory still knows
    sample(fading, view, options, draw)           # a whole state, as it may be

Every event is told to everybody, once (BB-9). So a player who forgets nothing knows each card of
the depot that was ever turned, and knows of all others only that they carry the numbers that nobody
has seen yet, in any order, each order as likely. No player knows more, so nothing that players do
reveals anything else.

The rules know nothing of forgetting. A player who has forgotten a card knows of it as much as of a
card that was never turned. Cards that lie face up need no memory, and those in the walls or
destroyed are public.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Final

from msgspec.structs import replace

from mauerwerk.core.beliefs import Memory
from mauerwerk.core.game import Chance, Seat, Sight, Value
from mauerwerk.games.burgbaumeister import events, values
from mauerwerk.games.burgbaumeister.events import Event, Task, View
from mauerwerk.games.burgbaumeister.values import Action, Options, State
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
    taken: tuple[int | None, ...] = (None,) * len(values.PLACES)
    """For each place the number that was taken from there; None as long as a card lies there."""
    destroyed: tuple[int, ...] = ()
    left: tuple[int, ...] = ()
    """The places turned and left since a card was last added or inserted, in order (BB-12)."""
    turns: int = 0
    """How many cards have been decided upon."""


# --- Following the game ----------------------------------------------------------------------


def begin(cards: int = len(values.CARDS)) -> Belief:
    """Nothing is known of any of these cards."""
    return Belief(taken=(None,) * cards)


def believe(sight: Sight[Action, Event, View]) -> Belief:
    """What this seat can know, from all that it was told since the game began."""
    return after(begin(sight.view.cards), sight.told)


def after(belief: Belief, told: Sequence[Event]) -> Belief:
    """What is believed once these events are told too."""
    for event in told:
        belief = _after_event(belief, event)
    return belief


def _after_event(belief: Belief, event: Event) -> Belief:
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
    return tuple(number for number in values.CARDS[: len(belief.taken)] if number not in elsewhere)


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


# --- Forgetting ------------------------------------------------------------------------------


_TICKETS: Final = 1_000_000


def kept(memory: Memory, turns: int, cards: int) -> Fraction:
    """The probability that a card is still known after this many turns and other cards."""
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
        for seen, glimpse in enumerate(belief.glimpses, 1)
        if tickets[glimpse.turn]
        < _TICKETS * kept(memory, belief.turns - glimpse.turn, len(belief.glimpses) - seen)
    )
    places = {glimpse.place for glimpse in glimpses}
    left = tuple(place for place in belief.left if place in places)
    return replace(belief, glimpses=glimpses, left=left)


# --- States that agree with a belief and with what a viewer sees -----------------------------


def sample(belief: Belief, view: View, options: Options, _draw: Chance) -> State:
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


# --- For bots, which keep a belief up to date; it cannot grow, so it stays exact --------------


def certain(state: State, told: Sequence[Event], _seat: Seat) -> Belief:
    """What a seat knows that has forgotten nothing: an unseen card is not decided yet."""
    if isinstance(state, values.Drawing | values.Spreading):
        return begin(state.options.cards)
    return after(begin(state.table.options.cards), told)


def latest(sight: Sight[Action, Event, View]) -> tuple[Belief, int]:
    """The belief before the first event."""
    return begin(sight.view.cards), 0


def steps(told: tuple[Event, ...], begin: int) -> Iterator[tuple[Event, ...]]:
    """All further events at once: following them takes next to no time."""
    if begin < len(told):
        yield told[begin:]


def bounded(belief: Belief, _draw: Chance) -> Belief:
    """The belief itself, which holds no more than the cards of the depot."""
    return belief


def dealt(sight: Sight[Action, Event, View], _draw: Chance) -> Belief:
    """The exact belief, as it is quickly found."""
    return believe(sight)
