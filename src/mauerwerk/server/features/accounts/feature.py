"""What is a visitor's own: their games, figures and settings, on one page."""

from mauerwerk.server.engine.events import GuestRenamed
from mauerwerk.server.engine.host import Host
from mauerwerk.server.feature import Feature
from mauerwerk.server.features.accounts import (
    api,
    data_pages,
    devices,
    pages,
    personal_data,
    sign_in,
    store,
)
from mauerwerk.server.ui.page import ACCOUNT, PageRoute, Panel, for_guest


async def _rename(host: Host, event: GuestRenamed) -> None:
    """The other devices of a person know the new name, too."""
    await store.rename(host.store, event.guest)


FEATURE = Feature(
    name="accounts",
    personal_data=personal_data.PERSONAL_DATA,
    on={GuestRenamed: _rename},
    operations=api.OPERATIONS,
    pages=(
        PageRoute("/data/forget", post=data_pages.forget),
        PageRoute("/data/all.zip", get=data_pages.export),
        PageRoute("/data", get=data_pages.show),
        PageRoute("/me", get=pages.show),
        PageRoute("/me/passkey/options", post=sign_in.ask_to_make),
        PageRoute("/me/passkey", post=sign_in.make_passkey),
        PageRoute("/me/passkey/remove", post=devices.remove_passkey),
        PageRoute("/me/codes", post=sign_in.renew_codes),
        PageRoute("/me/sign-in", get=sign_in.ask_who, post=sign_in.sign_in),
        PageRoute("/me/sign-in/options", post=sign_in.ask_to_sign),
        PageRoute("/me/recover", post=sign_in.recover),
        PageRoute("/me/sign-out", post=devices.sign_out),
        PageRoute("/me/log-out", post=devices.log_out_everywhere),
        PageRoute("/me/link", get=devices.see_link, post=devices.open_link),
        PageRoute("/me/link/answer", post=devices.answer_link),
        PageRoute("/me/join/{token}", get=devices.show_join, post=devices.join),
        PageRoute("/me/join/{token}/enter", post=devices.enter),
    ),
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
