"""Games that can be shown again: those that were played here to the end, and those in a link."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final, TypeVar

from mauerwerk.core.game import Seat
from mauerwerk.play.tables.entries import Status
from mauerwerk.web.api.operation import whole_number
from mauerwerk.web.http.faults import Fault, too_many
from mauerwerk.web.http.limits import Buckets
from mauerwerk.web.pages.page import Visitor
from mauerwerk.web.replay import codes
from mauerwerk.web.replay.frame import TURN, People
from mauerwerk.web.replay.replays import Replay, ReplayCache, Viewpoint, replay_at, replay_of

REPLAYS: Final = ReplayCache()
"""What was looked at lately."""

LOADS: Final = Buckets(1.0, 20)
"""How often a client may have a record played through that is not at hand."""

_EXECUTOR: Final = ThreadPoolExecutor(1, "replays")
"""Plays records through one after the other: several at once would leave nobody else any time."""

_Given = TypeVar("_Given")
_Loaded = TypeVar("_Loaded")


class NotOverError(Exception):
    """The game of a table goes on, so that nothing of it is shown again."""


class ReplayPage:
    """A game that can be shown, where it is shown, and who played it."""

    def __init__(
        self, replay: Replay, path: str, people: People, record: str, table: str = ""
    ) -> None:
        """Its record is at that address; the table is the one at which it was played."""
        self.replay = replay
        self.path = path
        self.people = people
        self.record = record
        self.table = table

    def wanted(self, at: str, seat: str, to: str = "") -> tuple[int, Viewpoint]:
        """The position and viewpoint that a link asks for; what is none is the nearest to it."""
        place, number = whole_number(at), whole_number(seat)
        viewpoint = None
        if number is not None and number < self.replay.seats and not self.replay.is_memory:
            viewpoint = Seat(number)
        position = self.replay.opening if place is None else min(place, self.replay.last)
        return self.replay.turn_after(position) if to == TURN else position, viewpoint

    @property
    def file(self) -> str:
        """What a copy of the record may be called."""
        return f"{self.replay.record.game}-{self.table or 'game'}.txt"


async def replay_page_of(visitor: Visitor) -> ReplayPage:
    """The replay page that a path is about. Raises Fault; NotOverError."""
    if "table" in visitor.call.path:
        return await _played_here(visitor)
    return await _in_link(visitor)


async def _played_here(visitor: Visitor) -> ReplayPage:
    name = visitor.call.table
    table = await visitor.call.host.table(name)
    if table.status is not Status.OVER:
        raise NotOverError
    replay = REPLAYS.get(f"t {name}") or REPLAYS.put(f"t {name}", replay_at(table))
    levels = tuple("" if each.guest else each.level for each in table.occupants)
    people = People(tuple(each.name for each in table.occupants), levels)
    return ReplayPage(replay, f"/t/{name}/replay", people, f"/api/tables/{name}/record", name)


async def _in_link(visitor: Visitor) -> ReplayPage:
    code = visitor.call.path["code"]
    replay = REPLAYS.get(f"r {code}")
    if replay is None:
        try:
            replay = REPLAYS.put(f"r {code}", await load(visitor, _load, code))
        except ValueError:
            raise Fault(404, "there is no game in this link") from None
    path = f"/replay/{code}"
    return ReplayPage(replay, path, People(replay.names), f"{path}/record")


def _load(code: str) -> Replay:
    brought = codes.read(code)
    return replay_of(brought.record, brought.names)


async def load(visitor: Visitor, loading: Callable[[_Given], _Loaded], given: _Given) -> _Loaded:
    """Have a record played through, in a thread beside the others. Raises Fault for too many."""
    if visitor.call.site.settings.limits.requests > 0 and (
        seconds := LOADS.take(visitor.visit.client)
    ):
        raise too_many("too many records from you; try again in a while", seconds)
    return await asyncio.get_running_loop().run_in_executor(_EXECUTOR, loading, given)
