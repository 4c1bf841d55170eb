"""Drawings as pixels: PNG and GIF, by resvg and Pillow, which the extra `pictures` brings.

resvg knows neither custom properties nor media queries, so a drawing is given to it with the
colours of one theme written out.
"""

import re
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from functools import cache
from importlib import import_module, resources
from importlib.resources.abc import Traversable
from io import BytesIO
from typing import Any, Final
from xml.etree import ElementTree as ET

from mauerwerk.core.svg import PALETTE, STYLE, Node, label, node
from mauerwerk.core.svg.animation import Theme, resized, tree_of

_FONTS: Final = {
    "serif": "'Mauerwerk Serif','Iowan Old Style','Palatino Linotype',Palatino,P052,Georgia,"
    "'DejaVu Serif','Liberation Serif','Noto Serif','Times New Roman',serif",
    "sans": "'Segoe UI',Roboto,'Noto Sans','Helvetica Neue','DejaVu Sans','Liberation Sans',"
    "'Open Sans',Arial,sans-serif",
}
"""The fonts of the drawings, and what the systems have instead: resvg looks for no other."""

_VARIABLE: Final = re.compile(r"var\(--([\w-]+)(?:,([^()]*))?\)")
_STILL: Final = re.compile(r"\.mauerwerk (\.(?:lift|chalk|hit)\{[^}]*\})")
"""The styles that a picture without motion and pointers needs."""
_COLOURS: Final = 255
"""Of a GIF's 256 colours, one is left for what stays as it was."""


def png(drawing: str, theme: Theme, width: int) -> bytes:
    """A drawing as PNG, this many pixels wide, on the colour of the table."""
    return _rendered(tree_of(resized(drawing, width)), theme)


def gif(drawings: Iterable[str], seconds: Sequence[float], theme: Theme, width: int) -> bytes:
    """Drawings one after the other as GIF, each for this many seconds, again and again."""
    images: Any = import_module("PIL.Image")
    pages = [
        images.open(BytesIO(png(drawing, theme, width))).convert("RGB") for drawing in drawings
    ]
    height = max(page.height for page in pages)
    # One palette for all, so that no page flickers: of the first, which shows most of the ground,
    # the middle and the last, on which the most lies.
    samples = images.new("RGB", (width, 3 * height))
    for place, page in enumerate((pages[0], pages[len(pages) // 2], pages[-1])):
        samples.paste(page, (0, place * height))
    palette = samples.quantize(_COLOURS, method=images.Quantize.MEDIANCUT)
    ground = PALETTE["table"][theme == "dark"]
    laid: list[Any] = []
    for page in pages:
        whole = images.new("RGB", (width, height), ground)
        whole.paste(page)
        laid.append(whole.quantize(palette=palette, dither=images.Dither.NONE))
    out = BytesIO()
    laid[0].save(
        out,
        "GIF",
        save_all=True,
        append_images=laid[1:],
        duration=[round(1000 * each) for each in seconds],
        loop=0,
        disposal=1,  # each page is painted over the one before, where they differ
    )
    return out.getvalue()


def _rendered(root: Node, theme: Theme) -> bytes:
    resvg: Any = import_module("resvg_py")
    background = PALETTE["table"][theme == "dark"]
    with ExitStack() as stack:  # fonts are files also where this package is in an archive
        own = [str(stack.enter_context(resources.as_file(font))) for font in _own_fonts()]
        made: bytes = resvg.svg_to_bytes(
            svg_string=written_out(root, theme), background=background, font_files=own
        )
    return made


def _own_fonts() -> list[Traversable]:
    """The serif of titles and numbers; other words are in a font of this machine."""
    folder = resources.files("mauerwerk.core.svg").joinpath("fonts")
    return [each for each in folder.iterdir() if each.name.endswith(".ttf")]


@cache
def has_fonts() -> bool:
    """Whether words leave anything on the paper."""
    blank, written = (
        node("svg", *content, xmlns="http://www.w3.org/2000/svg", viewBox="0 0 40 20", width=40)
        for content in ((), (label(5, 15, "M"),))
    )
    return _rendered(blank, "light") != _rendered(written, "light")


def written_out(root: Node, theme: Theme) -> str:
    """A drawing with the colours of a theme and the names of fonts in their places."""
    for style in root.findall("style"):
        root.remove(style)
    root.insert(0, node("style", "".join(_STILL.findall(STYLE))))
    root.set("xmlns", "http://www.w3.org/2000/svg")
    root.set("font-family", "var(--sans)")
    root.set("color", "var(--ink)")
    values = {name: pair[theme == "dark"] for name, pair in PALETTE.items()} | _FONTS
    return _VARIABLE.sub(
        lambda found: values.get(found[1], found[2]), ET.tostring(root, encoding="unicode")
    )
