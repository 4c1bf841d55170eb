"""Pictures that are drawn beside the server, one after the other, and kept for the next reader."""

import asyncio
import logging
import subprocess
import sys
from collections import Counter, OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from importlib.util import find_spec
from typing import Final

import msgspec

from mauerwerk.core.svg import pixels
from mauerwerk.server.features.sharing.draw import Moving, Still
from mauerwerk.server.http.errors import HttpError, too_many

KEPT: Final = 32 * 2**20
"""The bytes of pictures that are kept."""

MOST_WAITING: Final = 24
"""The pictures of each kind that may wait for its process; more are refused."""

LONGEST: Final = 60
"""Seconds after which a picture is given up."""

_log = logging.getLogger(__name__)


@cache
def can_draw() -> bool:
    """Whether this server can draw pixels: the extra `pictures` and a font are installed."""
    return all(map(find_spec, ("resvg_py", "PIL"))) and pixels.has_fonts()


class Pictures:
    """The pictures of one server. A key says all that a picture depends on."""

    def __init__(self) -> None:
        """Nothing is drawn yet."""
        self.draw = drawn_beside
        """Draws a picture; it runs in a thread, and may take long."""

        self._kept: OrderedDict[Hashable, bytes] = OrderedDict()
        self._size = 0
        self._under_way: dict[Hashable, asyncio.Future[bytes]] = {}
        self._waiting = Counter[bool]()
        # A game that moves takes as long as many other pictures, which do not wait for it.
        self._executors = {
            moves: ThreadPoolExecutor(1, "games" if moves else "pictures")
            for moves in (False, True)
        }

    async def get(
        self,
        key: Hashable,
        wanted: Callable[[], Still | Moving],
        count: Callable[[], None],
        *,
        moves: bool = False,
    ) -> bytes:
        """The picture with this key; one that must be drawn is counted first. Raises HttpError."""
        if key in self._kept:
            self._kept.move_to_end(key)
            return self._kept[key]
        if key not in self._under_way:
            count()
            if self._waiting[moves] >= MOST_WAITING:
                raise too_many("too many pictures are being drawn; try again in a while", 10)
            loop = asyncio.get_running_loop()
            drawing = loop.run_in_executor(self._executors[moves], lambda: self.draw(wanted()))
            self._under_way[key] = drawing
            self._waiting[moves] += 1
            drawing.add_done_callback(lambda done: self._keep(key, done, moves=moves))
        # One reader who leaves does not spoil it for others.
        return await asyncio.shield(self._under_way[key])

    def _keep(self, key: Hashable, done: asyncio.Future[bytes], *, moves: bool) -> None:
        del self._under_way[key]
        self._waiting[moves] -= 1
        if done.cancelled() or done.exception():
            return
        self._kept[key] = done.result()
        self._size += len(done.result())
        while self._size > KEPT and len(self._kept) > 1:
            _, oldest = self._kept.popitem(last=False)
            self._size -= len(oldest)


def drawn_beside(wanted: Still | Moving) -> bytes:
    """A picture, drawn in a process of its own. Raises HttpError where that fails."""
    program = [sys.executable, "-m", "mauerwerk.server.features.sharing.draw"]
    try:
        done = subprocess.run(  # noqa: S603 - our own module
            program,
            input=msgspec.json.encode(wanted, enc_hook=str),
            capture_output=True,
            check=True,
            timeout=LONGEST,
        )
    except (subprocess.SubprocessError, OSError) as fault:
        said = getattr(fault, "stderr", None) or b""
        _log.warning("a picture could not be drawn: %s", said.decode(errors="replace") or fault)
        raise HttpError(503, "this picture cannot be drawn right now") from None
    return done.stdout
