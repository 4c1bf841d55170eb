"""What answers cost: CPU time is measured, charged to the client, and shared fairly.

A limit on requests alone lets a client take the whole server by asking for the pages that take
longest. So the CPU time of a request counts, too: on the event loop, whose steps are timed, and in
threads. Time spent waiting does not count. A client that has taken much lately waits in a lane with
others of its kind, where one step is made at a time and half of the time is left to everybody else.
"""

import asyncio
from collections import OrderedDict, deque
from collections.abc import Callable, Coroutine, Generator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from time import thread_time
from typing import Any, Final, Generic, TypeVar, cast

from mauerwerk.server.engine.workers import FairQueue
from mauerwerk.server.http.errors import BusyError
from mauerwerk.server.http.limits import Limiter
from mauerwerk.server.meter import METER, metered

_Made = TypeVar("_Made")

REST: Final = 0.002
"""Seconds of work in the lane after which it rests for as long: timers are not finer."""

PATIENCE: Final = 10.0
"""Seconds that a request may wait for the thread, and a stream for its next part."""


class Lane:
    """Where clients wait that have taken much: one step at a time, clients in turn."""

    def __init__(self) -> None:
        self._waiting: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()
        self._taken = False
        self._unrested = 0.0

    async def turn(self, client: str) -> None:
        """Wait for a turn, which lasts until `done`."""
        if not self._taken:
            self._taken = True
            return
        turn = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(client, deque()).append(turn)
        try:
            await turn
        except BaseException:
            if not turn.cancel() and not turn.cancelled():
                self.done(0.0)  # it was given the turn in the same moment
            raise

    def done(self, seconds: float) -> None:
        """A step took this long; the next may follow, after a rest."""
        self._unrested += seconds
        loop = asyncio.get_running_loop()
        if self._unrested < REST:
            loop.call_soon(self._next)
        else:
            loop.call_later(self._unrested, self._next)
            self._unrested = 0.0

    def _next(self) -> None:
        while self._waiting:
            client, turns = next(iter(self._waiting.items()))
            turn = turns.popleft()
            if not turns:
                del self._waiting[client]
            if turn.done():  # nobody waits for it any more
                continue
            if turns:
                self._waiting.move_to_end(client)
            turn.set_result(None)
            return
        self._taken = False


class Costs:
    """Charges clients for the work that their requests make."""

    def __init__(self, limiter: Limiter) -> None:
        self._limiter = limiter
        self._lane = Lane()
        # One thread: several would take the interpreter from the event loop for longer.
        self._thread = ThreadPoolExecutor(1, "requests")
        self._queue = FairQueue(1)

    async def charged(self, client: str, work: Coroutine[Any, Any, _Made]) -> _Made:
        """Carry out the work for a client, whose account its steps are charged to."""
        if not self._limiter.counts:
            return await work
        return await _Charged(self._limiter, self._lane, client, work, self._limiter.included)

    async def streamed(self, client: str, work: Coroutine[Any, Any, _Made]) -> _Made:
        """The same for a part of a stream, which no request has paid for.

        A stream cannot be refused. It waits until its client could ask for something again.
        """
        if not self._limiter.counts:
            return await work
        if wait := self._limiter.wait(client):
            try:
                await asyncio.sleep(min(wait, PATIENCE))
            except BaseException:
                work.close()
                raise
        return await _Charged(self._limiter, self._lane, client, work, 0.0)

    async def in_thread(self, client: str, work: Callable[..., _Made], *given: object) -> _Made:
        """Work that takes long, in a thread that clients share fairly. Raises HttpError."""
        loop = asyncio.get_running_loop()
        try:
            async with self._queue.slot(client, first=False, within=PATIENCE):
                return await loop.run_in_executor(self._thread, partial(metered(work), *given))
        except TimeoutError:
            raise BusyError("the server is busy; try again in a while", PATIENCE) from None


class _Charged(Generic[_Made]):
    """Work whose steps are timed: awaited as it would be itself."""

    def __init__(
        self,
        limiter: Limiter,
        lane: Lane,
        client: str,
        work: Coroutine[Any, Any, _Made],
        included: float,
    ) -> None:
        self._included = included
        self._limiter = limiter
        self._lane = lane
        self._client = client
        self._work = work

    def __await__(self) -> Generator[Any, None, _Made]:
        """Pass on what the work waits for, and time it in between."""
        work, limiter, client = self._work, self._limiter, self._client
        left = self._included
        in_threads: deque[float] = deque()
        METER.set(in_threads)
        fault: BaseException | None = None
        while True:
            in_lane = fault is None and limiter.is_heavy(client)
            if in_lane:
                try:
                    yield from self._lane.turn(client).__await__()
                except BaseException as error:  # noqa: BLE001 - the work must know of it
                    fault, in_lane = error, False
            began = thread_time()
            try:
                waits_for = work.send(None) if fault is None else work.throw(fault)
            except StopIteration as done:
                return cast("_Made", done.value)
            finally:
                fault = None  # it refers to this frame
                spent = thread_time() - began
                if in_lane:
                    self._lane.done(spent)
                while in_threads:
                    spent += in_threads.popleft()
                left -= spent
                if left < 0:
                    limiter.charge(client, -left)
                    left = 0.0
            try:
                yield waits_for
            except BaseException as error:  # noqa: BLE001 - as above
                fault = error
