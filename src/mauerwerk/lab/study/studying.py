"""A study in one call, for scripts and notebooks.

>>> from mauerwerk.core.game import Setup
>>> from mauerwerk.games import mauer
>>> short = Setup(3, mauer.Options(rounds=1))
>>> (study,) = studied("mauer", [short], bots=["greedy"], games=8, seed=1)
>>> study.tally.games
8
>>> answers = in_short([study])
>>> 0 < answers["seats"]["seat 1"]["wins"].values[0].mean < 1
True
"""

from collections.abc import Sequence
from functools import partial
from typing import Any

from mauerwerk.core.game import Setup
from mauerwerk.lab.study.comparison import in_short
from mauerwerk.lab.study.plan import Found, compile_for, do, found, jobs, planned
from mauerwerk.lab.workers.mapping import map_unordered
from mauerwerk.lab.workers.processes import processes

__all__ = ["in_short", "studied"]


def studied(  # noqa: PLR0913 - what a study is
    game: str,
    setups: Sequence[Setup[Any]],
    *,
    bots: Sequence[str] = ("uniform",),
    games: int,
    seed: int,
    deals: int = 0,
    processes_at_once: int = 1,
) -> tuple[Found, ...]:
    """Study a game under each of these rules; luck is measured in `deals` times `deals` games.

    The bots are one for all seats or one per seat. A script that uses several processes must be
    guarded by `if __name__ == "__main__":`, since each of them imports it.
    """
    plan = planned(game, setups, bots, seed)
    compile_for(plan)
    with processes(processes_at_once) as workers:
        return found(plan, map_unordered(partial(do, plan), jobs(plan, games, deals), workers))
