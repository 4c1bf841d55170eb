"""What this server asks others for: whole answers, and never more than it wants."""

import asyncio
from collections.abc import AsyncGenerator, Iterable
from contextlib import asynccontextmanager
from itertools import repeat
from urllib.parse import SplitResult, urlsplit

import pytest

from mauerwerk.server.http.outgoing import Reach, get

pytestmark = pytest.mark.anyio

ANYWHERE = Reach(anywhere=True)


@asynccontextmanager
async def answering(parts: Iterable[bytes]) -> AsyncGenerator[SplitResult, None]:
    """The address of a server that answers with this body, part by part."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n")
        for part in parts:
            writer.write(part)
            await writer.drain()
            if writer.is_closing():
                return
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1")
    async with server:
        port = server.sockets[0].getsockname()[1]
        yield urlsplit(f"http://127.0.0.1:{port}/")


async def test_an_answer_is_read_to_its_end() -> None:
    """However many parts it comes in."""
    async with answering([b"one" * 3_000, b"two" * 3_000]) as address:
        assert await get(address, ANYWHERE, most=100_000) == (200, b"one" * 3_000 + b"two" * 3_000)


async def test_of_an_answer_without_end_the_first_bytes_are_read() -> None:
    """A service cannot fill the memory of a server that asks it."""
    async with answering(repeat(b"more" * 1_000)) as address:
        assert await get(address, ANYWHERE, most=10_000) == (200, b"more" * 2_500)
