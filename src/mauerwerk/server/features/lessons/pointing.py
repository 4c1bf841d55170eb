"""Drawings with what a lesson speaks of marked in them."""

import re
from collections.abc import Iterable
from html import escape, unescape
from typing import Final

import msgspec

from mauerwerk.server.games.room import Parts

ASKED: Final = "asked"
"""The class of what the learner is to press."""

SHOWN: Final = "shown"
"""The class of what is spoken of."""

_TAG: Final = re.compile(r"<[a-z]\w*(?:\s+[\w:-]+=\"[^\"]*\")*\s*/?>", re.IGNORECASE)
_CLASS: Final = re.compile(r'(\sclass=")')
_ATTRIBUTE: Final = re.compile(r'\s(id|data-word)="([^"]*)"')


def pointed(parts: Parts, word: str, looks: Iterable[str]) -> Parts:
    """The same parts: the target of this word is `asked`, and what has one of these ids `shown`."""
    wanted = frozenset(looks)
    return msgspec.structs.replace(
        parts,
        stage=_marked(parts.stage, word, wanted),
        tray=_marked(parts.tray, word, wanted),
        aside=_marked(parts.aside, word, wanted),
    )


def _marked(html: str, word: str, looks: frozenset[str]) -> str:
    """The HTML with classes added to the tags that are meant.

    >>> _marked('<ul id="tray"><li data-word="T" class="slot">', "T", frozenset({"tray"}))
    '<ul class="shown" id="tray"><li data-word="T" class="asked slot">'
    """

    def mark(found: re.Match[str]) -> str:
        tag = found[0]
        said = {name: unescape(value) for name, value in _ATTRIBUTE.findall(tag)}
        names = [SHOWN] * (said.get("id") in looks)
        names += [ASKED] * (bool(word) and said.get("data-word") == word)
        if not names:
            return tag
        joined = escape(" ".join(names))
        if _CLASS.search(tag):
            return _CLASS.sub(rf"\g<1>{joined} ", tag, count=1)
        return re.sub(r"^<(\w+)", rf'<\g<1> class="{joined}"', tag)

    return _TAG.sub(mark, html)
