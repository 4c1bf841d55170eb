"""What a teacher does: games of a bot as decisions that a network can imitate.

The teacher plays by the rules, in processes of its own, and looks at nothing but its sight. What it
plays is compared with how the games ended, so that a pupil also learns to predict results.

A teacher that searches says more than what it does: how much of its simulations each action has.
A pupil that imitates these shares, guides the next search, and so on, learns by expert iteration.
So that it also learns what to do after a mistake, such a teacher sometimes takes an action that it
thinks less of.

T. Anthony, Z. Tian, D. Barber: Thinking Fast and Slow with Deep Learning and Tree Search (2017).
"""

from collections.abc import Iterator, Sequence
from importlib import import_module
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from mauerwerk.bots import spec
from mauerwerk.bots.bot import Bot, Player
from mauerwerk.bots.evaluation import sample
from mauerwerk.bots.search import Search
from mauerwerk.core.game import AnyGame, Chance, Outcome, Seat, Setup
from mauerwerk.core.sight import Sight
from mauerwerk.games import GAMES
from mauerwerk.kernels import kernel_of
from mauerwerk.kernels.observation import observation_of
from mauerwerk.lab.match.match import chance, play_out
from mauerwerk.lab.workers.mapping import map_unordered
from mauerwerk.lab.workers.processes import processes
from mauerwerk.learn.network import POINTS, Tensor
from mauerwerk.learn.plan import Plan
from mauerwerk.learn.rollout import Decisions

torch: Any = import_module("torch")

ODD: Final = 5
"""A teacher that searches draws one of its actions in this many by their shares."""


class Task(NamedTuple):
    """A game that the teacher is to play."""

    game: str
    setup: Setup[Any]
    bot: str
    seed: int
    number: int
    remember: bool


class Lesson(NamedTuple):
    """The decisions in a game, in rows."""

    observations: npt.NDArray[np.int16]
    masks: npt.NDArray[np.bool_]
    actions: npt.NDArray[np.int64]
    came: npt.NDArray[np.float32]
    """Each seat's share of the win and points, as the one who decides counts them."""
    seats: int
    shares: npt.NDArray[np.float16] | None = None
    """How much the teacher thinks of each action; without them, it does what it thinks best."""


class Taught(NamedTuple):
    """What a teacher does, on the device where it is learnt."""

    decisions: Decisions
    shares: Tensor
    """How much the teacher thinks of each action, in rows."""


Row: TypeAlias = tuple[npt.NDArray[np.int16], npt.NDArray[np.bool_], int]
"""What was seen, what was allowed, and what was done."""


class Seer:
    """Turns sights into what a network sees: views, or also what a perfect memory knows."""

    def __init__(self, game: str, setup: Setup[Any], *, remember: bool) -> None:
        """For games with this setup."""
        self._game, self._setup, self._remember = GAMES[game], setup, remember
        kernel: Any = kernel_of(game)
        self.together = kernel.max_to_act(setup) > 1
        actions = self._game.choices(setup)
        self.numbers = {action: number for number, action in enumerate(actions)}

    def row(self, sight: Sight[Any, Any, Any], chosen: int = 0) -> Row:
        """What the seat sees and may do, beside the number of what it does."""
        features = observation_of(self._game, self._setup, sight, remember=self._remember)
        mask = np.zeros(len(self.numbers), np.bool_)
        mask[[self.numbers[each] for each in sight.legal]] = True
        return features, mask, chosen


class _Watched:
    """A bot whose decisions are written down."""

    def __init__(self, bot: Bot, seer: Seer, draw: Chance) -> None:
        self._bot, self._seer, self._draw = bot, seer, draw
        self.seen: list[Row] = []
        self.shares: list[npt.NDArray[np.float16]] = []

    def act(self, sight: Sight[Any, Any, Any], seconds: float, /) -> Any:  # noqa: ANN401
        """What the bot does; forced moves teach nothing."""
        if len(sight.legal) == 1:
            return sight.legal[0]
        shares = self._thought(sight, seconds)
        drawn = self._seer.together or self._draw(ODD) == 0
        chosen = sample(shares, self._draw) if drawn else int(np.argmax(shares))
        numbers = [self._seer.numbers[action] for action in sight.legal]
        self.seen.append(self._seer.row(sight, numbers[chosen]))
        row = np.zeros(len(self._seer.numbers), np.float16)
        row[numbers] = shares
        self.shares.append(row)
        return sight.legal[chosen]

    def _thought(self, sight: Sight[Any, Any, Any], seconds: float) -> Sequence[float]:
        """How much the bot thinks of each legal action."""
        if isinstance(self._bot, Search):
            return self._bot.shares(sight, seconds)
        action = self._bot.act(sight, seconds)
        return [float(each == action) for each in sight.legal]


