"""How the time for an analysis is divided among the positions."""

from collections.abc import Callable, Iterator, Sequence
from time import perf_counter
from typing import Final

from mauerwerk.core.game import Value
from mauerwerk.lab.analysis.following import Task
from mauerwerk.lab.analysis.judging import Effort, Efforts

CURVE: Final = 0.3
"""How much of the time the chances get; the choices have the rest."""
LONGEST_CURVE: Final = 0.25
LONGEST_CHOICE: Final = 2.0
"""Seconds beyond which a position becomes hardly clearer."""
SHORTEST: Final = 0.01
"""Seconds that each gets even where there is no time left."""


class Errand(Value):
    """A position to be looked at, and how thoroughly."""

    at: int
    efforts: Efforts


def in_time(
    plan: Sequence[Task], seconds: float, jobs: int, clock: Callable[[], float] = perf_counter
) -> Iterator[Errand]:
    """The positions, each with its part of the time that is left when it is its turn."""
    until = clock() + seconds
    anchors = sum(task.anchor == task.at for task in plan)
    choices = sum(task.weigh for task in plan)
    curve = CURVE / max(anchors, 1)
    choice = (1 - CURVE) / max(choices, 1)
    for task in plan:
        left = curve * anchors + choice * choices
        rate = max(until - clock(), 0.0) * jobs / left if left else 0.0
        efforts = Efforts(
            chances=Effort(max(min(curve * rate, LONGEST_CURVE), SHORTEST)),
            choices=Effort(max(min(choice * rate, LONGEST_CHOICE), SHORTEST)),
        )
        yield Errand(task.at, efforts)
        anchors -= task.anchor == task.at
        choices -= task.weigh


def of_simulations(plan: Sequence[Task], simulations: int) -> Iterator[Errand]:
    """The positions, with so many simulations for the chances, and for all choices together."""
    effort = Effort(simulations=simulations)
    return (Errand(task.at, Efforts(effort, effort)) for task in plan)
