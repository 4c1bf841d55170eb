"""Panels: what features add to pages of others, such as the home page."""

from collections.abc import Awaitable, Callable, Iterable
from typing import Any, Final, NamedTuple

from mauerwerk.server.tables.charter import Guest
from mauerwerk.server.ui.page import PageRequest

HOME_TOP: Final = "home-top"
"""The home page, before everything else."""

HOME: Final = "home"
"""The home page, below the games."""

ACCOUNT: Final = "account"
"""The settings on a guest's own page."""


class Panel(NamedTuple):
    """A part of a page: a template, and what it shows.

    The template is a `section.panel` with a heading. It finds what was gathered as `part`, and all
    that every page knows, such as `language` and `guest`.
    """

    page: str
    """The page on which it is: `HOME_TOP`, `HOME` or `ACCOUNT`."""

    template: str
    gather: Callable[[PageRequest], Awaitable[Any]]
    """What it shows; None: it is left out this time."""

    symbols: tuple[str, ...] = ()
    """The icons that only it uses."""

    place: int = 100
    """Panels with lower numbers come first."""


def for_guest(
    gather: Callable[[PageRequest, Guest], Awaitable[Any]],
) -> Callable[[PageRequest], Awaitable[Any]]:
    """What a panel shows to a guest; readers who are none do not see it."""

    async def gathered(request: PageRequest) -> object:
        return None if request.guest is None else await gather(request, request.guest)

    return gathered


class Panels:
    """All panels of a server."""

    def __init__(self, panels: Iterable[Panel]) -> None:
        """In the order of their places."""
        self._panels = tuple(sorted(panels, key=lambda each: each.place))

    async def gather(self, request: PageRequest, page: str) -> list[tuple[str, Any]]:
        """The panels of a page for this reader: each template, with what it shows."""
        found = [
            (each.template, await each.gather(request))
            for each in self._panels
            if each.page == page
        ]
        return [(template, part) for template, part in found if part is not None]

    def symbols(self, page: str) -> tuple[str, ...]:
        """The icons that the panels of a page use."""
        return tuple(name for each in self._panels if each.page == page for name in each.symbols)
