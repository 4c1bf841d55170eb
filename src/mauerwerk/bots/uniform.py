"""The bot that all others must beat: any legal action, each as likely."""

from typing import Any

from mauerwerk.core.game import AnyGame, Draw
from mauerwerk.core.sight import Sight


class Uniform:
    """Chooses blindly among what is legal."""

    def __init__(self, game: AnyGame, draw: Draw) -> None:
        """Every game will do."""
        self.game = game
        self._draw = draw

    def act(self, sight: Sight[Any, Any, Any], /) -> Any:  # noqa: ANN401
        """Any of them."""
        return sight.legal[self._draw(len(sight.legal))]
