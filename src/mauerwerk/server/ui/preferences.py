"""A visitor's preferences: language, theme, and what is switched on or off."""

import re
from collections.abc import Mapping
from typing import Final, Literal, Self, cast

import msgspec

from mauerwerk.core.game import Value
from mauerwerk.core.language import ENGLISH, TITLES
from mauerwerk.server.http import identity, response
from mauerwerk.server.http.request import Request

COOKIE: Final = "mauerwerk-preferences"
MARK: Final = "mark-"
MARKS: Final = ("1", "2", "3", "4", "5", "6")
Theme = Literal["", "light", "dark"]


class Preferences(Value):
    """The preferences that were chosen; the browser decides the others."""

    language: str = ""
    theme: Theme = ""
    twice: bool = False
    """Whether to ask before a move that cannot be taken back."""
    notifications: bool = False
    """Whether an open page says so when it is the reader's turn at a table."""
    sounds: bool = False
    taps: bool = True
    """Whether the first tap on a target only previews it, and a second one confirms."""
    numbers: bool = True
    """Whether what happened since one's turn is numbered on the board."""
    coordinates: bool = False
    """Whether boards show the names of their places."""
    patient: bool = False
    """Whether a moment waits until the reader goes on."""
    manual: bool = False
    """Whether the reader makes forced moves, too."""
    knows: bool = False
    """Whether the reader knows the games: then no page says what they are about."""
    unseen: bool = False
    """Whether others do not read the name of the reader who watches a table."""
    mark: int = 1
    """The mason's mark that stands for the reader, one of six."""

    @property
    def switched_on(self) -> tuple[str, ...]:
        """What is on, by name; pages tell their script and styles."""
        return tuple(name for name in SWITCHES if getattr(self, name))

    @classmethod
    def of(cls, request: Request) -> Self:
        """The preferences in this browser's cookie; invalid ones are ignored."""
        language, theme, *turned = [*identity.cookie_in(request, COOKIE).split("."), "", ""]
        return cls(
            language=language if language in TITLES else "",
            theme=_theme(theme),
            mark=next((_mark(word) for word in turned if word.startswith(MARK)), 1),
            **{name: first != (name in turned) for name, first in SWITCHES.items()},
        )

    def cookie(self, request: Request) -> response.Header:
        """Language, theme, and the switches that are not as they were at first."""
        turned = (name for name, first in SWITCHES.items() if getattr(self, name) != first)
        mark = [f"{MARK}{self.mark}"] if self.mark > 1 else []
        said = (self.language, self.theme, *turned, *mark)
        return identity.set_cookie(request, COOKIE, ".".join(said))

    def changed(self, form: Mapping[str, str]) -> Self:
        """The same, with those that a form changes."""
        changes: dict[str, str | bool | int] = {
            name: form[name] == "1" for name in SWITCHES if name in form
        }
        if form.get("language") in TITLES:
            changes["language"] = form["language"]
        if "theme" in form:
            changes["theme"] = _theme(form["theme"])
        if "mark" in form:
            changes["mark"] = _mark(form["mark"])
        return msgspec.structs.replace(self, **changes)


SWITCHES: Final = {
    each.name: bool(each.default)
    for each in msgspec.structs.fields(Preferences)
    if each.type is bool
}
"""What can be on or off, and whether it is at first."""


def _mark(said: str) -> int:
    """The mark that a word of the cookie or a form names; the first for anything else."""
    number = said.removeprefix(MARK)
    return int(number) if number in MARKS else 1


def _theme(said: str) -> Theme:
    return cast("Theme", said) if said in {"light", "dark"} else ""


def best_of(accepted: str) -> str:
    """The code of the best available language in an Accept-Language header.

    >>> best_of("it-CH, de;q=0.9, en;q=0.8")
    'it'
    """
    ranked: list[tuple[float, str]] = []
    for each in accepted.split(","):
        name, _, weight = each.strip().partition(";")
        code = name.strip().lower().partition("-")[0]
        if code in TITLES:
            found = re.fullmatch(r"\s*q\s*=\s*([01](?:\.\d{0,3})?)\s*", weight)
            ranked.append((float(found[1]) if found else 1.0, code))
    best = max(ranked, key=lambda each: each[0], default=(0.0, ""))
    return best[1] if best[0] > 0 else ENGLISH.code
