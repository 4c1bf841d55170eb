"""The live table: whenever the table changes, its page is sent again, drawn for the viewer.

Each event `table` is the whole inside of the page's live part. Its id is the viewer's number, so
that a page never goes back to an older picture. Each event `say` is what was told, in sentences,
for screen readers. Each event `chat` is what people said (`pages.chat`). Each event `on` is the
number of a moment that a player has ended for all.
"""

from collections.abc import Callable, Sequence
from html import escape
from typing import NamedTuple

from starlette.types import ASGIApp, Receive, Scope, Send

from mauerwerk.core.game import Seat
from mauerwerk.core.language import Language
from mauerwerk.server.engine.audience import NoticeBatch, Subscription, Watcher
from mauerwerk.server.engine.snapshot import Snapshot
from mauerwerk.server.features.chat import pages, service
from mauerwerk.server.features.chat.messages import Message
from mauerwerk.server.features.spectating.pages import seen_by, watcher_of, watchers_part
from mauerwerk.server.features.table.moments import EndedForAll, moments_at
from mauerwerk.server.features.table.pages import next_part
from mauerwerk.server.games.viewpoint import Viewpoint, recounted, viewpoint_at
from mauerwerk.server.http import errors, response, seats, static, stream
from mauerwerk.server.http.costs import Costs
from mauerwerk.server.http.request import Request, whole_number
from mauerwerk.server.tables.log import Kind
from mauerwerk.server.tables.notices import Notice
from mauerwerk.server.tables.table import Table, Viewer
from mauerwerk.server.ui import history, names, page


async def follow(request: page.PageRequest) -> ASGIApp:
    """The stream of one page."""
    wanted, opened = (request.query.get(name, "") for name in ("seat", "opened"))
    table = await request.host.table(request.table)
    viewpoint = viewpoint_at(request, table, wanted, opened)
    return table_stream(
        request,
        viewpoint.seat,
        watcher_of(request, table, unseen=request.preferences.unseen),
        lambda told: Teller(request, told, (wanted, opened), viewpoint).tell,
        owns=seats.seats_played,
        looks=viewpoint.looks,
        packed=static.takes_gzip(request),
    )


def table_stream(  # noqa: PLR0913 - who listens, what is told, and how
    request: Request,
    viewer: Viewer,
    watcher: Watcher | None,
    teller: Callable[[Subscription], stream.Tell],
    *,
    owns: Callable[[Request, Table], Sequence[Seat]],
    after: int | None = None,
    looks: Seat | None = None,
    shows: bool = False,
    packed: bool = False,
    frame: stream.Frame | None = None,
) -> ASGIApp:
    """What is told of a table, for as long as the listener has the seat, or watches."""
    streams = request.host.service(stream.Streams)

    async def serve(scope: Scope, receive: Receive, send: Send) -> None:
        await request.host.service(service.Chat).prepare(request.table)
        told = await request.host.subscribe(
            request.table, viewer, after=after, looks=looks, watcher=watcher, shows=shows
        )

        def may_still() -> bool:
            if viewer is None:
                return watcher is not None or bool(seats.seats_played(request, told.latest.table))
            return viewer in owns(request, told.latest.table)

        try:
            if not may_still():
                # The seat has changed hands since the first look.
                await response.refuse(errors.HttpError(403, "that is not your seat"))(
                    scope, receive, send
                )
                return
            tell = teller(told)
            await streams.serve(
                told, may_still, scope, receive, send, tell, packed=packed, frame=frame
            )
        finally:
            told.close()

    return streams.counted(request.client, serve)


class Told(NamedTuple):
    """What was told, by the count of the viewer to whom it was told."""

    listener: Viewer
    notices: Sequence[Notice]


