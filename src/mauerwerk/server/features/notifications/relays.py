"""Notifications to an address of one's own: a topic of ntfy, or a webhook.

A webhook gets JSON that is signed as https://www.standardwebhooks.com describes, with a secret that
only its owner and this server know.
"""

import hmac
import re
import secrets
from base64 import b64decode, b64encode
from typing import Final

import msgspec
import sqlalchemy as sa

from mauerwerk.core.game import Value
from mauerwerk.core.language import Language, message
from mauerwerk.server.database.queries import command, query
from mauerwerk.server.database.schema import GUEST_STATUS, METADATA
from mauerwerk.server.database.transaction import Transaction
from mauerwerk.server.http import outgoing
from mauerwerk.server.http.outgoing import OutgoingError, Reach
from mauerwerk.server.http.settings import check_networks

RELAYS: Final = sa.Table(
    "relays",
    METADATA,
    sa.Column("guest", sa.Text, primary_key=True),
    sa.Column("kind", sa.Text, primary_key=True),  # ntfy, or webhook
    sa.Column("address", sa.Text, nullable=False),  # of ntfy perhaps a topic alone
    sa.Column("secret", sa.Text, nullable=False),  # ntfy: an access token; webhook: it signs
    sa.Column("since", sa.BigInteger, nullable=False),
    sa.Column("stop", sa.Text, nullable=False),  # ends the link against further messages
    sa.Column("service", sa.Text, nullable=False),  # who takes messages, by host and port
    sa.Index("relays_by_stop", "stop"),
    sqlite_with_rowid=False,
)

NTFY: Final = "ntfy"
WEBHOOK: Final = "webhook"
KINDS: Final = (NTFY, WEBHOOK)
TOPIC: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")
ACCESS_TOKEN: Final = re.compile(r"[\x21-\x7e]{0,200}")
SECRET_BYTES: Final = 24
LINK_BYTES: Final = 18
PREFIX: Final = "whsec_"
"""How the secret of a webhook begins, by which programs know what it is."""


class Ntfy(Value, tag=False):
    """Notifications by ntfy, at the server that the host names or that people choose."""

    on: bool = False
    server: str = ""
    """Where topics are whose owner names no server; empty: everybody gives a whole address."""
    networks: tuple[str, ...] = ()
    """Networks that are not public in which people's servers may be, by http too."""


class Webhooks(Value, tag=False):
    """Notifications to programs of the people themselves."""

    on: bool = False
    networks: tuple[str, ...] = ()
    """Networks that are not public in which the programs may be, by http too."""


class Relay(Value, tag=False):
    """An address of somebody's own."""

    guest: str
    kind: str
    address: str
    secret: str
    since: int
    stop: str
    service: str


class RelayMessage(Value, tag=False):
    """What a webhook gets, as JSON."""

    type: str
    """`turn`, or `test` for a message that its owner asked for on their page."""
    title: str
    body: str
    link: str
    """Where to play."""
    count: int
    """How many games wait for the person."""
    tables: tuple[str, ...]
    """The ids of the tables that the message is about."""
    stop: str
    """A link that ends these messages."""


# --- What is stored --------------------------------------------------------------------------


@query
def relays_of(transaction: Transaction, guest: str) -> dict[str, Relay]:
    """The addresses of a guest by their kind; none from before they logged out everywhere."""
    status = sa.select(GUEST_STATUS.c.logged_out).where(GUEST_STATUS.c.guest == guest)
    logged_out = transaction.scalar(status) or 0
    wanted = sa.select(RELAYS).where(RELAYS.c.guest == guest, RELAYS.c.since > logged_out)
    return {each.kind: each for each in transaction.values(Relay, wanted)}


@command(by="notifications")
def store_relay(transaction: Transaction, relay: Relay) -> None:
    """Send there from now on, and no longer to the address of this kind before."""
    drop_relay(transaction, relay.guest, relay.kind)
    transaction.insert(RELAYS, **msgspec.structs.asdict(relay))


@command(by="notifications")
def drop_relay(transaction: Transaction, guest: str, kind: str | None = None) -> None:
    """Send nothing there any more."""
    which = () if kind is None else (RELAYS.c.kind == kind,)
    transaction.remove(RELAYS, RELAYS.c.guest == guest, *which)


@query
def relay_to_stop(transaction: Transaction, stop: str) -> Relay | None:
    """The address that a link switches off; None for a wrong link."""
    return (
        transaction.value(Relay, sa.select(RELAYS).where(RELAYS.c.stop == stop)) if stop else None
    )


