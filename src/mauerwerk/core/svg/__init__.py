"""Drawings as SVG: elements, targets, symbols and the palette; each game has its own art.

A drawing is one SVG that stands alone: no script, no second file, light and dark. A legal action is
a `target`: an element whose id stays the same from one drawing to the next, with the word of the
action, so that a page needs no rules to send it.
"""

import re
from collections.abc import Iterable, Mapping
from functools import cache, cached_property
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Final, Literal
from xml.etree import ElementTree as ET

# --- Colours, fonts and styles, light and dark ------------------------------------------------

_COLOURS: Final = """
table #E8DDCC #1F1A16 | table-lit #F6F0E5 #30281F | paper #FCF8F0 #2E2722 | paper-2 #F2EADD #25201B
card #FCF8F0 #463B31 | card-sky #F5ECDA #E6DBC5 | die #FCF8F0 #E9DDC8
tray #CDB896 #332A22 | tray-deep #9C845E #5A4A3A | tray-ink #2A211A #F3E9DB
ink #2A211A #F3E9DB | ink-2 #5B4D40 #C6B8A5 | mortar #D5C8B4 #453B33 | mortar-2 #8A7963 #917F6A
brick #A3432B #B8553D | brick-lit #BC5B40 #CB6C51 | brick-deep #6F2A19 #6A2A1B
on-brick #FFF9F0 #FFF9F0 | stone #E3D9C9 #40372F | stone-deep #B4A48C #1A1613
chalk #FFFBEF #FFF8E6 | chalk-2 #E9E3D2 #E2D9C5 | glow #FFE08A #FFD67A | focus #0E4A86 #9BD0FF
slate #3A413F #262B2A | moss-2 #DDE4CC #55613F | clay-2 #F0D9CB #70452F
sea #446D7B #24414C | sea-2 #5D8692 #355864 | foam #CFE1E0 #6D949B | wave-ink #3F7686 #7FB0BC
city #EADBBD #A8987A | city-line #BFA97F #857455 | hinter #7F8A64 #3E4532 | groove #3B2A1A #120C08
reg0 #86956A #56623F | reg1 #B08A45 #7A6336 | reg2 #AC7C64 #744D3C
cloth #687560 #363E33 | sky #F3E8D2 #2B3038 | sun #F4D79A #E9DDBF | ground #566240 #262B1E
hill-1 #B4BC92 #364038 | hill-2 #87956A #465039
wood #DDB47C #CDA36B | wood-deep #B58650 #9C7143 | wood-line #6B4526 #4A2E18
brick-piece #B4553A #BF6146 | brick-piece-deep #642616 #3A140B | brick-joint #F0D9BE #F0D9BE
piece-line #3A2A1E #1D140E | shadow 70,44,20 0,0,0 | cast .28 .45
t-black #3A3532 #45403C | t-black-side #171412 #221E1B | t-black-floor #25211F #2E2A27
t-black-line #3A2A1E #B9AC99 | t-grey-line #3A2A1E #1D140E | t-white-line #3A2A1E #1D140E
"""


PALETTE: Final[Mapping[str, tuple[str, str]]] = {
    name: (light, dark)
    for name, light, dark in (
        entry.split() for line in _COLOURS.strip().splitlines() for entry in line.split("|")
    )
}
"""The colours by name, light and dark. In a drawing `var(--brick)` is the one of its theme."""


_FONTS: Final = (
    '--serif:"Mauerwerk Serif","Iowan Old Style","Palatino Linotype",Palatino,"URW Palladio L",'
    'P052,"Book Antiqua",Georgia,serif;'
    '--sans:system-ui,"Segoe UI",Roboto,"Noto Sans",sans-serif;'
)


