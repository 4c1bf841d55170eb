"""The moments of a game that are worth telling: mistakes, luck and turns."""

from mauerwerk.core.game import Seat
from mauerwerk.lab.analysis import AnalysedPosition, Judged
from mauerwerk.lab.analysis.results import MOST_MOMENTS, sum_up


def position(at: int, own: float, seat: int | None = 0, cost: float = 0.0) -> AnalysedPosition:
    """A game of two, seen by the first; what would have been better is `+`."""
    choices = (Judged("+", own + cost, 9), Judged("-", own, 9)) if cost else ()
    mover = None if seat is None else Seat(seat)
    return AnalysedPosition(at, (own, 1 - own), mover, "-", choices, cost)


def test_a_mistake_is_told_once_and_luck_is_not_anybodys_fault() -> None:
    """Three swings: a mistake that the curve shows too, a lucky roll, a turn by the other."""
    path = [
        position(0, 0.5, cost=0.2),
        position(1, 0.3, None),
        position(2, 0.6, 1),
        position(3, 0.45),
        position(4, 0.44),
    ]
    found = sum_up("", "search", path, None)

    assert [(each.at, each.kind, each.seat, round(each.swing, 2)) for each in found.moments] == [
        (0, "mistake", 0, -0.2),
        (1, "luck", 0, 0.3),
        (2, "turn", 1, 0.15),
    ]
    assert found.moments[0].better == "+"
    assert found.lost == (0.2, 0.0)
    assert [round(each, 2) for each in found.luck] == [0.3, -0.3]


def test_luck_is_what_nature_did_after_a_forced_move() -> None:
    """A player's move before it changed nothing, so it is not what they were lucky with."""
    path = [position(0, 0.5), position(1, 0.5, None), position(2, 0.7)]
    (found,) = sum_up("", "search", path, None).moments

    assert (found.at, found.kind, found.seat) == (1, "luck", 0)


def test_of_many_moments_the_greatest_are_told_in_order() -> None:
    """A game that goes to and fro has more swings than anybody wants to read."""
    swings = [0.05, 0.3, 0.06, 0.25, 0.07, 0.2, 0.08, 0.15, 0.09, 0.1]
    own, path = 0.5, [position(0, 0.5, None)]
    for at, swing in enumerate(swings, start=1):
        own += swing if at % 2 else -swing
        path.append(position(at, own, None))
    found = sum_up("", "search", path, None)

    assert [each.at for each in found.moments] == sorted(each.at for each in found.moments)
    assert (
        sorted(round(abs(each.swing), 2) for each in found.moments)
        == sorted(swings)[-MOST_MOMENTS:]
    )
