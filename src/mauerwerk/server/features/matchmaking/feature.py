"""Finding a table: open tables with filters, a game for somebody who looks, and invitations."""

from mauerwerk.server.database.personal_data import of_guest
from mauerwerk.server.engine.events import TableChanged
from mauerwerk.server.feature import Feature
from mauerwerk.server.features.lobby.looking import ARRIVALS, LOOKING
from mauerwerk.server.features.matchmaking import api, pages, service
from mauerwerk.server.ui.page import PageRoute

FEATURE = Feature(
    name="matchmaking",
    operations=api.OPERATIONS,
    personal_data=(of_guest("looking", LOOKING), of_guest("arrivals", ARRIVALS)),
    on={TableChanged: lambda host, event: host.service(service.Matchmaking).table_changed(event)},
    start=lambda host, _: service.Matchmaking(host),
    pages=(
        PageRoute("/find", get=pages.show_find, post=pages.find),
        PageRoute("/t/{table}/search", get=pages.show_search, post=pages.change_search),
        PageRoute("/t/{table}/join", post=pages.join),
        PageRoute("/t/{table}/bots", post=pages.fill),
    ),
)
