"""Names of guests, as others may see them."""

import unicodedata
from collections.abc import Iterator
from typing import Final

from mauerwerk.server.http.errors import HttpError
from mauerwerk.server.keys import new_id
from mauerwerk.server.tables.charter import Guest

LONGEST_NAME: Final = 32

HIDDEN: Final = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"})
"""Unicode categories that no name may contain: what is invisible or reorders text."""

SHAPELESS: Final = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0"
)
"""Letters, marks and signs that look like nothing, or like a space."""

SELECTORS: Final = dict.fromkeys([*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)])
"""What chooses among the shapes of the sign before it; names and talk do without."""

MARKED: Final = frozenset({"Mn", "Me"})
MARKS: Final = 2
"""The most marks over, under or around one letter."""


def named(wish: str) -> str:
    """A name as others may see it: one line, nothing invisible, not too long. Raises HttpError.

    >>> named("  Ada   Lovelace ")
    'Ada Lovelace'
    """
    name = _line(wish)
    if not name:
        raise HttpError(422, "a name has at least one character", word="name")
    if len(name) > LONGEST_NAME:
        raise HttpError(422, f"a name has at most {LONGEST_NAME} characters", word="name")
    if any(map(_is_hidden, name)):
        raise HttpError(422, "a name has no characters that cannot be seen", word="name")
    if "".join(_unstacked(name)) != name:
        raise HttpError(422, "a name has at most two marks on a letter", word="name")
    return name


def _line(text: str) -> str:
    return " ".join(unicodedata.normalize("NFC", text).translate(SELECTORS).split())


def _is_hidden(sign: str) -> bool:
    return unicodedata.category(sign) in HIDDEN or sign in SHAPELESS


def cleaned(text: str, longest: int) -> str:
    r"""What somebody wrote, as others may read it: one line, nothing invisible, not too long.

    >>> cleaned(" Go\n home,\0 ", 9)
    'Go home,'
    """
    seen = "".join(each for each in _line(text) if not _is_hidden(each))
    return "".join(_unstacked(seen))[:longest].strip()


def _unstacked(text: str) -> Iterator[str]:
    """The text with few enough marks on each letter that they stay within the line."""
    marks = 0
    for each in text:
        marks = marks + 1 if unicodedata.category(each) in MARKED else 0
        if marks <= MARKS:
            yield each


def new_guest(name: str) -> Guest:
    """A guest with a new id. Raises HttpError for a name that cannot be shown."""
    return Guest(id=new_id(), name=named(name))
