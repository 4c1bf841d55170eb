"""Symbols: pieces, cards and signs, each drawn once in a file of art and used by name.

Every game has its own file. The signs that all pages share are in `signs.svg`.
"""

from collections.abc import Iterable, Mapping
from functools import cached_property
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Final
from xml.etree import ElementTree as ET


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
