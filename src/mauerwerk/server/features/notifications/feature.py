"""Notifications that it is somebody's turn: in the browser, by push, e-mail, ntfy or webhook."""

from mauerwerk.server.database.personal_data import of_guest
from mauerwerk.server.engine.host import Host
from mauerwerk.server.feature import Feature
from mauerwerk.server.features.notifications import delivery, pages, relays, service, store
from mauerwerk.server.http.settings import Settings
from mauerwerk.server.ui.page import ACCOUNT, PageRoute, Panel, for_guest


def _start(host: Host, settings: Settings) -> service.Notifications:
    sends = delivery.Delivery(host, settings)
    host.add_service(sends)
    return service.Notifications(host, sends)


FEATURE = Feature(
    name="notifications",
    personal_data=(
        of_guest("notification_preferences", store.PREFERENCES, "proof", "stop"),
        of_guest("push_devices", store.PUSH_DEVICES, "auth"),
        of_guest("notifications", store.TURNS),
        of_guest("outbox", store.OUTBOX),
        of_guest("notification_addresses", relays.RELAYS, "secret", "stop"),
    ),
    settings={
        "push": delivery.Push,
        "mail": delivery.Mail,
        "ntfy": relays.Ntfy,
        "webhooks": relays.Webhooks,
    },
    start=_start,
    pages=(
        PageRoute("/me/notifications", post=pages.change),
        PageRoute("/me/notifications/device", post=pages.add_device),
        PageRoute("/me/notifications/device/remove", post=pages.remove_device),
        PageRoute("/me/notifications/address", post=pages.set_relay),
        PageRoute("/me/notifications/test", post=pages.test_relay),
        PageRoute("/notifications/waiting", get=pages.waiting),
        PageRoute("/notifications/snooze", post=pages.snooze),
        PageRoute(
            "/notifications/confirm/{proof}",
            get=pages.ask_to_confirm,
            post=pages.confirm,
            from_anywhere=True,
        ),
        PageRoute(
            "/notifications/stop/{stop}", get=pages.ask_to_stop, post=pages.stop, from_anywhere=True
        ),
        PageRoute(
            "/notifications/not-me/{address}",
            get=pages.ask_to_block,
            post=pages.block,
            from_anywhere=True,
        ),
        PageRoute("/notifications/allow/{address}", post=pages.allow),
        PageRoute("/t/{table}/looked", post=pages.mark_seen),
    ),
    panels=(
        Panel(
            ACCOUNT, "notifications/settings.html", for_guest(pages.section), ("i-moon",), place=10
        ),
    ),
    page_values=lambda host, guest: {
        "notified": guest and guest.id in host.service(service.Notifications).subscribers
    },
    metrics=lambda metrics, host: metrics.show_counts(
        "notifications",
        "Messages to people whose turn it is, by channel and result.",
        host.service(service.Notifications).done,
    ),
)
