"""A visitor's preferences: language, theme, confirmation of moves, sounds."""

import re
from typing import TYPE_CHECKING, Final, Literal, cast

import msgspec

from mauerwerk.core.game import Value
from mauerwerk.core.language.translation import ENGLISH, TITLES
from mauerwerk.web.http.cookies import cookie_in, set_cookie
from mauerwerk.web.http.replies import Header, Reply, redirect
from mauerwerk.web.http.visit import Visit

if TYPE_CHECKING:
    from mauerwerk.web.pages.form import Form
    from mauerwerk.web.pages.visitor import Visitor

COOKIE: Final = "mauerwerk-wishes"

Theme = Literal["", "light", "dark"]


class Preferences(Value):
    """The preferences that were chosen; the browser decides the others."""

    language: str = ""
    theme: Theme = ""
    twice: bool = False
    """Whether to ask before a move that cannot be taken back."""

    sounds: bool = False


def preferences_of(visit: Visit) -> Preferences:
    """The preferences in this browser's cookie; invalid ones are ignored."""
    said = [*cookie_in(visit, COOKIE).split("."), "", "", "", ""]
    return Preferences(
        language=said[0] if said[0] in TITLES else "",
        theme=_theme(said[1]),
        twice=said[2] == "1",
        sounds=said[3] == "1",
    )


def _theme(said: str) -> Theme:
    return cast("Theme", said) if said in {"light", "dark"} else ""


def _cookie(visit: Visit, preferences: Preferences) -> Header:
    said = (
        preferences.language,
        preferences.theme,
        f"{preferences.twice:d}",
        f"{preferences.sounds:d}",
    )
    return set_cookie(visit, COOKIE, ".".join(said))


def spoken(visit: Visit, preferences: Preferences) -> str:
    """The code of the page's language: the chosen one, or the browser's best that is available.

    >>> best_of("it-CH, de;q=0.9, en;q=0.8")
    'it'
    """
    return preferences.language or best_of(visit.headers.get("accept-language", ""))


def best_of(accepted: str) -> str:
    """The code of the best available language in an Accept-Language header."""
    ranked: list[tuple[float, str]] = []
    for each in accepted.split(","):
        name, _, weight = each.strip().partition(";")
        code = name.strip().lower().partition("-")[0]
        if code in TITLES:
            found = re.fullmatch(r"\s*q\s*=\s*([01](?:\.\d{0,3})?)\s*", weight)
            ranked.append((float(found[1]) if found else 1.0, code))
    best = max(ranked, key=lambda each: each[0], default=(0.0, ""))
    return best[1] if best[0] > 0 else ENGLISH.code


async def change(visitor: "Visitor", form: "Form") -> Reply:
    """Change the preferences in the form, and return to the page it was sent from."""
    preferences = visitor.preferences
    changes: dict[str, str | bool] = {}
    if (language := form.get("language")) is not None and language in TITLES:
        changes["language"] = language
    if (theme := form.get("theme")) is not None:
        changes["theme"] = _theme(theme)
    for name in ("twice", "sounds"):
        if (said := form.get(name)) is not None:
            changes[name] = said == "1"
    chosen = msgspec.structs.replace(preferences, **changes)
    return redirect(form.way_back, [_cookie(visitor.visit, chosen)])