def play(task: Task) -> Lesson:
    """Let the bot play a game on all seats."""
    game, setup = GAMES[task.game], task.setup
    seats = range(setup.seats)
    luck = [chance(task.seed, task.number, str(seat)) for seat in seats]
    sat = [spec.sit(spec.read(task.bot), game, setup, draw) for draw in luck]
    seer = Seer(task.game, setup, remember=task.remember)
    odd = chance(task.seed, task.number, "odd")
    watched = [_Watched(player.bot, seer, odd) for player in sat]
    players = [Player(bot, player.seconds) for bot, player in zip(watched, sat, strict=True)]
    nature = chance(task.seed, task.number, "nature")
    outcome = play_out(game, setup, players, nature).outcome
    rows = [(*row, came_of(game, outcome, seat)) for seat in seats for row in watched[seat].seen]
    shares = np.stack([row for each in watched for row in each.shares])
    return lesson_of(rows, setup.seats)._replace(shares=shares)


def came_of(game: AnyGame, outcome: Outcome, seat: int) -> npt.NDArray[np.float32]:
    """Each seat's share of the win and points, as this seat counts seats."""
    seats = len(outcome.ranks)
    came = np.zeros((2, game.SEATS[-1]), np.float32)
    for step in range(seats):
        other = Seat((seat + step) % seats)
        came[0, step] = (other in outcome.winners) / len(outcome.winners)
        came[1, step] = outcome.points[other] / POINTS
    return came


def lesson_of(rows: Sequence[tuple[Any, ...]], seats: int) -> Lesson:
    """A lesson from its rows: what was seen, the mask, the action, and what came of it."""
    observations, masks, actions, results = zip(*rows, strict=True)
    return Lesson(
        *(np.stack(observations), np.stack(masks), np.array(actions, np.int64)),
        *(np.stack(results), seats),
    )


def lessons(plan: Plan, bot: str, games: int) -> Iterator[Taught]:
    """This many games of a bot for each setup, on the device of the plan; in any order."""
    tasks = [
        Task(plan.game.NAME, setup, bot, plan.seed, number, plan.remember)
        for number in range(games)
        for setup in plan.setups
    ]
    with processes(plan.threads) as workers:
        for lesson in map_unordered(play, tasks, workers):
            shares = torch.as_tensor(lesson.shares).to(plan.device)
            yield Taught(decisions_of(lesson, plan), shares)


def decisions_of(lesson: Lesson, plan: Plan) -> Decisions:
    """A lesson as tensors on the device; nothing is known of what others held."""

    def there(array: Any) -> Any:  # noqa: ANN401 - of NumPy, then of PyTorch
        return torch.as_tensor(array).to(plan.device)

    rows = len(lesson.actions)
    came = there(lesson.came)
    return Decisions(
        observations=there(lesson.observations),
        masks=there(lesson.masks),
        seats=torch.full((rows, 1), lesson.seats, device=plan.device),
        actions=there(lesson.actions),
        log_probs=torch.zeros(rows, device=plan.device),
        expected=came,
        came=came,
        truth=torch.zeros(rows, lesson.seats - 1, 0, dtype=torch.bool, device=plan.device),
    )


def gathered(parts: Sequence[Taught]) -> Taught:
    """All that was taught, in one."""
    decisions = [part.decisions for part in parts]
    most = max(each.truth.shape[1] for each in decisions)
    empty = [each.truth.new_zeros(len(each.actions), most, 0) for each in decisions]
    filled = [each._replace(truth=truth) for each, truth in zip(decisions, empty, strict=True)]
    return Taught(
        Decisions(*(torch.cat(tensors) for tensors in zip(*filled, strict=True))),
        torch.cat([part.shares for part in parts]),
    )
