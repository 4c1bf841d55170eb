"""A game as the home page shows it, and how a table for it is set up by default."""

from typing import Final

from mauerwerk.core.game import AnyGame, Value
from mauerwerk.core.language.translation import Language
from mauerwerk.games import GAMES

MIDDLE: Final = "journeyman"
"""The level of bots for a player of whom nothing is known."""

TEMPO: Final = 1_000


class Box(Value):
    """A game, described in a few words and numbers."""

    name: str
    title: str
    seats: int
    """The number of players, unless another is chosen."""

    line: str = ""
    """What the game is about, in one line."""

    minutes: str = ""
    """How long it takes, in words; empty where that is not known."""

    usual_minutes: str = ""
    """How long it takes with the usual options, where `minutes` says it of a part of the game."""

    moves: int = 0
    """How many moves it takes for each player, about; 0 where that is not known."""

    age: int | None = None
    """The age from which children can play it."""

    tempo: int = TEMPO
    """Milliseconds that a bot waits before it moves, so that people can follow."""

    secrets: bool = True
    """Whether a seat holds what others at the same device must not see."""

    thumb: str = "logo"
    """The symbol that stands for it in lists."""

    symbols: tuple[str, ...] = ()
    """The symbols of its picture."""

    @property
    def players(self) -> str:
        """The numbers of players that the game is for."""
        seats = GAMES[self.name].SEATS
        return f"{seats[0]}\N{EN DASH}{seats[-1]}"

    def lasts(self, language: Language) -> str:
        """How long it takes."""
        return language(self.minutes)

    def usually_lasts(self, language: Language) -> str:
        """How long a whole game takes with the usual options; empty where that is not known."""
        return language(usual) if (usual := self.usual_minutes or self.minutes) else ""


def plain_box(game: AnyGame) -> Box:
    """The box of a game that brings none of its own."""
    return Box(name=game.NAME, title=game.TITLE, seats=game.SEATS[0])
