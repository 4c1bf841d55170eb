"""For people who own the printed games: what each game offers them, and dice by hand."""

from mauerwerk.server.feature import Feature
from mauerwerk.server.features.real_table import pages
from mauerwerk.server.ui.page import PageRoute

FEATURE = Feature(
    name="real_table",
    pages=(
        PageRoute("/real", get=pages.show),
        PageRoute("/real/dice", get=pages.dice),
    ),
)
