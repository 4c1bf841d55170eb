"""The leaderboard: people who joined it and bots, on one scale for each game."""

from mauerwerk.server.feature import Feature
from mauerwerk.server.features.leaderboard import api, pages
from mauerwerk.server.ui.page import PageRoute

FEATURE = Feature(
    name="leaderboard",
    operations=api.OPERATIONS,
    pages=(PageRoute("/leaderboard", get=pages.show, post=pages.join, shared=True),),
)