STYLE: Final = """
.mauerwerk{display:block;max-width:100%;height:auto;color:var(--ink);font-family:var(--sans);\
font-variant-numeric:lining-nums tabular-nums}
.mauerwerk text{pointer-events:none}
.mauerwerk .lift{filter:drop-shadow(2px 3px 2px rgba(var(--shadow),var(--cast)))}
.mauerwerk .glide{transition:transform .4s ease-out}
.mauerwerk .target{cursor:pointer;outline:none}
.mauerwerk .hit{fill:transparent}
.mauerwerk .chalk{stroke:var(--chalk);stroke-width:2.6;stroke-dasharray:6 4.5;\
stroke-linejoin:round;stroke-linecap:round}
.mauerwerk .glow{filter:drop-shadow(0 0 2px var(--glow)) drop-shadow(0 0 7px var(--glow));\
animation:mauerwerk-breathe 2.4s ease-in-out infinite}
.mauerwerk .halo{animation:mauerwerk-breathe 2.4s ease-in-out infinite}
.mauerwerk .target:hover .chalk{stroke-dasharray:none;stroke-width:4}
.mauerwerk .target:hover .glow{animation:none}
.mauerwerk .target:focus-visible .hit{stroke:var(--focus);stroke-width:3}
@keyframes mauerwerk-breathe{50%{opacity:.62}}
@media (prefers-reduced-motion:reduce){.mauerwerk *{animation:none!important;\
transition:none!important}}
"""


_COLOUR: Final = re.compile(r"var\(--([\w-]+)")


def palette_of(*parts: ET.Element) -> str:
    """The colours these parts speak of, as CSS: the reader's theme unless `data-theme` is set."""
    values = (value for part in parts for each in part.iter() for value in each.attrib.values())
    spoken = set(_COLOUR.findall(" ".join([STYLE, *values])))
    light, dark = (
        "".join(f"--{name}:{pair[theme]};" for name, pair in PALETTE.items() if name in spoken)
        for theme in (0, 1)
    )
    return (
        f".mauerwerk{{{_FONTS}{light}}}\n"
        "@media (prefers-color-scheme:dark)"
        f"{{.mauerwerk:not([data-theme=light],[data-theme=light] *){{{dark}}}}}\n"
        f".mauerwerk[data-theme=dark],[data-theme=dark] .mauerwerk{{{dark}}}"
    )


# --- Symbols: drawn once in a file of art, used by name ---------------------------------------


class Symbols:
    """The symbols of one or more files."""

    def __init__(self, *files: Traversable) -> None:
        """Read these files when a symbol is first asked for; of equal names the last counts."""
        self.files: Final = files

    def named(self, names: Iterable[str]) -> tuple[ET.Element, ...]:
        """The symbols of these names, and those they use in turn, in alphabetical order."""
        wanted = list(dict.fromkeys(names))
        for name in wanted:  # grows while it is walked
            wanted.extend(used for used in names_used(self._symbols[name]) if used not in wanted)
        return tuple(self._symbols[name] for name in sorted(wanted))

    def outline(self, name: str) -> str:
        """The path data of a symbol that is one outline, such as `ghost-4`."""
        return self._symbols[name][0].attrib["d"]

    def size_of(self, name: str) -> tuple[float, float]:
        """The natural width and height of a symbol."""
        _, _, width, height = self._symbols[name].attrib["viewBox"].split()
        return float(width), float(height)

    @cached_property
    def _symbols(self) -> Mapping[str, ET.Element]:
        return {name: symbol for file in self.files for name, symbol in _read(file).items()}


def names_used(body: ET.Element) -> tuple[str, ...]:
    """The names of the symbols that an element uses."""
    hrefs = (each.get("href", "") for each in body.iter("use"))
    return tuple(dict.fromkeys(href.removeprefix("#") for href in hrefs))


def _read(file: Traversable) -> Mapping[str, ET.Element]:
    root = ET.fromstring(file.read_text(encoding="utf-8"))  # noqa: S314 - a file of this package
    for each in root.iter():
        each.tag = each.tag.rpartition("}")[2]
        each.tail = None
    return {each.attrib["id"]: each for each in root.iter("symbol")}


