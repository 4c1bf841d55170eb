"""The settings on a visitor's own page: one section for each subject."""

from collections.abc import Awaitable, Callable
from typing import Any, Final, NamedTuple

from mauerwerk.play.tables.orders import Guest
from mauerwerk.web.calls import pages as calls
from mauerwerk.web.pages.visitor import Visitor


class Section(NamedTuple):
    """A section: a template, and what it shows.

    The template is a `section.panel` with a heading. It finds what was gathered as `part`, and all
    that every page knows, such as `language` and `guest`.
    """

    template: str
    gather: Callable[[Visitor, Guest], Awaitable[Any]]
    symbols: tuple[str, ...] = ()
    """The icons that only it uses."""


async def nothing(visitor: Visitor, guest: Guest) -> None:
    """What a section needs that only has links and forms."""
    del visitor, guest


SECTIONS: Final = (
    Section("me/calls.html", calls.section, calls.SYMBOLS),
    Section("me/data.html", nothing, ("i-down", "i-bin")),
)
"""All of them, in the order of the page."""
