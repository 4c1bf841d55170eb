"""Between Python and JavaScript, in a browser or under Node: requests, answers, thoughts."""

# pyright: reportMissingImports=false, reportUnknownVariableType=false, reportUnknownMemberType=false
# Pyodide brings these modules; elsewhere they are not there.

import asyncio
import logging
from collections.abc import Callable
from typing import Any

from js import Object  # type: ignore[import-not-found]
from pyodide.ffi import to_js  # type: ignore[import-not-found]

from mauerwerk.pocket.server import Pocket

_log = logging.getLogger(__name__)


class Bridge:
    """A server for JavaScript."""

    def __init__(self, pocket: Pocket) -> None:
        """Of a server that is open."""
        self._pocket = pocket
        self._tasks: set[asyncio.Task[None]] = set()

    def ask(  # noqa: PLR0913, PLR0917 - what a request consists of
        self, method: str, path: str, query: str, headers: Any, body: Any, send: Any
    ) -> Callable[[], None]:
        """Begin to answer. What is returned says that nobody waits for the rest."""
        gone = asyncio.Event()

        async def answer() -> None:
            try:
                await self._pocket.answer(
                    method,
                    path,
                    query,
                    headers.to_py(),
                    body.to_bytes() if body else b"",
                    lambda part: send(to_js(part, dict_converter=Object.fromEntries)),
                    gone,
                )
            except Exception:
                _log.exception("a request failed")
                send(to_js({"failed": True}, dict_converter=Object.fromEntries))

        task = asyncio.ensure_future(answer())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return gone.set

    async def close(self) -> None:
        """Let go of the database."""
        await self._pocket.close()


async def open_pocket(folder: str, address: str, think: Any) -> Bridge:
    """Open a server."""
    return Bridge(await Pocket.open(folder, address))
