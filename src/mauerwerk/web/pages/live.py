"""The live table: whenever something happens, the table as it then is, drawn for who looks.

Each event `table` is the whole inside of the page's live part, and its id is the viewer's number,
so that a page never goes back to an older one. Each event `say` is what was told, in sentences,
for those who listen.
"""

from collections import OrderedDict
from html import escape
from typing import Final, NamedTuple

from starlette.types import ASGIApp, Receive, Scope, Send

from mauerwerk.core.game import Seat
from mauerwerk.play.audience import Bulletin
from mauerwerk.play.table import Table
from mauerwerk.web.faults import Fault
from mauerwerk.web.operation import whole
from mauerwerk.web.pages.eyes import Eyes, eyes_at, free_seats, seats_of
from mauerwerk.web.pages.page import Visitor
from mauerwerk.web.pages.static import takes_gzip
from mauerwerk.web.pages.story import announced
from mauerwerk.web.pages.table import Extra, shown
from mauerwerk.web.replies import refuse

KEPT: Final = 512
"""So many drawings are kept for others who look with the same eyes."""


class Drawn(NamedTuple):
    """All that a drawing depends on: what is the same for two pages looks the same on both."""

    table: str
    seq: int
    """How long its log is."""

    eyes: Eyes
    language: str
    claims: tuple[Seat, ...]
    """Free seats whose links were opened in this browser."""

    named: bool
    """Whether it is a guest's; who is none is asked for a name."""

    present: tuple[Seat, ...]
    """Seats for which somebody watches."""

    origin: str
    """Where the page was found; links that it hands out lead there."""


class Gallery:
    """Drawings that were just made."""

    def __init__(self) -> None:
        """None yet."""
        self._kept: OrderedDict[Drawn, tuple[int, bytes]] = OrderedDict()

    def get(self, drawn: Drawn) -> tuple[int, bytes] | None:
        """The drawing, and its number, if it is there."""
        return self._kept.get(drawn)

    def put(self, drawn: Drawn, number: int, content: bytes) -> None:
        """Keep it, and forget the oldest."""
        self._kept[drawn] = number, content
        while len(self._kept) > KEPT:
            self._kept.popitem(last=False)


GALLERY: Final = Gallery()


async def follow(visitor: Visitor) -> ASGIApp:
    """The stream of one page."""
    call = visitor.call
    wanted = visitor.query.get("seat", "")
    table = await call.house.table(call.table)
    eyes = eyes_at(call, table, wanted)
    teller = Teller(visitor, wanted, _left_off(visitor))

    async def may_still() -> bool:
        return eyes.seat in seats_of(call, await call.house.table(call.table))

    async def serve(scope: Scope, receive: Receive, send: Send) -> None:
        told = await call.house.subscribe(call.table, eyes.seat, after=None)
        try:
            if eyes.seat is not None and not await may_still():
                # Somebody else got the seat between the first look and this.
                await refuse(Fault(403, "that is not your seat"))(scope, receive, send)
                return
            await call.site.streams.serve(
                told, may_still, scope, receive, send, teller.tell, packed=takes_gzip(call.visit)
            )
        finally:
            told.close()

    return call.site.streams.counted(call.visit.client, serve)


def _left_off(visitor: Visitor) -> int:
    """The number of the picture that the page has."""
    said = visitor.visit.headers.get("last-event-id") or visitor.query.get("after", "")
    return whole(said) or 0


class Teller:
    """Draws a table for one page, as often as it changes."""

    def __init__(self, visitor: Visitor, wanted: str, after: int) -> None:
        """The page shows the picture with this number."""
        self._visitor = visitor
        self._wanted = wanted
        self._number = after

    async def tell(self, bulletin: Bulletin | None) -> bytes:
        """What to send of a bulletin; of none, what the page has missed."""
        call = self._visitor.call
        table = await call.house.table(call.table)
        eyes = eyes_at(call, table, self._wanted)
        number, picture = await self._drawn(table, eyes)
        content = b""
        if number > self._number:
            self._number = number
            content = picture
        if bulletin is not None:
            content += self._said(table, eyes, bulletin)
        return content

    async def _drawn(self, table: Table, eyes: Eyes) -> tuple[int, bytes]:
        visitor = self._visitor
        number = table.number(eyes.seat)
        key = Drawn(
            table=table.charter.id,
            seq=table.seq,
            eyes=eyes,
            language=visitor.tongue.code,
            claims=free_seats(visitor.call, table),
            named=visitor.guest is not None,
            present=await visitor.call.house.present(table.charter.id),
            origin=visitor.visit.origin,
        )
        kept = GALLERY.get(key)
        if kept is not None:
            return kept
        seen = await shown(visitor.call, eyes, visitor.tongue)
        extra = Extra(plain=False)
        text = visitor.text("table_live.html", seen=seen, extra=extra)
        content = event("table", text, number)
        GALLERY.put(key, number, content)
        return number, content

    def _said(self, table: Table, eyes: Eyes, bulletin: Bulletin) -> bytes:
        """The sentences; none behind a curtain. What was said before is not left standing."""
        hidden = eyes.viewer != eyes.seat
        tongue = self._visitor.tongue
        sentences = () if hidden else announced(table, bulletin.notices, eyes.seat, tongue)
        return event("say", escape(" ".join(sentences)))


def event(name: str, text: str, number: int | None = None) -> bytes:
    """A server-sent event."""
    lines = "".join(f"data: {line}\n" for line in text.splitlines() if line.strip()) or "data:\n"
    head = f"event: {name}\n" if number is None else f"id: {number}\nevent: {name}\n"
    return f"{head}{lines}\n".encode()