def with_signs(package: str) -> Symbols:
    """The symbols in the `pieces.svg` of a package, and the shared signs."""
    return Symbols(*SIGNS.files, resources.files(package).joinpath("pieces.svg"))


SIGNS: Final = Symbols(resources.files("mauerwerk.core.svg").joinpath("signs.svg"))
"""What every game and page can use: the players' marks, icons, the logo."""


# --- Drawings ---------------------------------------------------------------------------------

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
    given = {
        _attribute(name): written(value) for name, value in attributes.items() if value is not None
    }
    made = ET.Element(tag, given)
    for item in content:
        if not isinstance(item, str):
            made.append(item)
        elif len(made):
            last = made[-1]
            if isinstance(last, Shared):  # elsewhere, other words follow it
                made[-1] = last.copied()
            made[-1].tail = (made[-1].tail or "") + written(item)
        else:
            made.text = (made.text or "") + written(item)
    return made


@cache
def _attribute(name: str) -> str:
    return name.rstrip("_").replace("_", "-")


class Shared(ET.Element):
    """An element that is drawn once and stands in many drawings; nobody may change it."""

    text_written = ""
    """The element as text, kept here by whoever writes it first."""

    def set(self, key: str, value: str, /) -> None:
        """Refuse: take a copy."""
        raise TypeError(f"{self.tag} is shared by drawings; set {key} to {value} in a copy")

    def copied(self) -> Node:
        """The same element, to be changed."""
        made = ET.Element(self.tag, self.attrib)
        made.text = self.text
        made.extend(self)
        return made


def shared(drawn: Node) -> Shared:
    """The same element, to stand in many drawings."""
    made = Shared(drawn.tag, drawn.attrib)
    made.text = drawn.text
    made.extend(drawn)
    return made


def group(*content: Node, x: float = 0, y: float = 0, **attributes: str | float | None) -> Node:
    """Elements that are moved together."""
    at = f"translate({written(x)} {written(y)})" if x or y else None
    return node("g", *content, transform=at, **attributes)


FRAME: Final = 6
"""The width of the wooden frame around a panel."""


def framed(
    name: str, width: float, height: float, fill: str, *content: Node, rx: float | None = 3
) -> Node:
    """A panel in a wooden frame, this large with it; the content lies on a ground inside."""
    ground = node(
        "rect", width=width - 2 * FRAME, height=height - 2 * FRAME, rx=rx, fill=f"var(--{fill})"
    )
    return group(
        node("rect", width=width, height=height, rx=7, fill="var(--tray)"),
        group(ground, *content, x=FRAME, y=FRAME),
        id=name,
    )


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
    return _button(name, words, content, data_word=word)


def opener(name: str, opens: str, words: str, *content: Node) -> Node:
    """A place with several answers: a button that opens the element which offers them."""
    menu = {"aria_haspopup": "menu", "aria_expanded": "false", "data_opens": opens}
    return _button(name, words, content, **menu)


def _button(name: str, words: str, content: Iterable[Node], **attributes: str) -> Node:
    return node(
        "g",
        node("title", words),
        *content,
        id=name,
        class_="target",
        role="button",
        tabindex=0,
        aria_label=words,
        **attributes,
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
        viewBox=f"0 0 {written(width)} {written(height)}",
        width=width,
        height=height,
        class_="mauerwerk",
        role="group",
        aria_label=words,
    )
    return Drawing(ET.tostring(root, encoding="unicode"))


def written(value: str | float) -> str:
    """Numbers to a hundredth; of text what XML can hold."""
    if isinstance(value, str):
        return value if value.isprintable() else _NOT_XML.sub("\N{REPLACEMENT CHARACTER}", value)
    return f"{value:.2f}".rstrip("0").rstrip(".")


_NOT_XML: Final = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
