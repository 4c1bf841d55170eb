"""Die Mauer drawn, what its parts have in common: offers, sizes, and blocks with a height."""

from collections.abc import Mapping
from typing import Final, NamedTuple, TypeAlias

from mauerwerk.core.svg import Node
from mauerwerk.games.mauer.values import Action

FRAME: Final = 6
NARROW: Final = 700
"""What is not wider than this is drawn for a phone: smaller pieces, more rows."""

Words: TypeAlias = tuple[str, str]
"""An action's word, and what a player would say."""

Offers: TypeAlias = Mapping[Action, Words]
"""What may be done now."""


class Block(NamedTuple):
    """A part of the picture."""

    body: Node
    height: float
