"""The same client for programs with an event loop: every request is made in a thread."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final, ParamSpec, TypeVar

from mauerwerk.client.seats import Client, SeatAtTable
from mauerwerk.client.values import ChatMessage, Notice, TableView
from mauerwerk.core.sight import Sight

P = ParamSpec("P")
T = TypeVar("T")

_THREADS: Final = ThreadPoolExecutor(256, thread_name_prefix="mauerwerk-client")
"""A stream keeps its thread for as long as it is followed."""


async def _done(work: Callable[P, T], *args: P.args, **named: P.kwargs) -> T:
    loop = asyncio.get_running_loop()
    return await loop.run_in_executor(_THREADS, lambda: work(*args, **named))


class AsyncSeat:
    """A seat that this program plays; see `SeatAtTable`."""

    def __init__(self, seat: SeatAtTable) -> None:
        """The same seat."""
        self._seat = seat
        self.table = seat.table
        self.seat = seat.seat
        self.token = seat.token

    async def look(self) -> TableView:
        """The table as this seat sees it now."""
        return await _done(self._seat.look)

    async def history(self, after: int = 0) -> tuple[Notice, ...]:
        """All that this seat was told after that number."""
        return await _done(self._seat.history, after)

    async def follow(self, after: int) -> AsyncIterator[Notice]:
        """What this seat is told after that number, as it comes."""
        notices = self._seat.follow(after)
        while (told := await _done(next, notices, None)) is not None:
            yield told

    async def sight(self, seen: TableView) -> Sight[Any, Any, Any]:
        """What a bot at this seat is given."""
        return await _done(self._seat.sight, seen)

    async def play(self, action: Any, version: int, idempotency_key: str = "") -> int:  # noqa: ANN401
        """Make a move, based on the table view of that number; the number of its notice."""
        return await _done(self._seat.play, action, version, idempotency_key)

    async def away(self, level: str = "journeyman") -> None:
        """Let a bot of the server play on, until `back`."""
        await _done(self._seat.away, level)

    async def back(self) -> None:
        """Play again."""
        await _done(self._seat.back)

    async def say(self, content: str, form: str = "phrase") -> ChatMessage:
        """Say a phrase, a `face` or a `text` to the table."""
        return await _done(self._seat.say, content, form)

    async def chat(self, after: int = 0) -> tuple[ChatMessage, ...]:
        """What was said at the table after that number."""
        return await _done(self._seat.chat, after)

    async def rest(self) -> None:
        """Take a day off, at a table that has some."""
        await _done(self._seat.rest)

    async def record(self) -> str:
        """The record of the finished game."""
        return await _done(self._seat.record)


class AsyncClient:
    """A guest at a server; see `Client`."""

    def __init__(self, site: str, token: str = "") -> None:
        """The address of the server, and the token of a guest if there is one already."""
        self._client = Client(site, token)

    @property
    def token(self) -> str:
        """The token of this guest, for another time."""
        return self._client.token

    async def games(self) -> Any:  # noqa: ANN401 - JSON, as the API describes it
        """The games of the server, with their options and levels."""
        return await _done(self._client.games)

    async def ratings(self, game: str) -> Any:  # noqa: ANN401 - as above
        """The leaderboard of a game: people who joined it, and bots."""
        return await _done(self._client.ratings, game)

    async def results(self, before: str = "") -> Any:  # noqa: ANN401 - as above
        """This guest's finished games, newest first; `next` begins the next page."""
        return await _done(self._client.results, before)

    async def become(self, name: str) -> None:
        """Become a guest of this name."""
        await _done(self._client.become, name)

    async def open(
        self,
        game: str,
        bots: Sequence[str],
        options: Mapping[str, str] | None = None,
        bot_delay_ms: int = 0,
    ) -> AsyncSeat:
        """Set up a table against bots of these levels, and take the first seat."""
        return AsyncSeat(await _done(self._client.open, game, bots, options, bot_delay_ms))

    async def sit(self, table: str, seat: int | None = None) -> AsyncSeat:
        """Take an open seat, or the first that is free."""
        return AsyncSeat(await _done(self._client.sit, table, seat))

    async def claim(self, table: str, secret: str, name: str) -> AsyncSeat:
        """Take the seat of a personal link."""
        return AsyncSeat(await _done(self._client.claim, table, secret, name))
