"""What the scenes of a rulebook are painted with, in every game."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from mauerwerk.core.game import Seat
from mauerwerk.core.language.translation import Language
from mauerwerk.core.svg.drawing import Node, node

NAMES: Final = ("Ada", "Bo", "Cem", "Dina")
"""The players in the scenes."""


class SceneView(NamedTuple):
    """The table of a scene, as one viewer sees it."""

    view: Any
    offers: Mapping[Any, tuple[str, str]]
    whose: Seat
    language: Language


class Canvas(NamedTuple):
    """A drawing: its left and top, its width and height, and what is on it."""

    box: tuple[float, float, float, float]
    content: Sequence[Node]


Painter = Callable[[SceneView], Canvas]
"""Draws one part of the table."""


def ground(colour: str, wide: float, high: float) -> Node:
    """An area in a colour of the palette, on which a scene is drawn."""
    return node("rect", width=wide, height=high, fill=f"var(--{colour})")
