"""What a form asks for in which people enter what they rolled, drew or dealt themselves.

A form offers what the printed game could show, not what `odds` allows: that may hold what no player
may know, such as which cards have been seen.
"""

from collections.abc import Sequence
from typing import Any, Final

from mauerwerk.core.game import AnyGame, Value
from mauerwerk.core.language.translation import Language
from mauerwerk.core.language.words import capital
from mauerwerk.server.games.parts import Button

PART: Final = "part-"
"""Fields whose values together are one word, in the order of their numbers."""


class Die(Value):
    """A row of faces, one of which is chosen."""

    name: str
    label: str
    faces: tuple[Button, ...]


class Cards(Value):
    """A kind of cards in a list."""

    label: str
    cards: tuple[Button, ...]


class ChanceFields(Value):
    """What is to be entered, and how."""

    legend: str
    buttons: tuple[Button, ...] = ()
    begin: str = ""
    """The beginning of a word that is put together from faces."""

    dice: tuple[Die, ...] = ()
    several: int = 0
    """The number of lists of cards."""

    cards: tuple[Cards, ...] = ()
    numbers: tuple[int, int] | None = None
    """The lowest and the highest number on a card."""


def lots(game: AnyGame, state: Any, names: Sequence[str], language: Language) -> ChanceFields:  # noqa: ANN401 - the game's own
    """A button for each seat that can be drawn by lot; nature's words are in the order of seats."""
    odds = game.odds(state)
    return ChanceFields(
        language("Whose lot was drawn?"),
        buttons=tuple(
            Button(game.write(action), name, sign=f"mark-{place}")
            for place, (action, name) in enumerate(zip(odds, names, strict=True), start=1)
        ),
    )


def anything(game: AnyGame, state: Any, language: Language) -> ChanceFields:  # noqa: ANN401 - the game's own
    """A list of all that nature may do, for a game that brings no form of its own."""
    happened = tuple(
        Button(game.write(action), capital(game.say(action, language)))
        for action in game.odds(state)
    )
    return ChanceFields(language("What happened?"), several=1, cards=(Cards("", happened),))
