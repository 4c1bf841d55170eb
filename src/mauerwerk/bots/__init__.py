"""Players that are programs."""

from collections.abc import Callable, Mapping
from typing import Final

from mauerwerk.bots.bot import Bot
from mauerwerk.bots.uniform import Uniform
from mauerwerk.core.game import AnyGame, Draw

BOTS: Final[Mapping[str, Callable[[AnyGame, Draw], Bot]]] = {
    "uniform": Uniform,
}
"""Every bot, by its word in commands; each is made for a game and a source of chance."""
