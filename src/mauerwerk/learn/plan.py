"""What is to be trained, where, and for how long."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from mauerwerk.core.game import AnyGame, Setup
from mauerwerk.kernels.compiler import Device

WIDTHS: Final = (256, 128)
"""The units of both layers. Files of such networks are small enough to be part of a package."""


class Plan(NamedTuple):
    """What is to be trained, where, and for how long."""

    game: AnyGame
    setups: Sequence[Setup[Any]]
    device: Device
    games: int
    """Games at once for each setup."""
    steps: int
    """Steps of each game in a round."""
    minutes: float
    rate: float
    """The rate of learning, which falls to a tenth."""
    seed: int
    teacher: str | None = None
    """A bot that the network imitates before it plays itself, and that stays among its rivals."""
    lessons: int = 200
    """How many games of each setup the teacher plays."""
    start: Path | None = None
    """The file of the network to begin with; None: one that knows nothing."""
    rivals: Sequence[Path] = ()
    """The files of networks that it also plays against, beside its own past."""
    remember: bool = False
    """Whether seats see what a perfect memory would know."""
    threads: int = 1
    widths: tuple[int, int] = WIDTHS
