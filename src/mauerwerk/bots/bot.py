"""What a bot is: somebody who is shown a sight and answers with an action in time."""

from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

from mauerwerk.core.game import AnyGame, Chance, Setup
from mauerwerk.core.sight import Sight


class Bot(Protocol):
    """A player at one seat. It sees what a person at that seat would, and nothing else."""

    def act(self, sight: Sight[Any, Any, Any], seconds: float, /) -> Any:  # noqa: ANN401 - the game's own actions
        """One of `sight.legal`, within so many seconds: the best found when they are up."""
        ...


class Compiled(Bot, Protocol):
    """A bot that has something to compile, or to load, before it can think."""

    def warm(self) -> None:
        """Do so now, lest the first decision wait for it."""
        ...


Maker = Callable[[AnyGame, Setup[Any], Chance], Bot]
"""Makes a bot for a game, what the table has agreed on (everybody knows it), and chance."""


class Player(NamedTuple):
    """A bot at a seat, and how long it may think over each decision."""

    bot: Bot
    seconds: float
