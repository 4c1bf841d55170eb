"""E-mail addresses that strangers enter: how often they are written to, and which are blocked.

Anybody can enter anybody's address. So each address gets few letters that ask for confirmation, no
matter how many guests, clients and servers want one; all addresses together get so many; and the
owner of an address can block it by a link in each of these letters. An address is known by a hash
under a key of this database, which is of no use elsewhere.
"""

import hmac
import secrets
from base64 import urlsafe_b64encode
from functools import partial
from hashlib import sha256
from typing import Final

import sqlalchemy as sa

from mauerwerk.core.language import message
from mauerwerk.server.database.queries import command, made_once, query
from mauerwerk.server.database.schema import METADATA
from mauerwerk.server.database.transaction import Transaction
from mauerwerk.server.keys import DAY, new_id
from mauerwerk.server.tables.errors import FeatureError

CONFIRMATIONS: Final = sa.Table(
    "confirmations",
    METADATA,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("address", sa.Text, nullable=False),  # its hash
    sa.Column("at", sa.BigInteger, nullable=False),  # when a letter was asked for
    sa.Index("confirmations_by_address", "address", "at"),
    sa.Index("confirmations_by_time", "at"),
)

BLOCKED_ADDRESSES: Final = sa.Table(
    "blocked_addresses",
    METADATA,
    sa.Column("address", sa.Text, primary_key=True),  # its hash
    sa.Column("at", sa.BigInteger, nullable=False),
)

KEY: Final = "address-key"
"""The name of the setting with the key of the hashes."""
HOUR: Final = 3_600_000
A_DAY: Final = 3
A_MONTH: Final = 6
"""How many letters one address gets that ask for confirmation."""
MONTH: Final = 30 * DAY


class AddressError(FeatureError):
    """No letter goes to this address now; the message says why."""


def mailbox(address: str) -> str:
    """The mailbox behind an address, as most mail servers see it.

    >>> mailbox("Ada.Love+walls@Post.example")
    'adalove@post.example'
    """
    user, _, domain = address.casefold().rpartition("@")
    return f"{user.partition('+')[0].replace('.', '')}@{domain}"


@command(by="notifications")
def token_of(transaction: Transaction, address: str) -> str:
    """What ends the link by which the owner of an address blocks it; it never changes."""
    signed = _signed(transaction, mailbox(address).encode())
    return f"{signed}.{_signed(transaction, signed.encode())}"


def _signed(transaction: Transaction, content: bytes) -> str:
    key = made_once(transaction, KEY, lambda: secrets.token_bytes(32))
    signed = hmac.digest(key, content, sha256)
    return urlsafe_b64encode(signed).rstrip(b"=").decode()


def _hash(token: str) -> str:
    return sha256(token.encode()).hexdigest()


@command(by="notifications")
def is_token(transaction: Transaction, token: str) -> bool:
    """Whether this server has made such a link, for whatever address."""
    signed, _, signature = token.partition(".")
    right = _signed(transaction, signed.encode())
    return hmac.compare_digest(right.encode(), signature.encode())


def admit(transaction: Transaction, address: str, now: int, most: int) -> None:
    """Count a letter that asks for confirmation; at most so many an hour. Raises AddressError."""
    token = token_of(transaction, address)
    if is_blocked(transaction, token):
        raise AddressError(message("The owner of this address wants no e-mail from here."))
    transaction.remove(CONFIRMATIONS, CONFIRMATIONS.c.at <= now - MONTH)
    mine, at = CONFIRMATIONS.c.address == _hash(token), CONFIRMATIONS.c.at
    sent = partial(transaction.count, CONFIRMATIONS)
    if sent(mine, at > now - DAY) >= A_DAY or sent(mine) >= A_MONTH:
        raise AddressError(
            message("This address has already been sent several links. Try again in a few days."),
            429,
        )
    if sent(at > now - HOUR) >= most:
        raise AddressError(
            message("Too many addresses are being confirmed right now. Try again in an hour."), 429
        )
    transaction.insert(CONFIRMATIONS, id=new_id(), address=_hash(token), at=now)


@query
def is_blocked(transaction: Transaction, token: str) -> bool:
    """Whether the owner of an address has blocked it."""
    return transaction.has(BLOCKED_ADDRESSES, BLOCKED_ADDRESSES.c.address == _hash(token))


def set_blocked(transaction: Transaction, token: str, *, blocked: bool) -> None:
    """Let nobody have e-mail sent to the address of this link; or let them again."""
    _set_blocked(transaction, _hash(token), blocked=blocked)


@command(by="notifications", lasting="block-address")
def _set_blocked(transaction: Transaction, address: str, *, blocked: bool) -> None:
    transaction.remove(BLOCKED_ADDRESSES, BLOCKED_ADDRESSES.c.address == address)
    if blocked:
        transaction.insert(BLOCKED_ADDRESSES, address=address, at=transaction.now)
