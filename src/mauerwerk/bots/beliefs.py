"""What a searching bot believes: the games' own beliefs, followed as they are told, and bounded.

Beliefs are exact, and where others do little but give each other pieces they grow without measure.
Here they are thinned out when they grow too large, and where there is no time left to follow all
that was told, or what was thinned out is missed later, the hidden things are dealt anew by what the
table shows alone. So a belief is always there in time; it is exact as long as it can be.
"""

from collections.abc import Iterator, Sequence
from time import perf_counter
from typing import Any, Final, Protocol

from msgspec.structs import replace

from mauerwerk.bots.memory import Recollection, recollection
from mauerwerk.core.game import Chance
from mauerwerk.core.sight import Sight
from mauerwerk.games import burgbaumeister, mauer, mauerbauer
from mauerwerk.games.burgbaumeister.beliefs import Memory
from mauerwerk.games.mauer import beliefs as of_mauer
from mauerwerk.games.mauer.rules import sites
from mauerwerk.games.mauer.values import FULL_SET, FistClosed, Piece, Plan, RoundEnded, Task
from mauerwerk.games.mauerbauer import beliefs as of_mauerbauer
from mauerwerk.games.mauerbauer.guild import DECK, in_order

MOST_WORLDS: Final = 256
"""How many worlds or hypotheses are followed."""
DEALS: Final = 64
"""How many worlds there are when they are dealt anew."""
_TICKETS: Final = 1 << 53
_PARTS: Final = 1 << 40
"""The weight of all worlds together, about, when some were left out."""


class Mind(Protocol):
    """Keeps a belief up to date."""

    def belief(self, sight: Sight[Any, Any, Any], until: float) -> Any:  # noqa: ANN401 - the game's
        """What this seat believes; worked out until `perf_counter` says so, and not much longer."""
        ...


def mind_for(name: str, memory: Memory | Recollection, draw: Chance) -> Mind:
    """The mind for a game of this name; the memory is for Burgbaumeister."""
    minds: dict[str, Mind] = {
        mauer.NAME: MauerMind(draw),
        burgbaumeister.NAME: BurgbaumeisterMind(memory, draw),
        mauerbauer.NAME: MauerbauerMind(),
    }
    return minds[name]


class BurgbaumeisterMind:
    """The cards that were seen, less those forgotten; there is nothing that could grow."""

    def __init__(self, memory: Memory | Recollection, draw: Chance) -> None:
        """Remember by this memory, or share one."""
        self._recollection = recollection(memory, draw)

    def belief(self, sight: Sight[Any, Any, Any], until: float) -> Any:  # noqa: ANN401
        """What is remembered."""
        del until
        return self._recollection.belief(sight)


# --- Die Mauer -------------------------------------------------------------------------------


class MauerMind:
    """The hands as they may be, turn by turn."""

    def __init__(self, draw: Chance) -> None:
        """Nothing is told yet."""
        self._draw = draw
        self._told: tuple[Any, ...] = ()
        self._belief: of_mauer.Belief | None = None

    def belief(self, sight: Sight[Any, Any, Any], until: float) -> of_mauer.Belief:
        """Exact while there are few worlds; then some of them, by weight."""
        if self._belief is None or sight.told[: len(self._told)] != self._told:
            self._belief = _full_hands(sight)
            self._told = sight.told[: _last_round(sight.told)]
        try:
            for turn in _turns(sight.told, len(self._told)):
                if perf_counter() > until:
                    return _dealt_hands(sight, self._draw)
                self._belief = self._thinned(of_mauer.after(self._belief, turn))
                self._told += turn
        except ValueError:  # the worlds that agree were thinned out
            self._belief = _dealt_hands(sight, self._draw)
            self._told = sight.told
        return self._belief

    def _thinned(self, belief: of_mauer.Belief) -> of_mauer.Belief:
        """Likely worlds stay as they are; of the others some, with the weight of all of them."""
        if len(belief.worlds) <= MOST_WORLDS:
            return belief
        total = sum(world.weight for world in belief.worlds)
        shares = [world.weight / total for world in belief.worlds]
        # N. Duffield, C. Lund, M. Thorup: Priority sampling for estimation of subset sums (2007).
        luck = [share * _TICKETS / (self._draw(_TICKETS) + 1) for share in shares]
        ranking = sorted(range(len(luck)), key=luck.__getitem__, reverse=True)
        least = luck[ranking[MOST_WORLDS]]
        kept = (
            replace(belief.worlds[place], weight=int(max(shares[place], least) * _PARTS) or 1)
            for place in ranking[:MOST_WORLDS]
        )
        return replace(belief, worlds=tuple(kept))


def _full_hands(sight: Sight[Any, Any, Any]) -> of_mauer.Belief:
    """How a round begins: everybody holds what everybody has (DM-1)."""
    return of_mauer.begin(len(sight.view.counts), sight.view.pieces)


def _last_round(told: Sequence[Any]) -> int:
    """Where the events of this round begin: before it everything is known (DM-25)."""
    for place in range(len(told) - 1, -1, -1):
        if isinstance(told[place], RoundEnded):
            return place + 1
    return 0


