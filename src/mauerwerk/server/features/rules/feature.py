"""The rules as pages: a text for each game and language, with pictures of real positions."""

from mauerwerk.server.feature import Feature
from mauerwerk.server.features.rules import pages
from mauerwerk.server.ui.page import PageRoute

FEATURE = Feature(
    name="rules",
    pages=(
        PageRoute("/rules", get=pages.show_all),
        PageRoute("/rules/{game}", get=pages.show),
    ),
)
