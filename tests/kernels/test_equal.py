"""Rules and kernels are equal, move by move, in whole games with any set-up.

There are 60 games of each kind here, 2,000 in `make thorough`, and more by `fuzz`.
"""

import random

import pytest
from tests.support.amounts import amount

from mauerwerk.games import GAMES
from mauerwerk.kernels import KERNELS, kernel_of
from mauerwerk.kernels.compare import compare

SHARES = amount(3, 3, 20)
GAMES_A_SHARE = amount(20, 20, 100)


@pytest.mark.parametrize("share", range(SHARES))
@pytest.mark.parametrize("name", KERNELS)
def test_rules_and_kernel_play_the_same_game(name: str, share: int) -> None:
    """Seats to act, legal actions, odds and results agree; sometimes also states and views."""
    draw = random.Random(f"{name}/{share}").randrange
    random_setup = kernel_of(name).random_setup

    moves = [compare(GAMES[name], random_setup(draw), draw) for _ in range(GAMES_A_SHARE)]

    assert min(moves) > 0
