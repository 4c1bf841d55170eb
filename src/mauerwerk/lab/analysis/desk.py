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
from mauerwerk.lab.analysis.following import Scene, scenes
from mauerwerk.lab.analysis.greedy import Weighing
from mauerwerk.lab.analysis.judging import Analyst, Efforts
from mauerwerk.lab.analysis.pace import Errand
from mauerwerk.lab.analysis.truth import result_of
from mauerwerk.lab.analysis.values import Position, Source

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


class Desk:
    """Finds out about positions, which must be asked for in order; some may be left out.

    `at` is the first that can still be asked for.
    """

    def __init__(self, assignment: Assignment) -> None:
        """Begin before the first move."""
        record = assignment.record
        game = GAMES[record.game]
        self.at = 0
        self._scenes = scenes(game, record)
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

    def find(self, at: int, efforts: Efforts) -> Position:
        """What there is to say; without chances where they are those of another position."""
        for scene in self._scenes:
            self.at = scene.task.at + 1
            if scene.task.at == at:
                return self._found(scene, efforts)
            if scene.sight is not None:
                self._analyst.hear(scene.sight)
        raise ValueError(f"position {at} lies behind already, or is none of this record")

    def _found(self, scene: Scene, efforts: Efforts) -> Position:
        chances: tuple[float, ...] = ()
        if scene.outcome is not None:
            chances = result_of(scene.outcome)
        elif scene.task.anchor == scene.task.at:
            chances = self._analyst.chances(scene, efforts.chances)
        if scene.move is None:
            return Position(scene.task.at, chances)
        seat = None if scene.move.seat == NATURE else scene.move.seat
        position = Position(scene.task.at, chances, seat, scene.move.word)
        if scene.sight is None:
            return position
        choices, cost = self._analyst.choices(scene, scene.sight, efforts.choices)
        return Position(position.at, chances, seat, position.chosen, choices, cost)


# --- In any process --------------------------------------------------------------------------

_DESKS: Final[dict[Assignment, Desk]] = {}
"""The desk at which this process works, by what it works on."""


def get_ready(assignment: Assignment) -> None:
    """Let this process compile what it needs, lest several do it at once."""
    _desk(assignment).get_ready()


def find(assignment: Assignment, errand: Errand) -> Position:
    """What there is to say about a position; quick, where they are asked for in order."""
    at = errand.at
    desk = _desk(assignment)
    if at < desk.at:  # somebody else has begun with it, and died
        _DESKS.clear()
        desk = _desk(assignment)
    return desk.find(at, errand.efforts)


def _desk(assignment: Assignment) -> Desk:
    if assignment not in _DESKS:
        if assignment.patient and not _DESKS and parent_process() is not None:
            os.nice(PATIENTLY)
        _DESKS.clear()
        _DESKS[assignment] = Desk(assignment)
    return _DESKS[assignment]
