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
from mauerwerk.server.features.notifications import routes as notifications
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
from mauerwerk.server.http.request import AppState
from mauerwerk.server.http.static import Static
from mauerwerk.server.ui import preferences
from mauerwerk.server.ui.page import Page


def routes(app: AppState) -> Sequence[BaseRoute]:
    """Every page, and the files that pages use."""
    at = "/t/{table}"
    return [
        Route("/", Page(app, get=home.show)),
        Route("/play", Page(app, post=home.play_now)),
        Route("/play/choice", Page(app, post=home.choose_start)),
        Route("/name", Page(app, post=home.change_name)),
        Route("/data", Page(app, get=data_pages.show)),
        Route("/data/all.zip", Page(app, get=data_pages.take_along)),
        Route("/data/forget", Page(app, post=data_pages.forget)),
        Route("/wishes", Page(app, post=preferences.change)),
        Route("/new/{game}/draft", Page(app, post=set_up.draft)),
        Route("/new/{game}", Page(app, get=set_up.ask, post=set_up.set_up)),
        Route("/rules", Page(app, get=pages.show_all)),
        Route("/rules/{game}", Page(app, get=pages.show)),
        Route(at, Page(app, get=table.show)),
        Route(f"{at}/end", Page(app, post=unsupported.end)),
        Route(f"{at}/picture.png", Page(app, get=sharing.show)),
        Route(f"{at}/live", Page(app, get=live.follow)),
        Route(f"{at}/preview", Page(app, get=preview.show)),
        Route(f"{at}/move", Page(app, post=actions.move)),
        Route(f"{at}/seen", Page(app, post=actions.go_on)),
        Route(f"{at}/undo", Page(app, post=actions.take_back)),
        Route(f"{at}/consent", Page(app, post=actions.consent)),
        Route(f"{at}/hints", Page(app, post=actions.advise)),
        Route(f"{at}/away", Page(app, post=actions.hand_over)),
        Route(f"{at}/back", Page(app, post=actions.come_back)),
        Route(f"{at}/rest", Page(app, post=actions.rest)),
        Route(f"{at}/stand", Page(app, post=actions.stand)),
        Route(f"{at}/sit", Page(app, post=actions.sit)),
        Route(f"{at}/report", Page(app, post=actions.report)),
        Route(f"{at}/follow", Page(app, post=watching.follow)),
        Route(f"{at}/talk", Page(app, get=talk.show, post=talk.say)),
        Route(f"{at}/talk/report", Page(app, post=talk.report)),
        Route(f"{at}/rematch", Page(app, post=actions.rematch)),
        Route(f"{at}/chances", Page(app, post=ending.work_out)),
        Route(f"{at}/places.svg", Page(app, get=ending.see_places)),
        Route(f"{at}/bot", Page(app, post=links.put_bot)),
        Route(f"{at}/claim", Page(app, post=links.claim)),
        Route(f"{at}/s/{{seat}}/{{token}}", Page(app, get=links.open_link)),
        Route(f"{at}/seats/{{seat}}", Page(app, get=links.show)),
        *(
            route
            for part in (
                me,
                notifications,
                evening,
                finding,
                phone,
                replay,
                learn,
                realtable,
                admin,
            )
            for route in part.routes(app)
        ),
        *(route for game in WEB_GAMES.values() for route in game.routes(app)),
        Route("/static/{path:path}", Static()),
    ]
