"""The table: its page, its live stream, and everything that players do there."""

from collections.abc import Sequence

from starlette.routing import BaseRoute, Route

from mauerwerk.server.engine.events import TableChanged
from mauerwerk.server.feature import Feature
from mauerwerk.server.features.table import actions, api, live, moments, pages, preview, unsupported
from mauerwerk.server.http.request import AppState
from mauerwerk.server.ui.page import Page

TABLE = "/t/{table}"


def _routes(app: AppState) -> Sequence[BaseRoute]:
    """Its pages."""
    return [
        Route(TABLE, Page(app, get=pages.show)),
        Route(f"{TABLE}/end", Page(app, post=unsupported.end)),
        Route(f"{TABLE}/live", Page(app, get=live.follow)),
        Route(f"{TABLE}/preview", Page(app, get=preview.show)),
        Route(f"{TABLE}/move", Page(app, post=actions.move)),
        Route(f"{TABLE}/seen", Page(app, post=actions.go_on)),
        Route(f"{TABLE}/undo", Page(app, post=actions.take_back)),
        Route(f"{TABLE}/consent", Page(app, post=actions.consent)),
        Route(f"{TABLE}/hints", Page(app, post=actions.advise)),
        Route(f"{TABLE}/away", Page(app, post=actions.hand_over)),
        Route(f"{TABLE}/back", Page(app, post=actions.come_back)),
        Route(f"{TABLE}/rest", Page(app, post=actions.rest)),
        Route(f"{TABLE}/stand", Page(app, post=actions.stand)),
        Route(f"{TABLE}/sit", Page(app, post=actions.sit)),
        Route(f"{TABLE}/report", Page(app, post=actions.report)),
        Route(f"{TABLE}/rematch", Page(app, post=actions.rematch)),
        Route(f"{TABLE}/chance", Page(app, post=actions.enter)),
    ]


FEATURE = Feature(
    name="table",
    operations=api.OPERATIONS,
    on={TableChanged: moments.hold_for_moments},
    routes=_routes,
)
