"""The exact belief of a seat: every deal of hands that agrees with what it was told.

Only the gifts between others (DM-19) and the contents of a closed fist (DM-5) are hidden. All else
follows from what everybody saw, so that before any gift there is one world and all know it (DM-2).
An unseen gift splits each world into one for every kind that the giver held. Later events rule
worlds out: a fist that opens shows a piece of that hand, and a master builder who is alone with an
empty fist holds something that fits, or is known to hold nothing that does (DM-18). That a round
continues in spite of DM-26 reveals nothing: which pieces are in play is public, who holds them is
not.

The worlds of a belief are exactly those that are possible. Their weights are exact too, for players
who take each of their legal actions with the same probability: to show a piece is one of (kinds
held + 1) choices, to give or to name it one of as many as there are kinds to give or to build. At
which end somebody builds is public and weighs every world alike. A bot that assumes other habits
keeps the worlds and changes the weights.

Being exact has a price where players do little but give: each gift between others can multiply the
worlds by the kinds that the giver holds. Open fists and the end of the round remove them again.
"""

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import zip_longest
from math import gcd, lcm, prod
from operator import is_
from typing import Final, TypeAlias

from mauerwerk.core.game import Seat, Value
from mauerwerk.core.sight import Sight
from mauerwerk.games.mauer import events, legality
from mauerwerk.games.mauer.values import FULL_SET, Action, End, Ending, Hand, Piece

Hands: TypeAlias = tuple[Hand, ...]
"""What every seat holds, seat by seat."""

# Every number of choices that a hand can leave divides it, so that even shares of it are whole.
_EVENLY: Final = lcm(*range(1, len(FULL_SET) + 2))


class World(Value):
    """One deal of hands as it may be; its chance is its weight among all weights."""

    hands: Hands
    weight: int


class Belief(Value):
    """All that a viewer, a seat or a spectator, can know of the hands by what it was told."""

    wall: tuple[Piece, ...]
    worlds: tuple[World, ...]
    """Never empty; no hands twice; the weights have no common divisor."""
    ending: Ending | None = None
    """Why the last round ended, once the game is over."""
    pieces: Hand = FULL_SET
    """The hand with which every seat begins a round."""


# --- Following the game ----------------------------------------------------------------------


def begin(seats: int, pieces: Hand = FULL_SET) -> Belief:
    """Every seat holds a full set, and all know it (DM-1, DM-2)."""
    return Belief((), (World((pieces,) * seats, 1),), pieces=pieces)


def believe(sight: Sight[Action, events.Event, events.View]) -> Belief:
    """What this seat can know, from all that it was told since the game began."""
    return after(begin(len(sight.view.counts), sight.view.pieces), sight.told)


def after(belief: Belief, told: Sequence[events.Event]) -> Belief:
    """What is believed once these events are told too.

    They must be those of whole steps, one or several: that nothing more happened when the fists
    opened is news as well.
    """
    for event, following in zip_longest(told, told[1:]):
        belief = _after_event(belief, event, following)
    return belief


def _after_event(belief: Belief, event: events.Event, following: events.Event | None) -> Belief:
    wall = belief.wall
    match event:
        case events.FistsOpened():
            return _with(belief, wall, _opened(belief, event, following))
        case events.Chosen(seat=seat, piece=piece):
            return _with(belief, wall, _chosen(belief, seat, piece))
        case events.Built(seat=seat, piece=piece, end=end):
            wall = (piece, *wall) if end is End.LEFT else (*wall, piece)
            return _with(belief, wall, _built(belief, seat, piece))
        case events.Given():
            return _with(belief, wall, _merged(_given(belief, event)))
        case events.RoundEnded(ending=ending, hands=hands):
            if following is None:
                return Belief(wall, (World(hands, 1),), ending, belief.pieces)
            return begin(len(hands), belief.pieces)  # DM-25
        case (
            events.Appointed() | events.FistClosed() | events.NobodyBuilds() | events.StonePassed()
        ):
            return belief


def _with(belief: Belief, wall: tuple[Piece, ...], worlds: Iterable[World]) -> Belief:
    return Belief(wall, _reduced(worlds), pieces=belief.pieces)


