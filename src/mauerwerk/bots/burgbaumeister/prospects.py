"""What the rest of a wall may still bring at Burgbaumeister.

A player is assumed to turn one card per turn and to take what is good enough. Points that come
later are worth a little less.
"""

from bisect import insort
from collections.abc import Collection, Mapping
from itertools import accumulate
from typing import Final

from mauerwerk.games.burgbaumeister.values import CARDS, START_TOWER

SPELL: Final = 1.5
"""What an unused spell is worth, in points (BB-26)."""


class Prospects:
    """What a wall may still bring, by its last number and how many cards it still takes."""

    def __init__(
        self,
        gains: Mapping[int, float],
        unplaced: Collection[int],
        *,
        cards: int,
        patience: float,
        full: float,
    ) -> None:
        """Evaluate a wall that takes this many cards.

        `gains` is what each card of the depot scores, `unplaced` are those whose place is unknown,
        `patience` is what a point is worth a turn later, `full` what it is worth to have all cards.
        """
        self._gains = gains
        self._unplaced = frozenset(unplaced)
        self._to_come = [[full] * (CARDS[-1] + 1)]
        for _ in range(cards):
            self._to_come.append(self._one_more(patience))

    def _one_more(self, patience: float) -> list[float]:
        """The prospects of a wall that takes one card more than those before, highest last."""
        after, hidden = self._to_come[-1], len(self._unplaced)
        to_come = [0.0] * len(after)
        surest = 0.0
        gains: list[float] = []  # of the cards that may turn up, the best first, as negatives
        for number in range(CARDS[-1], START_TOWER - 1, -1):
            # To wait for the best few of all hidden cards: the more one takes, the sooner.
            waited = 0.0
            for count, total in enumerate(accumulate(gains), start=1):
                longer = -patience * total / (hidden - patience * (hidden - count))
                if longer <= waited:
                    break
                waited = longer
            to_come[number] = max(waited, patience * surest)
            if number in self._unplaced:
                insort(gains, -self._gains[number] - after[number])
            elif number in self._gains:
                surest = max(surest, self._gains[number] + after[number])
        return to_come

    def now(self, end: int) -> float:
        """What the rest of the wall may bring, next turn and later."""
        return self._to_come[-1][end]

    def added(self, number: int) -> float:
        """What a card brings, and the wall after it."""
        return self._gains[number] + self._to_come[-2][number]

    def inserted(self, number: int, end: int) -> float:
        """What a card brings that the wizard inserts, and the wall after it, without a spell."""
        return self._gains[number] + self._to_come[-2][end] - SPELL

    def hidden(self, end: int, *, spell: bool) -> float:
        """The worth of turning a card that is unknown."""
        stay = self.now(end)
        outcomes = (
            max(stay, self.added(number))
            if number > end
            else max(stay, self.inserted(number, end))
            if spell
            else stay
            for number in self._unplaced
        )
        return sum(outcomes) / len(self._unplaced)
