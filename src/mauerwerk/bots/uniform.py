"""The bot that plays any legal action, each with the same probability."""

from typing import Any

from mauerwerk.core.game import AnyGame, Chance, Setup
from mauerwerk.core.sight import Sight


class Uniform:
    """Chooses at random among the legal actions."""

    def __init__(self, game: AnyGame, setup: Setup[Any], draw: Chance) -> None:
        """It plays every game."""
        del game, setup
        self._draw = draw

    def act(self, sight: Sight[Any, Any, Any], seconds: float, /) -> Any:  # noqa: ANN401
        """Any of them, without thinking."""
        del seconds
        return sight.legal[self._draw(len(sight.legal))]
