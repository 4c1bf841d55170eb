"""Recovery codes on their way from the form that makes them to the page that shows them, once.

The form is answered by a redirection, so that whoever loads the page anew sends nothing again.
Between the two a cookie has a ticket, of which only this server can make the same codes. So the
codes are in no address, and are stored nowhere in clear text.
"""

import secrets
import time
from typing import Final

from mauerwerk.server.features.accounts.store import CODES, Challenge
from mauerwerk.server.http.identity import cookie_in, set_cookie
from mauerwerk.server.http.request import Request
from mauerwerk.server.http.response import Header
from mauerwerk.server.tables.charter import Guest

COOKIE: Final = "mauerwerk-codes"
SECONDS: Final = 60
_PURPOSE: Final = "codes"
LETTERS: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Of a code: without those that look like another (Crockford's base 32)."""
GROUPS: Final = 4
GROUP: Final = 4
"""A code has four groups of four letters: 80 bits, which nobody can guess."""


def new_codes(request: Request, guest: Guest) -> tuple[tuple[str, ...], Header]:
    """New recovery codes for a guest, and the header that sets the cookie with their ticket."""
    until = int((time.time() + SECONDS) * 1_000)
    ticket = Challenge(secrets.token_bytes(32), until, guest.id)
    content = f"{ticket.bytes.hex()}.{until}.{guest.id}"
    token = request.host.keys.challenge_token(_PURPOSE, content)
    return codes_of(request, ticket), set_cookie(request, COOKIE, token, SECONDS, strict=True)


def ticket_in(request: Request, guest: Guest) -> Challenge | None:
    """The ticket in this browser's cookie; None if there is none for this guest."""
    said = request.host.keys.challenge_in(_PURPOSE, cookie_in(request, COOKIE))
    if not said:
        return None
    number, until, whose = said.split(".", 2)
    return Challenge(bytes.fromhex(number), int(until), whose) if whose == guest.id else None


def codes_of(request: Request, ticket: Challenge) -> tuple[str, ...]:
    """The codes that belong to a ticket."""
    keys = request.host.keys
    return tuple(
        _code(keys.secret_bytes(_PURPOSE, f"{ticket.bytes.hex()}/{number}"))
        for number in range(CODES)
    )


def _code(content: bytes) -> str:
    letters = "".join(LETTERS[byte % len(LETTERS)] for byte in content[: GROUPS * GROUP])
    return "-".join(letters[at : at + GROUP] for at in range(0, len(letters), GROUP))


def without_ticket(request: Request) -> Header:
    """The header by which a browser forgets a ticket that was used."""
    return set_cookie(request, COOKIE, "", 0, strict=True)
