"""How a level of bots errs.

The same error costs much in one game and little in another. So that the steps between levels are
even, a game's bot room may have `ERRORS`, which say for some levels how they err in this game.
"""

from typing import Annotated

from msgspec import Meta

from mauerwerk.core.game import Value

Percent = Annotated[int, Meta(ge=0, le=100)]


class Errors(Value):
    """How often a bot errs, and how badly."""

    unthinking: Percent = 0
    """How often it plays by rules of thumb although it searches, in percent."""
    overlooks: Percent = 0
    """How likely it is not to see a choice, in percent."""
    hasty: Percent = 0
    """How much it goes by the points scored at once, and not by what a move is worth."""
    careless: Annotated[float, Meta(ge=0)] = 0.0
    """How many points worse a move may be and still be taken now and then."""
