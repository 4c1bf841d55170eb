"""The jobs of a study, or of a comparison of two, and their results; a study in one call.

The jobs are independent of each other, and the result of each does not depend on when and where it
is done, so that any workers find the same.
"""

from collections.abc import Iterable, Sequence
from functools import partial
from math import isqrt
from operator import attrgetter
from typing import Any, Final, TypeAlias

from mauerwerk.core.game import Setup, Value
from mauerwerk.lab.jsonl import ResultsFile, first_difference
from mauerwerk.lab.study import study as playing
from mauerwerk.lab.study.luck import Deal, Dealt, Luck, luck_of, play_deal
from mauerwerk.lab.study.pairing import Contrast, join
from mauerwerk.lab.study.tally import Tally, add_up
from mauerwerk.lab.workers import map_unordered, processes

MOST_DEALS: Final = 20
"""The default number of nature's chances, each of which meets as many of the players'."""


class Plan(Value):
    """One study, or two: of the printed rules and of the changed rules; or many, of a sweep."""

    studies: tuple[playing.Study, ...]


class Job(Value):
    """A part of the work for one of the studies, or for both."""

    study: int
    work: playing.Batch | playing.Both | Deal

    @property
    def games(self) -> int:
        """The number of games."""
        match self.work:
            case playing.Both(games=games):
                return 2 * games
            case playing.Batch(games=games) | Deal(columns=games):
                return games


Work: TypeAlias = playing.Counted | playing.Compared | Dealt


class Done(Value):
    """The result of a job."""

    study: int
    work: Work

    @property
    def job(self) -> Job:
        """The job."""
        match self.work:
            case playing.Counted(batch=batch):
                return Job(self.study, batch)
            case playing.Compared(both=both):
                return Job(self.study, both)
            case Dealt(deal=deal):
                return Job(self.study, deal)


def _fault(plan: Plan, done: Done) -> str:
    there_is = 0 <= done.study < len(plan.studies)
    return "" if there_is else f"there is no study {done.study} in this plan"


def _difference(there: Plan, here: Plan) -> str:
    if len(there.studies) != len(here.studies):
        return f"{_rules(there)}, not {_rules(here)}"
    for one, other in zip(there.studies, here.studies, strict=True):
        if found := first_difference(_described(one), _described(other)):
            return f"a study with {found}"
    return ""


def _rules(plan: Plan) -> str:
    if len(plan.studies) == 1:
        return "a study of one rule"
    two = len(plan.studies) == 2  # noqa: PLR2004 - they are compared
    return "a comparison of two rules" if two else f"a sweep of {len(plan.studies)} rules"


def _described(study: playing.Study) -> dict[str, str]:
    return {
        **study.terms,
        "bots": ",".join(study.bots),
        "seed": f"{study.seed}",
        "compiled": "yes" if study.compiled else "no",
        "version": f"{study.version}",
    }


RESULTS: Final = ResultsFile("a study", Plan, Done, attrgetter("job"), _fault, _difference)
"""A file of a study: one line about the plan, then one line per finished job."""


class StudyResults(Value):
    """The results of a study."""

    study: playing.Study
    tally: Tally
    luck: Luck | None
    contrast: Contrast | None = None
    """Its games beside those of the study that it is compared with."""


def make_plan(game: str, setups: Sequence[Setup[Any]], bots: Sequence[str], seed: int) -> Plan:
    """A plan for these rules, with one seed for all, as `pairing` needs. Raises SetupError."""
    return Plan(
        tuple(
            playing.study_of(game, setup, bots if len(bots) > 1 else [*bots] * setup.seats, seed)
            for setup in setups
        )
    )


def jobs(plan: Plan, games: int, deals: int | None = None) -> list[Job]:
    """All jobs for this many games of each study, in an order that mixes everything.

    So a plan that is stopped half-way has half of everything. Luck is measured in `deals` times
    `deals` further games, by default no more than there are of the others.
    """
    wanted = min(isqrt(games), MOST_DEALS) if deals is None else deals
    kinds: list[list[Job]] = []
    pair = _pair(plan)
    if pair:
        some = playing.batches(pair[0], games)
        kinds.append([Job(0, playing.Both(batch.first, batch.games)) for batch in some])
    for number, study in enumerate(plan.studies):
        if not pair:
            kinds.append([Job(number, batch) for batch in playing.batches(study, games)])
        kinds.append([Job(number, Deal(row, wanted)) for row in range(wanted)])
    placed = [(place / len(kind), job) for kind in kinds for place, job in enumerate(kind)]
    return [job for _, job in sorted(placed, key=lambda each: each[0])]


