"""The analysis of a game: its chances at each position, the value of choices, decisive moments.

    positions = list(analyse(record, seconds=45, jobs=2))     # they come as they are found
    gather(record, positions)                               # the `Analysis`

The chances are those that an observer who sees all cards would give; at the end they are the
result. Choices are valued by what the seat knew when it had to choose, if it forgot nothing, which
is fair to the player. So a move that turned the game need not have been a mistake.
"""

import hashlib
from collections import deque
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import AbstractContextManager, closing
from functools import partial
from typing import Final

import msgspec
from msgspec.structs import replace

from mauerwerk.core.record import Record
from mauerwerk.games import game_in
from mauerwerk.lab.analysis.positions import PositionJob, Task, in_time, of_simulations, tasks
from mauerwerk.lab.analysis.results import AnalysedPosition, Analysis, Judged, Moment, sum_up
from mauerwerk.lab.analysis.worker import Assignment, find, get_ready, source_for
from mauerwerk.lab.workers import Workers, map_unordered, processes

__all__ = [
    "SECONDS",
    "AnalysedPosition",
    "Analysis",
    "Judged",
    "Moment",
    "analyse",
    "fingerprint",
    "gather",
]

SECONDS: Final = 45.0
"""How long an analysis takes by default."""


def analyse(  # noqa: PLR0913 - what is analysed, for how long, and where
    record: Record,
    *,
    seconds: float = SECONDS,
    simulations: int | None = None,
    jobs: int = 1,
    seed: int = 0,
    net: str = "",
    hire: Callable[[int], AbstractContextManager[Workers]] = processes,
) -> Generator[AnalysedPosition, None, None]:
    """Analyse every position, and yield each as it is found, roughly in order.

    It takes this many seconds, plus the time to compile what is needed before the first position;
    short games take less. With `simulations`, each search does this many, and the record and the
    seed alone decide the result. With several jobs, or other workers to `hire`, the work is done in
    other processes. `net` is the file of a network that guides the search. To stop early, close the
    iterator.
    """
    plan = tasks(game_in(record), record)
    by = source_for(record)
    if simulations is None:
        todo = in_time(plan, seconds, jobs)
    else:
        todo = of_simulations(plan, simulations)
    # The greedy bot is quick, and each of its positions follows from the one before.
    workers = hire(1 if by == "greedy" else jobs)
    return _completed(plan, _found(Assignment(record, by, seed, net), todo, workers))


def _found(
    assignment: Assignment, todo: Iterable[PositionJob], workers: AbstractContextManager[Workers]
) -> Generator[AnalysedPosition, None, None]:
    """Every position, once one of the workers has compiled what all of them need."""
    with workers as hired:
        deque(map_unordered(get_ready, [assignment], hired), maxlen=0)
        yield from map_unordered(partial(find, assignment), todo, hired)


def _completed(
    plan: Sequence[Task], found: Generator[AnalysedPosition, None, None]
) -> Generator[AnalysedPosition, None, None]:
    """Give each position that shares its chances with another the chances found there."""
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


def gather(record: Record, positions: Iterable[AnalysedPosition]) -> Analysis:
    """The analysis of a record from all its positions, in whatever order they were found."""
    game = game_in(record)
    in_order = sorted(positions, key=lambda position: position.at)
    if [position.at for position in in_order] != list(range(len(record.moves) + 1)):
        raise ValueError("these are not all positions of this record")
    state = game.start(record.setup)
    for move in record.moves:
        state = game.apply(state, move.seat, game.parse(move.word)).state
    by, of = source_for(record), fingerprint(record)
    return sum_up(of, by, in_order, game.outcome(state))


def fingerprint(record: Record) -> str:
    """The identity of a game: equal for records with the same setup and the same moves."""
    return hashlib.sha256(msgspec.json.encode(record)).hexdigest()[:32]
