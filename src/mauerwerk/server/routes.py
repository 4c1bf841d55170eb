"""What people see: pages that the server draws, in three languages.

Every page is plain HTML whose forms work without a script. Where the script is there, the table is
morphed into its next picture instead of being loaded anew.
"""

from collections.abc import Sequence

from starlette.routing import BaseRoute, Route

from mauerwerk.server.features.accounts import data_pages
from mauerwerk.server.features.accounts import routes as me
from mauerwerk.server.features.chat import pages as talk
from mauerwerk.server.features.ending import pages as ending
from mauerwerk.server.features.evenings import routes as evening
from mauerwerk.server.features.invitations import pages as links
from mauerwerk.server.features.lessons import routes as learn
from mauerwerk.server.features.lobby import pages as home
from mauerwerk.server.features.matchmaking import routes as finding
from mauerwerk.server.features.moderation import routes as admin
from mauerwerk.server.features.notifications import routes as calls
from mauerwerk.server.features.offline import routes as phone
from mauerwerk.server.features.real_table import routes as realtable
from mauerwerk.server.features.replay import routes as replay
from mauerwerk.server.features.rules import pages
from mauerwerk.server.features.setup import pages as set_up
from mauerwerk.server.features.sharing import pages as sharing
from mauerwerk.server.features.spectating import pages as watching
from mauerwerk.server.features.table import actions, live, preview, unsupported
from mauerwerk.server.features.table import pages as table
from mauerwerk.server.games import WEB_GAMES
from mauerwerk.server.http.call import AppState
from mauerwerk.server.http.static import Static
from mauerwerk.server.ui import preferences
from mauerwerk.server.ui.page import Page


def routes(site: AppState) -> Sequence[BaseRoute]:
    """Every page, and the files that pages use."""
    at = "/t/{table}"
    return [
        Route("/", Page(site, get=home.show)),
        Route("/play", Page(site, post=home.play_now)),
        Route("/play/choice", Page(site, post=home.choose_start)),
        Route("/name", Page(site, post=home.change_name)),
        Route("/data", Page(site, get=data_pages.show)),
        Route("/data/all.zip", Page(site, get=data_pages.take_along)),
        Route("/data/forget", Page(site, post=data_pages.forget)),
        Route("/wishes", Page(site, post=preferences.change)),
        Route("/new/{game}/draft", Page(site, post=set_up.draft)),
        Route("/new/{game}", Page(site, get=set_up.ask, post=set_up.set_up)),
        Route("/rules", Page(site, get=pages.show_all)),
        Route("/rules/{game}", Page(site, get=pages.show)),
        Route(at, Page(site, get=table.show)),
        Route(f"{at}/end", Page(site, post=unsupported.end)),
        Route(f"{at}/picture.png", Page(site, get=sharing.show)),
        Route(f"{at}/live", Page(site, get=live.follow)),
        Route(f"{at}/preview", Page(site, get=preview.show)),
        Route(f"{at}/move", Page(site, post=actions.move)),
        Route(f"{at}/seen", Page(site, post=actions.go_on)),
        Route(f"{at}/undo", Page(site, post=actions.take_back)),
        Route(f"{at}/consent", Page(site, post=actions.consent)),
        Route(f"{at}/hints", Page(site, post=actions.advise)),
        Route(f"{at}/away", Page(site, post=actions.hand_over)),
        Route(f"{at}/back", Page(site, post=actions.come_back)),
        Route(f"{at}/rest", Page(site, post=actions.rest)),
        Route(f"{at}/stand", Page(site, post=actions.stand)),
        Route(f"{at}/sit", Page(site, post=actions.sit)),
        Route(f"{at}/report", Page(site, post=actions.report)),
        Route(f"{at}/follow", Page(site, post=watching.follow)),
        Route(f"{at}/talk", Page(site, get=talk.show, post=talk.say)),
        Route(f"{at}/talk/report", Page(site, post=talk.report)),
        Route(f"{at}/rematch", Page(site, post=actions.rematch)),
        Route(f"{at}/chances", Page(site, post=ending.work_out)),
        Route(f"{at}/places.svg", Page(site, get=ending.see_places)),
        Route(f"{at}/bot", Page(site, post=links.put_bot)),
        Route(f"{at}/claim", Page(site, post=links.claim)),
        Route(f"{at}/s/{{seat}}/{{token}}", Page(site, get=links.open_link)),
        Route(f"{at}/seats/{{seat}}", Page(site, get=links.show)),
        *(
            route
            for part in (me, calls, evening, finding, phone, replay, learn, realtable, admin)
            for route in part.routes(site)
        ),
        *(route for game in WEB_GAMES.values() for route in game.routes(site)),
        Route("/static/{path:path}", Static()),
    ]
