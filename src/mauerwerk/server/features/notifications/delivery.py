"""What a notification says, and how it leaves this server, if its host has switched that on.

It tells the game, who plays and the time left; nothing of the game itself. An e-mail has the same
words as a push, and goes out by the mail server that the host names.
"""

import asyncio
import re
import smtplib
import ssl
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import formatdate
from hashlib import sha256
from typing import Annotated, Final, Literal
from urllib.parse import urlsplit

import msgspec

from mauerwerk.core.game import Value
from mauerwerk.core.language import Language, language_of, message
from mauerwerk.server.database.errors import StorageError
from mauerwerk.server.database.queries import made_once
from mauerwerk.server.engine.host import Host
from mauerwerk.server.features.notifications import store
from mauerwerk.server.features.notifications.addresses import token_of
from mauerwerk.server.features.notifications.push import AVAILABLE, Signer, new_key, push, result_of
from mauerwerk.server.features.notifications.relays import (
    Ntfy,
    Relay,
    RelayMessage,
    Relays,
    Webhooks,
)
from mauerwerk.server.features.notifications.schedule import zone_of
from mauerwerk.server.features.notifications.store import OutboxItem, Result, Turn
from mauerwerk.server.games import web_game
from mauerwerk.server.http.outgoing import Reach
from mauerwerk.server.http.settings import Settings, SettingsError
from mauerwerk.server.tables.errors import NoTableError, OtherRulesError
from mauerwerk.server.ui.dates import time_left
from mauerwerk.server.ui.names import names_on
from mauerwerk.server.ui.preferences import Preferences
from mauerwerk.server.ui.render import render


class Push(Value, tag=False):
    """Notifications to browsers whose pages are closed, by way of their makers' push services."""

    on: bool = False
    contact: str = ""
    """Whom a push service can turn to: `mailto:` and an address, or an `https://` address."""
    private: bool = False
    """Whether a push service may be in a private network and without https, as in tests."""


class Mail(Value, tag=False):
    """Notifications by e-mail."""

    server: str = ""
    """The name of the mail server; empty: no e-mail is sent."""
    port: Annotated[int, msgspec.Meta(ge=1, le=65_535)] = 587
    security: Literal["starttls", "tls", "none"] = "starttls"
    user: str = ""
    password: str = ""
    sender: str = ""
    """Who it comes from, such as `Mauerwerk <walls@example.org>`."""
    confirmations: Annotated[int, msgspec.Meta(ge=1)] = store.CONFIRMATIONS_AN_HOUR
    """How many messages an hour ask to confirm an address, on all servers together."""


# --- In words --------------------------------------------------------------------------------

SEVERAL: Final = "games"
"""The tag of a notification about several tables; one about one has the id of the table."""

WEEKDAYS: Final = (
    *(message("Monday"), message("Tuesday"), message("Wednesday"), message("Thursday")),
    *(message("Friday"), message("Saturday"), message("Sunday")),
)


class Notification(Value, tag=False):
    """A notification in words."""

    title: str
    body: str
    tag: str
    """A new notification replaces one with the same tag."""
    path: str
    """Where to play."""
    count: int
    """How many games wait for the person."""


def in_words(
    turns: tuple[Turn, ...], also: tuple[Turn, ...], now: int, language: Language, zone: str
) -> Notification:
    """What to say about these turns, and others that wait too; two or more become one."""
    everything = (*turns, *also)
    if len(everything) == 1:
        (turn,) = everything
        said = [company(turn, language), left(turn, now, language)]
        body = ". ".join(each for each in said if each)
        title = language("Your turn in {game}", game=title_of(turn))
        return Notification(
            title, f"{body}." if body else "", turn.card.id, f"/t/{turn.card.id}", 1
        )
    number = len(everything)
    title = language.many(number, "{number} game waits for you", "{number} games wait for you")
    body = f"{', '.join(dict.fromkeys(map(title_of, everything)))}."
    clocked = [turn.deadline for turn in everything if turn.deadline is not None]
    if clocked:
        until = moment(min(clocked), zone, language)
        body += " " + language("The first one waits until {time}.", time=until)
    return Notification(title, body, SEVERAL, "/me", number)


def title_of(turn: Turn) -> str:
    """The name of the game."""
    return web_game(turn.card.game).box.title


def company(turn: Turn, language: Language) -> str:
    """Who plays too: `With Clara and Bruno`."""
    names = names_on(turn.card, language)
    others = [name for seat, name in enumerate(names) if seat != turn.seat]
    return language("With {who}", who=language.listed(others)) if others else ""


def left(turn: Turn, now: int, language: Language) -> str:
    """How much time there is; empty without a clock."""
    return "" if turn.deadline is None else time_left(max(0, turn.deadline - now), language)


