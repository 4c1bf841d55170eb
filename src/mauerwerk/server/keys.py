"""Seeds, ids and tokens that nobody can guess or forge.

A token says which guest a caller is, or which seat is theirs. All tokens come from the server's one
secret by HMAC-SHA-256, each purpose with a label of its own, so that no token has to be stored and
none can be used for another purpose.
"""

import hmac
import secrets
import time
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as NotBase64
from collections.abc import Callable, Collection, Mapping
from functools import lru_cache
from hashlib import sha256
from typing import Final, NamedTuple

import msgspec

from mauerwerk.core.game import Seat, Value
from mauerwerk.server.tables import charter, seed
from mauerwerk.server.tables.table import Table

_SPEAKER_BYTES: Final = 6
_SEAT_BYTES: Final = 18
_ID_BYTES: Final = 12
_KNOWN: Final = 512
"""The number of guests' tokens whose signature is not checked again each time."""
_LONGEST: Final = 1_000
"""No guest's token has more characters; longer ones are not cached."""
DAY: Final = 86_400_000
"""Milliseconds."""
LIFETIME: Final = 365 * DAY
"""Milliseconds for which a guest's token is valid; devices signed out are known as long as that."""
RENEWAL: Final = 7 * DAY
"""Milliseconds after which a visitor gets a new token, so that theirs never ends."""


def new_id() -> str:
    """An id for a table or a guest: 96 bits that cannot be guessed."""
    return _text(secrets.token_bytes(_ID_BYTES))


def new_seed() -> bytes:
    """Thirty-two bytes that nobody can guess."""
    return secrets.token_bytes(seed.SEED_BYTES)


class GuestStatus(Value, tag=False):
    """What the people who run the server decided about a guest."""

    guest: str
    logged_out: int = 0
    """Tokens and links from before this time are not valid."""
    name: str = ""
    """The name that they gave the guest; empty for none."""
    renamed: int = 0
    """When; a name that the guest chose later counts."""


class SignedGuest(Value, tag="guest"):
    """What a guest's token says."""

    id: str
    name: str
    at: int = 0
    """When it was made, in milliseconds since 1970."""
    device: str = ""
    """The device, which can be signed out by itself; empty for the guest's first one."""


class Behind(NamedTuple):
    """What is behind a guest's token."""

    guest: charter.Guest | None = None
    outdated: bool = False
    """Whether they should get another token: a new one, with the new secret, or the new name."""
    device: str = ""
    """The device whose token it is; the first one of a guest is called as they are."""
    at: int = 0
    """When the token was made."""


