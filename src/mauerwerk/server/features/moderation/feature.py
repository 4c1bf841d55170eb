"""Moderation: what the hosts of a server decide, by command, API or page."""

from mauerwerk.server.feature import Feature
from mauerwerk.server.features.moderation import api, pages, store
from mauerwerk.server.features.moderation.service import Moderation
from mauerwerk.server.ui.page import PageRoute

FEATURE = Feature(
    name="moderation",
    personal_data=store.PERSONAL_DATA,
    operations=api.OPERATIONS,
    start=lambda host, settings: Moderation(host, settings.backups.folder),
    pages=(
        PageRoute("/admin", get=pages.show, for_hosts=True),
        PageRoute("/admin/figures", get=pages.renew, for_hosts=True),
        PageRoute("/admin/sign-in", post=pages.sign_in, for_hosts=True),
        PageRoute("/admin/sign-out", post=pages.sign_out, for_hosts=True),
        PageRoute("/admin/do", post=pages.act, for_hosts=True),
    ),
)
