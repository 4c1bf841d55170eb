"""The replays of a server: games that were played here to the end, and those in a link."""

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Final, TypeVar

from mauerwerk.core.game import Seat
from mauerwerk.core.language.translation import Language
from mauerwerk.core.language.words import capital
from mauerwerk.server.features.replay import link_codec
from mauerwerk.server.features.replay.frame import TURN, People
from mauerwerk.server.features.replay.replay import Replay, Viewpoint, replay_at, replay_of
from mauerwerk.server.http.errors import HttpError
from mauerwerk.server.http.request import whole_number
from mauerwerk.server.tables.table import Status, Table
from mauerwerk.server.ui.dates import day_of
from mauerwerk.server.ui.page import PageRequest

AT_HAND: Final = 40_000
"""The number of positions, of all games together, that are kept in memory."""

_Given = TypeVar("_Given")
_Loaded = TypeVar("_Loaded")


class NotOverError(Exception):
    """The game of a table is still running, so that it has no replay yet."""


class ReplayPage:
    """A replay, its address, and who played."""

    def __init__(
        self, replay: Replay, path: str, people: People, record: str, table: Table | None = None
    ) -> None:
        """Take the addresses of the page and of the record, and the table if it was played here."""
        self.replay = replay
        self.path = path
        self.people = people
        self.record = record
        self.table = table.charter.id if table else ""
        self._played = table.charter.created if table else 0

    def about(self, language: Language) -> str:
        """Who played, and when, if that is known."""
        names = self.people.called(self.replay.seats, None, language)
        who = capital(language.listed(names))
        if not self._played:
            return who
        return f"{who}, {day_of(self._played, int(time.time() * 1_000), language)}"

    def wanted(self, at: str, seat: str, to: str = "") -> tuple[int, Viewpoint]:
        """The position and viewpoint that a link asks for, or the nearest that exist."""
        place, number = whole_number(at), whole_number(seat)
        viewpoint = None
        if number is not None and number < self.replay.seats and not self.replay.is_memory:
            viewpoint = Seat(number)
        position = self.replay.opening if place is None else min(place, self.replay.last)
        return self.replay.turn_after(position) if to == TURN else position, viewpoint

    @property
    def file(self) -> str:
        """The file name for a copy of the record."""
        return f"{self.name}.txt"

    @property
    def name(self) -> str:
        """The name of a file about it, without its kind."""
        return f"{self.replay.record.game}-{self.table or 'game'}"


class ReplayCache:
    """Replays in memory; the least recently used go first."""

    def __init__(self, most: int = AT_HAND) -> None:
        """Start empty, with room for this many positions."""
        self._most = most
        self._replays: OrderedDict[str, Replay] = OrderedDict()
        self._positions = 0

    def get(self, name: str) -> Replay | None:
        """The replay of this name, if it is in memory."""
        replay = self._replays.get(name)
        if replay is not None:
            self._replays.move_to_end(name)
        return replay

    def put(self, name: str, replay: Replay) -> Replay:
        """Keep a replay."""
        self._forget([name])
        self._replays[name] = replay
        self._positions += len(replay.states)
        while self._positions > self._most and len(self._replays) > 1:
            self._forget([next(iter(self._replays))])
        return replay

    def __len__(self) -> int:
        return len(self._replays)

    def _forget(self, names: Iterable[str]) -> None:
        for name in names:
            replay = self._replays.pop(name, None)
            self._positions -= len(replay.states) if replay else 0


class Replays:
    """The replays of one server: those in memory, and how others are loaded."""

    def __init__(self) -> None:
        """Start with nothing in memory."""
        self._replays = ReplayCache()
        # One thread loads one record after another: several would starve other requests.
        self._executor = ThreadPoolExecutor(1, "replays")

    async def page_of(self, request: PageRequest) -> ReplayPage:
        """The replay page that a path is about. Raises HttpError; NotOverError."""
        if "table" in request.path_params:
            return await self._played_here(request)
        return await self._in_link(request)

    async def finished_page_of(self, request: PageRequest) -> ReplayPage:
        """The same, for a request that needs a finished game. Raises HttpError."""
        try:
            return await self.page_of(request)
        except NotOverError:
            raise HttpError(409, "the game goes on where it is", code="request") from None

    async def _played_here(self, request: PageRequest) -> ReplayPage:
        name = request.table
        table = await request.host.table(name)
        if table.status is not Status.OVER:
            raise NotOverError
        key = f"t {name}"
        replay = self._replays.get(key) or self._replays.put(key, replay_at(table))
        levels = tuple("" if each.guest else each.level for each in table.occupants)
        people = People(tuple(each.name for each in table.occupants), levels)
        return ReplayPage(replay, f"/t/{name}/replay", people, f"/api/tables/{name}/record", table)

    async def _in_link(self, request: PageRequest) -> ReplayPage:
        code = request.path_params["code"]
        replay = self._replays.get(f"r {code}")
        if replay is None:
            try:
                loaded = await self.load(request, _load, code)
            except ValueError:
                raise HttpError(404, "there is no game in this link") from None
            replay = self._replays.put(f"r {code}", loaded)
        path = f"/replay/{code}"
        return ReplayPage(replay, path, People(replay.names), f"{path}/record")

    async def load(
        self, request: PageRequest, loading: Callable[[_Given], _Loaded], given: _Given
    ) -> _Loaded:
        """Load a record in the thread for replays. Raises HttpError for too many."""
        request.app.limiter.record(request.client)
        return await asyncio.get_running_loop().run_in_executor(self._executor, loading, given)


def _load(code: str) -> Replay:
    named_record = link_codec.decode(code)
    return replay_of(named_record.record, named_record.names)
