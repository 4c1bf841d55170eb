"""Rules and kernels are equal, move by move: 2,000 whole games of each game, and more by `fuzz`."""

import random

import pytest

from mauerwerk.games import GAMES
from mauerwerk.kernels import KERNELS, kernel_of
from mauerwerk.kernels.compare import compare

SHARES = 20
GAMES_A_SHARE = 100


@pytest.mark.parametrize("share", range(SHARES))
@pytest.mark.parametrize("name", KERNELS)
def test_rules_and_kernel_play_the_same_game(name: str, share: int) -> None:
    """Who acts, what they may do, what nature may, how it ends; states and views now and then."""
    draw = random.Random(f"{name}/{share}").randrange
    any_setup = kernel_of(name).any_setup

    moves = [compare(GAMES[name], any_setup(draw), draw) for _ in range(GAMES_A_SHARE)]

    assert min(moves) > 0
