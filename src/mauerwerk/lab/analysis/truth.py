"""What an observer knows who sees all cards, and how likely a share in the win makes the win."""

from collections.abc import Sequence
from math import exp, log
from typing import Any, Final, NamedTuple

from mauerwerk.core.game import Outcome, Seat
from mauerwerk.games import burgbaumeister, mauer, mauerbauer
from mauerwerk.games.burgbaumeister import beliefs as of_burgbaumeister
from mauerwerk.games.mauer import beliefs as of_mauer
from mauerwerk.games.mauer.values import Drawing as FirstLot
from mauerwerk.games.mauerbauer import beliefs as of_mauerbauer
from mauerwerk.games.mauerbauer.values import Appointing

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
    ahead and weighs points and cards, which decide more than its shares say.
    """

    sharpness: float

    def chances(self, shares: Sequence[float]) -> tuple[float, ...]:
        """Every seat's chance; together they are 1.

        >>> [round(chance, 2) for chance in Lens(2.0).chances([0.6, 0.4])]
        [0.69, 0.31]
        """
        logs = [self.sharpness * log(max(share, _SMALLEST)) for share in shares]
        weights = [exp(each - max(logs)) for each in logs]
        return tuple(weight / sum(weights) for weight in weights)

    def chance(self, share: float, seats: int) -> float:
        """One seat's chance, where the others have the rest alike."""
        return self.chances([share, *[(1 - share) / (seats - 1)] * (seats - 1)])[0]


LENSES: Final = {mauer.NAME: Lens(1.0), burgbaumeister.NAME: Lens(1.0), mauerbauer.NAME: Lens(1.8)}
"""That of Mauerbauer was fitted to who won in 270 games of two to four bots: of one kind, and of
several mixed. It fits all parts of a game; what it amounts to is measured by `bench/analysis.py`.
"""


def result_of(outcome: Outcome) -> tuple[float, ...]:
    """What each seat has of the win once it is over: those who are first share it."""
    winners = outcome.winners
    return tuple(1 / len(winners) if seat in winners else 0.0 for seat in range(len(outcome.ranks)))
