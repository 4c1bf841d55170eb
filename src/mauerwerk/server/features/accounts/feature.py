"""What is a visitor's own: their games, figures and settings, on one page."""

from mauerwerk.server.engine.events import GuestRenamed
from mauerwerk.server.feature import Feature
from mauerwerk.server.features.accounts import api, pages, store
from mauerwerk.server.http.proof import Proofs
from mauerwerk.server.ui.page import ACCOUNT, PageRoute, Panel, for_guest

FEATURE = Feature(
    name="accounts",
    personal_data=store.PERSONAL_DATA,
    on={GuestRenamed: lambda host, event: store.rename(host.store, event.guest)},
    operations=api.OPERATIONS,
    start=lambda host, _: Proofs(lambda guest: store.has_proof(host.store, guest)),
    pages=(
        PageRoute("/data/forget", post=pages.forget),
        PageRoute("/data/all.zip", get=pages.export),
        PageRoute("/data", get=pages.show_data),
        PageRoute("/settings", get=pages.show_settings, post=pages.change_name),
        PageRoute("/me", get=pages.show, post=pages.change),
        PageRoute("/me/passkey/options", post=pages.ask_to_make),
        PageRoute("/me/passkey", post=pages.make_passkey),
        PageRoute("/me/passkey/remove", post=pages.remove_passkey),
        PageRoute("/me/codes", get=pages.show_codes, post=pages.renew_codes),
        PageRoute("/me/sign-in", get=pages.ask_who, post=pages.sign_in),
        PageRoute("/me/confirm", get=pages.ask_again),
        PageRoute("/me/sign-in/options", post=pages.ask_to_sign),
        PageRoute("/me/recover", get=pages.ask_who, post=pages.recover),
        PageRoute("/me/sign-out", post=pages.sign_out),
        PageRoute("/me/log-out", post=pages.log_out_everywhere),
        PageRoute("/me/link", get=pages.see_link, post=pages.open_link),
        PageRoute("/me/link/answer", post=pages.answer_link),
        PageRoute("/me/join/{token}", get=pages.show_join, post=pages.join),
        PageRoute("/me/join/{token}/enter", post=pages.enter),
    ),
    panels=(
        Panel(
            ACCOUNT,
            "accounts/devices.html",
            for_guest(pages.devices_of),
            ("i-laptop", "i-device", "i-plus"),
            place=20,
        ),
        Panel(
            ACCOUNT,
            "accounts/data.html",
            for_guest(pages.data_links),
            ("i-down", "i-bin"),
            place=40,
        ),
    ),
)
