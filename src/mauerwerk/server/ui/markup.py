"""Elements of HTML: signs, targets, headings; and how they are written."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, lru_cache
from html import escape, unescape
from io import BytesIO
from typing import Final, TypeAlias

import segno

from mauerwerk.core.language import Language, capital
from mauerwerk.core.svg import Node, Shared, Symbols, node, shared, use
from mauerwerk.games import GAMES

ICONS: Final = (
    *(f"mark-{number}" for number in range(1, 7)),
    *(f"i-{name}" for name in ("menu", "theme", "invite", "people", "clock", "shield")),
    *(f"i-{name}" for name in ("me", "book", "pennant", "film", "table", "sliders")),  # the menu
    *("i-left", "i-right", "i-city", "i-country", "logo"),
)
"""The symbols that any page may use."""


VOID: Final = frozenset({"br", "hr", "img", "input", "link", "meta", "source", "wbr"})
"""Elements without an end."""
UNESCAPED: Final = frozenset({"script", "style"})


def _art() -> Symbols:
    """The symbols of all games: a page can show several."""
    return _joined(tuple(game.PIECES for game in GAMES.values()))


@cache
def _joined(arts: tuple[Symbols, ...]) -> Symbols:
    return Symbols(*dict.fromkeys(file for art in arts for file in art.files))


def qr_code(link: str, **drawn: float | str) -> str:
    """A link as a picture for telephones, dark on white in any theme; `drawn` is for Segno."""
    picture = BytesIO()
    code = segno.make(link, micro=False)
    code.save(picture, kind="svg", xmldecl=False, light="white", **drawn)
    return picture.getvalue().decode()


def html(*nodes: Node) -> str:
    """The elements as HTML; text and attributes are escaped."""
    # ElementTree can do this, too: in three times the time, and leaving < in attributes.
    written: list[str] = []
    for each in nodes:
        _write(each, written.append)
    return "".join(written)


def _write(element: Node, add: Callable[[str], object]) -> None:
    if isinstance(element, Shared):
        if not element.text_written:
            inside: list[str] = []
            _write(element.copied(), inside.append)
            element.text_written = "".join(inside)
        add(element.text_written)
        return
    tag = element.tag
    add(f"<{tag}")
    for name, value in element.items():
        add(f' {name}="{_escaped(value)}"' if value else f' {name}=""')
    add(">")
    if element.text:
        add(element.text if tag in UNESCAPED else _escaped(element.text, quotes=False))
    for each in element:
        _write(each, add)
    if tag not in VOID:
        add(f"</{tag}>")
    if element.tail:
        add(_escaped(element.tail, quotes=False))


def _escaped(text: str, *, quotes: bool = True) -> str:
    if "&" in text:
        text = text.replace("&", "&amp;")
    if "<" in text:
        text = text.replace("<", "&lt;")
    if ">" in text:
        text = text.replace(">", "&gt;")
    return text.replace('"', "&quot;") if quotes and '"' in text else text


def sprite(names: Iterable[str] = ()) -> str:
    """The symbols of these names and all icons, to stand once in a page, outside what changes."""
    clip = node("clipPath", node("rect", width=90, height=120, rx=6.5), id="castle-card")
    drawn = node("defs", clip, *_art().named([*ICONS, *names]))
    return html(node("svg", drawn, class_="sprite", width=0, height=0, aria_hidden="true"))


@lru_cache(maxsize=2048)
def sign(name: str, class_: str | None = None, words: str | None = None) -> Shared:
    """A symbol as a picture of its own; without words it only adorns."""
    wide, high = _art().size_of(name)
    return shared(image((wide, high), [use(name, 0, 0, wide, high)], class_, words))


def image(
    size: tuple[float, float],
    content: Iterable[Node],
    class_: str | None = None,
    words: str | None = None,
) -> Node:
    """A picture of this size in its own units."""
    wide, high = size
    return node(
        "svg",
        *content,
        viewBox=f"0 0 {wide:g} {high:g}",
        class_=class_,
        role="img" if words else None,
        aria_label=words,
        aria_hidden=None if words else "true",
    )


def pressed(
    name: str,
    offer: tuple[str, str],
    *content: Node | str,
    class_: str = "",
    lettered: bool = False,
) -> Node:
    """A target in HTML: the word of an action, and its words as a label.

    Where much is written on it, who speaks to the device says some of that: so it is all part of
    the name, and the label comes first.
    """
    word, words = offer
    told = [node("span", capital(words), class_="vh")] if lettered else []
    return node(
        "div",
        *told,
        *content,
        id=name,
        class_=f"target {class_}".strip(),
        role="button",
        tabindex=0,
        aria_label=None if lettered else capital(words),
        data_word=word,
    )


def explained(drawn: Node, thing: str, words: str = "") -> Node:
    """The same, and a press or the pointer tells what it is for (`WebGame.explain`).

    Where it can be chosen too, its label says that already. Where something is written on it, that
    is part of its name, as for `pressed`.
    """
    drawn.set("data-explains", thing)
    if words:
        drawn.set("role", "button")
        drawn.set("tabindex", "0")
        drawn.set("aria-haspopup", "dialog")
        if drawn.tag == "div":
            drawn.insert(0, node("span", capital(words), class_="vh"))
        else:
            drawn.set("aria-label", capital(words))
    return drawn


Paint: TypeAlias = dict[str, str | float | None]
"""Attributes that say how something is drawn."""


def rect(x: float, y: float, width: float, height: float, **attributes: str | float | None) -> Node:
    """A rectangle."""
    return node("rect", x=x, y=y, width=width, height=height, **attributes)


def without_overlap(heights: Sequence[float], gap: float, lowest: float) -> list[float]:
    """Heights from above to below, moved so that they are this far apart and none is lower."""
    moved = [*heights]
    for place in range(1, len(moved)):
        moved[place] = max(moved[place], moved[place - 1] + gap)
    for place in reversed(range(len(moved))):
        moved[place] = min(moved[place], lowest)
        lowest = moved[place] - gap
    return moved


def plate(name: str, asked: str, keys: str, chips: Iterable[tuple[str, str, Node]]) -> Node:
    """A hidden plate with a chip for each answer: its word, its words, and its picture.

    It says what it asks, and which keys answer. The place that opens it has its id as
    `data-opens`; the script `plates.js` lays it beside that.
    """
    return node(
        "div",
        *(
            node(
                "div",
                drawn,
                class_="token target",
                role="menuitem",
                tabindex=0,
                aria_label=words,
                data_word=word,
            )
            for word, words, drawn in chips
        ),
        id=name,
        class_="tokens",
        role="menu",
        aria_label=asked,
        data_help=keys,
        hidden="",
    )


def head(title: str, more: str = "") -> Node:
    """The heading of a part, and what stands at its right end."""
    told = [node("span", more, class_="more")] if more else []
    return node("div", node("h2", title), *told, class_="head")


def classes(*names: str | bool) -> str | None:
    """The names that are there, as a class attribute."""
    return " ".join(name for name in names if isinstance(name, str) and name) or None


def times(count: int) -> list[Node]:
    """How often something is there, for more than once."""
    return [node("b", f"{count}\N{MULTIPLICATION SIGN}")] if count > 1 else []


_EYE: Final = "M3 12C6 7 9 5 12 5s6 2 9 7c-3 5-6 7-9 7s-6-2-9-7ZM4 20 20 4"


def hidden_tray(language: Language) -> Node:
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


# --- Drawings in which something is marked ----------------------------------------------------

_TAG: Final = re.compile(r"<[a-z]\w*(?:\s+[\w:-]+=\"[^\"]*\")*\s*/?>", re.IGNORECASE)
_CLASS: Final = re.compile(r'(\sclass=")')
_ATTRIBUTE: Final = re.compile(r'\s(id|data-word)="([^"]*)"')


def with_classes(drawing: str, words: Mapping[str, str], ids: Mapping[str, str]) -> str:
    """The HTML with classes added to the tags that are meant, by `data-word` and by `id`.

    >>> tray = '<ul id="tray"><li data-word="T" class="slot">'
    >>> with_classes(tray, {"T": "asked"}, {"tray": "shown"})
    '<ul class="shown" id="tray"><li data-word="T" class="asked slot">'
    """

    def mark(found: re.Match[str]) -> str:
        tag = found[0]
        said = {name: unescape(value) for name, value in _ATTRIBUTE.findall(tag)}
        names = [ids.get(said.get("id", ""), ""), words.get(said.get("data-word", ""), "")]
        joined = escape(" ".join(filter(None, names)))
        if not joined:
            return tag
        if _CLASS.search(tag):
            return _CLASS.sub(rf"\g<1>{joined} ", tag, count=1)
        return re.sub(r"^<(\w+)", rf'<\g<1> class="{joined}"', tag)

    return _TAG.sub(mark, drawing)
