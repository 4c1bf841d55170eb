"""How the time for an analysis is divided among the positions."""

from collections.abc import Callable, Iterator, Sequence
from time import perf_counter
from typing import Final

from mauerwerk.core.game import Value
from mauerwerk.lab.analysis.analyst import Effort, Efforts
from mauerwerk.lab.analysis.following import Task

CURVE: Final = 0.3
"""The share of the time for the chances; the choices get the rest."""
LONGEST_CURVE: Final = 0.25
LONGEST_CHOICE: Final = 2.0
"""Seconds beyond which an estimate hardly improves."""
SHORTEST: Final = 0.01
"""Seconds that each gets even if no time is left."""


class PositionJob(Value):
    """A position to analyse, and the effort to spend on it."""

    at: int
    efforts: Efforts


def in_time(
    plan: Sequence[Task], seconds: float, jobs: int, clock: Callable[[], float] = perf_counter
) -> Iterator[PositionJob]:
    """The positions, each with its part of the time that is left when its turn comes."""
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
        yield PositionJob(task.at, efforts)
        anchors -= task.anchor == task.at
        choices -= task.weigh


def of_simulations(plan: Sequence[Task], simulations: int) -> Iterator[PositionJob]:
    """The positions, with this many simulations for the chances and for all choices together."""
    effort = Effort(simulations=simulations)
    return (PositionJob(task.at, Efforts(effort, effort)) for task in plan)
