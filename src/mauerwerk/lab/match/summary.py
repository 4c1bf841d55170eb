"""The summary of many games, for `mauerwerk simulate`."""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from mauerwerk.core.game import Outcome, Value
from mauerwerk.lab.intervals import Estimate, mean_from_sums, share_from_sums


class SeatSummary(Value):
    """The results of one seat, with their intervals; every game is a unit."""

    bot: str
    points: Estimate
    rank: Estimate
    wins: Estimate
    """The share of games; winners who share a win have a part of it each."""


class Summary(Value):
    """The results of many games."""

    games: int
    seats: tuple[SeatSummary, ...]
    moves: float
    """The mean per game, nature's included."""
    turns: float
    shortest: int
    """In turns."""
    longest: int
    reasons: dict[str, int]
    """Why the games ended, the most frequent first."""


def _counted(numbers: Any) -> Counter[int]:  # noqa: ANN401 - an array
    """How often each number stands in an array."""
    return Counter(numbers.tolist())


class _Sums:
    """The sum of some numbers, and that of their squares."""

    def __init__(self) -> None:
        self.total = Fraction()
        self.squares = Fraction()

    def add(self, value: int | Fraction, times: int = 1) -> None:
        self.total += times * value
        self.squares += times * value * value


class Tally:
    """Counts games as they are played, and keeps none of them."""

    def __init__(self, bots: Sequence[str]) -> None:
        """The bots that play, one per seat."""
        self._bots = bots
        self._points = [_Sums() for _ in bots]
        self._ranks = [_Sums() for _ in bots]
        self._wins = [_Sums() for _ in bots]
        self._turns: Counter[int] = Counter()
        self._reasons: Counter[str] = Counter()
        self._moves = 0

    def add(self, outcome: Outcome, turns: int, moves: int) -> None:
        """Count one game, by how it ended and how long it was."""
        self._moves += moves
        self._turns[turns] += 1
        self._reasons[outcome.reason] += 1
        for seat, (points, rank) in enumerate(zip(outcome.points, outcome.ranks, strict=True)):
            self._points[seat].add(points)
            self._ranks[seat].add(rank)
        for seat in outcome.winners:
            self._wins[seat].add(Fraction(1, len(outcome.winners)))

    def add_all(self, played: Any) -> None:  # noqa: ANN401 - `batch.Played`, which needs NumPy
        """Count many games that a kernel has played."""
        self._moves += int(played.decisions.sum())
        self._turns += _counted(played.turns)
        for reason, count in _counted(played.reasons).items():
            self._reasons[played.reason_words[reason]] += count
        for seat in range(len(self._bots)):
            for sums, column in (
                (self._points[seat], played.points[:, seat]),
                (self._ranks[seat], played.ranks[:, seat]),
            ):
                for value, count in _counted(column).items():
                    sums.add(value, count)
            won = played.ranks[:, seat] == 1
            for winners, count in _counted((played.ranks[won] == 1).sum(axis=1)).items():
                self._wins[seat].add(Fraction(1, winners), count)

    def __bool__(self) -> bool:
        """Whether it has counted any game."""
        return bool(self._turns)

    def summary(self) -> Summary:
        """The summary, after at least one game."""
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
        points, rank, wins = (
            (float(sums.total), float(sums.squares))
            for sums in (self._points[seat], self._ranks[seat], self._wins[seat])
        )
        return SeatSummary(
            bot=self._bots[seat],
            points=mean_from_sums(games, *points),
            rank=mean_from_sums(games, *rank),
            wins=share_from_sums(games, *wins),
        )
