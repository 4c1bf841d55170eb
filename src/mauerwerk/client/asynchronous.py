"""The same client for programs with an event loop: every request is made in a thread."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from functools import partial, wraps
from typing import Any, Concatenate, Final, Generic, ParamSpec, TypeVar

from mauerwerk.client.seats import Client, SeatAtTable
from mauerwerk.client.values import Notice

P = ParamSpec("P")
S = TypeVar("S")
T = TypeVar("T")
_THREADS: Final = ThreadPoolExecutor(256, thread_name_prefix="mauerwerk-client")
"""A stream keeps its thread for as long as it is followed."""


async def _done(work: Callable[P, T], *args: P.args, **named: P.kwargs) -> T:
    loop = asyncio.get_running_loop()
    return await loop.run_in_executor(_THREADS, partial(work, *args, **named))


class _Awaited(Generic[S]):
    """Something whose methods are awaited here."""

    def __init__(self, of: S) -> None:
        self.synchronous = of


def _awaited(
    method: Callable[Concatenate[S, P], T],
) -> Callable[Concatenate[_Awaited[S], P], Coroutine[Any, Any, T]]:

    @wraps(method)
    async def awaited(self: _Awaited[S], /, *args: P.args, **named: P.kwargs) -> T:
        return await _done(method, self.synchronous, *args, **named)

    return awaited


class AsyncSeat(_Awaited[SeatAtTable]):
    """A seat that this program plays, with the methods of `SeatAtTable`, to be awaited."""

    def __init__(self, seat: SeatAtTable) -> None:
        super().__init__(seat)
        self.table = seat.table
        self.seat = seat.seat
        self.token = seat.token

    look = _awaited(SeatAtTable.look)
    history = _awaited(SeatAtTable.history)
    sight = _awaited(SeatAtTable.sight)
    why_not = _awaited(SeatAtTable.why_not)
    play = _awaited(SeatAtTable.play)
    away = _awaited(SeatAtTable.away)
    back = _awaited(SeatAtTable.back)
    say = _awaited(SeatAtTable.say)
    chat = _awaited(SeatAtTable.chat)
    rest = _awaited(SeatAtTable.rest)
    record = _awaited(SeatAtTable.record)

    async def follow(self, after: int) -> AsyncIterator[Notice]:
        """What this seat is told after that number, as it comes."""
        notices = await _done(self.synchronous.follow, after)
        try:
            while (told := await _done(next, notices, None)) is not None:
                yield told
        finally:
            notices.close()  # or a thread would wait on, which the program waits for when it ends


def _seated(
    method: Callable[Concatenate[Client, P], SeatAtTable],
) -> Callable[Concatenate[_Awaited[Client], P], Coroutine[Any, Any, AsyncSeat]]:
    """The same method, to be awaited, with such a seat."""

    @wraps(method)
    async def awaited(self: _Awaited[Client], /, *args: P.args, **named: P.kwargs) -> AsyncSeat:
        return AsyncSeat(await _awaited(method)(self, *args, **named))

    return awaited


class AsyncClient(_Awaited[Client]):
    """A guest at a server, with the methods of `Client`, to be awaited."""

    def __init__(self, site: str, token: str = "") -> None:
        """The address of the server, and the token of a guest if there is one already."""
        super().__init__(Client(site, token))

    @property
    def token(self) -> str:
        """The token of this guest, for another time."""
        return self.synchronous.token

    games = _awaited(Client.games)
    ratings = _awaited(Client.ratings)
    results = _awaited(Client.results)
    become = _awaited(Client.become)
    renew = _awaited(Client.renew)
    open = _seated(Client.open)
    sit = _seated(Client.sit)
    claim = _seated(Client.claim)
