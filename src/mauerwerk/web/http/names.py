"""Names of guests, as others may see them."""

import unicodedata
from collections.abc import Iterator
from typing import Final

from mauerwerk.play.fairness.keys import new_id
from mauerwerk.play.tables.orders import Guest
from mauerwerk.web.http.faults import Fault

LONGEST_NAME: Final = 32

HIDDEN: Final = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"})
"""Unicode categories that no name may contain: what is invisible or reorders text."""

MARKS: Final = 2
"""The most combining marks on one letter."""


def named(wish: str) -> str:
    """A name as others may see it: one line, nothing invisible, not too long. Raises Fault.

    >>> named("  Ada   Lovelace ")
    'Ada Lovelace'
    """
    name = " ".join(unicodedata.normalize("NFC", wish).split())
    if not name:
        raise Fault(422, "a name has at least one character", word="name")
    if len(name) > LONGEST_NAME:
        raise Fault(422, f"a name has at most {LONGEST_NAME} characters", word="name")
    if any(unicodedata.category(each) in HIDDEN for each in name):
        raise Fault(422, "a name has no characters that cannot be seen", word="name")
    marks = "".join("m" if unicodedata.combining(each) else " " for each in name)
    if "m" * (MARKS + 1) in marks:
        raise Fault(422, "a name has at most two marks on a letter", word="name")
    return name


def cleaned(text: str, longest: int) -> str:
    r"""What somebody wrote, as others may read it: one line, nothing invisible, not too long.

    >>> cleaned(" Go\n home,\0 ", 9)
    'Go home,'
    """
    line = " ".join(unicodedata.normalize("NFC", text).split())
    seen = "".join(each for each in line if unicodedata.category(each) not in HIDDEN)
    return "".join(_unstacked(seen))[:longest].strip()


def _unstacked(text: str) -> Iterator[str]:
    """The text with at most so many marks on a letter that they stay within the line."""
    marks = 0
    for each in text:
        marks = marks + 1 if unicodedata.combining(each) else 0
        if marks <= MARKS:
            yield each


def new_guest(name: str) -> Guest:
    """A guest with a new id. Raises Fault for a name that cannot be shown."""
    return Guest(id=new_id(), name=named(name))
