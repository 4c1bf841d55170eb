"""Bots in a browser: rules of thumb at once, and a search in a worker of its own."""

import asyncio
from collections.abc import Callable, Hashable
from typing import TypeVar

Task = TypeVar("Task")
Answer = TypeVar("Answer")


class Here:
    """Does the jobs of `lab.workers.AsyncWorkers` on the event loop itself."""

    def __init__(self, size: int, nice: int = 0) -> None:
        """There is one loop, whatever the size."""

    async def run(
        self,
        work: Callable[[Task], Answer],
        task: Task,
        *,
        within: float | None = None,  # noqa: ARG002 - as workers have it
        near: Hashable | None = None,  # noqa: ARG002 - as above
    ) -> Answer:
        """The answer to a task."""
        await asyncio.sleep(0)
        return work(task)

    def close(self) -> None:
        """There is nothing to end."""
