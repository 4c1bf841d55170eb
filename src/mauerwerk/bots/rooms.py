"""The bot room of each game: its rules of thumb, and what the shares of its search mean.

A game may be without a room. Then the greedy bot plays any legal action, and `remark` says so.
"""

from collections.abc import Callable
from typing import Any, Final, Protocol

from mauerwerk.bots import burgbaumeister, mauer, mauerbauer, plain
from mauerwerk.bots.evaluation import Evaluation
from mauerwerk.core.game import AnyGame
from mauerwerk.core.registry import Registry, lacking
from mauerwerk.core.sight import Sight
from mauerwerk.games import is_current


class BotRoom(Protocol):
    """What the bots of every game are told about one game: a package of `bots`."""

    @property
    def SHARPNESS(self) -> float:
        """How strongly a share in the win, as the search finds it, decides who wins; see `Lens`."""
        ...

    def consider(
        self,
        sight: Sight[Any, Any, Any],
        options: Any,  # noqa: ANN401 - the game's own
        remembered: Callable[[], Any],
        /,
    ) -> Evaluation:
        """The value of every legal action, and why; `remembered()` is the seat's belief."""
        ...


ROOMS: Final = Registry[BotRoom](
    "mauerwerk.bots",
    {
        "mauer": mauer,
        "burgbaumeister": burgbaumeister,
        "mauerbauer": mauerbauer,
    },
    fault=lambda _name, room: lacking(room, BotRoom, "bot room"),
)
"""The bot room of every game that has one, by the game's word."""


def has_room(game: AnyGame) -> bool:
    """Whether there are rules of thumb for this game, by its present rules."""
    return game.NAME in ROOMS and is_current(game)


def room_of(game: AnyGame) -> BotRoom:
    """The game's own room, or one without any rules of thumb."""
    return ROOMS.get(game.NAME, plain) if is_current(game) else plain


def remark(game: AnyGame) -> str:
    """One line for people who choose a bot that needs rules of thumb; empty if there are some."""
    if has_room(game):
        return ""
    return f"there are no rules of thumb for {game.NAME}, so the bot greedy plays any legal move"
