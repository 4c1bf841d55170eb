"""What is trained, where, for how long, and every choice that the trainer leaves open."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias

from mauerwerk.core.game import AnyGame, Setup
from mauerwerk.kernels.compiler import Device

Chain: TypeAlias = Literal["game", "seat"]

POINTS: Final = 20.0
"""While a network learns, points count in units of this many."""


@dataclass(frozen=True, kw_only=True)
class Config:
    """A training run. Two runs with equal configurations differ by chance only in their timing."""

    game: AnyGame
    setups: Sequence[Setup[Any]]
    device: Device = "cpu"
    games: int | Sequence[int] = 128
    """Games at once for each setup, or one number for each setup."""
    minutes: float = 25.0
    decisions: int | None = None
    """Also stop after learning from this many decisions, for comparisons at equal decisions."""
    seed: int = 1
    threads: int = 1
    fused: bool = True
    """Whether a GPU uses the fused kernels, where Triton is installed."""

    # --- The network ---
    widths: tuple[int, int] = (256, 128)
    """The units of both hidden layers."""
    remember: bool = False
    """Whether seats see what a perfect memory would know."""
    lookup: bool = True
    """Whether the network looks up what lies where, in games whose kernel has a `LOOKUP`."""
    start: Path | None = None
    """The file of the network to begin with; None: one that knows nothing."""

    # --- Returns ---
    steps: int = 32
    """Steps of each game in a rollout."""
    chain: Chain = "game"
    """One chain of values per game over everybody's decisions, or one for each seat's own."""
    gae_lambda: float = 0.97
    points_weight: float = 0.3
    """The weight of the lead in units of `POINTS`, beside a win, which counts ±1."""

    # --- PPO ---
    learning_rate: float = 1e-3
    final_learning_rate: float = 0.1
    """The learning rate at the end, as a share of the first one."""
    epochs: int = 2
    minibatches: int = 8
    clip: float = 0.2
    max_grad_norm: float = 0.5
    entropy: tuple[float, float] | None = None
    """The entropy bonus at the beginning and at the end; None: that of the game's room."""
    win_loss: float = 0.5
    points_loss: float = 0.25
    hidden_loss: float = 0.1

    # --- Regularisation ---
    teacher: str | None = None
    """A bot that the network imitates first, and that stays among its rivals."""
    demonstrations: int = 200
    """How many games of each setup the teacher plays."""
    magnet: float = 0.0
    """The weight of the divergence from an exponential moving average of past policies."""
    magnet_rate: float = 0.02
    """How far the average moves towards the network after each rollout."""
    contested: float = 0.0
    """The share of games in which the network has one seat and rivals have all others."""
    greedy: float = 0.0
    """The share of games in which it has one seat, and rules of thumb have all others."""
    rivals: Sequence[Path] = ()
    """Files of networks that are among the rivals, beside past versions of the network."""
    rival_slots: int = 2
    """How many different rivals each setup has at a time."""
    exploiters: float = 0.0
    """The share of rollouts spent on exploiters: best responses that then become rivals."""
    exploiter_rounds: int = 200
    """How many rollouts an exploiter learns from before it becomes a rival."""

    # --- Evaluation beside the training ---
    opponents: Sequence[str] = ()
    """Bots whose games against the network make the curve of wins."""
    evaluation_games: int = 100
    evaluation_jobs: int = 1
    """Processes that play them, beside the one that trains."""

    def sizes(self) -> list[int]:
        """Games at once, for each setup."""
        if isinstance(self.games, int):
            return [self.games] * len(self.setups)
        return list(self.games)
