"""What is a visitor's own: their games, figures and settings, on one page."""

from collections.abc import Sequence

from starlette.routing import BaseRoute, Route

from mauerwerk.server.features.accounts import devices, pages, sign_in
from mauerwerk.server.features.results import leaderboard
from mauerwerk.server.http.call import AppState
from mauerwerk.server.ui.page import Page


def routes(site: AppState) -> Sequence[BaseRoute]:
    """The page, and what can be done on it."""
    return [
        Route("/me", Page(site, get=pages.show)),
        Route("/me/passkey/options", Page(site, post=sign_in.ask_to_make)),
        Route("/me/passkey", Page(site, post=sign_in.make_passkey)),
        Route("/me/passkey/remove", Page(site, post=devices.remove_passkey)),
        Route("/me/codes", Page(site, post=sign_in.renew_codes)),
        Route("/me/sign-in", Page(site, get=sign_in.ask_who, post=sign_in.sign_in)),
        Route("/me/sign-in/options", Page(site, post=sign_in.ask_to_sign)),
        Route("/me/recover", Page(site, post=sign_in.recover)),
        Route("/me/sign-out", Page(site, post=devices.sign_out)),
        Route("/me/log-out", Page(site, post=devices.log_out_everywhere)),
        Route("/me/link", Page(site, get=devices.see_link, post=devices.open_link)),
        Route("/me/link/answer", Page(site, post=devices.answer_link)),
        Route("/leaderboard", Page(site, get=leaderboard.show, post=leaderboard.join)),
        Route("/me/join/{token}", Page(site, get=devices.show_join, post=devices.join)),
        Route("/me/join/{token}/enter", Page(site, post=devices.enter)),
    ]
