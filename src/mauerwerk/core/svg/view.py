"""Views that notebooks show as pictures."""

from importlib import import_module
from typing import Any

from mauerwerk.core.game import Seat, Value, name_of


class DrawnView(Value):
    """A view of a game that is a package; the package that holds its class can draw it."""

    def _repr_svg_(self) -> str:
        """The table as this view has it, without targets; seats go by their numbers."""
        game: Any = import_module(type(self).__module__.rpartition(".")[0])
        drawing: str = game.svg(self, [name_of(Seat(seat)) for seat in range(game.SEATS[-1])])
        return drawing
