"""How a game was played: mistakes are counted against what was at stake."""

from mauerwerk.core.game import Seat
from mauerwerk.lab.analysis import AnalysedPosition, Judged
from mauerwerk.lab.analysis.play import ENOUGH, best_players, how_played
from mauerwerk.lab.analysis.results import Analysis, sum_up


def decision(
    at: int, stake: float, cost: float, *, seat: int = 0, own: float = 0.5
) -> AnalysedPosition:
    """A decision of a game of two, in which the seat has this chance."""
    chances = (own, 1 - own) if seat == 0 else (1 - own, own)
    choices = (Judged("+", own, 9), Judged("-", own - cost, 9))
    return AnalysedPosition(at, chances, Seat(seat), "-", choices, cost, stake)


def analysis(*positions: AnalysedPosition) -> Analysis:
    """An analysis of these positions."""
    return sum_up("", "search", positions, None)


def test_a_mistake_is_measured_by_what_was_at_stake() -> None:
    """The same loss is nothing where much could be lost, and large where little could."""
    found = analysis(
        decision(0, stake=0.6, cost=0.05),
        decision(1, stake=0.2, cost=0.05),
        decision(2, stake=0.1, cost=0.05),
        decision(3, stake=0.04, cost=0.04),
    )
    mine, other = how_played(found)

    assert [(each.at, each.grade) for each in mine.decisions] == [
        (0, "sound"),
        (1, "small"),
        (2, "large"),
    ]
    assert round(mine.given_away, 3) == round(0.15 / 0.9, 3)
    assert (other.decisions, other.given_away) == ((), 0.0)


def test_a_lost_game_cannot_be_lost_again() -> None:
    """Somebody without a chance makes neither mistakes nor good decisions."""
    found = analysis(
        decision(0, stake=0.3, cost=0.3, own=0.4),
        decision(1, stake=0.06, cost=0.0, own=0.049),
        decision(2, stake=0.06, cost=0.0, own=0.05),
    )
    (mine, _) = how_played(found)

    assert [each.at for each in mine.decisions] == [0, 2]
    assert mine.hopeless == 1


def test_two_mistakes_at_most_are_worth_another_look() -> None:
    """Those that cost most, in the order of the game."""
    costs = (0.1, 0.25, 0.0, 0.2)
    found = analysis(*(decision(at, 0.3, cost) for at, cost in enumerate(costs)))

    assert [each.at for each in how_played(found)[0].to_look_at] == [1, 3]


def test_who_played_best_is_said_only_where_it_can_be() -> None:
    """Not after few decisions, and not of one of two who gave away about the same."""

    def game(number: int, mine: float, other: float) -> Analysis:
        costs = [(0, mine), (1, other)] * number
        return analysis(
            *(decision(at, 0.5, cost, seat=seat) for at, (seat, cost) in enumerate(costs))
        )

    assert best_players(how_played(game(ENOUGH, 0.05, 0.2))) == (0,)
    assert best_players(how_played(game(ENOUGH, 0.05, 0.06))) == (0, 1)
    assert best_players(how_played(game(ENOUGH - 1, 0.05, 0.2))) == ()


def test_luck_is_said_in_seven_degrees() -> None:
    """By what dice and cards changed in all; the move that changed most is named."""
    path = [
        AnalysedPosition(0, (0.5, 0.5), None, "a"),
        AnalysedPosition(1, (0.55, 0.45), None, "b"),
        AnalysedPosition(2, (0.75, 0.25), Seat(0), "c"),
        AnalysedPosition(3, (0.75, 0.25)),
    ]
    mine, other = how_played(analysis(*path))

    assert (mine.degree_of_luck, mine.luckiest) == (2, 1)
    assert (other.degree_of_luck, other.luckiest) == (-2, 1)
    even, _ = how_played(analysis(path[0]))
    assert (even.degree_of_luck, even.luckiest) == (0, None)
