"""What a bot is: a player that is given a sight and answers in time; `Uniform` is the simplest."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Protocol, runtime_checkable

from mauerwerk.core.game import AnyGame, Chance, Setup, Sight


class Bot(Protocol):
    """A player at one seat. It sees what a person at that seat would, and nothing else."""

    def act(self, sight: Sight[Any, Any, Any], seconds: float, /) -> Any:  # noqa: ANN401 - the game's own actions
        """One of `sight.legal`, within this many seconds: the best found by then."""
        ...


class Compiled(Bot, Protocol):
    """A bot that has to compile or load something before it can play."""

    def warm(self) -> None:
        """Do so now, so that the first decision does not have to wait."""
        ...


@runtime_checkable
class Explicit(Protocol):
    """A bot that says how likely it would do what, so that it can be analysed exactly."""

    def policy(self, sight: Sight[Any, Any, Any], /) -> Sequence[float]:
        """The probability of each legal action, in their order."""
        ...


Maker = Callable[[AnyGame, Setup[Any], Chance], Bot]
"""Makes a bot from a game, the setup of the table (it is public), and a source of chance."""


class Player(NamedTuple):
    """A bot at a seat, and how many seconds it may think about each decision."""

    bot: Bot
    seconds: float


class Uniform:
    """The bot that plays any legal action, each with the same probability."""

    def __init__(self, _game: AnyGame, _setup: Setup[Any], draw: Chance) -> None:
        self._draw = draw

    def policy(self, sight: Sight[Any, Any, Any], /) -> Sequence[float]:
        """All are as likely."""
        return (1 / len(sight.legal),) * len(sight.legal)

    def act(self, sight: Sight[Any, Any, Any], _seconds: float, /) -> Any:  # noqa: ANN401
        """Any of them, without thinking."""
        return sight.legal[self._draw(len(sight.legal))]
