"""Playing to learn: decisions of a network, and what came of each.

Every seat's decisions are a trajectory of their own. Between two of them there may be many steps of
others, or none, and the end of a game is also the end for seats that were not asked last. What
comes of a decision is a mixture of what the network expects at the seat's later decisions and of
how the game ends (TD(lambda)).
"""

from functools import partial
from importlib import import_module
from typing import Any, Final, NamedTuple

from mauerwerk.learn.network import Opinion, Tensor, Weights, consider, drawn
from mauerwerk.learn.tables import Rows, Tables

torch: Any = import_module("torch")

LAMBDA: Final = 0.95
"""The weight of what comes after a seat's next decision."""


class Decisions(NamedTuple):
    """Decisions to learn from, in rows."""

    observations: Tensor
    masks: Tensor
    seats: Tensor
    """How many play, in a column."""
    actions: Tensor
    log_probs: Tensor
    """The logarithm of the probability that each action had."""
    expected: Tensor
    """Each seat's share of the win and points, as the network saw them then."""
    came: Tensor
    """The same, as it came out."""
    truth: Tensor
    """What each of the others held."""


class Played(NamedTuple):
    """What a rollout leaves."""

    decisions: Decisions
    made: int
    """How many decisions were made, those of rivals included."""
    finished: Tensor
    """How many games against a rival were finished."""
    won: Tensor
    """The network's shares of the wins in those games."""


class _Step(NamedTuple):
    rows: Rows
    actions: Tensor
    log_probs: Tensor
    truth: Tensor


class Course(NamedTuple):
    """What happened at all tables, by steps, games and seats."""

    expected: Tensor
    """At a decision each seat's share of the win and points, as the one who decides counts them."""
    decided: Tensor
    over: Tensor
    """Which games ended with this step."""
    ends: Tensor
    """Their results, as each seat counts seats."""


def play(net: Weights, rival: Weights | None, tables: Tables, own: Tensor, steps: int) -> Played:
    """Play this many steps; seats that are not the network's `own`, by game, are the rival's."""
    size, seats = own.shape
    shape = (steps, size, seats, 2, tables.shape.seats)
    zeros = partial(torch.zeros, device=tables.device)
    course = Course(zeros(shape), zeros(shape[:3]).bool(), zeros(shape[:2]).bool(), zeros(shape))
    kept: list[_Step] = []
    made = 0
    for step in range(steps):
        rows = tables.rows()
        made += len(rows.games)
        opinion = consider(net, rows.observations, rows.masks, seats)
        actions = drawn(opinion.log_probs)
        mine = own[rows.games, rows.seats]
        if rival is not None:
            others = (~mine).nonzero()[:, 0]
            seen = consider(rival, rows.observations[others], rows.masks[others], seats)
            actions[others] = drawn(seen.log_probs)
        course.expected[step, rows.games, rows.seats] = foretold(opinion)
        course.decided[step, rows.games, rows.seats] = mine
        kept.append(_step(tables, rows, actions, opinion, mine.nonzero()[:, 0]))
        tables.step(actions)
        course.over[step] = tables.done
        course.ends[step, ..., :seats] = tables.outcomes()[:, :, tables.clockwise].transpose(1, 2)
    return Played(_decisions(course, kept, seats), made, *_results(course, own, seats))


def foretold(opinion: Opinion) -> Tensor:
    """Each seat's share of the win and points, as the network sees them."""
    return torch.stack((opinion.wins.exp(), opinion.points), dim=1)


def _step(tables: Tables, rows: Rows, actions: Tensor, opinion: Opinion, mine: Tensor) -> _Step:
    """The network's own decisions of a step, as copies."""
    games, seats = rows.games[mine], rows.seats[mine]
    others = tables.clockwise[seats, 1:]
    truth = tables.truth()[games[:, None], others]
    kept = Rows(games, seats, rows.observations[mine], rows.masks[mine])
    chosen = actions[mine]
    log_probs = opinion.log_probs[mine].gather(-1, chosen[:, None])[:, 0]
    return _Step(kept, chosen, log_probs, truth)


def returns(course: Course) -> tuple[Tensor, Tensor]:
    """What came of each decision, and for which decisions that is known.

    If the rollout stops before the end of a game, the last decision of a seat has nothing after it;
    what the network expected there counts for the decision before.
    """
    came = torch.zeros_like(course.expected)
    judged = torch.zeros_like(course.decided)
    later = torch.zeros_like(came[0])  # what came of the seat's next decision, or of the game
    value, known = later, judged[0]  # what was expected there
    for step in reversed(range(len(course.over))):
        over = course.over[step][:, None]
        ended, decided = over[..., None, None], course.decided[step]
        later = torch.where(ended, course.ends[step], later)
        value = torch.where(ended, course.ends[step], value)
        known = known | over
        came[step] = (1 - LAMBDA) * value + LAMBDA * later
        judged[step] = decided & known
        here, there = decided[..., None, None], (decided & known)[..., None, None]
        later = torch.where(there, came[step], torch.where(here, course.expected[step], later))
        value = torch.where(here, course.expected[step], value)
        known = known | decided
    return came, judged


def _decisions(course: Course, kept: list[_Step], seats: int) -> Decisions:
    came, judged = returns(course)
    steps = torch.cat([torch.full_like(each.rows.games, at) for at, each in enumerate(kept)])
    places = (
        steps,
        torch.cat([each.rows.games for each in kept]),
        torch.cat([each.rows.seats for each in kept]),
    )
    good = judged[places].nonzero()[:, 0]
    at = tuple(place[good] for place in places)

    def of(*parts: Tensor) -> Tensor:
        return torch.cat(parts)[good]

    return Decisions(
        observations=of(*(each.rows.observations for each in kept)),
        masks=of(*(each.rows.masks for each in kept)),
        seats=torch.full_like(good, seats)[:, None],
        actions=of(*(each.actions for each in kept)),
        log_probs=of(*(each.log_probs for each in kept)),
        expected=course.expected[at],
        came=came[at],
        truth=of(*(each.truth for each in kept)),
    )


def _results(course: Course, own: Tensor, seats: int) -> tuple[Tensor, Tensor]:
    """How many games with a rival ended, and the share that the network's seats have in wins."""
    contested = course.over & ~own.all(dim=1)
    shares = course.ends[:, :, 0, 0, :seats]  # as the first seat counts: by seats
    return contested.sum(), ((shares * own).sum(dim=-1) * contested).sum()