class Teller:
    """Draws a table for one page as often as it changes, from the batch that wakes it alone."""

    def __init__(
        self,
        request: page.PageRequest,
        told: Subscription,
        wanted: tuple[str, str],
        viewpoint: Viewpoint,
    ) -> None:
        """The page is for this seat, whose gate was opened then.

        Batches are told to the seat that looked at first.
        """
        self.request = request
        self._told = told
        self._wanted = wanted
        self._listener = viewpoint.seat
        left_off = request.headers.get("last-event-id") or request.query.get("after", "")
        self._number = whole_number(left_off) or 0
        """The number of the picture that the page has."""

        self._before = viewpoint
        self._heard = whole_number(request.query.get("heard", ""), 16)
        """The number of the last message that the page has, if it has chat."""

    async def tell(self, batch: NoticeBatch | None) -> bytes:
        """What to send of a batch; of none, what the page has missed."""
        request = self.request
        return await request.host.service(Costs).streamed(request.client, self._tell(batch))

    async def _tell(self, batch: NoticeBatch | None) -> bytes:
        try:
            snapshot = self.snapshot_of(self._told.latest)
        except errors.HttpError:  # the game has begun, and its players have no spectators
            return b""
        if batch is None:
            return self._picture(snapshot) + await self._missed_chat()
        if batch.watching:
            return event("watch", await watchers_part(self.request))
        if batch.announcements:
            assert batch.snapshot is not None
            chat = _chat(self.request, batch.snapshot.table, service.messages_in(batch))
            return chat + self._ended(snapshot.table, batch)
        before, seen_before = self._number, self._before
        content = self._picture(snapshot)
        viewpoint = self._before
        told = Told(self._listener, batch.notices)
        if viewpoint.together:
            told = Told(None, snapshot.history(None, after=before))
        said = self._said(snapshot, viewpoint, seen_before, told)
        # Nothing new takes no place: the page may just have said what it says by itself. But what
        # was said to one is not left standing for another.
        if said or not (snapshot.table.outcome or viewpoint.viewer == seen_before.viewer):
            content += event("say", escape(said))
        return content

    def _ended(self, table: Table, batch: NoticeBatch) -> bytes:
        """The numbers of moments that a player has ended for all, of those that are seen here."""
        ended = [
            each.seq
            for each in batch.announcements
            if isinstance(each, EndedForAll) and each.seq < len(table.log)
        ]
        counter = self._before.counter
        return b"".join(event("on", str(table.number_of(seq, counter))) for seq in ended)

    def _picture(self, snapshot: Snapshot) -> bytes:
        viewpoint = self.viewpoint_at(snapshot.table)
        before, number = self._number, snapshot.table.number(viewpoint.counter)
        self._before = viewpoint
        if number <= before:
            return b""
        self._number = number
        return event("table", self.drawn(snapshot, viewpoint, before), number)

    def snapshot_of(self, latest: Snapshot) -> Snapshot:
        """The table as the reader may see it. Raises HttpError."""
        return seen_by(self.request, latest)

    def viewpoint_at(self, table: Table) -> Viewpoint:
        """From where the page shows it."""
        return viewpoint_at(self.request, table, *self._wanted)

    def drawn(self, snapshot: Snapshot, viewpoint: Viewpoint, after: int) -> str:
        """What is morphed into a page that has the picture with this number."""
        return next_part(self.request, snapshot, viewpoint, after)

    async def _missed_chat(self) -> bytes:
        if self._heard is None:
            return b""
        request = self.request
        snapshot = await request.host.snapshot(request.table)
        said = await request.host.service(service.Chat).said(request.table)
        missed = [each for each in said if each.at > self._heard]
        return _chat(request, snapshot.table, missed)

    def _said(self, snapshot: Snapshot, viewpoint: Viewpoint, before: Viewpoint, told: Told) -> str:
        """The sentences; behind a gate only whose it is.

        A moment has its own announcement, and so has the end of a game, once the page shows it.
        """
        table, language = snapshot.table, self.request.language
        if viewpoint.curtain is not None:
            known = viewpoint.curtain == before.curtain
            return "" if known else _passed_on(table, viewpoint, language)
        if table.outcome and any(notice.kind is Kind.MOVE for notice in told.notices):
            return ""
        notices = _unshown(snapshot, viewpoint, language, told)
        viewer = viewpoint.viewer
        return snapshot.once(
            ("said", viewer, language, notices),
            lambda: " ".join(history.announced(table.game, notices, viewer, language)),
        )


def _unshown(
    snapshot: Snapshot, viewpoint: Viewpoint, language: Language, told: Told
) -> tuple[Notice, ...]:
    """What no moment shows. A shared device counts moments as spectators do, who see less."""
    table = snapshot.table
    first = told.notices[0].number if told.notices else 1
    after = recounted(table, first - 1, told.listener, viewpoint.counter)
    moments = moments_at(snapshot, viewpoint, language, after)
    shown = {table.number_of(moment.seq, told.listener) for moment in moments}
    return tuple(notice for notice in told.notices if notice.number not in shown)


def _passed_on(table: Table, viewpoint: Viewpoint, language: Language) -> str:
    assert viewpoint.curtain is not None
    who = names.names_for(table.players, None, language)[viewpoint.curtain]
    words = language("Pass the device to {who}", who=who)
    return f"{words}. {language('Nobody else should look now.')}"


def _chat(request: page.PageRequest, table: Table, said: Sequence[Message]) -> bytes:
    lines = pages.lines_part(request, table, said)
    return event("chat", lines) if lines else b""


def event(name: str, text: str, number: int | None = None) -> bytes:
    """A server-sent event."""
    lines = "".join(f"data: {line}\n" for line in text.splitlines() if line.strip()) or "data:\n"
    head = f"event: {name}\n" if number is None else f"id: {number}\nevent: {name}\n"
    return f"{head}{lines}\n".encode()