def _opened(
    belief: Belief, event: events.FistsOpened, following: events.Event | None
) -> Iterator[World]:
    """A seat holds the piece that it shows (DM-5); and is the master builder alone? (DM-18)."""
    shown = tuple(plan.piece for plan in event.fists)
    alone = shown[event.master] is None and shown.count(None) == 1
    stuck = isinstance(following, events.NobodyBuilds)
    for world in belief.worlds:
        hands = world.hands
        if alone and stuck == bool(_fitting(belief.wall, hands[event.master])):
            continue
        if all(piece is None or piece in hand for piece, hand in zip(shown, hands, strict=True)):
            share = prod(_EVENLY // (_kinds(hand) + 1) for hand in hands)
            yield World(hands, world.weight * share)


def _chosen(belief: Belief, master: Seat, piece: Piece) -> Iterator[World]:
    """The master builder named one of the kinds in his hand that fit (DM-18)."""
    for world in belief.worlds:
        hand = world.hands[master]
        if piece in hand:
            share = _EVENLY // len(_fitting(belief.wall, hand))
            yield World(world.hands, world.weight * share)


def _built(belief: Belief, builder: Seat, piece: Piece) -> Iterator[World]:
    """A piece left a hand; it was shown or named before, so that every world has it there."""
    for world in belief.worlds:
        yield World(_less(world.hands, builder, piece), world.weight)


def _given(belief: Belief, event: events.Given) -> Iterator[World]:
    """One kind that the giver held changed hands; to all but the two it may be any (DM-19)."""
    for world in belief.worlds:
        kinds = tuple(dict.fromkeys(world.hands[event.giver]))
        share = world.weight * (_EVENLY // len(kinds))
        for piece in kinds:
            if event.piece is None or event.piece is piece:
                rest = _less(world.hands, event.giver, piece)
                yield World(_more(rest, event.receiver, piece), share)


def _merged(worlds: Iterable[World]) -> Iterator[World]:
    """Equal hands that came about in different ways are one world."""
    weights: dict[Hands, int] = {}
    for world in worlds:
        weights[world.hands] = weights.get(world.hands, 0) + world.weight
    return (World(hands, weight) for hands, weight in weights.items())


def _reduced(worlds: Iterable[World]) -> tuple[World, ...]:
    """The worlds with the smallest whole weights; without any, something was told wrongly."""
    left = tuple(worlds)
    if not left:
        raise ValueError("no hands agree with these events: they are not all, or of another game")
    divisor = gcd(*(world.weight for world in left))
    if divisor == 1:
        return left
    return tuple(World(world.hands, world.weight // divisor) for world in left)


def _kinds(hand: Hand) -> int:
    """How many kinds are in a hand; two of a kind stand side by side."""
    return len(hand) - sum(map(is_, hand, hand[1:]))


def _fitting(wall: tuple[Piece, ...], hand: Hand) -> tuple[Piece, ...]:
    """The kinds in a hand that fit the wall somewhere (DM-9)."""
    return tuple(piece for piece in dict.fromkeys(hand) if legality.sites(wall, piece))


def _less(hands: Hands, seat: Seat, piece: Piece) -> Hands:
    hand = hands[seat]
    place = hand.index(piece)
    return (*hands[:seat], (*hand[:place], *hand[place + 1 :]), *hands[seat + 1 :])


def _more(hands: Hands, seat: Seat, piece: Piece) -> Hands:
    hand = tuple(sorted((*hands[seat], piece), key=FULL_SET.index))
    return (*hands[:seat], hand, *hands[seat + 1 :])


# --- Asking ----------------------------------------------------------------------------------


def possible(belief: Belief) -> tuple[Hands, ...]:
    """All hands that agree with what was told, likely or not."""
    return tuple(world.hands for world in belief.worlds)


def exactly(belief: Belief, seat: Seat, piece: Piece, count: int) -> Fraction:
    """The probability that this seat holds exactly this many of this kind."""
    return _chance(belief, (count == hands[seat].count(piece) for hands in possible(belief)))


def at_least(belief: Belief, seat: Seat, piece: Piece, count: int = 1) -> Fraction:
    """The probability that this seat holds this many of this kind, or more."""
    return _chance(belief, (count <= hands[seat].count(piece) for hands in possible(belief)))


def _chance(belief: Belief, answers: Iterable[bool]) -> Fraction:
    """The share of the worlds that say yes."""
    weights = [world.weight for world in belief.worlds]
    yes = sum(weight for weight, answer in zip(weights, answers, strict=True) if answer)
    return Fraction(yes, sum(weights))
