"""A row of drawings as one that moves: what drawings share is in it once.

The drawings are laid over each other, element by element. What is not in all of them is visible
while its drawings are shown, by CSS and without a script. A reader who wants no motion, and a
program that knows none, gets the last drawing.
"""

from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher
from itertools import accumulate, pairwise
from typing import Final, Literal, NamedTuple
from xml.etree import ElementTree as ET

from mauerwerk.core.svg import STYLE, Drawing, Node, node, palette_of

_SAID: Final = ("aria-", "data-", "role", "tabindex")
"""How the attributes begin that speak of one drawing and are not seen."""
_WHOLE: Final = {"text", "clipPath", "pattern", "symbol", "linearGradient", "radialGradient"}
"""Elements whose parts cannot be shown one by one."""
_SVG: Final = "http://www.w3.org/2000/svg"
Theme = Literal["light", "dark"]
Times = frozenset[int]
"""The drawings that an element is in, by number."""


class _Slot(NamedTuple):
    """The same element in some of the drawings; only what is inside it can differ."""

    key: str
    members: dict[int, Node]


def animated(drawings: Sequence[str], seconds: Sequence[float]) -> Drawing:
    """These drawings, each for this many seconds, again and again, in the size of the largest."""
    roots = [tree_of(drawing) for drawing in drawings]
    symbols = {each.attrib["id"]: each for root in roots for each in root.iterfind("defs/*")}
    defs = node("defs", *(symbols[name] for name in sorted(symbols)))
    book = _Book(roots)
    bodies = {
        number: [each for each in root if each.tag not in {"style", "defs"}]
        for number, root in enumerate(roots)
    }
    body = node("g", *book.merged(bodies))
    across, down = (max(size_of(root)[axis] for root in roots) for axis in (0, 1))
    root = node(
        "svg",
        node("style", palette_of(defs, body) + STYLE + book.style(seconds)),
        defs,
        body,
        xmlns=_SVG,
        viewBox=f"0 0 {across:g} {down:g}",
        width=across,
        height=down,
        class_="mauerwerk",
        role="img",
        aria_label=roots[0].get("aria-label", ""),
    )
    return Drawing(ET.tostring(root, encoding="unicode"))


def resized(drawing: str, width: int | None = None, theme: Theme | None = None) -> Drawing:
    """A drawing of this width in pixels, in the colours of this theme; None leaves it to itself."""
    root = tree_of(drawing)
    root.set("xmlns", _SVG)
    if width is not None:
        across, down = size_of(root)
        root.set("width", str(width))
        root.set("height", str(round(width * down / across)))
    if theme is not None:
        root.set("data-theme", theme)
    return Drawing(ET.tostring(root, encoding="unicode"))


def tree_of(drawing: str) -> Node:
    """The elements of a drawing, their names without a namespace."""
    root = ET.fromstring(drawing)  # noqa: S314 - our own drawing
    for each in root.iter():
        each.tag = each.tag.rpartition("}")[2]
    return root


def size_of(root: Node) -> tuple[float, float]:
    """The width and height of a drawing in its own units."""
    _, _, width, height = root.attrib["viewBox"].split()
    return float(width), float(height)


