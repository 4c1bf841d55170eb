"""Games of a network against a bot that is no network, to learn from: in any process, by the rules.

The network draws its actions by their probabilities, as it does while it learns. It is NumPy here.
"""

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from mauerwerk.bots.bot import Player
from mauerwerk.bots.evaluation import sample
from mauerwerk.core.game import AnyGame, Chance, Setup
from mauerwerk.core.sight import Sight
from mauerwerk.games import GAMES
from mauerwerk.kernels.networks.network import Network, load
from mauerwerk.lab.exploit.gains import Contest
from mauerwerk.learn.lessons import Lesson, Row, Seer, came_of, lesson_of


class Trials(NamedTuple):
    """Games that are to be played."""

    contest: Contest
    file: str
    """The network."""
    numbers: range
    remember: bool


class Tried(NamedTuple):
    """What came of them."""

    lesson: Lesson | None
    """The network's decisions; None where it had no choice at all."""
    won: float
    """Its shares of the wins."""


class _Trying:
    """The network at one seat, one game after the other."""

    def __init__(self, network: Network, seer: Seer) -> None:
        self._network, self._seer = network, seer
        self._draw: Chance = _nothing
        self.seen: list[Row] = []

    def sit(self, game: AnyGame, setup: Setup[Any], draw: Chance, frozen: Player, /) -> Player:
        """Take a seat for one game."""
        del game, setup, frozen
        self._draw, self.seen = draw, []
        return Player(self, 0.0)

    def act(self, sight: Sight[Any, Any, Any], seconds: float, /) -> Any:  # noqa: ANN401
        """One action by the network's probabilities."""
        del seconds
        if len(sight.legal) == 1:
            return sight.legal[0]
        observation, mask, _ = self._seer.row(sight)
        numbers = [self._seer.numbers[action] for action in sight.legal]
        logits = self._network.forward(observation).policy[numbers]
        chosen = sample(np.exp(logits - logits.max()).tolist(), self._draw)
        self.seen.append((observation, mask, numbers[chosen]))
        return sight.legal[chosen]


def _nothing(_number: int) -> int:
    return 0


def play_trials(trials: Trials) -> Tried:
    """Play these games."""
    contest = trials.contest
    seer = Seer(contest.game, contest.setup, remember=trials.remember)
    trying = _Trying(load(Path(trials.file)), seer)
    rows: list[tuple[Any, ...]] = []
    won = 0.0
    for number in trials.numbers:
        outcome = contest.outcome(number, trying)
        came = came_of(GAMES[contest.game], outcome, contest.seat(number))
        rows += [(*row, came) for row in trying.seen]
        won += float(came[0, 0])
    return Tried(lesson_of(rows, contest.setup.seats) if rows else None, won)
