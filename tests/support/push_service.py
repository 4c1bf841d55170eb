"""A push service of our own, and a browser that can read what is sent to it."""

import asyncio
import json
from base64 import urlsafe_b64encode
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from typing import Any

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from py_vapid import Vapid02  # pyright: ignore[reportMissingTypeStubs]

from mauerwerk.server.features.notifications.store import Device

AUTH = bytes(range(16))


class PushService:
    """Takes messages for one browser, as RFC 8030 says, and lets the test read them."""

    def __init__(self) -> None:
        """The browser has keys; nothing has come yet."""
        self._key = ec.generate_private_key(ec.SECP256R1())
        self.status = 201
        self.answers = asyncio.Event()
        self.answers.set()
        """Until it is set, messages are taken and not answered."""

        self.heads: list[dict[str, str]] = []
        self.bodies: list[bytes] = []
        self.port = 0
        self._serving: set[asyncio.Task[None]] = set()

    @property
    def device(self) -> Device:
        """What the browser tells the server of a page."""
        point = self._key.public_key().public_bytes(
            serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
        )
        return Device(f"http://127.0.0.1:{self.port}/to/ada", _said(point), _said(AUTH))

    def read(self, number: int = -1) -> dict[str, Any]:
        """A message, decrypted as the browser does (RFC 8291), after a look at the signature."""
        head = self.heads[number]
        assert Vapid02.verify(head["authorization"])  # pyright: ignore[reportUnknownMemberType]
        assert head["content-encoding"] == "aes128gcm"
        read: dict[str, Any] = json.loads(self._opened(self.bodies[number]))
        return read

    def _opened(self, body: bytes) -> bytes:
        """The content of a body: a salt, the size of records, the sender's key, and one record."""
        salt, sender, record = body[:16], body[21 : 21 + body[20]], body[21 + body[20] :]
        own = self._key.public_key().public_bytes(
            serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
        )
        other = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), sender)
        shared = self._key.exchange(ec.ECDH(), other)
        info = b"WebPush: info\0" + own + sender
        secret = HKDF(hashes.SHA256(), 32, AUTH, info).derive(shared)
        key, nonce = (
            HKDF(hashes.SHA256(), size, salt, b"Content-Encoding: " + name + b"\0").derive(secret)
            for size, name in ((16, b"aes128gcm"), (12, b"nonce"))
        )
        content = AESGCM(key).decrypt(nonce, record, None)
        assert content.endswith(b"\x02")
        return content[:-1]

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task
        self._serving.add(task)
        try:
            await self._answer(reader, writer)
        finally:
            writer.close()
            with suppress(ConnectionError):
                await writer.wait_closed()

    async def close(self) -> None:
        """Answer whoever still waits, and let everybody hang up."""
        self.answers.set()
        await asyncio.gather(*self._serving, return_exceptions=True)

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        first, *lines = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        assert first.startswith("POST /to/ada ")
        fields = (line.partition(": ") for line in lines if line)
        head = {name.lower(): value for name, _, value in fields}
        self.heads.append(head)
        self.bodies.append(await reader.readexactly(int(head["content-length"])))
        await self.answers.wait()
        writer.write(f"HTTP/1.1 {self.status} Said\r\ncontent-length: 0\r\n\r\n".encode())
        await writer.drain()


def _said(key: bytes) -> str:
    return urlsafe_b64encode(key).rstrip(b"=").decode()


@asynccontextmanager
async def push_service() -> AsyncGenerator[PushService, None]:
    """A push service that is up."""
    service = PushService()
    serve = service._serve  # noqa: SLF001 # pyright: ignore[reportPrivateUsage]
    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    service.port = server.sockets[0].getsockname()[1]
    async with server:
        try:
            yield service
        finally:
            await service.close()
