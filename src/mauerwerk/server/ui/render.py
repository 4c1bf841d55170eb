"""Rendering pages: the templates, and what all of them use."""

import asyncio
from collections.abc import Callable, Iterator
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Any, Final, NamedTuple
from xml.etree import ElementTree as ET

from jinja2 import ChoiceLoader, Environment, FunctionLoader, PackageLoader, StrictUndefined
from jinja2.runtime import Context, Macro
from markupsafe import Markup

from mauerwerk.core.language import TITLES, Language, capital
from mauerwerk.core.svg import Node, written
from mauerwerk.server.http.static import JOINED, SOURCES, address, files_in
from mauerwerk.server.ui.markup import html, sign, sprite
from mauerwerk.server.ui.preferences import Preferences


class Templates(NamedTuple):
    """Templates beside those here: the folders that have some, by what their names begin with."""

    folder: Callable[[str], Traversable | None]
    beginnings: Callable[[], Iterator[str]]

    def source(self, path: str) -> str | None:
        """A template: `chat/panel.html` is `panel.html` in the folder of `chat`."""
        name, _, rest = path.partition("/")
        folder = self.folder(name) if rest else None
        found = folder.joinpath(rest) if folder else None
        return found.read_text(encoding="utf-8") if found and found.is_file() else None

    def names(self) -> Iterator[str]:
        """All of them."""
        for beginning in self.beginnings():
            if folder := self.folder(beginning):
                yield from _names_in(folder, beginning)


def _names_in(folder: Traversable, path: str) -> Iterator[str]:
    if folder.is_dir():
        for each in folder.iterdir():
            yield from _names_in(each, f"{path}/{each.name}")
    elif path.endswith((".html", ".txt")):
        yield path


TEMPLATES: Final[list[Templates]] = []
"""Each layer that has some adds its own when it is imported."""
SHARED: Final[dict[str, Any]] = {}
"""What else all templates can use, likewise."""

SOURCES.append(lambda _: files_in(resources.files("mauerwerk.server.ui").joinpath("static")))
JOINED["site.css"] = ("board.css", "plain.css", "page.css", "home.css")

CONTEXTS: Final = "contexts"
"""By this name a template hands the list of its contexts on to those that it includes."""


class ShortLivedContext(Context):
    """What a template knows, until the page is rendered.

    A macro refers to the context that refers to the macro. Such a cycle would keep everything that
    a page shows in memory, the table and the request too, until the garbage collector finds it.
    """

    def __init__(self, environment: Environment, parent: dict[str, Any], *more: Any, **named: Any):  # noqa: ANN204, ANN401 - as Jinja gives them
        super().__init__(environment, parent, *more, **named)
        parent.get(CONTEXTS, []).append(self)

    def forget(self) -> None:
        """Let go of the macros, also where they call each other."""
        for name in self.exported_vars:  # what is imported is not the context's own
            if isinstance(macro := self.vars.get(name), Macro):
                vars(macro).clear()
        self.vars.clear()
        self.exported_vars.clear()


def render(
    template: str,
    language: Language,
    preferences: Preferences,
    **content: Any,  # noqa: ANN401 - whatever the template shows
) -> str:
    """A template, filled in."""
    contexts: list[ShortLivedContext] = []
    content = {"symbols": (), "preview": None, "once": False, **content, CONTEXTS: contexts}
    try:
        return (
            templates()
            .get_template(template)
            .render(language=language, preferences=preferences, **content)
        )
    finally:
        for each in contexts:
            each.forget()
        contexts.clear()  # they refer to the list


def text_of(template: str, name: str, *given: Any) -> str:  # noqa: ANN401 - what it draws
    """What a macro of a template makes of this."""
    macro: Callable[..., str] = getattr(templates().get_template(template).module, name)
    return macro(*given)


def drawn(template: str, name: str, *given: Any) -> list[Node]:  # noqa: ANN401 - as above
    """The same as elements, for pictures that are put together elsewhere."""
    return [*ET.fromstring(f"<g>{text_of(template, name, *given)}</g>")]  # noqa: S314 - our own


_COMPILED: Final[set[Environment]] = set()


async def compile_templates() -> None:
    """Compile all templates, one after another and in a thread, so that no page waits for it."""
    if templates() not in _COMPILED:  # another server in this process may have done so
        own = PackageLoader("mauerwerk.server.ui").list_templates()
        for name in [*own, *(name for each in TEMPLATES for name in each.names())]:
            await asyncio.to_thread(templates().get_template, name)
        _COMPILED.add(templates())


@cache
def templates() -> Environment:
    """All templates, which are part of the program and compiled once."""
    sources = [FunctionLoader(each.source) for each in TEMPLATES]
    made = Environment(
        loader=ChoiceLoader([PackageLoader("mauerwerk.server.ui"), *sources]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    made.context_class = ShortLivedContext
    made.filters["capital"] = capital
    made.filters["number"] = written
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
