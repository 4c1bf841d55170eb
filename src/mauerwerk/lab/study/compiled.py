"""Games of uniform players counted in compiled code, by the thousand."""

from importlib import import_module
from importlib.util import find_spec
from typing import Any

from mauerwerk.core.game import AnyGame, Setup, SetupError
from mauerwerk.lab.study.counting import MEASURES
from mauerwerk.lab.study.tally import Tally, tally_of_table


def can_count(game: AnyGame, setup: Setup[Any]) -> bool:
    """Whether compiled code can: the extra `kernels` is there, and a kernel for such a game."""
    if not all(find_spec(needed) for needed in ("numba", "numpy")):
        return False
    kernels: Any = import_module("mauerwerk.kernels.results")
    try:
        kernels.prepared(game, setup)
    except SetupError:
        return False
    return True


def counted(game: AnyGame, setup: Setup[Any], seed: int, numbers: range) -> Tally:
    """The games of these numbers, by uniform chance; the same whatever is played beside them."""
    counts: Any = import_module("mauerwerk.kernels.counting.counts")
    measures = MEASURES[game.NAME]
    found = counts.counts(game, setup, seed, numbers)
    if found.columns != measures.columns(setup):
        raise AssertionError("rules and kernel count different things")
    return tally_of_table(found.columns, found.table, measures.pairs(setup))
