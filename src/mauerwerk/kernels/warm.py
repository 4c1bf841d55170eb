"""Compile all kernels for the CPU ahead of time, on all cores.

    python -m mauerwerk.kernels.warm

Do this before starting several processes that use kernels, so that they do not all compile the
same code. What is in the cache already is not compiled again. Batches that remember are left out:
they take long, and few use them.
"""

import os
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from random import Random
from typing import Any, Final

from mauerwerk.core.game import AnyGame, Setup
from mauerwerk.games import GAMES
from mauerwerk.kernels import KERNELS, kernel_of
from mauerwerk.kernels.cache import VARIABLE, folder
from mauerwerk.kernels.compare import compare, compare_memory
from mauerwerk.kernels.counting import counts, deal
from mauerwerk.kernels.networks.players import GREEDY, Players, can_seat
from mauerwerk.kernels.play.batch import Batch, run
from mauerwerk.kernels.play.single import stepper_of
from mauerwerk.kernels.search.search import warm as warm_search


def rules(name: str) -> None:
    """Play a game; all other tasks use the functions that this compiles."""
    run(*_smallest(name), 1, seed=1)


def search(name: str) -> None:
    """Search once."""
    warm_search(*_smallest(name))


def batches(name: str) -> None:
    """Go one step with a batch, and one with packed rows."""
    for packed in (False, True):
        batch = Batch(*_smallest(name), 1, seed=1, packed=packed)
        batch.choose()
        if len(batch.suggestions):
            batch.suggest()
        batch.step()


def counting(name: str) -> None:
    """Count one game."""
    counts(*_smallest(name), seed=1, numbers=range(1))


def players(name: str) -> None:
    """Let rules of thumb play for a study, and deal once for luck."""
    game, setup = _smallest(name)
    greedy = Players((GREEDY,) * setup.seats)
    if can_seat(game, greedy):
        counts(game, setup, seed=1, numbers=range(1), players=greedy)
        deal(game, setup, greedy, (1, 1), row=0, games=1)


def positions(name: str) -> None:
    """Compare one game with the rules."""
    draw = Random(1).randrange  # noqa: S311 - not a secret
    compare(GAMES[name], kernel_of(name).random_setup(draw), draw)


def memories(name: str) -> None:
    """Compare what one game remembers with beliefs."""
    if hasattr(kernel_of(name), "memory"):
        draw = Random(1).randrange  # noqa: S311 - not a secret
        compare_memory(GAMES[name], kernel_of(name).random_setup(draw), draw)


def steps(name: str) -> None:
    """Go one step as adapters do, and then to the end."""
    stepper = stepper_of(name, _smallest(name)[1])
    record = stepper.start()
    look = stepper.decision(record)
    stepper.move(record, look.mover, look.numbers[0])
    stepper.features(record, 0)
    stepper.ranks(record)


AFTER_RULES: Final[tuple[Callable[[str], None], ...]] = (
    search,
    batches,
    players,
    counting,
    positions,
    memories,
    steps,
)
"""The longest first."""


def _smallest(name: str) -> tuple[AnyGame, Setup[Any]]:
    game = GAMES[name]
    return game, Setup(game.SEATS[0], game.OPTIONS())


def warm(name: str) -> None:
    """Use each compiled function of a game once."""
    for task in (rules, *AFTER_RULES):
        task(name)


def _cores() -> int:
    """How many cores this process may use."""
    allowed = getattr(os, "sched_getaffinity", None)
    return len(allowed(0)) if allowed else os.cpu_count() or 1


def main() -> None:
    """Each game's rules come before its other tasks: two processes would compile them twice."""
    if place := folder():
        os.environ[VARIABLE] = str(place.parent)  # one decision, and one message, for all processes
    largest_first = [*KERNELS][::-1]
    with ProcessPoolExecutor(_cores()) as processes:
        of_rules = {processes.submit(rules, name): name for name in largest_first}
        others: list[Future[None]] = []
        for done in as_completed(of_rules):
            done.result()
            others += [processes.submit(task, of_rules[done]) for task in AFTER_RULES]
        for other in others:
            other.result()


if __name__ == "__main__":
    main()
