"""One process at an analysis: it follows the record, and thinks where it is told to."""

import os
from importlib import import_module
from multiprocessing import parent_process
from random import Random
from typing import Final

from mauerwerk.bots import can_search
from mauerwerk.core.game import NATURE, SetupError, Value
from mauerwerk.core.record import Record
from mauerwerk.games import GAMES
from mauerwerk.lab.analysis.following import Situation, situations
from mauerwerk.lab.analysis.greedy import Weighing
from mauerwerk.lab.analysis.judging import Analyst, Efforts
from mauerwerk.lab.analysis.pace import Errand
from mauerwerk.lab.analysis.truth import result_of
from mauerwerk.lab.analysis.values import AnalysedPosition, Source

PATIENTLY: Final = 10
"""How nice a process is that must not be in the way of others."""


class Assignment(Value):
    """What is to be analysed, and by whom."""

    record: Record
    by: Source
    seed: int
    patient: bool = False
    """Whether others are to have the processor first."""


def source_for(record: Record) -> Source:
    """Who can analyse it."""
    if can_search():
        try:
            import_module("mauerwerk.kernels.results").prepared(GAMES[record.game], record.setup)
        except SetupError:
            return "greedy"
        return "search"
    return "greedy"


class AnalysisWorker:
    """Finds out about positions, which must be asked for in order; some may be left out.

    `at` is the first that can still be asked for.
    """

    def __init__(self, assignment: Assignment) -> None:
        """Begin before the first move."""
        record = assignment.record
        game = GAMES[record.game]
        self.at = 0
        self._situations = situations(game, record)
        self._analyst: Analyst
        if assignment.by == "search":
            module = import_module("mauerwerk.lab.analysis.search")
            self._analyst = module.Searching(game, record.setup, assignment.seed)
        else:
            draw = Random(assignment.seed).randrange  # noqa: S311 - no secret
            self._analyst = Weighing(game, record.setup, draw)

    def get_ready(self) -> None:
        """Compile what has to be compiled."""
        self._analyst.get_ready()

    def find(self, at: int, efforts: Efforts) -> AnalysedPosition:
        """What there is to say; without chances where they are those of another position."""
        for situation in self._situations:
            self.at = situation.task.at + 1
            if situation.task.at == at:
                return self._found(situation, efforts)
            if situation.sight is not None:
                self._analyst.hear(situation.sight)
        raise ValueError(f"position {at} lies behind already, or is none of this record")

    def _found(self, situation: Situation, efforts: Efforts) -> AnalysedPosition:
        chances: tuple[float, ...] = ()
        if situation.outcome is not None:
            chances = result_of(situation.outcome)
        elif situation.task.anchor == situation.task.at:
            chances = self._analyst.chances(situation, efforts.chances)
        if situation.move is None:
            return AnalysedPosition(situation.task.at, chances)
        seat = None if situation.move.seat == NATURE else situation.move.seat
        position = AnalysedPosition(situation.task.at, chances, seat, situation.move.word)
        if situation.sight is None:
            return position
        choices, cost = self._analyst.choices(situation, situation.sight, efforts.choices)
        return AnalysedPosition(position.at, chances, seat, position.chosen, choices, cost)


# --- In any process --------------------------------------------------------------------------

_WORKERS: Final[dict[Assignment, AnalysisWorker]] = {}
"""The desk at which this process works, by what it works on."""


def get_ready(assignment: Assignment) -> None:
    """Let this process compile what it needs, lest several do it at once."""
    _worker(assignment).get_ready()


def find(assignment: Assignment, errand: Errand) -> AnalysedPosition:
    """What there is to say about a position; quick, where they are asked for in order."""
    at = errand.at
    worker = _worker(assignment)
    if at < worker.at:  # somebody else has begun with it, and died
        _WORKERS.clear()
        worker = _worker(assignment)
    return worker.find(at, errand.efforts)


def _worker(assignment: Assignment) -> AnalysisWorker:
    if assignment not in _WORKERS:
        if assignment.patient and not _WORKERS and parent_process() is not None:
            os.nice(PATIENTLY)
        _WORKERS.clear()
        _WORKERS[assignment] = AnalysisWorker(assignment)
    return _WORKERS[assignment]
