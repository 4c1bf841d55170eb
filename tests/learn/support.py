"""Short trainings for the tests of learning."""

from typing import Any

from mauerwerk.core.game import Setup
from mauerwerk.games import GAMES, mauer
from mauerwerk.learn.config import Config

MINIATURE = Setup(3, mauer.Options(rounds=1, pieces="T12"))
SHORT = "train mauer --seats 3 --set rounds=1 --set pieces=T12 --jobs 1 --games 16 --steps 8"


def config_of(*setups: Setup[Any], name: str = "mauer", **more: Any) -> Config:  # noqa: ANN401
    """A short training on the CPU."""
    chosen: dict[str, Any] = {"games": 16, "steps": 8, "minutes": 0.1, "minibatches": 4, **more}
    return Config(game=GAMES[name], setups=setups, **chosen)


def played(trainer: Any) -> Any:  # noqa: ANN401 - a trainer, and a minibatch of it all
    """All rows of the last rollout that have weights."""
    kind = type(trainer.trajectories.all)
    parts = [trainer.trajectories.minibatch(part) for part in range(trainer.trajectories.parts)]
    torch = __import__("torch")
    return kind(*(torch.cat(fields) for fields in zip(*parts, strict=True)))
