"""What many games have in common."""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from math import sqrt
from typing import TYPE_CHECKING, Any

from mauerwerk.core.game import Value
from mauerwerk.lab.match.match import Played

if TYPE_CHECKING:  # it brings NumPy, which only the extra `kernels` installs
    from mauerwerk.kernels.play.batch import Played as ManyPlayed


class SeatSummary(Value):
    """How one seat fared."""

    bot: str
    points: float
    """The mean."""
    points_error: float
    """The standard error of that mean."""
    rank: float
    """The mean."""
    wins: float
    """The share of games; who shares a win has a share of it."""


class Summary(Value):
    """How many games went, on the whole."""

    games: int
    seats: tuple[SeatSummary, ...]
    moves: float
    """A game's, on average; nature's included."""
    turns: float
    shortest: int
    """In turns."""
    longest: int
    reasons: dict[str, int]
    """Why the games ended, the most frequent first."""


def _counted(numbers: Any) -> Counter[int]:  # noqa: ANN401 - an array
    """How often each number stands in an array."""
    return Counter(numbers.tolist())


class Tally:
    """Counts games as they are played, and keeps none of them."""

    def __init__(self, bots: Sequence[str]) -> None:
        """The bots that play, a seat each."""
        self._bots = bots
        self._points = [0] * len(bots)
        self._squares = [0] * len(bots)
        self._ranks = [0] * len(bots)
        self._wins = [Fraction()] * len(bots)
        self._turns: Counter[int] = Counter()
        self._reasons: Counter[str] = Counter()
        self._moves = 0

    def add(self, played: Played) -> None:
        """One game more."""
        outcome = played.outcome
        self._moves += len(played.record.moves)
        self._turns[played.turns] += 1
        self._reasons[outcome.reason] += 1
        for seat, (points, rank) in enumerate(zip(outcome.points, outcome.ranks, strict=True)):
            self._points[seat] += points
            self._squares[seat] += points * points
            self._ranks[seat] += rank
        for seat in outcome.winners:
            self._wins[seat] += Fraction(1, len(outcome.winners))

    def add_all(self, played: "ManyPlayed") -> None:
        """Many games that a kernel has played."""
        self._moves += int(played.decisions.sum())
        self._turns += _counted(played.turns)
        for reason, count in _counted(played.reasons).items():
            self._reasons[played.reason_words[reason]] += count
        for seat in range(len(self._bots)):
            points = played.points[:, seat].astype("int64")
            self._points[seat] += int(points.sum())
            self._squares[seat] += int((points * points).sum())
            self._ranks[seat] += int(played.ranks[:, seat].sum())
            won = played.ranks[:, seat] == 1
            for winners, count in _counted((played.ranks[won] == 1).sum(axis=1)).items():
                self._wins[seat] += Fraction(count, winners)

    def summary(self) -> Summary:
        """What there is to say after at least one game."""
        games = self._turns.total()
        return Summary(
            games=games,
            seats=tuple(self._seat(seat, games) for seat in range(len(self._bots))),
            moves=self._moves / games,
            turns=sum(turns * count for turns, count in self._turns.items()) / games,
            shortest=min(self._turns),
            longest=max(self._turns),
            reasons=dict(self._reasons.most_common()),
        )

    def _seat(self, seat: int, games: int) -> SeatSummary:
        mean = self._points[seat] / games
        variance = (self._squares[seat] - mean * self._points[seat]) / max(games - 1, 1)
        return SeatSummary(
            bot=self._bots[seat],
            points=mean,
            points_error=sqrt(max(variance, 0.0) / games),
            rank=self._ranks[seat] / games,
            wins=float(self._wins[seat] / games),
        )
