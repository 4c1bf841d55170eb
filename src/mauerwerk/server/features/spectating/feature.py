"""Spectating: who watches, what they may see, and games that people follow."""

from mauerwerk.server.feature import Feature
from mauerwerk.server.features.spectating import pages
from mauerwerk.server.ui.page import PageRoute

FEATURE = Feature(
    name="spectating",
    pages=(PageRoute("/t/{table}/follow", post=pages.follow),),
)
