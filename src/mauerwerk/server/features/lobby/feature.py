"""The home page: games, your tables, open tables, and a quick start."""

from mauerwerk.server.feature import Feature
from mauerwerk.server.features.lobby import api, pages
from mauerwerk.server.ui.page import PageRoute

FEATURE = Feature(
    name="lobby",
    operations=api.OPERATIONS,
    pages=(
        PageRoute("/", get=pages.show, shared=True),
        PageRoute("/play", post=pages.play_now),
        PageRoute("/play/choice", post=pages.choose_start),
    ),
)
