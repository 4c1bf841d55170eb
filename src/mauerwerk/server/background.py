"""Work beside requests: tasks that end with their owner, and what is done again and again."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from logging import Logger
from typing import Any, Self, TypeVar

_Made = TypeVar("_Made")


class Background:
    """The tasks of one owner, until each is done or all are ended."""

    def __init__(self, log: Logger, failing: str) -> None:
        """What a task raises is logged there, in these words."""
        self._log = log
        self._failing = failing
        self._tasks: set[asyncio.Task[None]] = set()
        self._whole: set[asyncio.Task[Any]] = set()

    def begin(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Do this meanwhile."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)
        return task

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (fault := task.exception()):
            self._log.error(self._failing, exc_info=fault)

    async def finish(self, work: Coroutine[Any, Any, _Made]) -> _Made:
        """Do this, and do it to its end if all else is ended meanwhile."""
        task = asyncio.get_running_loop().create_task(work)
        self._whole.add(task)
        task.add_done_callback(self._whole.discard)
        return await asyncio.shield(task)

    def repeat(
        self, work: Callable[[], Awaitable[object]], every: float, first: float = 0.0
    ) -> None:
        """Do this again and again, seconds apart, whatever it raises.

        Of failures in a row only the first is logged.
        """

        async def go_on() -> None:
            failed = False
            await asyncio.sleep(first)
            while True:
                try:
                    await work()
                    failed = False
                except Exception:  # noqa: BLE001 - it is tried again, whatever it was
                    if not failed:
                        self._log.exception(self._failing)
                    failed = True
                await asyncio.sleep(every)

        self.begin(go_on())

    async def end(self) -> None:
        """Give up what is not done, but for what is to be finished."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await asyncio.gather(*self._whole, return_exceptions=True)


class BackgroundService:
    """A service of a feature with work beside requests, which ends when the server stops."""

    def __init__(self, log: Logger, failing: str) -> None:
        """What fails in the background is logged there, in these words."""
        self._background = Background(log, failing)

    async def begin(self) -> None:
        """What is done when the server starts."""

    async def __aenter__(self) -> Self:
        await self.begin()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._background.end()
