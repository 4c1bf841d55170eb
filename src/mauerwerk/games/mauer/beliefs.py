"""What a seat of Die Mauer can infer about the hands of the others.

    belief = begin(seats)                    # or all at once: believe(sight)
    belief = after(belief, told)             # step by step, as it is told
    at_least(belief, Seat(2), Piece.GATE)    # the probability that seat 2 holds a gate
    sample(belief, view, options, draw)      # a whole state, as it may be

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

from msgspec.structs import replace

from mauerwerk.core.game import Chance, Seat, Sight, Value, draw_lot
from mauerwerk.games.mauer import events, legality, values
from mauerwerk.games.mauer.events import Event, Task, View
from mauerwerk.games.mauer.legality import sites
from mauerwerk.games.mauer.rules import full_set
from mauerwerk.games.mauer.values import (
    FULL_SET,
    Action,
    End,
    Ending,
    Hand,
    Options,
    Piece,
    Plan,
    State,
)
from mauerwerk.games.mauer.views import view as view_of

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


def believe(sight: Sight[Action, Event, View]) -> Belief:
    """What this seat can know, from all that it was told since the game began."""
    return after(_full_hands(sight.view), sight.told)


def after(belief: Belief, told: Sequence[Event]) -> Belief:
    """What is believed once these events are told too.

    They must be those of whole steps, one or several: that nothing more happened when the fists
    opened is news as well.
    """
    for event, following in zip_longest(told, told[1:]):
        belief = _after_event(belief, event, following)
    return belief


def _after_event(belief: Belief, event: Event, following: Event | None) -> Belief:
    wall = belief.wall
    match event:
        case events.FistsOpened():
            return _with(belief, wall, _opened(belief, event, following))
        case events.Chosen(seat=seat, piece=piece):
            return _with(belief, wall, _chosen(belief, seat, piece))
        case events.Built(seat=seat, piece=piece, end=end):
            wall = (piece, *wall) if end is End.LEFT else (*wall, piece)
            # It was shown or named before, so that every world has it there.
            left = (World(_less(each.hands, seat, piece), each.weight) for each in belief.worlds)
            return _with(belief, wall, left)
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


def _opened(belief: Belief, event: events.FistsOpened, following: Event | None) -> Iterator[World]:
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
    return (*hands[:seat], _in_order(*hands[seat], piece), *hands[seat + 1 :])


def _in_order(*pieces: Piece) -> Hand:
    return tuple(sorted(pieces, key=FULL_SET.index))


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
    weights = [world.weight for world in belief.worlds]
    yes = sum(weight for weight, answer in zip(weights, answers, strict=True) if answer)
    return Fraction(yes, sum(weights))


# --- States that agree with a belief and with what a viewer sees -----------------------------


def sample(belief: Belief, view: View, options: Options, draw: Chance) -> State:
    """A whole state that looks to this viewer just as the table does, drawn by its chance.

    Hands are drawn by weight. A closed fist of another seat holds any kind of that hand, or
    nothing, with the same probability (DM-5). The options are public, but a view does not hold
    them.
    """
    chances = {place: world.weight for place, world in enumerate(belief.worlds)}
    hands = belief.worlds[draw_lot(chances, draw)].hands
    state = _state(view, options, hands, belief.ending, draw)
    if view_of(state, view.seat) != view:
        raise ValueError("belief, view and options are not of one game at one moment")
    return state


def _state(
    view: View,
    options: Options,
    hands: Hands,
    ending: Ending | None,
    draw: Chance,
) -> State:
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
    shown = tuple(fist for fist in view.fists if isinstance(fist, Plan))
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


def _filled(view: View, hands: Hands, draw: Chance) -> tuple[Plan | None, ...]:
    def filled(fist: events.Thinking | events.Closed | Plan, hand: Hand) -> Plan | None:
        match fist:
            case events.Thinking():
                return None
            case events.Closed():
                plans = (*dict.fromkeys(hand), None)
                return Plan(plans[draw(len(plans))])
            case Plan():
                return fist

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


# --- For bots: beliefs that stay small -------------------------------------------------------


MOST_WORLDS: Final = 256
"""The largest number of worlds in a bounded belief."""
DEALS: Final = 64
"""The number of deals in a belief that was dealt anew."""
_TICKETS: Final = 1 << 53
_PARTS: Final = 1 << 40
"""The approximate weight of all worlds together after some were dropped."""


def certain(state: State, _told: Sequence[Event], _seat: Seat) -> Belief:
    """The belief of a seat that sees all hands: one world."""
    if isinstance(state, values.Drawing):
        return begin(state.seats, full_set(state.options))
    pieces = full_set(state.table.options)
    return Belief(state.table.wall, (World(state.table.hands, 1),), pieces=pieces)


def latest(sight: Sight[Action, Event, View]) -> tuple[Belief, int]:
    """The belief at the beginning of this round: before it everything is known (DM-25)."""
    ends = (at for at, event in enumerate(sight.told, 1) if isinstance(event, events.RoundEnded))
    return _full_hands(sight.view), max(ends, default=0)


def _full_hands(view: View) -> Belief:
    """How a round begins: all hands are full (DM-1)."""
    return begin(len(view.counts), view.pieces)


def steps(told: tuple[Event, ...], begin: int) -> Iterator[tuple[Event, ...]]:
    """The events from this one on, in groups of whole steps: a closed fist always begins one."""
    cuts = [
        place for place in range(begin + 1, len(told)) if isinstance(told[place], events.FistClosed)
    ]
    for first, end in zip([begin, *cuts], [*cuts, len(told)], strict=True):
        if first < end:
            yield told[first:end]


def bounded(belief: Belief, draw: Chance) -> Belief:
    """Keep likely worlds as they are, and a sample of the others with the weight of all of them."""
    if len(belief.worlds) <= MOST_WORLDS:
        return belief
    total = sum(world.weight for world in belief.worlds)
    shares = [world.weight / total for world in belief.worlds]
    # N. Duffield, C. Lund, M. Thorup: Priority sampling for estimation of subset sums (2007).
    priorities = [share * _TICKETS / (draw(_TICKETS) + 1) for share in shares]
    ranking = sorted(range(len(priorities)), key=priorities.__getitem__, reverse=True)
    threshold = priorities[ranking[MOST_WORLDS]]
    kept = (
        replace(belief.worlds[place], weight=int(max(shares[place], threshold) * _PARTS) or 1)
        for place in ranking[:MOST_WORLDS]
    )
    return replace(belief, worlds=tuple(kept))


def dealt(sight: Sight[Action, Event, View], draw: Chance) -> Belief:
    """Pieces that are not built, dealt to the seats that may hold them.

    A seat holds the piece that it shows or has named, and a seat that must name one holds some
    piece that fits.
    """
    view = sight.view
    fresh = _full_hands(view)
    left = [piece for hand in fresh.worlds[0].hands for piece in hand]
    hands = _known_pieces(view)
    for piece in (*view.wall, *(piece for hand in hands for piece in hand)):
        left.remove(piece)
    asked = int(view.waiting[0]) if view.waiting else 0
    if view.task is Task.CHOOSE and view.hands[asked] is None:
        fitting = [piece for piece in left if sites(view.wall, piece)]
        hands[asked].append(fitting[draw(len(fitting))])
        left.remove(hands[asked][-1])
    worlds: dict[Hands, int] = {}
    for _ in range(DEALS):
        lying = list(left)
        rest = [lying.pop(draw(len(lying))) for _ in left]
        deal = tuple(
            _in_order(*hand, *(rest.pop() for _ in range(view.counts[seat] - len(hand))))
            for seat, hand in enumerate(hands)
        )
        worlds[deal] = worlds.get(deal, 0) + 1
    found = tuple(World(deal, weight) for deal, weight in worlds.items())
    return replace(fresh, wall=view.wall, worlds=found)


def _known_pieces(view: View) -> list[list[Piece]]:
    """The pieces that every seat is known to hold: its hand if it is seen, or what it shows."""
    hands: list[list[Piece]] = [list(hand or ()) for hand in view.hands]
    for seat, fist in enumerate(view.fists):
        shown = fist.piece if isinstance(fist, Plan) else None
        if shown is not None and view.hands[seat] is None and not _has_built(view, seat):
            hands[seat].append(shown)
    if view.piece is not None:
        builder = view.waiting[0]
        if view.hands[builder] is None and view.fists[builder] == legality.EMPTY:
            hands[builder].append(view.piece)  # named with an empty fist (DM-18)
    return hands


def _has_built(view: View, seat: int) -> bool:
    """Whether the piece that this seat showed is in the wall already (DM-17)."""
    if view.master is None or view.fists[seat] != Plan(view.piece):
        return False
    place, turn = ((each - view.master) % len(view.counts) for each in (seat, view.waiting[0]))
    return 0 < place < turn
