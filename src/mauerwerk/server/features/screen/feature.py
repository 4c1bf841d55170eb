"""The big screen: a table for everybody in the room, while phones hold hands and fists."""

from mauerwerk.server.feature import Feature
from mauerwerk.server.features.screen import pages
from mauerwerk.server.ui.page import PageRoute

FEATURE = Feature(
    name="screen",
    pages=(
        PageRoute("/t/{table}/screen", get=pages.show),
        PageRoute("/t/{table}/screen/live", get=pages.follow),
    ),
)
