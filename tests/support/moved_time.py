"""Time that a test moves: nobody waits, and what did not happen had its time to.

A module that uses it asks for the fixture `anyio_backend` from here, so that its coroutines run in
a loop whose timers follow the same clock as the host.
"""

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final

import pytest

from mauerwerk.server.database.errors import StorageError
from mauerwerk.server.engine.host import Host

STEPS: Final = 8
"""More than any request makes: to read, to write, to tell others, and to attend to the table."""


class MovedLoop(asyncio.SelectorEventLoop):
    """A loop that can be told that it is later."""

    def __init__(self) -> None:
        """As it is now."""
        super().__init__()
        self.ahead = 0.0
        self.in_threads: set[asyncio.Future[Any]] = set()

    def time(self) -> float:
        """Seconds, with those that a test has moved it."""
        return super().time() + self.ahead

    def run_in_executor(  # type: ignore[override]  # the same, and noted
        self,
        executor: Any,  # noqa: ANN401 - as a loop takes it
        func: Callable[..., Any],
        *args: Any,  # noqa: ANN401
    ) -> asyncio.Future[Any]:
        """What a thread does, and until it is done."""
        future: asyncio.Future[Any] = super().run_in_executor(executor, func, *args)
        self.in_threads.add(future)
        future.add_done_callback(self.in_threads.discard)
        return future


class MovedTime:
    """The clock of a host, and of the loop in which it runs."""

    def __init__(self) -> None:
        """As it is now."""
        self.ahead = 0.0

    def __call__(self) -> float:
        """Seconds since the epoch."""
        return time.time() + self.ahead

    async def move(self, host: Host, seconds: float) -> None:
        """Let this time pass, and all that is due then happen."""
        loop = asyncio.get_running_loop()
        assert isinstance(loop, MovedLoop)
        await settled(host)
        self.ahead += seconds
        loop.ahead += seconds
        await settled(host)


async def settled(host: Host) -> None:
    """Wait until all that was begun is stored and told; what waits for a time goes on waiting."""
    loop = asyncio.get_running_loop()
    assert isinstance(loop, MovedLoop)
    for _ in range(STEPS):
        for _ in range(STEPS):
            await asyncio.sleep(0)
        if working := loop.in_threads:
            await asyncio.wait({*working})
        with suppress(StorageError):  # a test may have broken it
            await host.store.try_writing()  # after all that waits to be written


@pytest.fixture
def anyio_backend() -> tuple[str, dict[str, Any]]:
    """Tests that are coroutines run in a loop whose time they move."""
    return "asyncio", {"loop_factory": MovedLoop}


@pytest.fixture
def clock() -> MovedTime:
    """The time that the test moves."""
    return MovedTime()
