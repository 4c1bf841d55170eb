"""Chat at tables: smileys, phrases and free text."""

from mauerwerk.server.database.personal_data import of_guest
from mauerwerk.server.feature import Feature
from mauerwerk.server.features.chat import api, pages, service, store
from mauerwerk.server.ui.page import PageRoute

FEATURE = Feature(
    name="chat",
    personal_data=(of_guest("chat", store.CHAT_MESSAGES),),
    settings={"chat": service.ChatSettings},
    operations=api.OPERATIONS,
    start=lambda host, settings: service.Chat(host, settings.section(service.ChatSettings).allowed),
    pages=(
        PageRoute("/t/{table}/chat", get=pages.show, post=pages.say),
        PageRoute("/t/{table}/chat/report", post=pages.report),
    ),
)
