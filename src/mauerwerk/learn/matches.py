"""Games of a network against other bots: in any process, by the rules.

Nothing here needs PyTorch, so that the processes start quickly: the network is NumPy.
"""

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from mauerwerk.bots.bot import Player
from mauerwerk.bots.evaluation import sample
from mauerwerk.core.game import Chance, Sight
from mauerwerk.games import GAMES
from mauerwerk.kernels.networks.network import Network, load
from mauerwerk.lab.exploit import Contest
from mauerwerk.lab.match.match import chance
from mauerwerk.learn import demonstrations

# --- To measure it ---------------------------------------------------------------------------


class Rotation(NamedTuple):
    """Games in which the network has each seat once."""

    match: int
    """Which match they belong to."""
    contest: Contest
    player: str
    """The network as a bot, by its word."""
    numbers: range


def play_rotation(piece: Rotation) -> tuple[int, float]:
    """The match, and the network's mean share of the wins."""
    shares = [piece.contest.result(number, piece.player).won for number in piece.numbers]
    return piece.match, sum(shares) / len(shares)


# --- To learn from ---------------------------------------------------------------------------


class SampledGames(NamedTuple):
    """Games that are to be played."""

    contest: Contest
    file: str
    """The network."""
    numbers: range
    remember: bool


class SampledResults(NamedTuple):
    """What came of them."""

    rows: demonstrations.Demonstration | None
    """The network's decisions; None where it had no choice at all."""
    won: float
    """Its shares of the wins."""


class _Sampling:
    """The network at one seat in one game; it samples its actions."""

    def __init__(self, network: Network, encoder: demonstrations.Encoder, draw: Chance) -> None:
        self._network, self._encoder, self._draw = network, encoder, draw
        self.rows: list[demonstrations.Row] = []

    def act(self, sight: Sight[Any, Any, Any], seconds: float, /) -> Any:  # noqa: ANN401
        """One action by the network's probabilities."""
        del seconds
        if len(sight.legal) == 1:
            return sight.legal[0]
        observation, mask, _ = self._encoder.row(sight)
        numbers = [self._encoder.numbers[action] for action in sight.legal]
        logits = self._network.forward(observation).policy[numbers]
        chosen = sample(np.exp(logits - logits.max()).tolist(), self._draw)
        self.rows.append((observation, mask, numbers[chosen]))
        return sight.legal[chosen]


def play_sampled(piece: SampledGames) -> SampledResults:
    """Play these games."""
    contest = piece.contest
    encoder = demonstrations.Encoder(contest.game, contest.setup, remember=piece.remember)
    network = load(Path(piece.file))
    rows: list[tuple[Any, ...]] = []
    won = 0.0
    for number in piece.numbers:
        seat, players = contest.seat(number), contest.players(number)
        sampling = _Sampling(network, encoder, chance(contest.seed, number, str(seat)))
        players[seat] = Player(sampling, 0.0)
        outcome = contest.outcome(number, players)
        returns = demonstrations.returns_of(GAMES[contest.game], outcome, seat)
        rows += [(*row, returns) for row in sampling.rows]
        won += float(returns[0, 0])
    shown = demonstrations.from_rows(rows, contest.setup.seats) if rows else None
    return SampledResults(shown, won)
