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
from mauerwerk.play.host.audience import NoticeBatch
from mauerwerk.play.tables.table import Table
from mauerwerk.web.api.operation import whole_number
from mauerwerk.web.http.faults import Fault
from mauerwerk.web.http.replies import refuse
from mauerwerk.web.http.static import takes_gzip
from mauerwerk.web.pages.page import Visitor
from mauerwerk.web.pages.story import announced
from mauerwerk.web.pages.table import Extra, table_page
from mauerwerk.web.pages.viewpoint import Viewpoint, free_seats, seats_of, viewpoint_at

KEPT: Final = 512
"""So many drawings are kept for others who look with the same eyes."""


class DrawingKey(NamedTuple):
    """All that a drawing depends on: what is the same for two pages looks the same on both."""

    table: str
    seq: int
    """How long its log is."""

    viewpoint: Viewpoint
    language: str
    claims: tuple[Seat, ...]
    """Free seats whose links were opened in this browser."""

    named: bool
    """Whether it is a guest's; who is none is asked for a name."""

    present: tuple[Seat, ...]
    """Seats for which somebody watches."""

    origin: str
    """Where the page was found; links that it hands out lead there."""


class DrawingCache:
    """Drawings that were just made."""

    def __init__(self) -> None:
        """None yet."""
        self._kept: OrderedDict[DrawingKey, tuple[int, bytes]] = OrderedDict()

    def get(self, key: DrawingKey) -> tuple[int, bytes] | None:
        """The drawing, and its number, if it is there."""
        return self._kept.get(key)

    def put(self, key: DrawingKey, number: int, content: bytes) -> None:
        """Keep it, and forget the oldest."""
        self._kept[key] = number, content
        while len(self._kept) > KEPT:
            self._kept.popitem(last=False)


DRAWINGS: Final = DrawingCache()


async def follow(visitor: Visitor) -> ASGIApp:
    """The stream of one page."""
    call = visitor.call
    wanted = visitor.query.get("seat", "")
    table = await call.host.table(call.table)
    viewpoint = viewpoint_at(call, table, wanted)
    teller = Teller(visitor, wanted, _left_off(visitor))

    async def may_still() -> bool:
        return viewpoint.seat in seats_of(call, await call.host.table(call.table))

    async def serve(scope: Scope, receive: Receive, send: Send) -> None:
        told = await call.host.subscribe(call.table, viewpoint.seat, after=None)
        try:
            if viewpoint.seat is not None and not await may_still():
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
    return whole_number(said) or 0


class Teller:
    """Draws a table for one page, as often as it changes."""

    def __init__(self, visitor: Visitor, wanted: str, after: int) -> None:
        """The page shows the picture with this number."""
        self._visitor = visitor
        self._wanted = wanted
        self._number = after

    async def tell(self, batch: NoticeBatch | None) -> bytes:
        """What to send of a batch; of none, what the page has missed."""
        call = self._visitor.call
        table = await call.host.table(call.table)
        viewpoint = viewpoint_at(call, table, self._wanted)
        number, picture = await self._drawn(table, viewpoint)
        content = b""
        if number > self._number:
            self._number = number
            content = picture
        if batch is not None:
            content += self._said(table, viewpoint, batch)
        return content

    async def _drawn(self, table: Table, viewpoint: Viewpoint) -> tuple[int, bytes]:
        visitor = self._visitor
        number = table.number(viewpoint.seat)
        key = DrawingKey(
            table=table.charter.id,
            seq=table.seq,
            viewpoint=viewpoint,
            language=visitor.language.code,
            claims=free_seats(visitor.call, table),
            named=visitor.guest is not None,
            present=await visitor.call.host.present(table.charter.id),
            origin=visitor.visit.origin,
        )
        kept = DRAWINGS.get(key)
        if kept is not None:
            return kept
        seen = await table_page(visitor.call, viewpoint, visitor.language)
        extra = Extra(plain=False)
        text = visitor.text("table_live.html", seen=seen, extra=extra)
        content = event("table", text, number)
        DRAWINGS.put(key, number, content)
        return number, content

    def _said(self, table: Table, viewpoint: Viewpoint, batch: NoticeBatch) -> bytes:
        """The sentences; none behind a curtain. What was said before is not left standing."""
        hidden = viewpoint.viewer != viewpoint.seat
        language = self._visitor.language
        sentences = () if hidden else announced(table, batch.notices, viewpoint.seat, language)
        return event("say", escape(" ".join(sentences)))


def event(name: str, text: str, number: int | None = None) -> bytes:
    """A server-sent event."""
    lines = "".join(f"data: {line}\n" for line in text.splitlines() if line.strip()) or "data:\n"
    head = f"event: {name}\n" if number is None else f"id: {number}\nevent: {name}\n"
    return f"{head}{lines}\n".encode()
