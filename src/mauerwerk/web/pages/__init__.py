"""What people see: pages that the server draws, in three languages.

Every page is plain HTML whose forms work without a script. Where the script is there, the table is
morphed into its next picture instead of being loaded anew.
"""

from collections.abc import Sequence

from starlette.routing import BaseRoute, Route

from mauerwerk.web import admin, calls, evening, finding, learn, me, phone, realtable, replay
from mauerwerk.web.games import WEB_GAMES
from mauerwerk.web.http.call import Site
from mauerwerk.web.http.static import Static
from mauerwerk.web.pages import (
    frozen,
    home,
    links,
    live,
    own_data,
    playing,
    preferences,
    preview,
    rules,
    set_up,
    sharing,
    table,
    talk,
    watching,
)
from mauerwerk.web.pages.ending import pages as ending
from mauerwerk.web.pages.page import Page


def routes(site: Site) -> Sequence[BaseRoute]:
    """Every page, and the files that pages use."""
    at = "/t/{table}"
    return [
        Route("/", Page(site, get=home.show)),
        Route("/play", Page(site, post=home.play_now)),
        Route("/play/choice", Page(site, post=home.choose_start)),
        Route("/name", Page(site, post=home.change_name)),
        Route("/data", Page(site, get=own_data.show)),
        Route("/data/all.zip", Page(site, get=own_data.take_along)),
        Route("/data/forget", Page(site, post=own_data.forget)),
        Route("/wishes", Page(site, post=preferences.change)),
        Route("/new/{game}/draft", Page(site, post=set_up.draft)),
        Route("/new/{game}", Page(site, get=set_up.ask, post=set_up.set_up)),
        Route("/rules", Page(site, get=rules.show_all)),
        Route("/rules/{game}", Page(site, get=rules.show)),
        Route(at, Page(site, get=table.show)),
        Route(f"{at}/end", Page(site, post=frozen.end)),
        Route(f"{at}/picture.png", Page(site, get=sharing.show)),
        Route(f"{at}/live", Page(site, get=live.follow)),
        Route(f"{at}/preview", Page(site, get=preview.show)),
        Route(f"{at}/move", Page(site, post=playing.move)),
        Route(f"{at}/seen", Page(site, post=playing.go_on)),
        Route(f"{at}/undo", Page(site, post=playing.take_back)),
        Route(f"{at}/consent", Page(site, post=playing.consent)),
        Route(f"{at}/hints", Page(site, post=playing.advise)),
        Route(f"{at}/away", Page(site, post=playing.hand_over)),
        Route(f"{at}/back", Page(site, post=playing.come_back)),
        Route(f"{at}/rest", Page(site, post=playing.rest)),
        Route(f"{at}/stand", Page(site, post=playing.stand)),
        Route(f"{at}/sit", Page(site, post=playing.sit)),
        Route(f"{at}/report", Page(site, post=playing.report)),
        Route(f"{at}/follow", Page(site, post=watching.follow)),
        Route(f"{at}/talk", Page(site, get=talk.show, post=talk.say)),
        Route(f"{at}/talk/report", Page(site, post=talk.report)),
        Route(f"{at}/rematch", Page(site, post=playing.rematch)),
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
