"""Finding a table: open tables with filters, a game for somebody who looks, and invitations."""

from mauerwerk.server.feature import Feature
from mauerwerk.server.features.matchmaking import api, pages, service
from mauerwerk.server.ui.page import PageRoute

FEATURE = Feature(
    name="matchmaking",
    operations=api.OPERATIONS,
    start=lambda host, _: service.Matchmaking(host),
    pages=(
        PageRoute("/find", post=pages.find),
        PageRoute("/t/{table}/join", post=pages.join),
        PageRoute("/t/{table}/bots", post=pages.fill),
    ),
)
