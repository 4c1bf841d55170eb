"""The jobs of a study, or of a comparison of two, and their results.

    plan = planned("mauer", [setup], bots=["greedy"], seed=7)
    with processes(2) as workers:
        done = map_unordered(partial(do, plan), jobs(plan, 1_000), workers)
        (one,) = found(plan, done)

The jobs are independent of each other, and the result of each does not depend on when and where it
is done, so that any workers find the same.
"""

from collections.abc import Iterable, Sequence
from math import isqrt
from typing import Any, Final, TypeAlias, assert_never

from mauerwerk.core.game import Setup, Value
from mauerwerk.lab.study.luck import Deal, Dealt, Luck, luck_of, play_deal
from mauerwerk.lab.study.study import Batch, Counted, Study, batches, play_batch, study_of
from mauerwerk.lab.study.tally import Tally, added

MOST_DEALS: Final = 20
"""The default number of nature's chances, each of which meets as many of the players'."""


class Plan(Value):
    """One study, or two: of the printed rules and of the changed rules."""

    studies: tuple[Study, ...]


class Job(Value):
    """A part of the work for one of the studies."""

    study: int
    work: Batch | Deal

    @property
    def games(self) -> int:
        """The number of games."""
        match self.work:
            case Batch(games=games) | Deal(columns=games):
                return games
            case _:
                assert_never(self.work)


Work: TypeAlias = Counted | Dealt


class Done(Value):
    """The result of a job."""

    study: int
    work: Work

    @property
    def job(self) -> Job:
        """The job."""
        match self.work:
            case Counted(batch=batch):
                return Job(self.study, batch)
            case Dealt(deal=deal):
                return Job(self.study, deal)
            case _:
                assert_never(self.work)


class Found(Value):
    """The results of a study."""

    study: Study
    tally: Tally
    luck: Luck | None


def planned(game: str, setups: Sequence[Setup[Any]], bots: Sequence[str], seed: int) -> Plan:
    """A plan for these rules, with one bot for all seats or one per seat. Raises SetupError.

    All have the same seed, so that the studies are not independent; see `estimates.difference`.
    """
    return Plan(
        tuple(
            study_of(game, setup, list(bots) * setup.seats if len(bots) == 1 else bots, seed)
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
    for number, study in enumerate(plan.studies):
        kinds.append([Job(number, batch) for batch in batches(study, games)])
        kinds.append([Job(number, Deal(row, wanted)) for row in range(wanted)])
    placed = [(place / len(kind), job) for kind in kinds for place, job in enumerate(kind)]
    return [job for _, job in sorted(placed, key=lambda each: each[0])]


def compile_for(plan: Plan) -> None:
    """Compile in this process, so that the others of this machine do not have to."""
    for study in plan.studies:
        if study.compiled:
            play_batch(study, Batch(0, 0))


def do(plan: Plan, job: Job) -> Done:
    """Do one job."""
    study = plan.studies[job.study]
    match job.work:
        case Batch():
            return Done(job.study, play_batch(study, job.work))
        case Deal():
            return Done(job.study, play_deal(study, job.work))
        case _:
            assert_never(job.work)


def found(plan: Plan, done: Iterable[Done]) -> tuple[Found, ...]:
    """The results of these jobs by study; studies without a game yet are left out."""
    by_study: list[list[Work]] = [[] for _ in plan.studies]
    for each in done:
        by_study[each.study].append(each.work)
    return tuple(
        Found(study, tally, _luck(work))
        for study, work in zip(plan.studies, by_study, strict=True)
        if (tally := added(each.tally for each in work if isinstance(each, Counted))).games
    )


def _luck(work: Sequence[Work]) -> Luck | None:
    """Luck, from the rows that were played."""
    dealt = [each for each in work if isinstance(each, Dealt)]
    return luck_of(dealt) if dealt else None