def _pair(plan: Plan) -> tuple[playing.Study, playing.Study] | None:
    """Both studies, if their games can be compared one by one."""
    match plan.studies:
        case (one, other) if playing.comparable(one, other):
            return (one, other)
        case _:
            return None


def compile_for(plan: Plan) -> None:
    """Compile in this process, so that the others of this machine do not have to."""
    for study in plan.studies:
        if study.compiled:
            playing.play_batch(study, playing.Batch(0, 0))


def do(plan: Plan, job: Job) -> Done:
    """Do one job."""
    study = plan.studies[job.study]
    match job.work:
        case playing.Both():
            one, other = plan.studies
            return Done(job.study, playing.play_both((one, other), job.work))
        case playing.Batch():
            return Done(job.study, playing.play_batch(study, job.work))
        case Deal():
            return Done(job.study, play_deal(study, job.work))


def rows_in_order(plan: Plan, done: Iterable[Done]) -> list[list[Done]]:
    """Of each study, or of a pair, what was done up to the first batch that is missing."""
    by_study: dict[int, dict[int, tuple[int, Done]]] = {}
    for each in done:
        match each.work:
            case playing.Counted(batch=batch) | playing.Compared(both=batch):
                by_study.setdefault(each.study, {})[batch.first] = (batch.games, each)
            case Dealt():
                pass
    rows: list[list[Done]] = []
    for number in (0,) if _pair(plan) else range(len(plan.studies)):
        first, row = 0, list[Done]()
        while (found := by_study.get(number, {}).get(first)) is not None:
            games, each = found
            row.append(each)
            first += games
        rows.append(row)
    return rows


def results_of(plan: Plan, done: Iterable[Done]) -> tuple[StudyResults, ...]:
    """The results of these jobs by study; studies without a game yet are left out."""
    tallies: list[list[Tally]] = [[] for _ in plan.studies]
    dealt: list[list[Dealt]] = [[] for _ in plan.studies]
    contrasts: list[Contrast] = []
    for each in done:
        match each.work:
            case playing.Counted(tally=tally):
                tallies[each.study].append(tally)
            case playing.Compared(tallies=both, contrast=contrast):
                for some, tally in zip(tallies, both, strict=True):
                    some.append(tally)
                contrasts.append(contrast)
            case Dealt():
                dealt[each.study].append(each.work)
    return tuple(
        StudyResults(
            study,
            tally,
            luck_of(dealt[number]) if dealt[number] else None,
            join(contrasts) if contrasts and number else None,
        )
        for number, study in enumerate(plan.studies)
        if (tally := add_up(tallies[number])).games
    )


def run_study(  # noqa: PLR0913 - what a study is
    game: str,
    setups: Sequence[Setup[Any]],
    *,
    bots: Sequence[str] = ("uniform",),
    games: int,
    seed: int,
    deals: int = 0,
    processes_at_once: int = 1,
) -> tuple[StudyResults, ...]:
    """Study a game under each of these rules; luck is measured in `deals` times `deals` games.

    The bots are one for all seats or one per seat. A script that uses several processes must be
    guarded by `if __name__ == "__main__":`, since each of them imports it.

    >>> from mauerwerk.core.game import Setup
    >>> from mauerwerk.games import mauer
    >>> short = Setup(3, mauer.Options(rounds=1))
    >>> (results,) = run_study("mauer", [short], bots=["greedy"], games=8, seed=1)
    >>> results.tally.games
    8
    """
    plan = make_plan(game, setups, bots, seed)
    compile_for(plan)
    with processes(processes_at_once) as workers:
        return results_of(plan, map_unordered(partial(do, plan), jobs(plan, games, deals), workers))
