"""Games that can be shown again: those that were played here to the end, and those in a link."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final, TypeVar

from mauerwerk.core.game import Seat
from mauerwerk.play.entries import Status
from mauerwerk.web.faults import Fault, too_many
from mauerwerk.web.limits import Buckets
from mauerwerk.web.operation import whole
from mauerwerk.web.pages.page import Visitor
from mauerwerk.web.replay import codes
from mauerwerk.web.replay.frame import TURN, People
from mauerwerk.web.replay.reel import Eyes, Reel, Shelf, reel_at, reel_of

SHELF: Final = Shelf()
"""What was looked at lately."""

WINDINGS: Final = Buckets(1.0, 20)
"""How often a client may have a record played through that is not at hand."""

_WINDER: Final = ThreadPoolExecutor(1, "winder")
"""Plays records through one after the other: several at once would leave nobody else any time."""

_Given = TypeVar("_Given")
_Wound = TypeVar("_Wound")


class NotOverError(Exception):
    """The game of a table goes on, so that nothing of it is shown again."""


class Film:
    """A game that can be shown, where it is shown, and who played it."""

    def __init__(self, reel: Reel, path: str, people: People, record: str, table: str = "") -> None:
        """Its record is at that address; the table is the one at which it was played."""
        self.reel = reel
        self.path = path
        self.people = people
        self.record = record
        self.table = table

    def wanted(self, at: str, seat: str, to: str = "") -> tuple[int, Eyes]:
        """The position and the eyes that a link asks for; what is none is the nearest to it."""
        place, number = whole(at), whole(seat)
        eyes = None
        if number is not None and number < self.reel.seats and not self.reel.is_memory:
            eyes = Seat(number)
        position = self.reel.opening if place is None else min(place, self.reel.last)
        return self.reel.turn_after(position) if to == TURN else position, eyes

    @property
    def file(self) -> str:
        """What a copy of the record may be called."""
        return f"{self.reel.record.game}-{self.table or 'game'}.txt"


async def film_of(visitor: Visitor) -> Film:
    """The film that a path is about. Raises Fault; NotOverError."""
    if "table" in visitor.call.path:
        return await _played_here(visitor)
    return await _in_link(visitor)


async def _played_here(visitor: Visitor) -> Film:
    name = visitor.call.table
    table = await visitor.call.house.table(name)
    if table.status is not Status.OVER:
        raise NotOverError
    reel = SHELF.get(f"t {name}") or SHELF.put(f"t {name}", reel_at(table))
    levels = tuple("" if each.guest else each.level for each in table.sitters)
    people = People(tuple(each.name for each in table.sitters), levels)
    return Film(reel, f"/t/{name}/replay", people, f"/api/tables/{name}/record", name)


async def _in_link(visitor: Visitor) -> Film:
    code = visitor.call.path["code"]
    reel = SHELF.get(f"r {code}")
    if reel is None:
        try:
            reel = SHELF.put(f"r {code}", await wound(visitor, _wound_up, code))
        except ValueError:
            raise Fault(404, "there is no game in this link") from None
    path = f"/replay/{code}"
    return Film(reel, path, People(reel.names), f"{path}/record")


def _wound_up(code: str) -> Reel:
    brought = codes.read(code)
    return reel_of(brought.record, brought.names)


async def wound(visitor: Visitor, winding: Callable[[_Given], _Wound], given: _Given) -> _Wound:
    """Have a record played through, in a thread beside the others. Raises Fault for too many."""
    if visitor.call.site.settings.limits.requests > 0 and (
        seconds := WINDINGS.take(visitor.visit.client)
    ):
        raise too_many("too many records from you; try again in a while", seconds)
    return await asyncio.get_running_loop().run_in_executor(_WINDER, winding, given)
