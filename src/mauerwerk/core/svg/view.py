"""A table that draws itself where somebody looks at it, such as in a notebook."""

from importlib import import_module
from typing import Any

from mauerwerk.core.game import Seat, Value, name_of


class DrawnView(Value):
    """A view of a game. The package that its class stands in is the game, and knows how to draw."""

    def _repr_svg_(self) -> str:
        """The table as this view has it, with nothing to click; seats go by their numbers."""
        game: Any = import_module(type(self).__module__.rpartition(".")[0])
        drawing: str = game.svg(self, (), [name_of(Seat(seat)) for seat in range(game.SEATS[-1])])
        return drawing
