"""Compile all kernels for the CPU ahead of time, on all cores.

    python -m mauerwerk.kernels.warm

Whoever starts several processes that use kernels does this first, lest each of them compile.
"""

from concurrent.futures import ProcessPoolExecutor
from random import Random
from typing import Any

from mauerwerk.core.game import AnyGame, Setup
from mauerwerk.games import GAMES
from mauerwerk.kernels import KERNELS, kernel_of
from mauerwerk.kernels.batch import Batch, run
from mauerwerk.kernels.compare import compare
from mauerwerk.kernels.counts import counts
from mauerwerk.kernels.tree_search import warm as warm_search


def warm(name: str) -> None:
    """Use each compiled function of a game once, but for the search."""
    game, setup = _smallest(name)
    run(game, setup, 1, seed=1)
    batch = Batch(game, setup, 1, seed=1)
    batch.choose()
    batch.step()
    draw = Random(1).randrange  # noqa: S311 - not a secret
    compare(game, kernel_of(name).any_setup(draw), draw)
    counts(game, setup, seed=1, numbers=range(1))


def search(name: str) -> None:
    """Search once."""
    warm_search(*_smallest(name))


def _smallest(name: str) -> tuple[AnyGame, Setup[Any]]:
    game = GAMES[name]
    return game, Setup(game.SEATS[0], game.OPTIONS())


def main() -> None:
    """The largest first, so that no core waits for it in the end.

    Searches come after the rest: by then the rules they are made of are compiled and kept.
    """
    names = [*KERNELS][::-1]
    with ProcessPoolExecutor() as processes:
        tasks = [processes.submit(task, name) for task in (warm, search) for name in names]
    for task in tasks:
        task.result()


if __name__ == "__main__":
    main()
