"""Evenings: several games in a row among the same people, with one ranking."""

from mauerwerk.server.feature import Feature
from mauerwerk.server.features.evenings import api, pages, store
from mauerwerk.server.ui.page import PageRoute

FEATURE = Feature(
    name="evenings",
    personal_data=(store.OF_GUEST,),
    operations=api.OPERATIONS,
    pages=(
        PageRoute("/evening", get=pages.ask, post=pages.begin),
        PageRoute("/e/{evening}", get=pages.show),
        PageRoute("/e/{evening}/join", post=pages.join),
        PageRoute("/e/{evening}/leave", post=pages.leave),
        PageRoute("/e/{evening}/games", post=pages.add_game),
        PageRoute("/e/{evening}/games/drop", post=pages.drop_game),
        PageRoute("/e/{evening}/swap", post=pages.swap),
        PageRoute("/e/{evening}/format", post=pages.arrange),
        PageRoute("/e/{evening}/start", post=pages.start),
    ),
)
