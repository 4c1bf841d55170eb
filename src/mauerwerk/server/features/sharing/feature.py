"""Sharing: pictures of tables and previews of links."""

from mauerwerk.server.feature import Feature
from mauerwerk.server.features.sharing import pages, pictures
from mauerwerk.server.ui import page, render

FEATURE = Feature(
    name="sharing",
    start=lambda _host, _settings: pictures.Pictures(),
    pages=(page.PageRoute("/t/{table}/picture.png", get=pages.show),),
)

render.SHARED["draws_pictures"] = pictures.can_draw
