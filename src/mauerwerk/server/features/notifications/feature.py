"""Calling people back to their tables: in the browser, by Web Push, by e-mail."""

from collections.abc import Mapping, Sequence

from starlette.routing import BaseRoute, Route

from mauerwerk.server.engine.host import Host
from mauerwerk.server.feature import Feature
from mauerwerk.server.features.notifications import pages
from mauerwerk.server.features.notifications.delivery import Delivery
from mauerwerk.server.features.notifications.service import Notifications
from mauerwerk.server.features.notifications.settings import Mail, Push
from mauerwerk.server.http.metrics import Metrics
from mauerwerk.server.http.request import AppState
from mauerwerk.server.http.settings import Settings
from mauerwerk.server.tables.charter import Guest
from mauerwerk.server.ui.page import Page
from mauerwerk.server.ui.panels import ACCOUNT, Panel, for_guest


def _routes(app: AppState) -> Sequence[BaseRoute]:
    """Settings, what pages ask for, and the links in e-mail."""
    return [
        Route("/me/notifications", Page(app, post=pages.change)),
        Route("/me/notifications/device", Page(app, post=pages.add_device)),
        Route("/me/notifications/device/remove", Page(app, post=pages.remove_device)),
        Route("/notifications/waiting", Page(app, get=pages.waiting)),
        Route("/notifications/snooze", Page(app, post=pages.later)),
        Route(
            "/notifications/confirm/{proof}",
            Page(app, get=pages.ask_to_confirm, post=pages.confirm, from_anywhere=True),
        ),
        Route(
            "/notifications/stop/{stop}",
            Page(app, get=pages.ask_to_stop, post=pages.stop, from_anywhere=True),
        ),
        Route("/t/{table}/looked", Page(app, post=pages.looked)),
    ]


def _start(host: Host, settings: Settings) -> Notifications:
    delivery = Delivery(host, settings)
    host.add_service(delivery)
    return Notifications(host, delivery)


def _metrics(metrics: Metrics, host: Host) -> None:
    metrics.show_counts(
        "notifications",
        "Messages to people whose turn it is, by channel and result.",
        host.service(Notifications).done,
    )


def _page_values(host: Host, guest: Guest | None) -> Mapping[str, object]:
    return {"notified": guest is not None and guest.id in host.service(Notifications).subscribers}


FEATURE = Feature(
    name="notifications",
    settings={"push": Push, "mail": Mail},
    start=_start,
    routes=_routes,
    panels=(
        Panel(
            ACCOUNT, "notifications/settings.html", for_guest(pages.section), ("i-moon",), place=10
        ),
    ),
    page_values=_page_values,
    metrics=_metrics,
)
