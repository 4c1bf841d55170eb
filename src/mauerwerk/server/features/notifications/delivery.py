"""How a message leaves this server, if its host has switched that on."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from email.message import EmailMessage
from typing import Final

import msgspec

from mauerwerk.core.language.translation import language_of
from mauerwerk.server.database.errors import StorageError
from mauerwerk.server.engine.host import Host
from mauerwerk.server.features.notifications import store as subscribers
from mauerwerk.server.features.notifications import texts
from mauerwerk.server.features.notifications.mail import Links, send, written
from mauerwerk.server.features.notifications.outbox import OutboxItem, Result, mark_sent
from mauerwerk.server.features.notifications.push import Signer, new_key, push
from mauerwerk.server.features.notifications.settings import Mail, Push
from mauerwerk.server.features.notifications.store import CONFIRM, EMAIL, PUSH, Turn
from mauerwerk.server.http.settings import Settings, SettingsError
from mauerwerk.server.tables.errors import NoTableError, OtherRulesError

CONTACTS: Final = ("mailto:", "https://")

BY: Final = "notifications"
"""Names the actor in the audit log."""

MOST_AT_ONCE: Final = 16
"""The most pushes that one server sends at the same time, and the most e-mails."""

_MAILERS: Final = ThreadPoolExecutor(MOST_AT_ONCE, "mail")
"""Threads that wait for the mail server, so that those that ask the database do not."""


class Delivery:
    """Sends messages as the settings of the server say."""

    def __init__(self, host: Host, settings: Settings) -> None:
        """Raises SettingsError where something is missing."""
        self._host = host
        self._settings = settings
        self._mail_settings, self._push_settings = settings.section(Mail), settings.section(Push)
        self._signer: Signer | None = None
        address = settings.address.rstrip("/")
        self.mails = bool(self._mail_settings.server)
        """Whether it sends e-mail."""

        self.pushes = self._push_settings.on
        """Whether it sends to push services."""

        if self.mails and not (address and self._mail_settings.sender):
            raise SettingsError("e-mail needs --address for its links, and a sender in [mail]")
        self._contact = self._push_settings.contact or address
        if self.pushes and not self._contact.startswith(CONTACTS):
            raise SettingsError("[push] needs a contact, like mailto:you@example.org")

    @property
    def channels(self) -> frozenset[str]:
        """The ways by which this server sends."""
        mail = (EMAIL, CONFIRM) if self.mails else ()
        return frozenset([*mail, *([PUSH] if self.pushes else [])])

    async def signer(self) -> Signer:
        """Shows push services who sends; its key is made once, for all servers of a database."""
        if self._signer is None:
            key = await subscribers.made_once(self._host.store, subscribers.PUSH_KEY, new_key)
            self._signer = Signer(key, self._contact)
        return self._signer

    async def __call__(self, item: OutboxItem) -> Result:
        """Send it; how it went."""
        now = self._host.now()
        if item.device is None:
            letter = written(item, await self._links(item), self._mail_settings, now)
            return await self._mail(item, letter)
        preferences = item.preferences
        language = language_of(preferences.language)
        notification = texts.in_words(item.turns, item.also, now, language, preferences.zone)
        said = pushed(notification, language("Play"), language("Later today"))
        private = self._push_settings.private
        return await push(
            item.device, said, await self.signer(), notification.tag, now // 1_000, private=private
        )

    async def _mail(self, item: OutboxItem, letter: EmailMessage) -> Result:
        loop, store = asyncio.get_running_loop(), self._host.store

        def marked() -> bool:
            marking = mark_sent(store, item, self._host.now())
            return asyncio.run_coroutine_threadsafe(marking, loop).result()

        try:
            return await loop.run_in_executor(_MAILERS, send, letter, self._mail_settings, marked)
        except StorageError:  # nobody was asked to take it
            return Result.LATER

    async def _links(self, item: OutboxItem) -> Links:
        home = self._settings.address.rstrip("/")
        return Links(
            home=home,
            play=tuple([f"{home}{await self._seat(turn)}" for turn in item.turns]),
            settings=f"{home}/me#notifications",
            stop=f"{home}/notifications/stop/{item.preferences.stop}",
            confirm=f"{home}/notifications/confirm/{item.preferences.proof}",
        )

    async def _seat(self, turn: Turn) -> str:
        """The seat's own link, by which people can play on any device."""
        path = f"/t/{turn.card.id}"
        try:
            table = await self._host.table(turn.card.id)
        except (NoTableError, OtherRulesError):
            return path
        return f"{path}/s/{turn.seat}/{self._host.keys.seat_token(table, turn.seat)}"


def pushed(notification: texts.Notification, play: str, later: str) -> bytes:
    """What the page's service worker shows."""
    return msgspec.json.encode(
        {**msgspec.structs.asdict(notification), "play": play, "later": later}
    )
