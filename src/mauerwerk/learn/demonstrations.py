"""Demonstrations: games of a bot as decisions that a network can imitate.

The bot plays by the rules, in processes of its own, and looks at nothing but its sight. What it
does is kept beside how the games ended, so that a network also learns to predict results.

A teacher that searches says more than what it does: how much of its simulations each action has. A
network that imitates these shares, guides the next search, and so on, learns by expert iteration.
So that it also learns what to do after a mistake, such a teacher sometimes takes an action that it
thinks less of.

Nothing here needs PyTorch, so that the processes start quickly; `imitation` learns from it.

T. Anthony, Z. Tian, D. Barber: Thinking Fast and Slow with Deep Learning and Tree Search (2017).
"""

from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from mauerwerk.bots.bot import Bot, Player
from mauerwerk.bots.evaluation import sample
from mauerwerk.bots.search import Search
from mauerwerk.core.game import AnyGame, Chance, Outcome, Seat, Setup, Sight
from mauerwerk.games import GAMES
from mauerwerk.kernels import kernel_of
from mauerwerk.kernels.observation import observation_of
from mauerwerk.lab.match.match import chance, play_out, seated
from mauerwerk.lab.workers import map_unordered, processes
from mauerwerk.learn.config import POINTS, Config

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


class Demonstration(NamedTuple):
    """Decisions with how their games ended, in rows: arrays of NumPy, or tensors."""

    observations: Any
    masks: Any
    actions: Any
    returns: Any
    """Each seat's share of the win and points, as the one who decides counts them."""
    seats: Any
    """How many play."""
    shares: Any
    """How much the teacher thinks of each action."""


Row: TypeAlias = tuple[npt.NDArray[np.int16], npt.NDArray[np.bool_], int]
"""What was seen, what was allowed, and what was done."""


class Encoder:
    """Turns sights into what a network sees: views, or also what a perfect memory knows."""

    def __init__(self, game: str, setup: Setup[Any], *, remember: bool) -> None:
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


class _Recorded:
    """A bot whose decisions are written down."""

    def __init__(self, bot: Bot, encoder: Encoder, draw: Chance) -> None:
        self._bot, self._encoder, self._draw = bot, encoder, draw
        self.rows: list[Row] = []
        self.shares: list[npt.NDArray[np.float16]] = []

    def act(self, sight: Sight[Any, Any, Any], seconds: float, /) -> Any:  # noqa: ANN401
        """What the bot does; forced moves teach nothing."""
        if len(sight.legal) == 1:
            return sight.legal[0]
        shares = self._shares(sight, seconds)
        samples = self._encoder.together or self._draw(ODD) == 0
        chosen = sample(shares, self._draw) if samples else int(np.argmax(shares))
        numbers = [self._encoder.numbers[action] for action in sight.legal]
        self.rows.append(self._encoder.row(sight, numbers[chosen]))
        row = np.zeros(len(self._encoder.numbers), np.float16)
        row[numbers] = shares
        self.shares.append(row)
        return sight.legal[chosen]

    def _shares(self, sight: Sight[Any, Any, Any], seconds: float) -> Sequence[float]:
        """How much the bot thinks of each legal action."""
        if isinstance(self._bot, Search):
            return self._bot.shares(sight, seconds)
        action = self._bot.act(sight, seconds)
        return [float(each == action) for each in sight.legal]


def play(task: Task) -> Demonstration:
    """Let the bot play a game on all seats."""
    game, setup = GAMES[task.game], task.setup
    seats = range(setup.seats)
    players = seated(game, setup, [task.bot] * setup.seats, task.seed, task.number)
    encoder = Encoder(task.game, setup, remember=task.remember)
    odd = chance(task.seed, task.number, "odd")
    bots = [_Recorded(player.bot, encoder, odd) for player in players]
    recorded = [Player(bot, player.seconds) for bot, player in zip(bots, players, strict=True)]
    nature = chance(task.seed, task.number, "nature")
    outcome = play_out(game, setup, recorded, nature).outcome
    rows = [(*row, returns_of(game, outcome, seat)) for seat in seats for row in bots[seat].rows]
    shares = np.stack([row for bot in bots for row in bot.shares])
    return from_rows(rows, setup.seats)._replace(shares=shares)


def returns_of(game: AnyGame, outcome: Outcome, seat: int) -> npt.NDArray[np.float32]:
    """Each seat's share of the win and points, as this seat counts seats."""
    seats = len(outcome.ranks)
    returns = np.zeros((2, game.SEATS[-1]), np.float32)
    for step in range(seats):
        other = Seat((seat + step) % seats)
        returns[0, step] = (other in outcome.winners) / len(outcome.winners)
        returns[1, step] = outcome.scores[other] / POINTS
    return returns


def from_rows(rows: Sequence[tuple[Any, ...]], seats: int) -> Demonstration:
    """A demonstration from its rows: what was seen, the mask, the action, and the returns."""
    observations, masks, actions, returns = zip(*rows, strict=True)
    return Demonstration(
        np.stack(observations),
        np.stack(masks),
        np.array(actions, np.int64),
        np.stack(returns),
        np.full(len(actions), seats, np.int32),
        np.zeros((len(actions), 0), np.float16),
    )


def demonstrations(config: Config, bot: str, games: int) -> Iterator[Demonstration]:
    """This many games of a bot for each setup, in any order."""
    tasks = [
        Task(config.game.NAME, setup, bot, config.seed, number, config.remember)
        for number in range(games)
        for setup in config.setups
    ]
    with processes(config.threads) as workers:
        yield from map_unordered(play, tasks, workers)
