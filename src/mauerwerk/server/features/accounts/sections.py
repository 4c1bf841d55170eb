"""The settings on a visitor's own page: one section for each subject."""

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from mauerwerk.server.features.accounts import devices
from mauerwerk.server.features.invitations import people
from mauerwerk.server.features.notifications import pages as notifications
from mauerwerk.server.tables.charter import Guest
from mauerwerk.server.ui.page import PageRequest

if TYPE_CHECKING:
    from mauerwerk.server.features.notifications.pages import NotificationSection


class Section(NamedTuple):
    """A section: a template, and what it shows.

    The template is a `section.panel` with a heading. It finds what was gathered as `part`, and all
    that every page knows, such as `language` and `guest`.
    """

    template: str
    gather: Callable[[PageRequest, Guest], Awaitable[Any]]
    symbols: tuple[str, ...] = ()
    """The icons that only it uses."""


async def nothing(request: PageRequest, guest: Guest) -> None:
    """What a section needs that only has links and forms."""
    del request, guest


async def _notifications(request: PageRequest, guest: Guest) -> "NotificationSection":
    """How they are called; the module may still be loading when this one is."""
    return await notifications.section(request, guest)


async def _invitations(request: PageRequest, guest: Guest) -> Any:  # noqa: ANN401 - as above
    """From whom they take invitations; likewise."""
    return await people.section(request, guest)


SECTIONS: Final = (
    Section("notifications/settings.html", _notifications, ("i-moon",)),
    Section("accounts/devices.html", devices.gather, ("i-laptop", "i-device", "i-plus")),
    Section("invitations/settings.html", _invitations),
    Section("accounts/data.html", nothing, ("i-down", "i-bin")),
)
"""All of them, in the order of the page."""