def moment(at: int, zone: str, language: Language) -> str:
    """A day of the week and a time, by the clocks there: `Tuesday, 00:22`."""
    local = datetime.fromtimestamp(at / 1_000, zone_of(zone))
    return f"{language(WEEKDAYS[local.weekday()])}, {local:%H:%M}"


# --- E-mail ----------------------------------------------------------------------------------

SECONDS: Final = 20.0
"""The time that the mail server has for each answer."""
WHOLE_LINES: Final = SMTP.clone(max_line_length=998)
"""Long links stay on one line, as long as mail servers take."""
PERMANENT: Final = 500
"""Replies of a mail server from here on mean that it is of no use to try again."""
LONGEST: Final = 254
ADDRESS: Final = re.compile(
    r"[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*"
    r"@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?",
    re.ASCII | re.IGNORECASE,
)
"""What people have as addresses: no quotes, and a domain in names."""


class Links(Value):
    """Where the links of an e-mail lead."""

    home: str
    play: tuple[str, ...]
    """For each turn."""
    settings: str
    stop: str
    confirm: str
    block: str


def is_address(said: str) -> bool:
    """Whether this can be an e-mail address; the message that is sent there shows whether it is."""
    return len(said) <= LONGEST and ADDRESS.fullmatch(said) is not None


