"""Work in other processes for a server, whose event loop must not wait.

    workers = AsyncWorkers(2)
    answer = await workers.run(work, task, within=5.0)
    workers.close()

Each job has a process of its own while it runs, so a job that hangs or dies disturbs no other.
"""

import asyncio
from collections.abc import Callable, Hashable
from typing import TypeVar

from mauerwerk.lab.workers.mapping import WorkError
from mauerwerk.lab.workers.processes import Processes

Task = TypeVar("Task")
Answer = TypeVar("Answer")


class AsyncWorkers:
    """A few processes for the jobs of one event loop. They are started when they are needed."""

    def __init__(self, size: int, nice: int = 0) -> None:
        """Run at most this many jobs at once."""
        self._processes = Processes(size, nice)
        self._queue = asyncio.Semaphore(size)
        """Jobs that wait for a process, the first to come first."""

    async def run(
        self,
        work: Callable[[Task], Answer],
        task: Task,
        *,
        within: float | None = None,
        near: Hashable | None = None,
    ) -> Answer:
        """The answer to a task, which may take this many seconds once it has a process.

        Work, task and answer can be pickled, as in `map_unordered`. Raises WorkError if the work
        fails, WorkerDiedError if its process dies, and TimeoutError if the time is up. The process
        of a job that is late or cancelled is killed. If the process that last did a job with the
        same `near` is idle, it does this one, too.
        """
        async with self._queue:
            piece = self._processes.begin(work, task, near)
            try:
                done, _ = await asyncio.wait([asyncio.wrap_future(piece)], timeout=within)
                if not done:
                    raise TimeoutError
                end = piece.result()
                if isinstance(end, WorkError):
                    raise end
                answer: Answer = end.answer
                return answer
            finally:
                self._processes.settle(piece)

    def close(self) -> None:
        """End all processes. Jobs that run or wait end with WorkerDiedError."""
        self._processes.close()
