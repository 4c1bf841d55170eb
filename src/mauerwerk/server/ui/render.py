"""Rendering pages: the templates, what all of them use, and a cache of what was drawn."""

from collections import OrderedDict, defaultdict
from collections.abc import Callable, Hashable
from functools import cache
from importlib import resources
from typing import Any, Final, TypeVar

from jinja2 import ChoiceLoader, Environment, FunctionLoader, PackageLoader, StrictUndefined
from markupsafe import Markup

from mauerwerk.core.language.translation import TITLES, Language
from mauerwerk.core.language.words import capital
from mauerwerk.server.http.static import SOURCES, address, files_in
from mauerwerk.server.ui.markup import html, sign, sprite
from mauerwerk.server.ui.preferences import Preferences

LOADERS: Final[list[Callable[[str], str | None]]] = []
"""Find templates beside those here; each layer that has some adds its own when it is imported."""

SHARED: Final[dict[str, Any]] = {}
"""What else all templates can use, likewise."""

SOURCES.append(lambda _: files_in(resources.files("mauerwerk.server.ui").joinpath("static")))


def render(
    template: str,
    language: Language,
    preferences: Preferences,
    **content: Any,  # noqa: ANN401 - whatever the template shows
) -> str:
    """A template, filled in."""
    content = {"symbols": (), "preview": None, **content}
    return (
        _templates()
        .get_template(template)
        .render(language=language, preferences=preferences, **content)
    )


@cache
def _templates() -> Environment:
    """All templates, which are part of the program and compiled once."""
    made = Environment(
        loader=ChoiceLoader([PackageLoader("mauerwerk.server.ui"), *map(FunctionLoader, LOADERS)]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    made.filters["capital"] = capital
    shared: dict[str, Any] = {
        "static": address,
        "sprite": all_signs,
        "sign": signed,
        "TITLES": TITLES,
        **SHARED,
    }
    for name, each in shared.items():
        made.globals[name] = each
    return made


@cache
def all_signs(symbols: tuple[str, ...]) -> Markup:
    """The symbols of a page, for use in its drawings."""
    return Markup(sprite(symbols))  # noqa: S704 - drawn here


@cache
def signed(name: str, class_: str = "") -> Markup:
    """A symbol of the sprite as a picture that only adorns."""
    return Markup(html(sign(name, class_ or None)))  # noqa: S704 - drawn here


# --- What was just drawn, kept for the next reader of the same: a page, or a stream ----------


T = TypeVar("T")

KEPT: Final = 512
"""The number of drawings of each kind that are kept."""


class Drawings:
    """A cache of drawings. A key says all that a drawing depends on; its type is their kind.

    Each kind has room of its own: many previews must not displace the tables that others look at.
    """

    def __init__(self, most: int = KEPT) -> None:
        """Nothing is drawn yet."""
        self._most = most
        self._kinds = defaultdict[type, OrderedDict[Hashable, Any]](OrderedDict)

    def once(self, key: Hashable, draw: Callable[[], T]) -> T:
        """The drawing with this key, drawn now if it is not at hand."""
        kept = self._kinds[type(key)]
        if key in kept:
            kept.move_to_end(key)
        else:
            kept[key] = draw()
            if len(kept) > self._most:
                kept.popitem(last=False)
        drawing: T = kept[key]
        return drawing

    def clear(self) -> None:
        """Draw everything anew: names may have been removed from tables, and no key says so."""
        self._kinds.clear()

    def grown(self, key: Hashable, grow: Callable[[T | None], T]) -> T:
        """The drawing with this key after it has grown; it grows from None, if not at hand."""
        drawing = grow(self._kinds[type(key)].pop(key, None))
        return self.once(key, lambda: drawing)
