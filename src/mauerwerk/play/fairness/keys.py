"""Seeds, ids and tokens that nobody can guess or forge.

A token says which guest a caller is, or which seat is theirs. All tokens come from the server's one
secret by HMAC-SHA-256, each purpose with a label of its own, so that no token has to be stored and
none can be used for another purpose.
"""

import hmac
import secrets
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as NotBase64
from functools import lru_cache
from hashlib import sha256
from typing import Final

import msgspec

from mauerwerk.core.game import Seat
from mauerwerk.play.fairness.seed import SEED_BYTES
from mauerwerk.play.tables.orders import Guest
from mauerwerk.play.tables.table import Table

_SEAT_BYTES: Final = 18
_ID_BYTES: Final = 12
_KNOWN: Final = 4_096
"""The number of guests' tokens whose signature is not checked again each time."""

_LONGEST: Final = 1_000
"""No guest's token has more characters; longer ones are not cached."""


def new_id() -> str:
    """An id for a table or a guest: 96 bits that cannot be guessed."""
    return _text(secrets.token_bytes(_ID_BYTES))


def new_seed() -> bytes:
    """Thirty-two bytes that nobody can guess."""
    return secrets.token_bytes(SEED_BYTES)


class Keys:
    """Makes and checks the tokens of a server."""

    def __init__(self, secret: bytes) -> None:
        """All tokens depend on the secret."""
        self._secret = secret
        self._known = lru_cache(_KNOWN)(self._guest_behind)

    def seat_token(self, table: Table, seat: Seat) -> str:
        """What a seat's own link ends with; another one once the seat has changed hands."""
        message = f"{table.charter.id}/{seat}/{table.occupants[seat].tenure}"
        return _text(self._sign("seat", message)[:_SEAT_BYTES])

    def seat_of(self, table: Table, token: str) -> Seat | None:
        """The seat that this token opens; None if it opens none."""
        found = None
        for seat in range(table.setup.seats):
            if hmac.compare_digest(self.seat_token(table, Seat(seat)).encode(), token.encode()):
                found = Seat(seat)
        return found

    def rematch_id(self, table: Table) -> str:
        """The id of the table at which this one is played again; the same for all who ask."""
        return _text(self._sign("rematch", table.charter.id)[:_ID_BYTES])

    def guest_token(self, guest: Guest) -> str:
        """Who a guest is, signed."""
        content = _text(msgspec.json.encode(guest))
        return f"{content}.{_text(self._sign('guest', content))}"

    def guest_of(self, token: str) -> Guest | None:
        """The guest whose token this is; None if it was not made here."""
        return self._known(token) if len(token) <= _LONGEST else None

    def _guest_behind(self, token: str) -> Guest | None:
        content, _, signature = token.partition(".")
        if not hmac.compare_digest(_text(self._sign("guest", content)), _ascii(signature)):
            return None
        try:
            padded = content + "=" * (-len(content) % 4)
            return msgspec.json.decode(urlsafe_b64decode(padded), type=Guest)
        except (NotBase64, msgspec.DecodeError):
            return None

    def _sign(self, purpose: str, message: str) -> bytes:
        return hmac.digest(self._secret, f"{purpose}:{message}".encode(), sha256)


def _text(content: bytes) -> str:
    return urlsafe_b64encode(content).rstrip(b"=").decode()


def _ascii(token: str) -> str:
    """The token as `compare_digest` takes it."""
    return token if token.isascii() else ""
