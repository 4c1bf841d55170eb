"""From shares in the win, as a search finds them, to chances to win; and the final result."""

from collections.abc import Sequence
from math import exp, log
from typing import Final, NamedTuple

from mauerwerk.core.game import Outcome

_SMALLEST: Final = 1e-6
"""Smaller shares are treated as this one."""


class Lens(NamedTuple):
    """Turns shares in the win into chances to win.

    Where the search plays to the end its shares are chances already. Where it looks only a few
    turns ahead, small advantages decide more than its shares say; see `BotRoom.SHARPNESS`.
    """

    sharpness: float
    """1 leaves shares as they are; more moves them away from even."""

    def chances(self, shares: Sequence[float]) -> tuple[float, ...]:
        """Every seat's chance; together they are 1.

        >>> [round(chance, 2) for chance in Lens(2.0).chances([0.6, 0.4])]
        [0.69, 0.31]
        """
        logs = [self.sharpness * log(max(share, _SMALLEST)) for share in shares]
        weights = [exp(each - max(logs)) for each in logs]
        return tuple(weight / sum(weights) for weight in weights)

    def chance(self, share: float, seats: int) -> float:
        """One seat's chance, if the others share the rest equally."""
        return self.chances([share, *[(1 - share) / (seats - 1)] * (seats - 1)])[0]


def result_of(outcome: Outcome) -> tuple[float, ...]:
    """Each seat's share in the win once the game is over; seats that are first share it."""
    winners = outcome.winners
    return tuple(1 / len(winners) if seat in winners else 0.0 for seat in range(len(outcome.ranks)))
