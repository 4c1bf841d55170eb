"""E-mail: the same words as in any other notification, by the mail server that the host names."""

import smtplib
import ssl
from collections.abc import Callable
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import formatdate, parseaddr
from hashlib import sha256
from typing import Final
from urllib.parse import urlsplit

from mauerwerk.core.game import Value
from mauerwerk.core.language.translation import Language, language_of
from mauerwerk.server.features.notifications.outbox import OutboxItem, Result
from mauerwerk.server.features.notifications.settings import Mail
from mauerwerk.server.features.notifications.store import Turn
from mauerwerk.server.features.notifications.texts import company, in_words, left, moment, title_of
from mauerwerk.server.ui.preferences import Preferences
from mauerwerk.server.ui.render import render

SECONDS: Final = 20.0
"""The time that the mail server has for each answer."""

WHOLE_LINES: Final = SMTP.clone(max_line_length=998)
"""Long links stay on one line, as long as mail servers take."""

LONGEST: Final = 254
"""The most characters of an address."""


class Links(Value):
    """Where the links of an e-mail lead."""

    home: str
    play: tuple[str, ...]
    """For each turn."""

    settings: str
    stop: str
    confirm: str


class MailTurn(Value):
    """A turn as an e-mail tells it."""

    game: str
    company: str
    until: str
    link: str


def is_address(said: str) -> bool:
    """Whether this can be an e-mail address; the message that is sent there shows whether it is."""
    if not said.isascii() or not said.isprintable() or len(said) > LONGEST or '"' in said:
        return False
    try:
        address = Address(addr_spec=said)
    except (ValueError, IndexError):
        return False
    return parseaddr(said)[1] == said and "." in address.domain.strip(".")


def written(item: OutboxItem, links: Links, mail: Mail, now: int) -> EmailMessage:
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
    if item.turns:
        letter["Subject"] = _subject(item, now, language)
        # RFC 8058: a press on the button of the mail program is enough.
        letter["List-Unsubscribe"] = f"<{links.stop}>"
        letter["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
        template = "notifications/turn"
    else:
        letter["Subject"] = language("Confirm your e-mail address")
        template = "notifications/confirm"
    content = {
        "links": links,
        "name": _name(item),
        "turns": _turns(item.turns, links, preferences.zone, language),
        "also": _turns(item.also, links, preferences.zone, language),
    }
    text, html = (
        render(f"{template}.{kind}", language, Preferences(), **content) for kind in ("txt", "html")
    )
    letter.set_content(text.strip() + "\n")
    letter.add_alternative(html, subtype="html")
    return letter


def _name(item: OutboxItem) -> str:
    """What the reader is called at the table."""
    if not item.turns:
        return ""
    turn = item.turns[0]
    return turn.card.names[turn.seat]


def _subject(item: OutboxItem, now: int, language: Language) -> str:
    notification = in_words(item.turns, (), now, language, item.preferences.zone)
    if len(item.turns) == 1 and item.turns[0].deadline is not None:
        return f"{notification.title}, {left(item.turns[0], now, language)}"
    return notification.title


def _turns(
    turns: tuple[Turn, ...], links: Links, zone: str, language: Language
) -> tuple[MailTurn, ...]:
    return tuple(
        MailTurn(
            game=title_of(turn),
            company=company(turn, language),
            until="" if turn.deadline is None else moment(turn.deadline, zone, language),
            link=link,
        )
        for turn, link in zip(turns, (*links.play, *[""] * len(turns)), strict=False)
    )


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


PERMANENT: Final = 500
"""Replies of a mail server from here on mean that it is of no use to try again."""


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
