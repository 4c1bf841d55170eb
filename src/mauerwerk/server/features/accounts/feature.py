"""What is a visitor's own: their games, figures and settings, on one page."""

from collections.abc import Sequence

from starlette.routing import BaseRoute, Route

from mauerwerk.server.feature import Feature
from mauerwerk.server.features.accounts import api, data_pages, devices, pages, sign_in
from mauerwerk.server.http.request import AppState
from mauerwerk.server.ui.page import Page
from mauerwerk.server.ui.panels import ACCOUNT, Panel, for_guest


def _routes(app: AppState) -> Sequence[BaseRoute]:
    """The page, and what can be done on it."""
    return [
        Route("/data/forget", Page(app, post=data_pages.forget)),
        Route("/data/all.zip", Page(app, get=data_pages.export)),
        Route("/data", Page(app, get=data_pages.show)),
        Route("/me", Page(app, get=pages.show)),
        Route("/me/passkey/options", Page(app, post=sign_in.ask_to_make)),
        Route("/me/passkey", Page(app, post=sign_in.make_passkey)),
        Route("/me/passkey/remove", Page(app, post=devices.remove_passkey)),
        Route("/me/codes", Page(app, post=sign_in.renew_codes)),
        Route("/me/sign-in", Page(app, get=sign_in.ask_who, post=sign_in.sign_in)),
        Route("/me/sign-in/options", Page(app, post=sign_in.ask_to_sign)),
        Route("/me/recover", Page(app, post=sign_in.recover)),
        Route("/me/sign-out", Page(app, post=devices.sign_out)),
        Route("/me/log-out", Page(app, post=devices.log_out_everywhere)),
        Route("/me/link", Page(app, get=devices.see_link, post=devices.open_link)),
        Route("/me/link/answer", Page(app, post=devices.answer_link)),
        Route("/me/join/{token}", Page(app, get=devices.show_join, post=devices.join)),
        Route("/me/join/{token}/enter", Page(app, post=devices.enter)),
    ]


FEATURE = Feature(
    name="accounts",
    operations=api.OPERATIONS,
    routes=_routes,
    panels=(
        Panel(
            ACCOUNT,
            "accounts/devices.html",
            for_guest(devices.gather),
            ("i-laptop", "i-device", "i-plus"),
            place=20,
        ),
        Panel(
            ACCOUNT,
            "accounts/data.html",
            for_guest(data_pages.section),
            ("i-down", "i-bin"),
            place=40,
        ),
    ),
)
