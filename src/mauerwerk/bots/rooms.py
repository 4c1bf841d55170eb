"""The bot room of each game: its rules of thumb, what the shares of its search mean, its ratings.

A game may be without a room. Then the greedy bot plays any legal action, and `remark` says so.

A room may have `MISTAKES`: for some levels, by their words, the mistakes that they make here.

A room may have a file `ratings.json` in its package: the mean and the standard deviation of each
level, as `mauerwerk ladder GAME --json` prints them, on the scale on which people are rated.
`docs/how-to/rate-players.md` says how to make it.
"""

from collections.abc import Callable
from functools import cache
from importlib import resources
from typing import Any, Final, NamedTuple, Protocol

import msgspec

from mauerwerk.bots import burgbaumeister, mauer, mauerbauer
from mauerwerk.bots.evaluation import Choice, Evaluation, because
from mauerwerk.core.game import AnyGame, Sight
from mauerwerk.core.registry import Registry, lacking
from mauerwerk.games import is_current


class BotRoom(Protocol):
    """What the bots of every game are told about one game: a package of `bots`.

    The defaults are those of a game without a room.
    """

    @property
    def SHARPNESS(self) -> float:
        """How strongly a share in the win, as the search finds it, decides who wins; see `Lens`."""
        return 1.0

    def consider(
        self,
        sight: Sight[Any, Any, Any],
        _options: Any,  # noqa: ANN401 - the game's own
        _remembered: Callable[[], Any],
        /,
    ) -> Evaluation:
        """The value of every legal action, and why; `remembered()` is the seat's belief."""
        return Evaluation([Choice(action, 0.0, because("-")) for action in sight.legal])


class _NoRoom(BotRoom):
    pass


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
    return ROOMS[game.NAME] if has_room(game) else _NoRoom()


def remark(game: AnyGame) -> str:
    """One line for people who choose a bot that needs rules of thumb; empty if there are some."""
    if has_room(game):
        return ""
    return f"there are no rules of thumb for {game.NAME}, so the bot greedy plays any legal move"


# --- Ratings ---------------------------------------------------------------------------------


class Anchor(NamedTuple):
    """The rating of a bot, which people's games do not change."""

    mu: float
    sigma: float


def rating_of(game: str, level: str) -> Anchor | None:
    """The rating of a bot of this level; None where no ladder has rated it."""
    return _ratings(game).get(level)


def rated_levels(game: str) -> dict[str, Anchor]:
    """All levels that a ladder has rated, the strongest first."""
    return dict(sorted(_ratings(game).items(), key=lambda each: -each[1].mu))


@cache
def _ratings(game: str) -> dict[str, Anchor]:
    package = getattr(ROOMS.get(game), "__name__", "")
    file = resources.files(package).joinpath("ratings.json") if package else None
    if file is None or not file.is_file():
        return {}
    found = msgspec.json.decode(file.read_bytes(), type=dict[str, tuple[float, float]])
    return {level: Anchor(*rating) for level, rating in found.items()}
