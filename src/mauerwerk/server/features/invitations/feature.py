"""Invitations: personal links to seats, and invitations among people who have played together."""

from mauerwerk.server.feature import Feature
from mauerwerk.server.features.invitations import pages, store
from mauerwerk.server.ui.page import ACCOUNT, HOME_TOP, PageRoute, Panel, for_guest

FEATURE = Feature(
    name="invitations",
    personal_data=store.OF_GUEST,
    start=lambda _, settings: pages.Reservations(most=settings.limits.seat_reservations),
    pages=(
        PageRoute("/t/{table}/bot", post=pages.put_bot),
        PageRoute("/t/{table}/s/{seat}/{token}", get=pages.open_link),
        PageRoute("/t/{table}/seats/{seat}", get=pages.show),
        PageRoute("/t/{table}/people", get=pages.ask, post=pages.invite),
        PageRoute("/invitations/{invitation}", post=pages.answer),
        PageRoute("/me/invitations", post=pages.change),
    ),
    panels=(
        Panel(HOME_TOP, "invitations/lines.html", for_guest(pages.panel)),
        Panel(ACCOUNT, "invitations/settings.html", for_guest(pages.section), place=30),
    ),
)