class Keys:
    """Makes and checks the tokens of a server."""

    def __init__(
        self,
        secret: bytes,
        former: bytes = b"",
        guest_statuses: Mapping[str, GuestStatus] | None = None,
        clock: Callable[[], float] = time.time,
        ended: Collection[str] = (),
    ) -> None:
        """All tokens depend on the secret; those made with the former one are valid, too.

        Tokens of devices and of hosts' sessions that have `ended` are not.
        """
        self._ended = frozenset(ended)
        self._secret = secret
        self._secrets = (secret, former) if former else (secret,)
        self._guest_statuses = guest_statuses or {}
        self._clock = clock
        self._known = lru_cache(_KNOWN)(self._guest_behind)

    def seat_token(self, table: Table, seat: Seat, secret: bytes | None = None) -> str:
        """What a seat's own link ends with; another one once the seat has changed hands."""
        occupant = table.occupants[seat]
        message = f"{table.charter.id}/{seat}/{occupant.tenure}"
        status = self._guest_statuses.get(occupant.guest)
        if status is not None and status.logged_out:
            message += f"/{status.logged_out}"
        return _text(_signed(secret or self._secret, "seat", message)[:_SEAT_BYTES])

    def seat_of(self, table: Table, token: str) -> Seat | None:
        """The seat that this token opens; None if it opens none."""
        found = None
        for secret in self._secrets:
            for seat in range(table.setup.seats):
                right = self.seat_token(table, Seat(seat), secret)
                if hmac.compare_digest(right.encode(), token.encode()):
                    found = Seat(seat)
        return found

    def name_given_to(self, guest: str) -> str:
        """The name that the hosts gave a guest; empty for none."""
        status = self._guest_statuses.get(guest)
        return "" if status is None else status.name

    def speaker_key(self, table: str, guest: str) -> str:
        """By which listeners at a table tell speakers apart, without knowing who they are."""
        return self._id("speaker", f"{table}/{guest}", _SPEAKER_BYTES)

    def rematch_id(self, table: Table) -> str:
        """The id of the table at which this one is played again; the same for all who ask."""
        return self._id("rematch", table.charter.id)

    def evening_table_id(self, evening: str, version: int, number: int, place: int) -> str:
        """The id of a table of an evening; the same for all who set it up."""
        return self._id("evening", f"{evening}/{version}/{number}/{place}")

    def met_token(self, guest: str, other: str) -> str:
        """What a guest calls another whom they have met; it means nothing to anybody else."""
        return self._id("met", f"{guest}/{other}")

    def _id(self, purpose: str, message: str, size: int = _ID_BYTES) -> str:
        return _text(_signed(self._secret, purpose, message)[:size])

    def session_token(self, password: str, session: str) -> str:
        """The signature of a session of those who know a password."""
        known = sha256(password.encode()).hexdigest()
        return _text(_signed(self._secret, "host", f"{known}/{session}"))

    def has_ended(self, session: str) -> bool:
        """Whether a device or a session of a host was signed out."""
        return session in self._ended

    def challenge_token(self, purpose: str, content: str) -> str:
        """Something that a browser brings back within minutes, signed for this purpose."""
        return f"{content}.{_text(_signed(self._secret, f'challenge-{purpose}', content))}"

    def challenge_in(self, purpose: str, token: str) -> str:
        """What was signed for this purpose; empty if it was not."""
        content, _, signature = token.rpartition(".")
        right = [_text(_signed(each, f"challenge-{purpose}", content)) for each in self._secrets]
        matches = [hmac.compare_digest(each, _ascii(signature)) for each in right]
        return content if any(matches) else ""

    def secret_bytes(self, purpose: str, message: str) -> bytes:
        """Thirty-two bytes that nobody can make of a message who does not have the secret."""
        return _signed(self._secret, purpose, message)

    def guest_token(self, guest: charter.Guest, device: str = "") -> str:
        """Who a guest is, signed."""
        now = int(self._clock() * 1_000)
        if (status := self._guest_statuses.get(guest.id)) is not None:
            now = max(now, status.logged_out + 1)  # tokens from before are not valid
        signed = SignedGuest(guest.id, guest.name, now, device)
        content = _text(msgspec.json.encode(signed))
        return f"{content}.{_text(_signed(self._secret, 'guest', content))}"

    def guest_of(self, token: str) -> charter.Guest | None:
        """The guest whose token this is; None if it was not made here, or is no longer valid."""
        return self.behind(token).guest

    def behind(self, token: str) -> Behind:
        """What is behind a guest's token."""
        found = self._known(token) if len(token) <= _LONGEST else Behind()
        age = self._clock() * 1_000 - found.at
        if age <= RENEWAL:
            return found
        return Behind() if age > LIFETIME else found._replace(outdated=True)

    def _guest_behind(self, token: str) -> Behind:
        content, _, signature = token.partition(".")
        right = [_text(_signed(secret, "guest", content)) for secret in self._secrets]
        matches = [hmac.compare_digest(each, _ascii(signature)) for each in right]
        if not any(matches):
            return Behind()
        try:
            padded = content + "=" * (-len(content) % 4)
            said = msgspec.json.decode(urlsafe_b64decode(padded), type=SignedGuest)
        except (NotBase64, msgspec.DecodeError):
            return Behind()
        status = self._guest_statuses.get(said.id, GuestStatus(said.id))
        device = said.device or said.id
        if said.at <= status.logged_out or device in self._ended:
            return Behind()
        renamed = bool(status.name) and said.at <= status.renamed
        guest = charter.Guest(said.id, status.name if renamed else said.name)
        return Behind(guest, renamed or not matches[0], device, said.at)


def _signed(secret: bytes, purpose: str, message: str) -> bytes:
    return hmac.digest(secret, f"{purpose}:{message}".encode(), sha256)


def _text(content: bytes) -> str:
    return urlsafe_b64encode(content).rstrip(b"=").decode()


def _ascii(token: str) -> str:
    """The token as `compare_digest` takes it."""
    return token if token.isascii() else ""
