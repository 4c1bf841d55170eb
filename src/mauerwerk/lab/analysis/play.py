"""How a game was played: mistakes counted against what was at stake, and luck.

A lost game has nothing more to lose, so by mistakes per decision a hopeless player would look
accurate. Therefore a decision is graded by its stake, the gap between its best and its worst
choice, and only where there was something at stake and something to hope for.
"""

from collections.abc import Sequence
from typing import Final, Literal, TypeAlias

from mauerwerk.core.game import Seat, Value
from mauerwerk.lab.analysis.results import AnalysedPosition, Analysis, change, swings

Grade: TypeAlias = Literal["sound", "small", "large"]
GRADES: Final[tuple[Grade, ...]] = ("sound", "small", "large")

MATTERS: Final = 0.05
"""A decision matters from this stake on, as a chance to win."""
SMALL: Final = 0.1
LARGE: Final = 0.5
"""From which share of its stake on what a decision lost is a small, and a large mistake."""
HOPELESS: Final = 0.05
"""With a smaller chance to win, nothing is counted."""
ENOUGH: Final = 10
"""With fewer decisions that mattered, nobody is said to have played best."""
ALIKE: Final = 0.05
"""Shares that are closer than this count as equal."""
MOST_SHOWN: Final = 2
"""How many of a seat's mistakes are worth another look."""
LUCK: Final = (0.05, 0.15, 0.3)
"""From which change of the chance on somebody was a little lucky, lucky, and very lucky."""


class Graded(Value):
    """A decision that mattered."""

    at: int
    """The number of moves before it."""
    grade: Grade
    cost: float


class Played(Value):
    """How one seat played."""

    decisions: tuple[Graded, ...]
    """Those that mattered, in the order of the game."""
    given_away: float
    """The share of all that was at stake in them which the seat lost, from 0 to 1."""
    hopeless: int
    """How many decisions are not counted because there was nothing left to hope for."""
    luck: float
    """The total change of its chance by nature's moves."""
    luckiest: int | None
    """The number of moves before the move of nature that made most of this luck."""

    def count(self, grade: Grade) -> int:
        """How many decisions have this grade."""
        return sum(each.grade == grade for each in self.decisions)

    @property
    def to_look_at(self) -> tuple[Graded, ...]:
        """The mistakes that cost most, in the order of the game."""
        wrong = [each for each in self.decisions if each.grade != "sound"]
        worst = sorted(wrong, key=lambda each: -each.cost)[:MOST_SHOWN]
        return tuple(sorted(worst, key=lambda each: each.at))

    @property
    def degree_of_luck(self) -> int:
        """From -3, very unlucky, to 3, very lucky; 0 is about even."""
        size = sum(abs(self.luck) >= least for least in LUCK)
        return size if self.luck > 0 else -size


def how_played(found: Analysis) -> tuple[Played, ...]:
    """How each seat played."""
    return tuple(_played(found, Seat(seat)) for seat in range(len(found.luck)))


def best_players(played: Sequence[Played]) -> tuple[Seat, ...]:
    """The seat that gave least away, with those that did equally well.

    Nobody, where too few decisions of somebody mattered.
    """
    if min(len(each.decisions) for each in played) < ENOUGH:
        return ()
    least = min(each.given_away for each in played)
    shares = enumerate(each.given_away for each in played)
    return tuple(Seat(seat) for seat, share in shares if share - least < ALIKE)


def _played(found: Analysis, seat: Seat) -> Played:
    own = [each for each in found.positions if each.seat == seat and each.stake >= MATTERS]
    counted = [each for each in own if each.chances[seat] >= HOPELESS]
    stakes = sum(each.stake for each in counted)
    return Played(
        decisions=tuple(Graded(each.at, _grade(each), each.cost) for each in counted),
        given_away=sum(each.cost for each in counted) / stakes if stakes else 0.0,
        hopeless=len(own) - len(counted),
        luck=found.luck[seat],
        luckiest=_luckiest(found, seat),
    )


def _grade(position: AnalysedPosition) -> Grade:
    share = position.cost / position.stake
    return "sound" if share < SMALL else "small" if share < LARGE else "large"


def _luckiest(found: Analysis, seat: Seat) -> int | None:
    """Of nature's moves, the one that helped most; where a seat was unlucky, that harmed most."""
    sign = 1 if found.luck[seat] > 0 else -1
    changes = [
        (sign * change(before, after)[seat], after.at - 1)
        for before, after in swings(found.positions)
        if found.positions[after.at - 1].seat is None
    ]
    most, at = max(changes, default=(0.0, 0))
    return at if most > 0 else None