def compose_mail(item: OutboxItem, links: Links, mail: Mail, now: int) -> EmailMessage:
    """The e-mail for a message, in the words of its reader."""
    preferences = item.preferences
    language = language_of(preferences.language)
    letter = EmailMessage(WHOLE_LINES)
    letter["From"] = mail.sender
    letter["To"] = preferences.address
    letter["Date"] = formatdate(now / 1_000)
    about = sha256(f"{item.id} {preferences.guest}".encode()).hexdigest()[:24]
    # The same for each attempt: by it mail programs know an e-mail that comes twice.
    letter["Message-ID"] = f"<{about}@{urlsplit(links.home).hostname or 'localhost'}>"
    letter["Auto-Submitted"] = "auto-generated"
    # RFC 8058: a press on the button of the mail program is enough.
    letter["List-Unsubscribe"] = f"<{links.stop if item.turns else links.block}>"
    letter["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    if item.turns:
        letter["Subject"] = _subject(item, now, language)
        template = "notifications/turn"
    else:
        letter["Subject"] = language("Confirm your e-mail address")
        template = "notifications/confirm"
    content = {
        "links": links,
        "name": item.turns[0].card.names[item.turns[0].seat] if item.turns else "",
        "turns": _turns(item.turns, links, preferences.zone, language),
        "also": _turns(item.also, links, preferences.zone, language),
    }
    text, html = (
        render(f"{template}.{kind}", language, Preferences(), **content) for kind in ("txt", "html")
    )
    letter.set_content(text.strip() + "\n")
    letter.add_alternative(html, subtype="html")
    return letter


def _subject(item: OutboxItem, now: int, language: Language) -> str:
    notification = in_words(item.turns, (), now, language, item.preferences.zone)
    if len(item.turns) == 1 and item.turns[0].deadline is not None:
        return f"{notification.title}, {left(item.turns[0], now, language)}"
    return notification.title


def _turns(
    turns: tuple[Turn, ...], links: Links, zone: str, language: Language
) -> list[dict[str, str]]:
    return [
        {
            "game": title_of(turn),
            "company": company(turn, language),
            "until": "" if turn.deadline is None else moment(turn.deadline, zone, language),
            "link": link,
        }
        for turn, link in zip(turns, (*links.play, *[""] * len(turns)), strict=False)
    ]


def send(letter: EmailMessage, mail: Mail, mark_sent: Callable[[], bool]) -> Result:
    """Give an e-mail to the mail server. This waits for it, so it is called in a thread.

    Once the mail server is ready to take it, `mark_sent` says whether it is still to be sent.
    """
    try:
        with _connected(mail) as server:
            if mail.user:
                server.login(mail.user, mail.password)
            if not mark_sent():
                return Result.MOOT
            server.send_message(letter)
    except smtplib.SMTPRecipientsRefused as refused:
        codes = [code for code, _ in refused.recipients.values()]
        return Result.FAILED if all(code >= PERMANENT for code in codes) else Result.LATER
    except smtplib.SMTPResponseException as refused:
        login = isinstance(refused, smtplib.SMTPAuthenticationError)
        permanent = refused.smtp_code >= PERMANENT and not login  # the host may mend the password
        return Result.FAILED if permanent else Result.LATER
    except (OSError, smtplib.SMTPException):
        return Result.LATER
    return Result.SENT


def _connected(mail: Mail) -> smtplib.SMTP:
    if mail.security == "tls":
        return smtplib.SMTP_SSL(
            mail.server, mail.port, timeout=SECONDS, context=ssl.create_default_context()
        )
    server = smtplib.SMTP(mail.server, mail.port, timeout=SECONDS)
    if mail.security == "starttls":
        try:
            server.starttls(context=ssl.create_default_context())
        except BaseException:
            server.close()
            raise
    return server


# --- Delivery --------------------------------------------------------------------------------

UNSUBSCRIBED: Final = frozenset({410})
"""With this status a webhook says that it wants no more."""
CONTACTS: Final = ("mailto:", "https://")
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

        self.relays = Relays(settings.section(Ntfy), settings.section(Webhooks), address)
        """Where it sends beside these."""

        if self.relays.channels and not address:
            raise SettingsError("[ntfy] and [webhooks] need --address for their links")
        if self.mails and not (address and self._mail_settings.sender):
            raise SettingsError("e-mail needs --address for its links, and a sender in [mail]")
        self._contact = self._push_settings.contact or address
        if self.pushes and not AVAILABLE:
            raise SettingsError("[push] needs an extra: pip install 'mauerwerk[server]'")
        if self.pushes and not self._contact.startswith(CONTACTS):
            raise SettingsError("[push] needs a contact, like mailto:you@example.org")

    @property
    def channels(self) -> frozenset[str]:
        """The ways by which this server sends."""
        mail = (store.EMAIL, store.CONFIRM) if self.mails else ()
        push = (store.PUSH,) if self.pushes else ()
        return frozenset([*mail, *push, *self.relays.channels])

    async def signer(self) -> Signer:
        """Shows push services who sends; its key is made once, for all servers of a database."""
        if self._signer is None:
            key = await made_once(self._host.store, store.PUSH_KEY, new_key)
            self._signer = Signer(key, self._contact)
        return self._signer

    async def __call__(self, item: OutboxItem) -> Result:
        """Send it; how it went."""
        now, language = self._host.now(), language_of(item.preferences.language)
        words = in_words(item.turns, item.also, now, language, item.preferences.zone)
        if item.relay is not None:
            tables = tuple(turn.card.id for turn in item.turns)
            said = self.relays.compose(
                item.relay, words.title, words.body, words.path, count=words.count, tables=tables
            )
            return await self.send_to(item.relay, said, item.id, language)
        if item.device is not None:
            payload = push_payload(words, language("Play"), language("Later today"))
            reach = Reach(anywhere=self._push_settings.private)
            return await push(
                item.device, payload, await self.signer(), words.tag, now // 1_000, reach
            )
        letter = compose_mail(item, await self._links(item), self._mail_settings, now)
        return await self._mail(item, letter)

    async def send_to(
        self, relay: Relay, said: RelayMessage, id_: str, language: Language
    ) -> Result:
        """Send a message to an address of somebody's own; how it went."""
        try:
            now = self._host.now() // 1_000
            status = await self.relays.send(relay, said, id_, now, language)
        except (OSError, TimeoutError):
            return Result.SILENT
        except ValueError:  # where it leads now, nothing may be sent
            return Result.FAILED
        return result_of(status, UNSUBSCRIBED)

    async def _mail(self, item: OutboxItem, letter: EmailMessage) -> Result:
        loop, database = asyncio.get_running_loop(), self._host.store

        def marked() -> bool:
            marking = store.mark_sent(database, item, self._host.now())
            return asyncio.run_coroutine_threadsafe(marking, loop).result()

        try:
            return await loop.run_in_executor(_MAILERS, send, letter, self._mail_settings, marked)
        except StorageError:  # nobody was asked to take it
            return Result.LATER

    async def _links(self, item: OutboxItem) -> Links:
        home = self._settings.address.rstrip("/")
        block = await token_of(self._host.store, item.preferences.address)
        return Links(
            home=home,
            play=tuple([f"{home}{await self._seat(turn)}" for turn in item.turns]),
            settings=f"{home}/me#notifications",
            stop=f"{home}/notifications/stop/{item.preferences.stop}",
            confirm=f"{home}/notifications/confirm/{item.preferences.proof}",
            block=f"{home}/notifications/not-me/{block}",
        )

    async def _seat(self, turn: Turn) -> str:
        """The seat's own link, by which people can play on any device."""
        path = f"/t/{turn.card.id}"
        try:
            table = await self._host.table(turn.card.id)
        except (NoTableError, OtherRulesError):
            return path
        return f"{path}/s/{turn.seat}/{self._host.keys.seat_token(table, turn.seat)}"


def push_payload(notification: Notification, play: str, later: str) -> bytes:
    """What the page's service worker shows."""
    return msgspec.json.encode(
        {**msgspec.structs.asdict(notification), "play": play, "later": later}
    )
