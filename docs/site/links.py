"""The links of a page of Markdown: what it points to, what it can be pointed at, and rewriting.

Headings get the same anchors here, on a Git host and on the site.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

_CODE: Final = re.compile(r"(^ *```.*?^ *```$|`[^`\n]+`)", re.MULTILINE | re.DOTALL)
_LINK: Final = re.compile(r"(?<=\]\()(?P<path>[^)\s#]*)(?P<anchor>#[^)\s]*)?(?=[)\s])")
_HEADING: Final = re.compile(r"^#{1,6} (.+)$", re.MULTILINE)
_ID: Final = re.compile(r'\bid="([^"]+)"')
_FOREIGN: Final = re.compile(r"[a-z]+:")


class Link(NamedTuple):
    """A link to a file of the project, or to a place on the same page if the path is empty."""

    path: str
    anchor: str


def links(text: str) -> Iterator[Link]:
    """The links to files and places of the project."""
    for prose in _CODE.split(text)[::2]:
        for found in _LINK.finditer(prose):
            if not _FOREIGN.match(found["path"]):
                yield Link(found["path"], (found["anchor"] or "").removeprefix("#"))


def relinked(text: str, lead: Callable[[Link], str]) -> str:
    """The page with other targets; what is code stays as it is."""

    def replaced(found: re.Match[str]) -> str:
        if _FOREIGN.match(found["path"]):
            return found[0]
        return lead(Link(found["path"], (found["anchor"] or "").removeprefix("#")))

    parts = _CODE.split(text)
    parts[::2] = [_LINK.sub(replaced, prose) for prose in parts[::2]]
    return "".join(parts)


def anchors(text: str) -> frozenset[str]:
    """What a link can point to on this page: its headings, and elements with an id."""
    fenceless = re.sub(r"^ *```.*?^ *```$", "", text, flags=re.MULTILINE | re.DOTALL)
    seen = Counter[str]()
    made = set(_ID.findall(fenceless))
    for heading in _HEADING.findall(fenceless):
        slug = re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")
        made.add(f"{slug}-{seen[slug]}" if seen[slug] else slug)
        seen[slug] += 1
    return frozenset(made)


def broken(page: Path) -> Iterator[str]:
    """The links of a page that lead nowhere."""
    text = page.read_text(encoding="utf-8")
    for path, anchor in links(text):
        target = page.parent / path if path else page
        if not target.exists() or (
            anchor
            and target.suffix == ".md"
            and anchor not in anchors(target.read_text(encoding="utf-8"))
        ):
            yield f"{path}#{anchor}" if anchor else path
