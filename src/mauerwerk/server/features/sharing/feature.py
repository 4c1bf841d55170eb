"""Sharing: pictures of tables and previews of links."""

from mauerwerk.server.engine.host import Host
from mauerwerk.server.feature import Feature
from mauerwerk.server.features.sharing import pages
from mauerwerk.server.features.sharing.pictures import Pictures, can_draw
from mauerwerk.server.http.settings import Settings
from mauerwerk.server.ui import page, render


def _start(_: Host, __: Settings) -> Pictures:
    return Pictures()


FEATURE = Feature(
    name="sharing",
    start=_start,
    pages=(page.PageRoute("/t/{table}/picture.png", get=pages.show),),
)

render.SHARED["draws_pictures"] = can_draw
