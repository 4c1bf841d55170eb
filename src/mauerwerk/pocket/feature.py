"""What the pages of the pocket edition say beside all others: what is here, and what is not."""

from importlib import resources

from mauerwerk.server.feature import Feature
from mauerwerk.server.ui.page import HOME, HOME_TOP, PageRequest, Panel


async def _always(_request: PageRequest) -> bool:
    return True


FEATURE = Feature(
    name="pocket",
    files=resources.files("mauerwerk.pocket"),
    panels=(
        Panel(HOME_TOP, "pocket/start.html", _always, ("i-check",), place=1),
        Panel(HOME, "pocket/limits.html", _always, ("i-device", "i-down", "i-people"), place=200),
    ),
)
