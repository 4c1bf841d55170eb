"""Setting up a table: the form and the order that it makes."""

from mauerwerk.server.feature import Feature
from mauerwerk.server.features.setup import pages
from mauerwerk.server.ui.page import PageRoute

FEATURE = Feature(
    name="setup",
    pages=(
        PageRoute("/new/{game}/draft", post=pages.draft),
        PageRoute("/new/{game}", get=pages.ask, post=pages.set_up),
    ),
)
