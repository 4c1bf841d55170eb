"""Passkeys: what a browser is asked to sign, and whether it signed it (Web Authentication).

A challenge is good for five minutes, for one purpose and for one use. The browser brings it back in
a signed cookie, so that any server can check it; the database knows which were used.
"""

import json
import secrets
import time
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final, Literal
from urllib.parse import urlsplit

from mauerwerk.server.features.accounts import store
from mauerwerk.server.features.accounts.store import Challenge, Passkey, Person, Proved
from mauerwerk.server.http.identity import cookie_in, set_cookie
from mauerwerk.server.http.request import Request
from mauerwerk.server.http.response import Header
from mauerwerk.server.tables.charter import Guest

if TYPE_CHECKING:
    from types import ModuleType

COOKIE: Final = "mauerwerk-challenge"
SECONDS: Final = 300
NAME: Final = "Mauerwerk"
AVAILABLE: Final = find_spec("webauthn") is not None
"""Whether the library is installed; it comes with the extra `server`."""
Purpose = Literal["make", "sign-in"]


class PasskeyError(Exception):
    """The answer of a browser proves nothing. No reason is told, so that nobody can probe."""


def _webauthn() -> "ModuleType":
    """The library, which takes a tenth of a second to load."""
    import webauthn  # noqa: PLC0415 - see above

    return webauthn


def party(request: Request) -> tuple[str, str]:
    """For whom passkeys are made: the server's name, and the origin of its pages."""
    address = request.app.settings.address
    origin = "{0.scheme}://{0.netloc}".format(urlsplit(address)) if address else request.origin
    return urlsplit(origin).hostname or "", origin


# --- Asking ----------------------------------------------------------------------------------


def creation_options(request: Request, guest: Guest, person: Person | None) -> tuple[bytes, Header]:
    """What a browser needs to make a passkey, as JSON, and the cookie with the challenge."""
    from webauthn.helpers import structs  # noqa: PLC0415 - see `_webauthn`

    handle = person.handle if person else store.new_handle()
    challenge, header = _challenge(request, "make", handle)
    library = _webauthn()
    known = person.passkeys if person else ()
    options = library.generate_registration_options(
        rp_id=party(request)[0],
        rp_name=NAME,
        user_id=handle.encode(),
        user_name=guest.name,
        user_display_name=guest.name,
        challenge=challenge,
        authenticator_selection=structs.AuthenticatorSelectionCriteria(
            resident_key=structs.ResidentKeyRequirement.REQUIRED,
            user_verification=structs.UserVerificationRequirement.PREFERRED,
        ),
        exclude_credentials=[
            structs.PublicKeyCredentialDescriptor(id=library.base64url_to_bytes(each))
            for each in known
        ],
    )
    return library.options_to_json(options).encode(), header


def request_options(request: Request) -> tuple[bytes, Header]:
    """What a browser needs to use any passkey of this server, and the cookie."""
    challenge, header = _challenge(request, "sign-in", "")
    library = _webauthn()
    options = library.generate_authentication_options(rp_id=party(request)[0], challenge=challenge)
    return library.options_to_json(options).encode(), header


def _challenge(request: Request, purpose: Purpose, handle: str) -> tuple[bytes, Header]:
    challenge = secrets.token_bytes(32)
    until = int((time.time() + SECONDS) * 1_000)
    token = request.host.keys.challenge_token(purpose, f"{challenge.hex()}.{until}.{handle}")
    return challenge, set_cookie(request, COOKIE, token, SECONDS, strict=True)


def _challenge_in_cookie(request: Request, purpose: Purpose) -> Challenge:
    said = request.host.keys.challenge_in(purpose, cookie_in(request, COOKIE))
    challenge, _, rest = said.partition(".")
    until, _, handle = rest.partition(".")
    if not challenge or int(until) < time.time() * 1_000:
        raise PasskeyError
    return Challenge(bytes.fromhex(challenge), int(until), handle)


def without_challenge(request: Request) -> Header:
    """The header by which a browser forgets a challenge that was used."""
    return set_cookie(request, COOKIE, "", 0, strict=True)


# --- Checking --------------------------------------------------------------------------------


async def register(request: Request, guest: Guest, said: str, label: str) -> None:
    """Keep the passkey that a browser made. Raises PasskeyError."""
    challenge = _challenge_in_cookie(request, "make")
    rp, origin = party(request)
    library = _webauthn()
    try:
        found = library.verify_registration_response(
            credential=said,
            expected_challenge=challenge.bytes,
            expected_rp_id=rp,
            expected_origin=origin,
        )
    except Exception as fault:  # whatever is wrong with what a browser sends
        raise PasskeyError from fault
    id_ = _text(found.credential_id)
    passkey = Passkey(id_, guest.id, found.credential_public_key, found.sign_count, label)

    if not await store.register_passkey(request.host.store, guest, passkey, challenge):
        raise PasskeyError


async def verify(request: Request, said: str) -> Proved:
    """The person whose passkey signed the challenge. Raises PasskeyError."""
    challenge = _challenge_in_cookie(request, "sign-in")
    passkey = await store.passkey_of(request.host.store, _id_in(said))
    if passkey is None:
        raise PasskeyError
    rp, origin = party(request)
    try:
        found = _webauthn().verify_authentication_response(
            credential=said,
            expected_challenge=challenge.bytes,
            expected_rp_id=rp,
            expected_origin=origin,
            credential_public_key=passkey.public_key,
            credential_current_sign_count=passkey.sign_count,
        )
    except Exception as fault:  # as above
        raise PasskeyError from fault
    proved = await store.sign_in(request.host.store, passkey, found.new_sign_count, challenge)
    if proved is None:
        raise PasskeyError
    return proved


def _id_in(said: str) -> str:
    try:
        found: Any = json.loads(said)
    except ValueError as fault:
        raise PasskeyError from fault
    id_ = found.get("id") if isinstance(found, dict) else None  # pyright: ignore[reportUnknownVariableType, reportUnknownMemberType]
    if not isinstance(id_, str):
        raise PasskeyError
    return id_


def _text(content: bytes) -> str:
    from webauthn.helpers import bytes_to_base64url  # noqa: PLC0415 - see `_webauthn`

    return bytes_to_base64url(content)
