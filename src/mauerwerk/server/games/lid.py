"""The lid over what people at a shared device hold, while all of them look."""

from typing import Final

from mauerwerk.core.language.translation import Language
from mauerwerk.core.svg.drawing import Node, node
from mauerwerk.server.games.markup import head, image

_EYE: Final = "M3 12C6 7 9 5 12 5s6 2 9 7c-3 5-6 7-9 7s-6-2-9-7ZM4 20 20 4"


def lid(language: Language) -> Node:
    """A tray in which nothing is shown."""
    eye = image((24, 24), [node("path", d=_EYE), node("circle", cx=12, cy=12, r=3)])
    for name, value in (("fill", "none"), ("stroke", "currentColor"), ("stroke-width", "2")):
        eye.set(name, value)
    words = language("Nobody's hand is shown here until the device is passed on.")
    return node(
        "section",
        head(language("In your hands"), language("hidden while all look")),
        node("div", eye, node("span", words), class_="lid"),
        class_="tray",
        id="tray",
        aria_label=language("In your hands"),
    )
