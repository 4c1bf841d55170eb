"""The part of an analysis that one process does: it follows the record and analyses positions."""

from functools import lru_cache
from random import Random

from mauerwerk.bots import can_search
from mauerwerk.core.errors import SetupError
from mauerwerk.core.game import NATURE, Value
from mauerwerk.core.record import Record
from mauerwerk.games import game_in
from mauerwerk.kernels import pack_setup
from mauerwerk.lab.analysis.greedy import GreedyAnalyst
from mauerwerk.lab.analysis.positions import Analyst, Efforts, PositionJob, Situation, situations
from mauerwerk.lab.analysis.results import AnalysedPosition, Source, result_of


class Assignment(Value):
    """What is to be analysed, and with what."""

    record: Record
    by: Source
    seed: int
    net: str = ""
    """The file of a network that guides the search."""


def source_for(record: Record) -> Source:
    """What can analyse it: a search, or rules of thumb where no kernel plays such a game."""
    game = game_in(record)
    if not can_search(game):
        return "greedy"
    try:
        pack_setup(game, record.setup)
    except SetupError:
        return "greedy"
    return "search"


class AnalysisWorker:
    """Analyses the positions of a record. They must be asked for in order; some may be left out.

    `at` is the first position that can still be asked for.
    """

    def __init__(self, assignment: Assignment) -> None:
        """Start before the first move."""
        record = assignment.record
        game = game_in(record)
        self.at = 0
        self._situations = situations(game, record)
        self._analyst: Analyst
        if assignment.by == "search":
            from mauerwerk.lab.analysis.search import SearchAnalyst  # noqa: PLC0415 - needs numba

            self._analyst = SearchAnalyst(game, record.setup, assignment.seed, assignment.net)
        else:
            draw = Random(assignment.seed).randrange  # noqa: S311 - no secret
            self._analyst = GreedyAnalyst(game, record.setup, draw)

    def get_ready(self) -> None:
        """Compile what has to be compiled."""
        self._analyst.get_ready()

    def find(self, at: int, efforts: Efforts) -> AnalysedPosition:
        """The analysis of a position, without chances where they are those of another one."""
        for situation in self._situations:
            self.at = situation.task.at + 1
            if situation.task.at == at:
                return self._found(situation, efforts)
            if situation.sight is not None:
                self._analyst.hear(situation.sight)
        raise ValueError(f"position {at} has been passed, or is not in this record")

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


# --- In each process --------------------------------------------------------------------------


def get_ready(assignment: Assignment) -> None:
    """Compile what is needed, in one process before the others start, so that only one does it."""
    _worker(assignment).get_ready()


def find(assignment: Assignment, job: PositionJob) -> AnalysedPosition:
    """The analysis of a position; this is quick if positions are asked for in order."""
    worker = _worker(assignment)
    if job.at < worker.at:  # another process died of this position, after later ones were begun
        _worker.cache_clear()
        worker = _worker(assignment)
    return worker.find(job.at, job.efforts)


@lru_cache(maxsize=1)
def _worker(assignment: Assignment) -> AnalysisWorker:
    """The state of the one analysis that this process works on."""
    return AnalysisWorker(assignment)