@command(by="notifications")
def stop_relay(transaction: Transaction, stop: str) -> Relay | None:
    """Send nothing more to the address of this link; None for a wrong link."""
    found = relay_to_stop(transaction, stop)
    if found is not None:
        drop_relay(transaction, found.guest, found.kind)
    return found


# --- Addresses -------------------------------------------------------------------------------


class Relays:
    """Where people may have messages sent, as the settings of the server say."""

    def __init__(self, ntfy: Ntfy, webhooks: Webhooks, home: str) -> None:
        """`home` is the address of this server, for links. Raises SettingsError."""
        check_networks("[ntfy]", ntfy.networks)
        check_networks("[webhooks]", webhooks.networks)
        self.ntfy = ntfy
        self._webhooks = webhooks
        self._home = home

    @property
    def channels(self) -> tuple[str, ...]:
        """The kinds of addresses that are offered."""
        return (NTFY,) * self.ntfy.on + (WEBHOOK,) * self._webhooks.on

    def made(self, guest: str, kind: str, address: str, token: str, now: int) -> Relay:
        """An address that somebody gives, with the secrets that belong to it.

        Raises OutgoingError for one to which nothing can be sent.
        """
        url, reach = self._where(kind, address)
        parts = outgoing.checked_url(url, reach)
        if kind == NTFY and not TOPIC.fullmatch(parts.path.rpartition("/")[2]):
            raise OutgoingError(
                message("The address of a topic ends with its name, of letters and digits")
            )
        if not ACCESS_TOKEN.fullmatch(token):
            raise OutgoingError(message("This is not an access token"))
        new = f"{PREFIX}{b64encode(secrets.token_bytes(SECRET_BYTES)).decode()}"
        secret = token if kind == NTFY else new
        stop = secrets.token_urlsafe(LINK_BYTES)
        return Relay(guest, kind, address, secret, now, stop, outgoing.service_at(parts))

    def _where(self, kind: str, address: str) -> tuple[str, Reach]:
        if kind == WEBHOOK:
            return address, Reach(self._webhooks.networks)
        if self.ntfy.server and TOPIC.fullmatch(address):
            return f"{self.ntfy.server.rstrip('/')}/{address}", Reach(anywhere=True)
        return address, Reach(self.ntfy.networks)

    def compose(
        self, relay: Relay, title: str, body: str, path: str, **more: object
    ) -> RelayMessage:
        """What is sent there."""
        stop = f"{self._home}/notifications/stop/{relay.stop}"
        said = {"type": "turn", "count": 0, "tables": (), **more}
        return msgspec.convert(
            {"title": title, "body": body, "link": f"{self._home}{path}", "stop": stop, **said},
            RelayMessage,
        )

    async def send(
        self, relay: Relay, said: RelayMessage, id_: str, now: int, language: Language
    ) -> int:
        """Send a message; the status. Raises as `outgoing.post` does."""
        url, reach = self._where(relay.kind, relay.address)
        parts = outgoing.checked_url(url, reach)
        headers = {"content-type": "application/json", "user-agent": "Mauerwerk"}
        if relay.kind == NTFY:
            above, _, topic = parts.path.rpartition("/")
            if relay.secret:
                headers["authorization"] = f"Bearer {relay.secret}"
            content = for_ntfy(topic, said, language)
            return await outgoing.post(parts._replace(path=f"{above}/"), content, headers, reach)
        content = msgspec.json.encode(said)
        return await outgoing.post(
            parts, content, {**headers, **signed(relay.secret, id_, now, content)}, reach
        )


def for_ntfy(topic: str, said: RelayMessage, language: Language) -> bytes:
    """A message as ntfy takes it."""
    stop = {"action": "view", "label": language("No more of these"), "url": said.stop}
    return msgspec.json.encode(
        {
            "topic": topic,
            "title": said.title,
            "message": said.body or said.title,
            "click": said.link,
            "tags": ["bricks"],
            "actions": [{"action": "view", "label": language("Play"), "url": said.link}, stop],
        }
    )


def signed(secret: str, id_: str, now: int, content: bytes) -> dict[str, str]:
    """The headers by which a webhook knows who sent a message, and when."""
    key = b64decode(secret.removeprefix(PREFIX))
    signature = hmac.digest(key, f"{id_}.{now}.".encode() + content, "sha256")
    return {
        "webhook-id": id_,
        "webhook-timestamp": str(now),
        "webhook-signature": f"v1,{b64encode(signature).decode()}",
    }
