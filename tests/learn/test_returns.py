"""What came of a decision: along the chain of a whole game, or of one seat."""

from typing import Any

import pytest

torch: Any = pytest.importorskip("torch")

from mauerwerk.learn.rollout import advantages, lambda_returns, to_fixed_seats, to_own_seats  # noqa: E402 - it needs PyTorch

pytestmark = [pytest.mark.foreign, pytest.mark.kernels]

LAMBDA = 0.9


def returns_of(
    first: list[float], over: list[int], decided: list[list[int]] | None = None
) -> tuple[Any, Any]:
    """Returns of the first seat's share, and where they are known; the second seat wins.

    One game of two seats: what the first seat is expected to have at each step, and after the last.
    """
    steps = len(over)
    shares = torch.tensor(first)
    values = torch.zeros(steps + 1, 1, 2, 2)
    values[:, 0, 0] = torch.stack((shares, 1 - shares), dim=1)
    outcomes = torch.zeros(steps, 1, 2, 2)
    outcomes[:, 0, 0] = torch.tensor([0.0, 1.0])
    done = torch.tensor(over)[:, None].bool()
    chain = None if decided is None else torch.tensor(decided)[:, None].bool()
    found, known = lambda_returns(values, outcomes, done, LAMBDA, chain)
    return found[:, 0, 0], known[:, 0]


def test_a_chain_of_the_game_goes_through_decisions_of_everybody() -> None:
    """What is expected at the next decision counts, whoever makes it."""
    found, known = returns_of([0.5, 0.6, 0.7, 0.4], [0, 0, 0])

    assert known.all()
    last = 0.4
    middle = 0.1 * 0.7 + 0.9 * last
    assert found[2, 0] == pytest.approx(last)
    assert found[1, 0] == pytest.approx(middle)
    assert found[0, 0] == pytest.approx(0.1 * 0.6 + 0.9 * middle)
    assert torch.allclose(found.sum(dim=1), torch.ones(3))


def test_the_end_reaches_every_step_before_it() -> None:
    """The outcome takes the place of what would be expected next."""
    found, _ = returns_of([0.5, 0.6, 0.9], [0, 1])

    assert found[1].tolist() == pytest.approx([0.0, 1.0])
    assert found[0, 0] == pytest.approx(0.1 * 0.6)


def test_nothing_is_carried_over_from_the_next_game() -> None:
    """What is expected there does not matter to the one that has ended."""
    found, _ = returns_of([0.5, 0.9, 0.9], [1, 0])

    assert found[0, 0] == pytest.approx(0.0)
    assert found[1, 0] == pytest.approx(0.9)


def test_the_end_reaches_a_seat_that_was_not_asked_last() -> None:
    """On a chain of its own, each seat's later values count, but never those of another seat."""
    decided = [[1, 0], [0, 1], [0, 1], [0, 0]]
    found, known = returns_of([0.5, 0.4, 0.3, 0.0], [0, 0, 1], decided)

    assert known.all()
    assert found[0, 0] == pytest.approx(0.0)
    assert found[2, 1] == pytest.approx(1.0)
    assert found[1, 1] == pytest.approx(0.1 * 0.7 + 0.9)


def test_a_rollout_that_stops_judges_by_the_last_value_of_the_seat() -> None:
    """On a chain of its own, the last decision itself has nothing after it."""
    found, known = returns_of([0.5, 0.25, 0.1], [0, 0], [[1, 0], [1, 0], [0, 0]])

    assert known[:, 0].tolist() == [True, False]
    assert found[0, 0] == pytest.approx(0.25)


def test_vectors_are_turned_to_fixed_seats_and_back() -> None:
    """A row counts seats from its own."""
    own = torch.tensor([[10.0, 20.0, 30.0]])
    seat = torch.tensor([2], dtype=torch.int8)

    fixed = to_fixed_seats(own, seat)

    assert fixed.tolist() == [[20.0, 30.0, 10.0]]
    assert torch.equal(to_own_seats(fixed, seat), own)


@pytest.mark.parametrize("aim", [1, -1])
def test_leading_by_points_is_better_where_they_win(aim: int) -> None:
    """Where few points win, fewer are better; a win counts twice a share."""
    returns = torch.tensor([[[0.5, 0.5], [3.0, 1.0]]])

    assert advantages(returns, torch.full_like(returns, 0.5), aim, 1.0).item() == aim * 2.0
    won = returns.clone()
    won[:, 0] = torch.tensor([1.0, 0.0])
    assert advantages(won, returns, aim, 1.0).item() == 1.0
