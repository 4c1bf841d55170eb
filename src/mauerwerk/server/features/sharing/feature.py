"""Sharing: pictures of tables and previews of links."""

from mauerwerk.server.feature import Feature
from mauerwerk.server.features.sharing import pages
from mauerwerk.server.features.sharing.pictures import Pictures, can_draw
from mauerwerk.server.ui import page, render

FEATURE = Feature(
    name="sharing",
    start=lambda *_: Pictures(),
    pages=(page.PageRoute("/t/{table}/picture.png", get=pages.show),),
)

render.SHARED["draws_pictures"] = can_draw
