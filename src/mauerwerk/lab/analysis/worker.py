"""One process's part of an analysis: by search, or by rules of thumb where no kernel plays."""

from functools import lru_cache
from random import Random
from typing import Any, Protocol

from mauerwerk.bots import can_search
from mauerwerk.bots.evaluation import chance_to_win
from mauerwerk.bots.greedy import Greedy
from mauerwerk.core.game import NATURE, AnyGame, Chance, Seat, Setup, Sight, Value
from mauerwerk.core.record import Record
from mauerwerk.games import game_in
from mauerwerk.lab.analysis import positions
from mauerwerk.lab.analysis.results import AnalysedPosition, Judged, Source, result_of


class Analyst(Protocol):
    """Analyses the positions of one record, in order; only one kind needs Numba."""

    def get_ready(self) -> None:
        """Do slow preparations once, before the first position."""
        ...

    def hear(self, sight: Sight[Any, Any, Any], /) -> None:
        """Follow what a seat knows at a position that is not analysed here."""
        ...

    def chances(
        self, situation: positions.Situation, effort: positions.Effort, /
    ) -> tuple[float, ...]:
        """Every seat's chance to win in a game that is not over."""
        ...

    def choices(
        self,
        situation: positions.Situation,
        sight: Sight[Any, Any, Any],
        effort: positions.Effort,
        /,
    ) -> positions.Weighed:
        """The value of each choice of a seat, by what it knew."""
        ...


class GreedyAnalyst:
    """Weighs points. All seats begin with the same chance; each decision updates its seat's."""

    def __init__(self, game: AnyGame, setup: Setup[Any], draw: Chance) -> None:
        """In a game without rules of thumb all choices are equal."""
        self._game = game
        self._seats = setup.seats
        self._greedy = Greedy(game, setup, draw)
        self._chances = (1 / setup.seats,) * setup.seats

    def get_ready(self) -> None:
        """There is nothing to prepare."""

    def hear(self, sight: Sight[Any, Any, Any]) -> None:
        """Nothing to do: a sight contains all that is needed."""

    def chances(
        self, situation: positions.Situation, _effort: positions.Effort
    ) -> tuple[float, ...]:
        """The value of the best choice for each seat that decides; the others share the rest.

        Where all decide together, their values are made shares of 1.
        """
        own = {
            sight.seat: max(each.value for each in self._judged(sight))
            for sight in situation.together
        }
        if not own:
            return self._chances
        before = sum(chance for seat, chance in enumerate(self._chances) if seat not in own)
        rest = max(1 - sum(own.values()), 0.0) if before else 0.0
        shares = [
            own[Seat(seat)] if seat in own else chance * rest / before
            for seat, chance in enumerate(self._chances)
        ]
        whole = sum(shares)
        if whole > 0:
            self._chances = tuple(share / whole for share in shares)
        return self._chances

    def choices(
        self, situation: positions.Situation, sight: Sight[Any, Any, Any], _effort: positions.Effort
    ) -> positions.Weighed:
        """All of them, by their value in points."""
        assert situation.move is not None
        # Rules of thumb do not vary by chance.
        return positions.weigh(self._judged(sight), situation.move.word, lambda _, __: 0.0)

    def _judged(self, sight: Sight[Any, Any, Any]) -> list[Judged]:
        evaluation = self._greedy.consider(sight)
        return [
            Judged(
                self._game.write(each.action),
                chance_to_win(evaluation, each.value, self._seats),
                visits=0,
            )
            for each in evaluation.choices
        ]


class Assignment(Value):
    """What is to be analysed, and with what."""

    record: Record
    by: Source
    seed: int
    net: str = ""


def source_for(record: Record) -> Source:
    """What can analyse it: a search, or rules of thumb where no kernel plays such a game."""
    return "search" if can_search(game_in(record), record.setup) else "greedy"


class AnalysisWorker:
    """Analyses positions of a record, in order; `at` is the first that can still be asked for."""

    def __init__(self, assignment: Assignment) -> None:
        record = assignment.record
        game = game_in(record)
        self.at = 0
        self._situations = positions.situations(game, record)
        self.analyst: Analyst
        if assignment.by == "search":
            from mauerwerk.lab.analysis import search  # noqa: PLC0415 - needs numba

            self.analyst = search.SearchAnalyst(game, record.setup, assignment.seed, assignment.net)
        else:
            draw = Random(assignment.seed).randrange  # noqa: S311 - no secret
            self.analyst = GreedyAnalyst(game, record.setup, draw)

    def find(self, at: int, efforts: positions.Efforts) -> AnalysedPosition:
        """The analysis of a position, without chances where they are those of another one."""
        for situation in self._situations:
            self.at = situation.task.at + 1
            if situation.task.at == at:
                return self._found(situation, efforts)
            if situation.sight is not None:
                self.analyst.hear(situation.sight)
        raise ValueError(f"position {at} has been passed, or is not in this record")

    def _found(
        self, situation: positions.Situation, efforts: positions.Efforts
    ) -> AnalysedPosition:
        chances: tuple[float, ...] = ()
        if situation.outcome is not None:
            chances = result_of(situation.outcome)
        elif situation.task.anchor == situation.task.at:
            chances = self.analyst.chances(situation, efforts.chances)
        if situation.move is None:
            return AnalysedPosition(situation.task.at, chances)
        weighed = positions.Weighed((), 0.0, 0.0)
        if situation.sight is not None:
            weighed = self.analyst.choices(situation, situation.sight, efforts.choices)
        seat = None if situation.move.seat == NATURE else situation.move.seat
        return AnalysedPosition(situation.task.at, chances, seat, situation.move.word, *weighed)


# --- In each process --------------------------------------------------------------------------


def get_ready(assignment: Assignment) -> None:
    """Compile what is needed, in one process before the others start, so that only one does it."""
    _worker(assignment).analyst.get_ready()


def find(assignment: Assignment, job: positions.PositionJob) -> AnalysedPosition:
    """The analysis of a position; this is quick if positions are asked for in order."""
    worker = _worker(assignment)
    if job.at < worker.at:  # another process died of this position, after later ones were begun
        _worker.cache_clear()
        worker = _worker(assignment)
    return worker.find(job.at, job.efforts)


@lru_cache(maxsize=1)
def _worker(assignment: Assignment) -> AnalysisWorker:
    return AnalysisWorker(assignment)
