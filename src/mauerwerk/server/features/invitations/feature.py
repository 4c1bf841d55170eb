"""Invitations: personal links to seats, and invitations among people who have played together."""

from collections.abc import Sequence

from starlette.routing import BaseRoute, Route

from mauerwerk.server.engine.host import Host
from mauerwerk.server.feature import Feature
from mauerwerk.server.features.invitations import pages, people
from mauerwerk.server.features.invitations.reservations import Reservations
from mauerwerk.server.http.request import AppState
from mauerwerk.server.http.settings import Settings
from mauerwerk.server.ui.page import Page
from mauerwerk.server.ui.panels import ACCOUNT, Panel, for_guest

TABLE = "/t/{table}"


def _routes(app: AppState) -> Sequence[BaseRoute]:
    """Its pages."""
    return [
        Route(f"{TABLE}/bot", Page(app, post=pages.put_bot)),
        Route(f"{TABLE}/claim", Page(app, post=pages.claim)),
        Route(f"{TABLE}/s/{{seat}}/{{token}}", Page(app, get=pages.open_link)),
        Route(f"{TABLE}/seats/{{seat}}", Page(app, get=pages.show)),
        Route(f"{TABLE}/people", Page(app, get=people.ask, post=people.invite)),
        Route("/invitations/{invitation}", Page(app, post=people.answer)),
        Route("/me/invitations", Page(app, post=people.change)),
    ]


def _start(host: Host, settings: Settings) -> Reservations:
    del host
    return Reservations(most=settings.limits.seat_reservations)


FEATURE = Feature(
    name="invitations",
    start=_start,
    routes=_routes,
    panels=(Panel(ACCOUNT, "invitations/settings.html", for_guest(people.section), place=30),),
)