def _turns(told: tuple[Any, ...], begin: int) -> Iterator[tuple[Any, ...]]:
    """What was told from here on, in pieces of whole steps: a closed fist always begins one."""
    cuts = [place for place in range(begin + 1, len(told)) if isinstance(told[place], FistClosed)]
    for first, end in zip([begin, *cuts], [*cuts, len(told)], strict=True):
        if first < end:
            yield told[first:end]


def _dealt_hands(sight: Sight[Any, Any, Any], draw: Chance) -> of_mauer.Belief:
    """Pieces that are not built, dealt to those who may hold them.

    Who shows one holds it, so does who has named one, and who must name one holds some that fits.
    """
    view = sight.view
    fresh = _full_hands(sight)
    left = [piece for hand in fresh.worlds[0].hands for piece in hand]
    hands: list[list[Piece]] = [list(hand or ()) for hand in view.hands]
    for seat, fist in enumerate(view.fists):
        shown = fist.piece if isinstance(fist, Plan) else None
        if shown is not None and view.hands[seat] is None and not _has_built(sight, seat):
            hands[seat].append(shown)
    asked = int(view.waiting[0]) if view.waiting else 0
    unknown = view.hands[asked] is None
    if view.task is Task.BUILD and unknown and view.fists[asked].piece is None:
        hands[asked].append(view.piece)  # with an empty fist (DM-18)
    for piece in (*view.wall, *(piece for hand in hands for piece in hand)):
        left.remove(piece)
    if view.task is Task.CHOOSE and unknown:
        fitting = [piece for piece in left if sites(view.wall, piece)]
        hands[asked].append(fitting[draw(len(fitting))])
        left.remove(hands[asked][-1])
    worlds: dict[of_mauer.Hands, int] = {}
    for _ in range(DEALS):
        rest = _shuffled(left, draw)
        dealt = tuple(
            _in_order([*hand, *(rest.pop() for _ in range(view.counts[seat] - len(hand)))])
            for seat, hand in enumerate(hands)
        )
        worlds[dealt] = worlds.get(dealt, 0) + 1
    found = tuple(of_mauer.World(hands, weight) for hands, weight in worlds.items())
    return replace(fresh, wall=view.wall, worlds=found)


def _has_built(sight: Sight[Any, Any, Any], seat: int) -> bool:
    """Whether what this seat showed is in the wall already, while others still build (DM-17)."""
    view = sight.view
    builds = view.piece is not None and view.fists[seat].piece == view.piece
    if not builds or seat == view.master:
        return False
    seats = len(view.counts)
    return bool((seat - view.master) % seats < (view.waiting[0] - view.master) % seats)


def _in_order(hand: Sequence[Piece]) -> tuple[Piece, ...]:
    return tuple(sorted(hand, key=FULL_SET.index))


def _shuffled(things: Sequence[Any], draw: Chance) -> list[Any]:
    left = list(things)
    return [left.pop(draw(len(left))) for _ in things]


# --- Mauerbauer ------------------------------------------------------------------------------


class MauerbauerMind:
    """Where the cards may be, event by event."""

    def __init__(self) -> None:
        """Nothing is told yet."""
        self._told: tuple[Any, ...] = ()
        self._belief: of_mauerbauer.Belief | None = None

    def belief(self, sight: Sight[Any, Any, Any], until: float) -> of_mauerbauer.Belief:
        """Exact while there are few hypotheses; then the likeliest."""
        if self._belief is None or sight.told[: len(self._told)] != self._told:
            self._belief = of_mauerbauer.begin(len(sight.view.counts), sight.seat)
            self._told = ()
        try:
            for event in sight.told[len(self._told) :]:
                if perf_counter() > until:
                    return _dealt_cards(sight)
                self._belief = _likeliest(of_mauerbauer.after(self._belief, (event,)))
                self._told += (event,)
        except ValueError:  # the hypotheses that agree were left out
            self._belief = _dealt_cards(sight)
            self._told = sight.told
        return self._belief


def _likeliest(belief: of_mauerbauer.Belief) -> of_mauerbauer.Belief:
    if len(belief.hypotheses) <= MOST_WORLDS:
        return belief
    by_weight = sorted(belief.hypotheses, key=lambda each: -each.weight)
    return replace(belief, hypotheses=tuple(by_weight[:MOST_WORLDS]))


def _dealt_cards(sight: Sight[Any, Any, Any]) -> of_mauerbauer.Belief:
    """Every card that lies nowhere to be seen is as likely in any hidden place."""
    view = sight.view
    left = list(DECK)
    own = view.hands[sight.seat] or ()
    out = in_order(*view.discard, *(card for each in view.laid for card in each.cards))
    for card in (*own, *out):
        left.remove(card)
    slots = tuple(0 if seat == sight.seat else held for seat, held in enumerate(view.counts))
    shift = of_mauerbauer.Shift(in_order(*left), slots)
    hypotheses = (of_mauerbauer.Hypothesis((shift,), 1),)
    return of_mauerbauer.Belief(sight.seat, own, out, hypotheses)
