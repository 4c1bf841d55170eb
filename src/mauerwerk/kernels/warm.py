"""Compile all kernels for the CPU ahead of time, each game in a process of its own.

    python -m mauerwerk.kernels.warm

Whoever starts several processes that use kernels does this first, lest each of them compile.
"""

from concurrent.futures import ProcessPoolExecutor
from random import Random

from mauerwerk.core.game import Setup
from mauerwerk.games import GAMES
from mauerwerk.kernels import KERNELS, kernel_of
from mauerwerk.kernels.batch import Batch, run
from mauerwerk.kernels.compare import compare
from mauerwerk.kernels.tree_search import warm as warm_search


def warm(name: str) -> None:
    """Use each compiled function of a game once."""
    game = GAMES[name]
    setup = Setup(game.SEATS[0], game.OPTIONS())
    run(game, setup, 1, seed=1)
    batch = Batch(game, setup, 1, seed=1)
    batch.choose()
    batch.step()
    draw = Random(1).randrange  # noqa: S311 - not a secret
    compare(game, kernel_of(name).any_setup(draw), draw)
    warm_search(game, setup)


def main() -> None:
    """The largest first, so that no core waits for it in the end."""
    with ProcessPoolExecutor() as processes:
        list(processes.map(warm, reversed(list(KERNELS))))


if __name__ == "__main__":
    main()
