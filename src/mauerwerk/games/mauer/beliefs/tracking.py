"""Beliefs of Die Mauer that stay small: some of the worlds, or hands dealt by what the table shows.

Each unseen gift can multiply the worlds, so that exact beliefs grow without limit.
"""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from msgspec.structs import replace

from mauerwerk.core.game import Chance, Seat
from mauerwerk.core.sight import Sight
from mauerwerk.games.mauer.beliefs.inference import Belief, Hands, World, begin
from mauerwerk.games.mauer.events import Event, FistClosed, RoundEnded, Task, View
from mauerwerk.games.mauer.legality import sites
from mauerwerk.games.mauer.values import FULL_SET, Action, Drawing, Piece, Plan, State

MOST_WORLDS: Final = 256
"""The largest number of worlds in a bounded belief."""
DEALS: Final = 64
"""The number of deals in a belief that was dealt anew."""
_TICKETS: Final = 1 << 53
_PARTS: Final = 1 << 40
"""The approximate weight of all worlds together after some were dropped."""


def certain(state: State, events: Sequence[Event], seat: Seat) -> Belief:
    """The belief of a seat that sees all hands: one world."""
    del events, seat
    if isinstance(state, Drawing):
        return begin(state.seats)
    return Belief(state.table.wall, (World(state.table.hands, 1),))


def latest(sight: Sight[Action, Event, View]) -> tuple[Belief, int]:
    """The belief at the beginning of this round: before it everything is known (DM-25)."""
    for place in range(len(sight.told) - 1, -1, -1):
        if isinstance(sight.told[place], RoundEnded):
            return _full_hands(sight), place + 1
    return _full_hands(sight), 0


def _full_hands(sight: Sight[Action, Event, View]) -> Belief:
    """How a round begins: all hands are full (DM-1)."""
    return begin(len(sight.view.counts), sight.view.pieces)


def steps(told: tuple[Event, ...], begin: int) -> Iterator[tuple[Event, ...]]:
    """The events from this one on, in groups of whole steps: a closed fist always begins one."""
    cuts = [place for place in range(begin + 1, len(told)) if isinstance(told[place], FistClosed)]
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
    fresh = _full_hands(sight)
    left = [piece for hand in fresh.worlds[0].hands for piece in hand]
    hands = _known_pieces(sight)
    for piece in (*view.wall, *(piece for hand in hands for piece in hand)):
        left.remove(piece)
    asked = int(view.waiting[0]) if view.waiting else 0
    if view.task is Task.CHOOSE and view.hands[asked] is None:
        fitting = [piece for piece in left if sites(view.wall, piece)]
        hands[asked].append(fitting[draw(len(fitting))])
        left.remove(hands[asked][-1])
    worlds: dict[Hands, int] = {}
    for _ in range(DEALS):
        rest = _shuffled(left, draw)
        deal = tuple(
            _in_order([*hand, *(rest.pop() for _ in range(view.counts[seat] - len(hand)))])
            for seat, hand in enumerate(hands)
        )
        worlds[deal] = worlds.get(deal, 0) + 1
    found = tuple(World(deal, weight) for deal, weight in worlds.items())
    return replace(fresh, wall=view.wall, worlds=found)


def _known_pieces(sight: Sight[Action, Event, View]) -> list[list[Piece]]:
    """The pieces that every seat is known to hold: its hand if it is seen, or what it shows."""
    view = sight.view
    hands: list[list[Piece]] = [list(hand or ()) for hand in view.hands]
    for seat, fist in enumerate(view.fists):
        shown = fist.piece if isinstance(fist, Plan) else None
        if shown is not None and view.hands[seat] is None and not _has_built(view, seat):
            hands[seat].append(shown)
    asked = int(view.waiting[0]) if view.waiting else 0
    if view.task is Task.BUILD and view.hands[asked] is None:
        fist = view.fists[asked]
        if isinstance(fist, Plan) and fist.piece is None and view.piece is not None:
            hands[asked].append(view.piece)  # named with an empty fist (DM-18)
    return hands


def _has_built(view: View, seat: int) -> bool:
    """Whether what this seat showed is in the wall already, while others still build (DM-17)."""
    fist, master = view.fists[seat], view.master
    builds = view.piece is not None and isinstance(fist, Plan) and fist.piece == view.piece
    if not builds or master is None or seat == master:
        return False
    seats = len(view.counts)
    return bool((seat - master) % seats < (view.waiting[0] - master) % seats)


def _in_order(hand: Sequence[Piece]) -> tuple[Piece, ...]:
    return tuple(sorted(hand, key=FULL_SET.index))


def _shuffled(pieces: Sequence[Any], draw: Chance) -> list[Any]:
    left = list(pieces)
    return [left.pop(draw(len(left))) for _ in pieces]
