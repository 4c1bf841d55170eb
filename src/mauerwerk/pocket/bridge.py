"""Between Python and JavaScript, in a browser or under Node: requests, answers, thoughts."""

# pyright: reportMissingImports=false, reportUnknownVariableType=false, reportUnknownMemberType=false
# Pyodide brings these modules; elsewhere they are not there.

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Any

from js import Object  # type: ignore[import-not-found]
from pyodide.ffi import to_js  # type: ignore[import-not-found]

from mauerwerk.pocket.bringing import NotBroughtError
from mauerwerk.pocket.server import Pocket

_log = logging.getLogger(__name__)


class Bridge:
    """A server for JavaScript."""

    def __init__(self, pocket: Pocket, reopened: Callable[[], Awaitable[Pocket]]) -> None:
        """Of a server that is open, and how it is opened again."""
        self._pocket = pocket
        self._reopened = reopened
        self._tasks: set[asyncio.Task[None]] = set()

    def ask(  # noqa: PLR0913, PLR0917 - what a request consists of
        self,
        method: str,
        path: str,
        query: str,
        headers: Any,  # noqa: ANN401 - values of JavaScript, here and below
        body: Any,  # noqa: ANN401
        send: Any,  # noqa: ANN401
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
            except Exception:  # noqa: BLE001 - whatever it was, the page must hear
                _log.exception("a request failed")
                send(to_js({"failed": True}, dict_converter=Object.fromEntries))

        task = asyncio.ensure_future(answer())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return gone.set

    async def bring(self, content: Any) -> int | None:  # noqa: ANN401 - bytes of JavaScript
        """Add the games of a saved file; how many, or nothing where it is not one of ours."""
        try:
            games = await self._pocket.bring(content.to_bytes())
        except NotBroughtError:
            return None
        if games:  # what the server remembers of tables may be older now
            await self._pocket.close()
            self._pocket = await self._reopened()
        return games

    async def close(self) -> None:
        """Let go of the database."""
        await self._pocket.close()


async def open_pocket(folder: str, address: str, think: Any) -> Bridge:  # noqa: ANN401 - a function
    """Open a server; `think` is a function of JavaScript, or nothing."""

    async def search(game: str, request: Mapping[str, Any]) -> str:
        said: str = await think(game, to_js(request, dict_converter=Object.fromEntries))
        return said

    opened = partial(Pocket.open, folder, address, search if think else None)
    return Bridge(await opened(), opened)
