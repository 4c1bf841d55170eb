"""The server in a browser's worker: one device, one guest, no sockets, no threads.

    pocket = await Pocket.open("/data", "https://example.org/play/app")
    await pocket.answer("GET", "/play/app/", "", headers, b"", send, gone)

It is the same app as everywhere. Requests come from a service worker, by way of `worker.mjs`. A
service worker cannot set cookies, so these are in the database.
"""

import asyncio
import logging
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Final, Self
from urllib.parse import unquote

import msgspec
from starlette.types import Message

from mauerwerk.bots.levels import search_elsewhere
from mauerwerk.kernels import KERNELS
from mauerwerk.pocket.bringing import COOKIES, bring, guest_among, kept_cookies
from mauerwerk.pocket.feature import FEATURE
from mauerwerk.pocket.thinking import Here, PocketBots, Think
from mauerwerk.server.app import App
from mauerwerk.server.database.connect import FILE
from mauerwerk.server.database.sqlite import SQLiteStore
from mauerwerk.server.database.transaction import Transaction
from mauerwerk.server.database.writer import LoopWriter
from mauerwerk.server.engine.host import Host
from mauerwerk.server.features.chat.service import ChatSettings
from mauerwerk.server.features.registry import FEATURES
from mauerwerk.server.features.sharing.pictures import Pictures, render
from mauerwerk.server.http.identity import COOKIE
from mauerwerk.server.http.settings import Limits, Settings

_log = logging.getLogger(__name__)

FOR_OTHERS: Final = (
    "alerts",
    "chat",
    "evenings",
    "invitations",
    "leaderboard",
    "matchmaking",
    "moderation",
    "notifications",
    "offline",
    "proxy_login",
)
"""Features that connect people: their pages and what they add to others is left out.

Their services stay, and have nothing to do."""

REPLACED: Final = {
    b"x-frame-options": (b"DENY", b"SAMEORIGIN"),
    b"content-security-policy": (b"frame-ancestors 'none'", b"frame-ancestors 'self'"),
}
"""The pages are in a frame of the page that has the worker."""

Send = Callable[[dict[str, Any]], None]
"""Takes `status` and `headers`, then each `chunk`, with `more` if others follow."""


class PocketStore(SQLiteStore):
    """A database in a browser's own file system, which `files.mjs` gives to Python."""

    writer = LoopWriter
    journal = "DELETE"  # a write-ahead log needs shared memory


class Pocket:
    """The app, and the cookies of the one browser that uses it."""

    def __init__(self, app: App, host: Host) -> None:
        """Of a host that is open."""
        self.app = app
        self._host = host
        self._cookies: dict[str, str] = {}

    @classmethod
    async def open(cls, folder: str, address: str, think: Think | None = None) -> Self:
        """Open the database in this folder, or make it. Raises StorageError.

        `think` searches for bots; without it, they play by rules of thumb.
        """
        if think is not None:
            search_elsewhere(KERNELS)
        features = [
            replace(each, pages=(), panels=(), operations=()) if name in FOR_OTHERS else each
            for name, each in FEATURES.items()
        ]
        features.append(FEATURE)
        store = PocketStore(Path(folder) / FILE)
        host = Host(store, bots=PocketBots(1, workers=partial(Here, think)))
        settings = Settings(
            address=address,
            alone=True,
            links=f"{address.removesuffix('app')}#",  # other browsers find nothing below `app`
            hosts=("*",),
            limits=Limits(requests=0),
            sections=(ChatSettings(allowed="off"),),
        )
        app = App(host, settings, write=_report, features=features)
        # There are no processes.
        host.service(Pictures).draw = lambda wanted: asyncio.to_thread(render, wanted)
        pocket = cls(app, host)
        await host.open()
        pocket._cookies = await store.read(kept_cookies)
        return pocket

    async def close(self) -> None:
        """Let go of the database."""
        await self.app.streams.close()
        await self._host.close()

    async def bring(self, content: bytes) -> int:
        """Add the games of a saved file; how many. Raises NotBroughtError and StorageError.

        It must be opened anew afterwards, if there were any.
        """
        mine = guest_among(self._cookies, self._host.keys)
        brought = await self._host.store.write(
            "pocket", lambda transaction: bring(transaction, content, mine)
        )
        if mine is None:
            secure = self.app.settings.address.startswith("https:")
            name = f"__Secure-{COOKIE}" if secure else COOKIE
            await self._keep([f"{name}={self._host.keys.guest_token(brought.guest)}".encode()])
        return brought.games

    async def answer(  # noqa: PLR0913, PLR0917 - what a request consists of
        self,
        method: str,
        path: str,
        query: str,
        headers: Iterable[Sequence[str]],
        body: bytes,
        send: Send,
        gone: asyncio.Event,
    ) -> None:
        """Answer a request; `gone` says that nobody waits for the rest."""
        sent = [
            (name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in headers
        ]
        if self._cookies:
            cookies = "; ".join(f"{name}={value}" for name, value in self._cookies.items())
            sent.append((b"cookie", cookies.encode("latin-1")))
        scope = {
            "type": "http",
            "asgi": {"version": "3.0", "spec_version": "2.3"},
            "http_version": "1.1",
            "method": method,
            "scheme": "http",
            "path": unquote(path),
            "raw_path": path.encode("latin-1"),
            "query_string": query.encode("latin-1"),
            "root_path": "",
            "headers": sent,
            "client": ("127.0.0.1", 0),
            "server": ("127.0.0.1", 80),
        }
        brought = [{"type": "http.request", "body": body, "more_body": False}]

        async def receive() -> Message:
            if brought:
                return brought.pop()
            await gone.wait()
            return {"type": "http.disconnect"}

        async def forward(message: Message) -> None:
            if message["type"] == "http.response.start":
                await self._keep(
                    value for name, value in message["headers"] if name == b"set-cookie"
                )
                send({"status": message["status"], "headers": _shown(message["headers"])})
            elif message["type"] == "http.response.body":
                more = bool(message.get("more_body"))
                send({"chunk": message.get("body", b""), "more": more})

        await self.app(scope, receive, forward)

    async def _keep(self, said: Iterable[bytes]) -> None:
        """Keep cookies, on disk before the page can be shown that sets them."""
        kept = dict(self._cookies)
        for each in said:
            pair, *attributes = each.decode("latin-1").split(";")
            name, _, value = pair.partition("=")
            if any(attribute.strip() == "Max-Age=0" for attribute in attributes):
                kept.pop(name, None)
            else:
                kept[name] = value
        if kept != self._cookies:
            await self._host.store.write("pocket", lambda it: _keep_cookies(it, kept))
            self._cookies = kept


def _report(line: bytes) -> None:
    """Log an error of the program; nobody would read the rest."""
    if trace := msgspec.json.decode(line).get("trace"):
        _log.error("%s", "".join(trace))


def _shown(headers: Iterable[tuple[bytes, bytes]]) -> list[list[str]]:
    shown: list[list[str]] = []
    for name, value in headers:
        if name != b"set-cookie":
            new = value.replace(*REPLACED[name]) if name in REPLACED else value
            shown.append([name.decode("latin-1"), new.decode("latin-1")])
    return shown


def _keep_cookies(transaction: Transaction, cookies: dict[str, str]) -> None:
    transaction.set_state(COOKIES, msgspec.json.encode(cookies))
