"""Which parts of a board an event touched, so that a page can point at them."""

from mauerwerk.core.game import Value


class Touched(Value):
    """The places of one event."""

    places: tuple[str, ...] = ()
    """The ids of elements of the board, the most important first."""

    begins: bool = True
    """Whether it is something of its own, such as a wall, and gets a number; if not, it belongs to
    what the same player did before, as the houses beside the wall do."""
