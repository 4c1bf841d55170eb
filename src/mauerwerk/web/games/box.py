"""The games on the shelf: what is said of each before it is played, and how it is set up."""

from collections.abc import Mapping
from typing import Final

from mauerwerk.core.game import Value
from mauerwerk.core.language.translation import Language, message
from mauerwerk.games import GAMES

MIDDLE: Final = "journeyman"
"""The level of bots for somebody of whom nothing is known."""


class Box(Value):
    """A game as it stands on the shelf."""

    name: str
    title: str
    line: str
    """What it is about, in one line."""

    minutes: str
    age: int
    seats: int
    """How many play, unless somebody chooses otherwise."""

    tempo: int
    """Milliseconds that a bot lets pass, so that people can look."""

    secrets: bool
    """Whether a seat holds what the others at the same device must not see."""

    thumb: str
    """The symbol that stands for it in lists."""

    symbols: tuple[str, ...]
    """The symbols of its picture."""

    @property
    def players(self) -> str:
        """How many can play."""
        seats = GAMES[self.name].SEATS
        return f"{seats[0]}\N{EN DASH}{seats[-1]}"

    def lasts(self, language: Language) -> str:
        """How long it takes."""
        return language(self.minutes)


BOXES: Final[Mapping[str, Box]] = {
    "mauerbauer": Box(
        name="mauerbauer",
        title="Mauerbauer",
        line=message(
            "Build walls together, close cities, and play the guild cards that pay for them."
        ),
        minutes=message("45 min"),
        age=8,
        seats=3,
        tempo=1_000,
        secrets=True,
        thumb="palace-blue",
        symbols=(
            *("tower-white", "tower-grey", "tower-black", "wall-line", "palace-blue"),
            *("house-yellow", "house-green", "house-blue", "house-red"),
        ),
    ),
    "mauer": Box(
        name="mauer",
        title="Die Mauer",
        line=message("One wall for all. Guess what the master builder hides in a fist."),
        minutes=message("10 min a round"),
        age=8,
        seats=4,
        tempo=800,
        secrets=True,
        thumb="piece-C",
        symbols=("piece-T", "piece-C", "piece-1", "piece-2", "piece-3", "piece-4"),
    ),
    "burgbaumeister": Box(
        name="burgbaumeister",
        title="Burgbaumeister",
        line=message("Remember where the cards lie and raise a wall of nine rising numbers."),
        minutes=message("15 min"),
        age=6,
        seats=3,
        tempo=1_800,
        secrets=False,
        thumb="fig-queen",
        symbols=("fig-knight", "fig-queen", "fig-king", "fig-wizard", "fig-damsel", "fig-raven"),
    ),
}
"""Every game by its name, in the order of the first page."""
