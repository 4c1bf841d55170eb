"""What every game's drawing is made of: elements, symbols and targets.

A drawing is one SVG that stands alone: no script, no second file, light and dark. A legal action is
a `target`: an element whose id stays the same from one drawing to the next, with the word of the
action, so that a page needs no rules to send it.
"""

import re
from typing import Final, Literal
from xml.etree import ElementTree as ET

from mauerwerk.core.svg.palette import STYLE, palette_of
from mauerwerk.core.svg.symbols import Symbols, names_used

Node = ET.Element
"""An element of a drawing. Text and attributes are escaped when it is written."""

Anchor = Literal["start", "middle", "end"]

# The type sizes of the house; nothing is set smaller than SMALL.
SMALL: Final = 13
TEXT: Final = 15
NAME: Final = 17
PROMPT: Final = 21
POINTS: Final = 28

TOUCH: Final = 44
"""The least width and height of a target for fingers."""


class Drawing(str):
    """An SVG as text; a notebook shows it as the picture it is."""

    __slots__ = ()

    def _repr_svg_(self) -> str:
        return str(self)


# --- Elements --------------------------------------------------------------------------------


def node(tag: str, *content: Node | str, **attributes: str | float | None) -> Node:
    """An element: `class_` is written `class`, `data_word` `data-word`; None is left out.

    >>> ET.tostring(node("g", node("title", "a < b"), class_="wall", x=2.5, y=None))
    b'<g class="wall" x="2.5"><title>a &lt; b</title></g>'
    """
    made = ET.Element(tag)
    for name, value in attributes.items():
        if value is not None:
            made.set(name.rstrip("_").replace("_", "-"), _written(value))
    for item in content:
        if not isinstance(item, str):
            made.append(item)
        elif len(made):
            made[-1].tail = (made[-1].tail or "") + _written(item)
        else:
            made.text = (made.text or "") + _written(item)
    return made


def group(*content: Node, x: float = 0, y: float = 0, **attributes: str | float | None) -> Node:
    """Elements that are moved together."""
    at = f"translate({_written(x)} {_written(y)})" if x or y else None
    return node("g", *content, transform=at, **attributes)


def use(
    name: str, x: float, y: float, width: float, height: float, **attributes: str | float | None
) -> Node:
    """A symbol by its name; `picture` puts the symbol itself into the drawing."""
    return node("use", href=f"#{name}", x=x, y=y, width=width, height=height, **attributes)


def label(  # noqa: PLR0913 - a place, and how it is set
    x: float,
    y: float,
    words: str,
    *,
    size: float = TEXT,
    fill: str = "ink",
    anchor: Anchor = "start",
    bold: bool = False,
    serif: bool = False,
) -> Node:
    """A line of text, in a colour of the palette, on the base line y."""
    return node(
        "text",
        words,
        x=x,
        y=y,
        font_size=size,
        fill=f"var(--{fill})",
        text_anchor=None if anchor == "start" else anchor,
        font_weight=(700 if serif else 600) if bold else None,
        font_family="var(--serif)" if serif else None,
    )


def target(name: str, word: str, words: str, *content: Node) -> Node:
    """A legal action: a button with the action's word, and its words for people.

    Inside, `hit` is the area that answers (TOUCH in both directions at least) and shows the
    focus, `chalk` are dashes (say how they are filled), `glow` is what breathes.
    """
    return node(
        "g",
        node("title", words),
        *content,
        id=name,
        class_="target",
        role="button",
        tabindex=0,
        aria_label=words,
        data_word=word,
    )


def opener(name: str, opens: str, words: str, *content: Node) -> Node:
    """A place with several answers: a button that opens the element which offers them."""
    return node(
        "g",
        node("title", words),
        *content,
        id=name,
        class_="target",
        role="button",
        tabindex=0,
        aria_label=words,
        aria_haspopup="menu",
        aria_expanded="false",
        data_opens=opens,
    )


def hit(x: float, y: float, width: float, height: float) -> Node:
    """The area in which a target answers, no smaller than a finger."""
    wide, high = max(width, TOUCH), max(height, TOUCH)
    return node(
        "rect",
        x=x - (wide - width) / 2,
        y=y - (high - height) / 2,
        width=wide,
        height=high,
        rx=7,
        class_="hit",
    )


def picture(art: Symbols, width: float, height: float, words: str, *content: Node) -> Drawing:
    """The whole drawing, with just the symbols and colours it uses."""
    body = node("g", *content)
    defs = node("defs", *art.named(names_used(body)))
    root = node(
        "svg",
        node("style", palette_of(defs, body) + STYLE),
        defs,
        *content,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {_written(width)} {_written(height)}",
        width=width,
        height=height,
        class_="mauerwerk",
        role="group",
        aria_label=words,
    )
    return Drawing(ET.tostring(root, encoding="unicode"))


def _written(value: str | float) -> str:
    """Numbers to a hundredth; of text what XML can hold."""
    if isinstance(value, str):
        return _NOT_XML.sub("\N{REPLACEMENT CHARACTER}", value)
    return f"{value:.2f}".rstrip("0").rstrip(".")


_NOT_XML: Final = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
