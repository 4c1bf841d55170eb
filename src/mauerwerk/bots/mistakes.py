"""The mistakes that a level of bots makes.

The same mistake costs much in one game and little in another. So that the steps between levels are
about even, a game's bot room may have `MISTAKES`, those of some levels in this game.
"""

from typing import Annotated

from msgspec import Meta

from mauerwerk.core.game import Value

Percent = Annotated[int, Meta(ge=0, le=100)]


class Mistakes(Value):
    """How often a bot makes mistakes, and how bad they are."""

    unthinking: Percent = 0
    """How often it plays by rules of thumb although it searches, in percent."""
    overlooks: Percent = 0
    """How likely it is not to see a choice, in percent."""
    hasty: Percent = 0
    """How much it goes by the points scored at once, and not by what a move is worth."""
    careless: Annotated[float, Meta(ge=0)] = 0.0
    """How many points worse a move may be and still be taken now and then."""
