"""Sharing: pictures of tables and previews of links."""

from mauerwerk.server.feature import Feature
from mauerwerk.server.features.sharing import pages
from mauerwerk.server.features.sharing.pictures import Pictures
from mauerwerk.server.ui.page import PageRoute

FEATURE = Feature(
    name="sharing",
    start=lambda *_: Pictures(),
    pages=(PageRoute("/t/{table}/picture.png", get=pages.show),),
)
