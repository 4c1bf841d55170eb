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
        return _normal([self.sharpness * _log(share) for share in shares])

    def chance(self, share: float, seats: int) -> float:
        """One seat's chance, if the others share the rest equally."""
        return self.chances([share, *[(1 - share) / (seats - 1)] * (seats - 1)])[0]


def pool(searched: Sequence[float], expected: Sequence[float], share: float) -> tuple[float, ...]:
    """Two estimates as one: their geometric mean, with a share from 0 to 1 for what is expected.

    Unlike the arithmetic mean it gives no hope to a seat that has none by one of them.

    >>> [round(chance, 2) for chance in pool([0.8, 0.2], [0.5, 0.5], 0.5)]
    [0.67, 0.33]
    >>> [round(chance, 2) for chance in pool([1.0, 0.0], [0.5, 0.5], 0.1)]
    [1.0, 0.0]
    """
    pairs = zip(searched, expected, strict=True)
    return _normal([(1 - share) * _log(one) + share * _log(other) for one, other in pairs])


def result_of(outcome: Outcome) -> tuple[float, ...]:
    """Each seat's share in the win once the game is over; seats that are first share it."""
    winners = outcome.winners
    return tuple(1 / len(winners) if seat in winners else 0.0 for seat in range(len(outcome.ranks)))


def _log(share: float) -> float:
    return log(max(share, _SMALLEST))


def _normal(logs: Sequence[float]) -> tuple[float, ...]:
    """Chances with these logarithms, apart from a common factor, that are 1 together."""
    weights = [exp(each - max(logs)) for each in logs]
    return tuple(weight / sum(weights) for weight in weights)
