"""Returns along whole games: what came of each decision, and how much better than expected.

Values form one chain per game over everybody's decisions. At each step they are a vector: what each
seat will have, in the fixed order of seats, of each of two heads (shares of the win, and points).
A seat that is to act predicts its own part of the vector, and the mean of all that are to act
predicts the parts of the others. Returns are TD(lambda) along this chain, whoever decides next.

The alternative, for comparison, is a chain for each seat over its own decisions alone.
"""

from importlib import import_module
from typing import Any

from mauerwerk.learn.network import Tensor

torch: Any = import_module("torch")


def lambda_returns(
    values: Tensor, outcomes: Tensor, done: Tensor, gae_lambda: float, on_chain: Tensor = None
) -> tuple[Tensor, Tensor]:
    """TD(lambda) returns of each step for each seat, and where they are known.

    `values` are by steps, games, heads and seats; the last step is the one after the rollout.
    `outcomes` are those of games that ended with a step, as `done` says, by steps and games.
    `on_chain` says by steps, games and seats which steps belong to the chain of a seat; None: all.
    A return is unknown where nothing on the chain follows.
    """
    steps, games, _, seats = outcomes.shape
    returns = torch.empty_like(outcomes)
    known_at = torch.ones(steps, games, seats, dtype=torch.bool, device=values.device)
    later = value = values[steps]
    known = on_chain[steps] if on_chain is not None else known_at[0]
    for step in reversed(range(steps)):
        ended = done[step][:, None, None]
        value = torch.where(ended, outcomes[step], value)
        later = torch.where(ended, outcomes[step], later)
        mixed = torch.lerp(value, later, gae_lambda)
        returns[step] = mixed
        if on_chain is None:
            value, later = values[step], mixed
        else:
            here = on_chain[step][:, None]
            known = known | done[step][:, None]
            known_at[step] = known
            later = torch.where(here, torch.where(known[:, None], mixed, values[step]), later)
            value = torch.where(here, values[step], value)
            known = known | on_chain[step]
    return returns, known_at


def to_fixed_seats(predicted: Tensor, row_seats: Tensor) -> Tensor:
    """Vectors that rows count from their own seats, in the fixed order of seats (last axis)."""
    return _turned(predicted, -row_seats)


def to_own_seats(fixed: Tensor, row_seats: Tensor) -> Tensor:
    """Vectors in the fixed order of seats, as rows count them from their own seats (last axis)."""
    return _turned(fixed, row_seats)


def _turned(vectors: Tensor, by: Tensor) -> Tensor:
    seats = vectors.shape[-1]
    places = (torch.arange(seats, device=vectors.device) + by.long()[..., None]) % seats
    return vectors.gather(-1, places.expand(vectors.shape))


def advantages(returns: Tensor, predicted: Tensor, aim: int, points_weight: float) -> Tensor:
    """How much better each decision came out than expected, for the seat that made it.

    Both are by heads and seats, counted from the one that decides. A win counts 1 and a loss -1.
    Where few points win, `aim` is -1.
    """
    better = returns - predicted
    others = better[..., 1, 1:].mean(dim=-1)
    return 2 * better[..., 0, 0] + points_weight * aim * (better[..., 1, 0] - others)
