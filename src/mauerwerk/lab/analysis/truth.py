"""What an observer knows who sees all cards, and how likely a share in the win makes the win."""

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from math import exp, log
from typing import Any, Final, NamedTuple

from mauerwerk.core.game import Outcome, Seat
from mauerwerk.games import burgbaumeister, mauer
from mauerwerk.games.burgbaumeister import beliefs as of_burgbaumeister
from mauerwerk.games.mauer import beliefs as of_mauer
from mauerwerk.games.mauer.values import Drawing as FirstLot
from mauerwerk.games.mauerbauer import beliefs as of_mauerbauer
from mauerwerk.games.mauerbauer.values import (
    FULL_SUPPLY,
    Adding,
    Appointing,
    Drawing,
    Scoring,
    Supply,
    Swapping,
)

_SMALLEST: Final = 1e-6
"""No share is taken to be less."""


def certainty(name: str, state: Any, events: Sequence[Any], seat: Seat) -> Any:  # noqa: ANN401 - the game's own
    """What this seat would believe if it saw all hands.

    In Burgbaumeister everybody is told everything (BB-9), so it is what a seat knows that has
    forgotten nothing; what nobody has seen is not decided.
    """
    if name == burgbaumeister.NAME:
        return of_burgbaumeister.after(of_burgbaumeister.begin(), events)
    if name == mauer.NAME:
        return _open_pieces(state)
    return _open_cards(state, seat)


def _open_pieces(state: Any) -> of_mauer.Belief:  # noqa: ANN401 - any state of Die Mauer
    if isinstance(state, FirstLot):
        return of_mauer.begin(state.seats)
    return of_mauer.Belief(state.table.wall, (of_mauer.World(state.table.hands, 1),))


def _open_cards(state: Any, seat: Seat) -> of_mauerbauer.Belief:  # noqa: ANN401 - of Mauerbauer
    """Every hand is a shift of its own that fills it, and the pile is one that fills none."""
    if isinstance(state, Appointing):
        return of_mauerbauer.begin(state.seats, seat)
    table = state.table
    places = range(len(table.hands))
    shifts = tuple(
        of_mauerbauer.Shift(hand, tuple(len(hand) if each == other else 0 for each in places))
        for other, hand in enumerate(table.hands)
        if other != seat
    )
    pile = of_mauerbauer.Shift(table.pile, (0,) * len(table.hands))
    only = of_mauerbauer.Hypothesis((*shifts, pile), 1)
    return of_mauerbauer.Belief(seat, table.hands[seat], table.discard, (only,))


# --- From shares to chances ------------------------------------------------------------------


class Lens(NamedTuple):
    """How shares in the win look as chances to win.

    In Die Mauer and Burgbaumeister the search tells chances. In Mauerbauer it looks a few turns
    ahead and judges by points, which decide the more the nearer the end is; before that, cards
    in hand tell more than it thinks.
    """

    sharpness: float
    tilts: tuple[float, ...]
    """What each seat has besides, in logarithms."""

    def chances(self, shares: Sequence[float]) -> tuple[float, ...]:
        """Every seat's chance; together they are 1.

        >>> [round(chance, 2) for chance in Lens(2.0, (0.0, 0.0)).chances([0.6, 0.4])]
        [0.69, 0.31]
        """
        logs = [
            self.sharpness * log(max(share, _SMALLEST)) + tilt
            for share, tilt in zip(shares, self.tilts, strict=True)
        ]
        weights = [exp(each - max(logs)) for each in logs]
        return tuple(weight / sum(weights) for weight in weights)

    def chance(self, share: float, seat: Seat) -> float:
        """One seat's chance, where the others have the rest alike."""
        seats = len(self.tilts)
        rest = [(1 - share) / (seats - 1)] * seats
        return self.chances([*rest[:seat], share, *rest[seat + 1 :]])[seat]


_LENSES: Final = (
    (0.00, 2.30, 0.00),
    (0.03, 2.10, 0.00),
    (0.08, 1.50, 0.25),
    (0.15, 1.30, 0.32),
    (0.24, 1.30, 0.48),
    (0.37, 0.80, 0.30),
    (0.51, 0.30, 0.15),
    (0.68, 0.15, 0.12),
    (1.00, 0.05, 0.05),
)
"""Mauerbauer: with so much of the supply left, the sharpness, and what a card in hand is worth.

Fitted to who won in 600 games of two to four bots: of one kind, and of several mixed. What it
amounts to is measured by `bench/analysis.py`."""


def lens_for(name: str, state: Any, seats: int) -> Lens:  # noqa: ANN401 - the game's own
    """How shares are to be read in this state; what it depends on is public."""
    if name in {mauer.NAME, burgbaumeister.NAME}:
        return Lens(1.0, (0.0,) * seats)
    if isinstance(state, Appointing):
        return Lens(_LENSES[-1][1], (0.0,) * seats)
    sharpness, card = _between(_left(state))
    return Lens(sharpness, tuple(card * number for number in _cards(state)))


def _between(left: float) -> tuple[float, float]:
    for low, high in pairwise(_LENSES):
        if left <= high[0]:
            part = (left - low[0]) / (high[0] - low[0])
            return low[1] + part * (high[1] - low[1]), low[2] + part * (high[2] - low[2])
    return _LENSES[-1][1:]


def _left(state: Any) -> float:  # noqa: ANN401 - of Mauerbauer
    """How much is left of what runs out first, which ends the game (MB-70)."""
    if state.table.ending is not None:
        return 0.0
    supply: Supply = state.table.supply
    return min(
        supply.walls / FULL_SUPPLY.walls,
        sum(supply.towers) / sum(FULL_SUPPLY.towers),
        sum(supply.houses) / sum(FULL_SUPPLY.houses),
        sum(supply.palaces) / sum(FULL_SUPPLY.palaces),
    )


def _cards(state: Any) -> tuple[int, ...]:  # noqa: ANN401 - of Mauerbauer
    """How many cards each has to play: those owed count, one that must be laid now does not."""
    numbers = Counter({Seat(seat): len(hand) for seat, hand in enumerate(state.table.hands)})
    match state:
        case Drawing(owed=owed):
            numbers.update(owed)
        case Swapping(swappers=(first, *_), swapped=swapped):
            numbers[first] += swapped
        case Scoring(waiting=waiting, laid=laid) | Adding(waiting=(_, *waiting), laid=laid):
            numbers.subtract(waiting)
            numbers.update(each.seat for each in laid if each.discarded)
        case _:
            pass
    return tuple(numbers[Seat(seat)] for seat in range(len(state.table.hands)))


def result_of(outcome: Outcome) -> tuple[float, ...]:
    """What each seat has of the win once it is over: those who are first share it."""
    winners = outcome.winners
    return tuple(1 / len(winners) if seat in winners else 0.0 for seat in range(len(outcome.ranks)))
