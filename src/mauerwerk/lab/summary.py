"""What many games have in common."""

from collections import Counter
from collections.abc import Sequence
from statistics import fmean, stdev

from mauerwerk.core.game import Value
from mauerwerk.lab.match import Played


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


def summarise(played: Sequence[Played], bots: Sequence[str]) -> Summary:
    """Sum up at least one game."""
    turns = [game.turns for game in played]
    return Summary(
        games=len(played),
        seats=tuple(_seat(played, seat, bot) for seat, bot in enumerate(bots)),
        moves=fmean(len(game.record.moves) for game in played),
        turns=fmean(turns),
        shortest=min(turns),
        longest=max(turns),
        reasons=dict(Counter(game.outcome.reason for game in played).most_common()),
    )


def _seat(played: Sequence[Played], seat: int, bot: str) -> SeatSummary:
    outcomes = [game.outcome for game in played]
    points = [outcome.points[seat] for outcome in outcomes]
    spread = stdev(points) if points[1:] else 0.0
    return SeatSummary(
        bot=bot,
        points=fmean(points),
        points_error=spread / len(points) ** 0.5,
        rank=fmean(outcome.ranks[seat] for outcome in outcomes),
        wins=fmean((outcome.ranks[seat] == 1) / len(outcome.winners) for outcome in outcomes),
    )
