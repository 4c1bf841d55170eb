"""Games of uniform players, counted in compiled code."""

from importlib import import_module
from typing import Any, TypeAlias

from mauerwerk.bots import can_search
from mauerwerk.core.errors import SetupError
from mauerwerk.core.game import AnyGame, Setup
from mauerwerk.kernels import pack_setup
from mauerwerk.lab.study.counting import columns_of
from mauerwerk.lab.study.rooms import measures_of
from mauerwerk.lab.study.tally import Tally, tally_of_table


def can_count(game: AnyGame, setup: Setup[Any]) -> bool:
    """Whether compiled code can count such games: it needs the extra `kernels` and a kernel."""
    if not can_search(game):
        return False
    try:
        pack_setup(game, setup)
    except SetupError:
        return False
    return True


Table: TypeAlias = tuple[tuple[str, ...], Any]
"""Columns, and an array of integers with a row per game."""


def table_of(game: AnyGame, setup: Setup[Any], seed: int, numbers: range) -> Table:
    """The games with these numbers, by uniform chance; each is the same in any batch."""
    counts: Any = import_module("mauerwerk.kernels.counting")
    found = counts.counts(game, setup, seed, numbers)
    if found.columns != columns_of(game, setup):
        raise AssertionError("rules and kernel count different things")
    return found.columns, found.table


def counted(game: AnyGame, setup: Setup[Any], table: Table) -> Tally:
    """The tally of such games."""
    return tally_of_table(*table, measures_of(game).pairs(setup))