class _Book:
    """Drawings laid over each other, and when what is visible."""

    def __init__(self, roots: Sequence[Node]) -> None:
        values = {value for root in roots for each in root.iter() for value in each.attrib.values()}
        self.referred: Final = " ".join(value for value in values if "#" in value)
        """All attributes in which an element can name another that is not a symbol."""
        self.count: Final = len(roots)
        self.content: Final = _numbered(roots)
        self.shown: Final[dict[Times, str]] = {}
        """The classes of elements that come and go, by when they are there."""

    def merged(self, rows: dict[int, list[Node]]) -> list[Node]:
        """The elements of these rows, one for each drawing, in an order that suits all rows."""
        slots: list[_Slot] = []
        for number, row in rows.items():
            seen = [each for each in row if each.tag != "title"]
            slots = _aligned(slots, number, seen, [self._key(each) for each in seen])
        return [self._element(slot.members, frozenset(rows)) for slot in slots]

    def _element(self, members: dict[int, Node], among: Times) -> Node:
        """One element for all its drawings; `among` are those that its parent is in."""
        first = next(iter(members.values()))
        made = ET.Element(first.tag, self._seen(first))
        made.text = first.text
        if len({self.content[each] for each in members.values()}) == 1:
            made.extend(self._plain(each) for each in first if each.tag != "title")
        else:
            made.extend(self.merged({number: list(each) for number, each in members.items()}))
        times = frozenset(members)
        if times == among or first.tag in _WHOLE - {"text"}:
            return made
        named = self.shown.setdefault(times, f"t{len(self.shown)}")
        if "class" in made.attrib:  # that may move in a way of its own
            return node("g", made, class_=f"t {named}")
        made.set("class", f"t {named}")
        return made

    def _plain(self, each: Node) -> Node:
        made = ET.Element(each.tag, self._seen(each))
        made.text, made.tail = each.text, each.tail
        made.extend(self._plain(part) for part in each if part.tag != "title")
        return made

    def _seen(self, each: Node) -> dict[str, str]:
        return {
            name: value
            for name, value in each.attrib.items()
            if not name.startswith(_SAID) and (name != "id" or f"#{value}" in self.referred)
        }

    def _key(self, each: Node) -> str:
        """What two elements have in common that can be one: all but what is inside."""
        return f"{self.content[each]}" if each.tag in _WHOLE else _shell(each)

    def style(self, seconds: Sequence[float]) -> str:
        """When what is visible, as CSS."""
        *starts, whole = accumulate(seconds, initial=0.0)
        rules = [
            ".mauerwerk .glow,.mauerwerk .halo{animation:none}",  # one thing moves at a time
            f".mauerwerk .t{{animation:{whole:g}s step-end infinite}}",
        ]
        for times, named in self.shown.items():
            hidden = "visibility:hidden;" if self.count - 1 not in times else ""
            steps = "".join(
                f"{100 * starts[number] / whole:.4g}%"
                f"{{visibility:{'visible' if number in times else 'hidden'}}}"
                for number in _changes(times, self.count)
            )
            rules += [
                f".mauerwerk .{named}{{{hidden}animation-name:{named}}}",
                f"@keyframes {named}{{{steps}}}",
            ]
        return "\n".join(rules)


def _numbered(roots: Iterable[Node]) -> dict[Node, int]:
    """A number for each element, the same for those that look the same with all that is in them."""
    numbers: dict[tuple[str, ...], int] = {}
    content: dict[Node, int] = {}
    for root in roots:
        for each in reversed(list(root.iter())):  # what is inside goes first
            inside = (f"{content[part]}" for part in each if part.tag != "title")
            content[each] = numbers.setdefault((_shell(each), *inside), len(numbers))
    return content


def _shell(each: Node) -> str:
    told = [each.tag, each.text or "", each.tail or ""]
    told += (f"{name}={value}" for name, value in each.attrib.items() if not name.startswith(_SAID))
    return "\n".join(told)


def _changes(times: Times, count: int) -> list[int]:
    """The drawings with which something comes or goes; before the first one is the last."""
    turned = pairwise([count - 1, *range(count)])
    return [now for before, now in turned if (before in times) != (now in times)]


def _aligned(slots: list[_Slot], number: int, row: list[Node], keys: list[str]) -> list[_Slot]:
    """The slots with one more row: what it shares goes where it is, the rest between."""
    matcher = SequenceMatcher(None, [slot.key for slot in slots], keys, autojunk=False)
    wider: list[_Slot] = []
    for what, begin, end, first, last in matcher.get_opcodes():
        if what == "equal":
            for slot, each in zip(slots[begin:end], row[first:last], strict=True):
                slot.members[number] = each
        wider += slots[begin:end]
        if what != "equal":
            wider += [
                _Slot(key, {number: each})
                for key, each in zip(keys[first:last], row[first:last], strict=True)
            ]
    return wider
