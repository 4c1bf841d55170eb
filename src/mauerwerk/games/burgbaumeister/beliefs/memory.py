"""How players forget cards of Burgbaumeister; the rules know nothing of it.

A player who has forgotten a card knows of it as much as of a card that was never turned: it carries
one of the numbers that lie in the depot and that the player cannot place, each as likely. Cards
that lie face up need no memory, and those in the walls or destroyed are public.
"""

from fractions import Fraction
from typing import Final

from msgspec.structs import replace

from mauerwerk.core.beliefs import Memory
from mauerwerk.core.game import Chance
from mauerwerk.games.burgbaumeister.beliefs.inference import Belief

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
        for others, glimpse in zip(
            reversed(range(len(belief.glimpses))), belief.glimpses, strict=True
        )
        if tickets[glimpse.turn] < _TICKETS * kept(memory, belief.turns - glimpse.turn, others)
    )
    places = {glimpse.place for glimpse in glimpses}
    left = tuple(place for place in belief.left if place in places)
    return replace(belief, glimpses=glimpses, left=left)
