"""What a bot keeps in mind of a game of Burgbaumeister: all that it saw, or what people would."""

import random
from typing import Any

from mauerwerk.core.game import Chance
from mauerwerk.core.sight import Sight
from mauerwerk.games.burgbaumeister.beliefs import PERFECT, Belief, Memory, after, begin, recall


class Recollection:
    """A belief that follows a game as it is told, less what this memory has lost of it.

    It answers from the sight alone. What it followed before only saves it from starting anew.
    """

    def __init__(self, memory: Memory, draw: Chance) -> None:
        """Whether a card will be forgotten is drawn once, so that it does not come and go."""
        self._memory = memory
        self._seed = draw(1 << 32)
        self._told: tuple[Any, ...] = ()
        self._belief = begin()

    def belief(self, sight: Sight[Any, Any, Any]) -> Belief:
        """What this player still knows."""
        heard = len(self._told)
        if sight.told[:heard] != self._told:
            heard, self._belief = 0, begin()
        self._belief = after(self._belief, sight.told[heard:])
        self._told = sight.told
        if self._memory == PERFECT:
            return self._belief
        tickets = random.Random(self._seed)  # noqa: S311 - forgetting is no secret
        return recall(self._belief, self._memory, tickets.randrange)


def recollection(memory: Memory | Recollection, draw: Chance) -> Recollection:
    """One of its own by such a memory; or this very one, where two who are one share it."""
    return memory if isinstance(memory, Recollection) else Recollection(memory, draw)
