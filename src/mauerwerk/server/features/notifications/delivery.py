"""How a message leaves this server, if its host has switched that on."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from email.message import EmailMessage
from functools import partial
from typing import Final

import msgspec

from mauerwerk.core.language.translation import language_of
from mauerwerk.server.database.store import StorageError
from mauerwerk.server.engine.host import Host
from mauerwerk.server.features.notifications.mail import Links, send, written
from mauerwerk.server.features.notifications.outbox import Message, Result, hand_over
from mauerwerk.server.features.notifications.push import Signer, new_key, push
from mauerwerk.server.features.notifications.service import BY, MOST_AT_ONCE
from mauerwerk.server.features.notifications.subscribers import PUSH_KEY, made_once
from mauerwerk.server.features.notifications.texts import Call, call_in_words
from mauerwerk.server.features.notifications.turns import CONFIRM, EMAIL, PUSH, Turn
from mauerwerk.server.http.settings import Settings, SettingsError
from mauerwerk.server.tables.errors import NoTableError, OtherRulesError

CONTACTS: Final = ("mailto:", "https://")

_MAILERS: Final = ThreadPoolExecutor(MOST_AT_ONCE, "mail")
"""Threads that wait for the mail server, so that those that ask the database do not."""


class Delivery:
    """Sends messages as the settings of the server say."""

    def __init__(self, host: Host, settings: Settings) -> None:
        """Raises SettingsError where something is missing."""
        self._host = host
        self._settings = settings
        self._signer: Signer | None = None
        address = settings.address.rstrip("/")
        self.mails = bool(settings.mail.server)
        """Whether it sends e-mail."""

        self.pushes = settings.push.on
        """Whether it sends to push services."""

        if self.mails and not (address and settings.mail.sender):
            raise SettingsError("e-mail needs --address for its links, and a sender in [mail]")
        self._contact = settings.push.contact or address
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
            key = await self._host.store.write("", partial(made_once, name=PUSH_KEY, make=new_key))
            self._signer = Signer(key, self._contact)
        return self._signer

    async def __call__(self, message: Message) -> Result:
        """Send it; how it went."""
        now = self._host.now()
        if message.device is None:
            letter = written(message, await self._links(message), self._settings.mail, now)
            return await self._mail(message, letter)
        calling = message.calling
        language = language_of(calling.language)
        call = call_in_words(message.turns, message.also, now, language, calling.zone)
        said = pushed(call, language("Play"), language("Later today"))
        private = self._settings.push.private
        return await push(
            message.device, said, await self.signer(), call.tag, now // 1_000, private=private
        )

    async def _mail(self, message: Message, letter: EmailMessage) -> Result:
        loop, store = asyncio.get_running_loop(), self._host.store

        def handed_over() -> bool:
            work = partial(hand_over, message=message, now=self._host.now())
            return asyncio.run_coroutine_threadsafe(store.write(BY, work), loop).result()

        try:
            return await loop.run_in_executor(
                _MAILERS, send, letter, self._settings.mail, handed_over
            )
        except StorageError:  # nobody was asked to take it
            return Result.LATER

    async def _links(self, message: Message) -> Links:
        home = self._settings.address.rstrip("/")
        return Links(
            home=home,
            play=tuple([f"{home}{await self._seat(turn)}" for turn in message.turns]),
            settings=f"{home}/me#calls",
            stop=f"{home}/calls/stop/{message.calling.stop}",
            confirm=f"{home}/calls/confirm/{message.calling.proof}",
        )

    async def _seat(self, turn: Turn) -> str:
        """The seat's own link, by which people can play on any device."""
        path = f"/t/{turn.card.id}"
        try:
            table = await self._host.table(turn.card.id)
        except (NoTableError, OtherRulesError):
            return path
        return f"{path}/s/{turn.seat}/{self._host.keys.seat_token(table, turn.seat)}"


def pushed(call: Call, play: str, later: str) -> bytes:
    """What the page's service worker shows."""
    return msgspec.json.encode({**msgspec.structs.asdict(call), "play": play, "later": later})
