"""What a game could have been: chances all along, choices weighed, the moments that decided it.

    positions = list(analyse(record, seconds=45, jobs=2))     # they come as they are found
    gathered(record, positions)                               # the `Analysis`

The chances are those that an observer has who sees all cards; at the end they are the result. The
values of choices are by what the seat knew that had to choose, if it forgot nothing: that is fair
to who played. So a move can be no mistake and yet turn the game.
"""

import hashlib
from collections import deque
from collections.abc import Generator, Iterable, Sequence
from contextlib import AbstractContextManager, closing
from functools import partial
from typing import Final

import msgspec
from msgspec.structs import replace

from mauerwerk.core.record import Record
from mauerwerk.games import GAMES
from mauerwerk.lab.analysis.following import Task, tasks
from mauerwerk.lab.analysis.moments import summed_up
from mauerwerk.lab.analysis.pace import Errand, in_time, of_simulations
from mauerwerk.lab.analysis.values import AnalysedPosition, Analysis, Judged, Moment
from mauerwerk.lab.analysis.worker import Assignment, find, get_ready, source_for
from mauerwerk.lab.workers.mapping import Workers, map_unordered
from mauerwerk.lab.workers.processes import Processes, processes

__all__ = [
    "SECONDS",
    "AnalysedPosition",
    "Analysis",
    "Judged",
    "Moment",
    "analyse",
    "fingerprint",
    "gathered",
]

SECONDS: Final = 45.0
"""How long an analysis takes, unless told otherwise."""


def analyse(  # noqa: PLR0913 - what, how long, by how many
    record: Record,
    *,
    seconds: float = SECONDS,
    simulations: int | None = None,
    jobs: int = 1,
    seed: int = 0,
    patient: bool = False,
) -> Generator[AnalysedPosition, None, None]:
    """Look at every position, and yield each as it is found, in about their order.

    It takes so many seconds, and before the first position whatever has to be compiled; short games
    take less. With `simulations`, each search does so many, and then the record and the seed decide
    what is found. With more than one job the work is done in processes of its own. Whoever has
    enough closes the iterator.
    """
    plan = tasks(GAMES[record.game], record)
    by = source_for(record)
    assignment = Assignment(record, by, seed, patient)
    if simulations is None:
        errands = in_time(plan, seconds, jobs)
    else:
        errands = of_simulations(plan, simulations)
    # Rules of thumb are quick, and each position follows from the one before.
    number = 1 if by == "greedy" else jobs
    workers: AbstractContextManager[Workers] = processes(number)
    if patient:
        workers = closing(Processes(number))  # even if it is one
    return _completed(plan, _found(assignment, errands, workers))


def _found(
    assignment: Assignment, errands: Iterable[Errand], workers: AbstractContextManager[Workers]
) -> Generator[AnalysedPosition, None, None]:
    """Every position, once one of the workers has compiled what all of them need."""
    with workers as everybody:
        deque(map_unordered(get_ready, [assignment], everybody), maxlen=0)
        yield from map_unordered(partial(find, assignment), errands, everybody)


def _completed(
    plan: Sequence[Task], found: Generator[AnalysedPosition, None, None]
) -> Generator[AnalysedPosition, None, None]:
    """Give positions the chances that they have from others, as soon as these are there."""
    chances: dict[int, tuple[float, ...]] = {}
    waiting: dict[int, list[AnalysedPosition]] = {}
    with closing(found):
        for position in found:
            anchor = plan[position.at].anchor
            if position.chances:
                yield position
                if position.at == anchor:
                    chances[anchor] = position.chances
                    for each in waiting.pop(anchor, ()):
                        yield replace(each, chances=position.chances)
            elif anchor in chances:
                yield replace(position, chances=chances[anchor])
            else:
                waiting.setdefault(anchor, []).append(position)


def gathered(record: Record, positions: Iterable[AnalysedPosition]) -> Analysis:
    """The analysis that all positions of a record make, in whatever order they were found."""
    game = GAMES[record.game]
    in_order = sorted(positions, key=lambda position: position.at)
    if [position.at for position in in_order] != list(range(len(record.moves) + 1)):
        raise ValueError("these are not all positions of this record")
    state = game.start(record.setup)
    for move in record.moves:
        state = game.apply(state, move.seat, game.parse(move.word)).state
    by, of = source_for(record), fingerprint(record)
    return summed_up(of, by, in_order, game.outcome(state))


def fingerprint(record: Record) -> str:
    """A word for a record: the same for the same game, with the same moves."""
    return hashlib.sha256(msgspec.json.encode(record)).hexdigest()[:32]
