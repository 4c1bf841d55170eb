"""Fresh proofs: a passkey or a recovery code that was used in this browser some minutes ago.

A cookie may have been stolen. So whatever would let a thief stay, or take something along, needs
such a proof from people who can give one. A guest who has only the cookie is not asked.
"""

import time
from collections.abc import Awaitable, Callable
from typing import Final

from mauerwerk.server.http.errors import HttpError
from mauerwerk.server.http.identity import cookie_in, set_cookie
from mauerwerk.server.http.request import Request
from mauerwerk.server.http.response import Header

COOKIE: Final = "mauerwerk-proof"
SECONDS: Final = 600
"""How long a proof is fresh."""
_PURPOSE: Final = "proof"


def proof_cookie(request: Request, guest: str, device: str, since: int) -> Header:
    """The header by which this device has a fresh proof; `since` is when its means was created."""
    until = int(time.time()) + SECONDS
    token = request.host.keys.challenge_token(_PURPOSE, f"{guest}.{device}.{since}.{until}")
    return set_cookie(request, COOKIE, token, SECONDS, strict=True)


def proof_in(request: Request) -> int | None:
    """When the means was created by which this device has proved itself; None if it has not."""
    guest, device = request.identity.guest, request.identity.device
    said = request.host.keys.challenge_in(_PURPOSE, cookie_in(request, COOKIE)).split(".")
    if guest is None or said[:2] != [guest.id, device]:
        return None
    _, _, since, until = said
    return int(since) if time.time() < int(until) else None


class Proofs:
    """Knows who must give a fresh proof."""

    def __init__(self, has_proof: Callable[[str], Awaitable[bool]]) -> None:
        """`has_proof` says whether a guest has a passkey or recovery codes."""
        self._has_proof = has_proof

    async def is_missing(self, request: Request) -> bool:
        """Whether the sender could give a fresh proof, and has not."""
        guest = request.identity.guest
        return guest is not None and proof_in(request) is None and await self._has_proof(guest.id)

    async def check(self, request: Request) -> None:
        """Refuse a sender without a fresh proof. Raises HttpError."""
        if await self.is_missing(request):
            raise HttpError(
                403,
                "confirm first that it is you, with a passkey or a recovery code, at /me/confirm",
                code="proof",
            )
