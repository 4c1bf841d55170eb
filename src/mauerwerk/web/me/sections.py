"""The settings on a visitor's own page: one section for each subject."""

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from mauerwerk.play.tables.orders import Guest
from mauerwerk.web.calls import pages as calls
from mauerwerk.web.finding import invitations
from mauerwerk.web.me import devices
from mauerwerk.web.pages.visitor import Visitor

if TYPE_CHECKING:
    from mauerwerk.web.calls.pages import CallSection


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


async def _calls(visitor: Visitor, guest: Guest) -> "CallSection":
    """How they are called; the module may still be loading when this one is."""
    return await calls.section(visitor, guest)


async def _invitations(visitor: Visitor, guest: Guest) -> Any:  # noqa: ANN401 - as above
    """From whom they take invitations; likewise."""
    return await invitations.section(visitor, guest)


SECTIONS: Final = (
    Section("me/calls.html", _calls, ("i-moon",)),
    Section("me/devices.html", devices.gather, ("i-laptop", "i-device", "i-plus")),
    Section("me/invitations.html", _invitations),
    Section("me/data.html", nothing, ("i-down", "i-bin")),
)
"""All of them, in the order of the page."""
