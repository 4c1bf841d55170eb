"""The table: its page, its live stream, and everything that players do there."""

from mauerwerk.server.engine.events import TableChanged
from mauerwerk.server.feature import Feature
from mauerwerk.server.features.table import actions, api, live, moments, pages
from mauerwerk.server.ui.page import ACCOUNT_TOP, HOME_TOP, PageRoute, Panel, for_guest

FEATURE = Feature(
    name="table",
    operations=api.OPERATIONS,
    on={TableChanged: moments.hold_for_moments},
    joined={
        "table.css": (
            "board.css",
            "page.css",
            "marks.css",
            "tabs.css",
            "narrow.css",
        ),
        # Each alone, with what a game adds to it.
        "later/gate.css": ("gate.css",),
        "later/moments.css": ("moments.css",),
        "table.js": (
            "later.js",
            "connection.js",
            "dock.js",
            "chalk.js",
            "preview.js",
            "places.js",
            "flight.js",
        ),
    },
    pages=(
        PageRoute("/t/{table}", get=pages.show),
        PageRoute("/t/{table}/end", post=pages.end_unsupported),
        PageRoute("/t/{table}/live", get=live.follow),
        PageRoute("/t/{table}/preview", get=pages.preview),
        PageRoute("/t/{table}/explain", get=pages.explain),
        PageRoute("/t/{table}/move", post=actions.move),
        PageRoute("/t/{table}/seen", post=actions.go_on),
        PageRoute("/t/{table}/undo", post=actions.take_back),
        PageRoute("/t/{table}/consent", post=actions.consent),
        PageRoute("/t/{table}/hints", post=actions.advise),
        PageRoute("/t/{table}/choose", post=actions.choose),
        PageRoute("/t/{table}/away", post=actions.hand_over),
        PageRoute("/t/{table}/back", post=actions.come_back),
        PageRoute("/t/{table}/rest", post=actions.rest),
        PageRoute("/t/{table}/stand", post=actions.stand),
        PageRoute("/t/{table}/claim", post=actions.claim),
        PageRoute("/t/{table}/sit", post=actions.sit),
        PageRoute("/t/{table}/report", post=actions.report),
        PageRoute("/t/{table}/rematch", post=actions.rematch),
        PageRoute("/t/{table}/chance", post=actions.enter),
        PageRoute("/t/{table}/chances", post=actions.work_out),
        PageRoute("/t/{table}/places.svg", get=actions.see_places),
    ),
    panels=tuple(
        Panel(page, "table/left.html", for_guest(pages.left_seats), place=10)
        for page in (HOME_TOP, ACCOUNT_TOP)
    ),
)
