"""Web Push: a message for one browser, encrypted, sent to public push services alone.

What encrypts and signs comes with the extra `server`. It is imported where it is needed, so that a
server without push does without it.
"""

import os
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as NotBase64
from importlib.util import find_spec
from typing import Any, Final, cast

from mauerwerk.server.features.notifications.store import Device, Result
from mauerwerk.server.http import outgoing
from mauerwerk.server.http.errors import HttpError
from mauerwerk.server.http.outgoing import OutgoingError, Reach

DAY: Final = 86_400
VALID: Final = 12 * 3_600
"""Seconds for which the signature of this server is valid."""
KEY_BYTES: Final = 65
AUTH_BYTES: Final = 16
RECORD_BYTES: Final = 4_096
"""The size of a record (RFC 8188); a message is a single one."""
AVAILABLE: Final = find_spec("py_vapid") is not None
"""Whether the extra is installed."""
GONE: Final = frozenset({404, 410})
BUSY: Final = {408, 425, 429}


def new_key() -> bytes:
    """A key for this server."""
    from cryptography.hazmat.primitives.asymmetric import ec  # noqa: PLC0415 - of an extra

    number = ec.generate_private_key(ec.SECP256R1()).private_numbers().private_value
    return number.to_bytes(32)


class Signer:
    """Shows push services who sends."""

    def __init__(self, key: bytes, contact: str) -> None:
        """Sign with this key; `contact` says whom a push service can turn to."""
        from cryptography.hazmat.primitives import serialization  # noqa: PLC0415 - of an extra
        from py_vapid import Vapid02  # noqa: PLC0415 # pyright: ignore[reportMissingTypeStubs]

        self._vapid: Any = Vapid02.from_raw(urlsafe_b64encode(key).rstrip(b"="))  # pyright: ignore[reportUnknownMemberType]
        self._contact = contact
        point = self._vapid.public_key.public_bytes(
            serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
        )
        self.public = urlsafe_b64encode(cast("bytes", point)).rstrip(b"=").decode()
        """What a browser tells its push service, so that only this server can send."""

    def headers(self, origin: str, now: int) -> dict[str, str]:
        """The header for a push service."""
        claims = {"aud": origin, "exp": now + VALID, "sub": self._contact}
        return dict(self._vapid.sign(claims))


def encrypted(device: Device, content: bytes) -> bytes:
    """What only this browser can read. Raises ValueError for keys that are none."""
    from cryptography.hazmat.primitives.asymmetric import ec  # noqa: PLC0415 - of an extra

    key = ec.generate_private_key(ec.SECP256R1())
    return sealed(device, content, key, os.urandom(16))


def sealed(device: Device, content: bytes, key: Any, salt: bytes) -> bytes:  # noqa: ANN401 - a key
    """The same with a key and a salt that are used only once (RFC 8291, with RFC 8188)."""
    from cryptography.hazmat.primitives import hashes, serialization  # noqa: PLC0415 - of an extra
    from cryptography.hazmat.primitives.asymmetric import ec  # noqa: PLC0415
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM  # noqa: PLC0415
    from cryptography.hazmat.primitives.kdf.hkdf import HKDF  # noqa: PLC0415

    def derived(secret: bytes, salt: bytes, info: bytes, size: int) -> bytes:
        return HKDF(hashes.SHA256(), size, salt, info).derive(secret)

    theirs = decoded(device.key, KEY_BYTES)
    browser = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), theirs)
    own: bytes = key.public_key().public_bytes(
        serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
    )
    shared = key.exchange(ec.ECDH(), browser)
    about = b"WebPush: info\0" + theirs + own
    secret = derived(shared, decoded(device.auth, AUTH_BYTES), about, 32)
    cipher = AESGCM(derived(secret, salt, b"Content-Encoding: aes128gcm\0", 16))
    nonce = derived(secret, salt, b"Content-Encoding: nonce\0", 12)
    header = salt + RECORD_BYTES.to_bytes(4) + bytes([len(own)]) + own
    return header + cipher.encrypt(nonce, content + b"\x02", None)


def decoded(said: str, size: int) -> bytes:
    """A key as browsers write it. Raises ValueError unless it has this many bytes."""
    try:
        found = urlsafe_b64decode(said + "=" * (-len(said) % 4))
    except (NotBase64, ValueError):
        raise ValueError("this is not a key") from None
    if len(found) != size or len(said) > 2 * size:  # other signs are passed over, however many
        raise ValueError("this is not a key")
    return found


def check_endpoint(url: str, reach: Reach) -> None:
    """Refuse an address that somebody names. Raises HttpError."""
    try:
        outgoing.checked_url(url, reach)
    except OutgoingError as error:
        raise HttpError(422, str(error), code="endpoint") from None


async def push(  # noqa: PLR0913, PLR0917 - what, to whom, from whom, and how
    device: Device, content: bytes, signer: Signer, topic: str, now: int, reach: Reach
) -> Result:
    """Send a message to a browser; of those with the same topic it keeps the last one."""
    try:
        parts = outgoing.checked_url(device.endpoint, reach)
        headers = {
            "ttl": str(DAY),
            "urgency": "normal",
            "topic": topic,
            "content-encoding": "aes128gcm",
            "content-type": "application/octet-stream",
            **signer.headers(f"{parts.scheme}://{parts.netloc}", now),
        }
        status = await outgoing.post(parts, encrypted(device, content), headers, reach)
    except (OSError, TimeoutError):
        return Result.SILENT
    except ValueError:
        return Result.GONE
    return result_of(status, GONE)


def result_of(status: int, gone: frozenset[int]) -> Result:
    """What an answer means for a message; some statuses mean that the address is no more."""
    if outgoing.is_success(status):
        return Result.SENT
    if status in gone:
        return Result.GONE
    return Result.LATER if status in BUSY or outgoing.is_server_error(status) else Result.FAILED
