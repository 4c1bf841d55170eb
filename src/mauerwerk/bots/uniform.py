"""The bot that all others must beat: any legal action, each as likely."""

from typing import Any

from mauerwerk.core.game import AnyGame, Chance, Setup
from mauerwerk.core.sight import Sight


class Uniform:
    """Chooses blindly among what is legal."""

    def __init__(self, game: AnyGame, setup: Setup[Any], draw: Chance) -> None:
        """Every game will do."""
        del game, setup
        self._draw = draw

    def act(self, sight: Sight[Any, Any, Any], seconds: float, /) -> Any:  # noqa: ANN401
        """Any of them, at once."""
        del seconds
        return sight.legal[self._draw(len(sight.legal))]
