"""The live table: whenever the table changes, its page is sent again, drawn for the viewer.

Each event `table` is the whole inside of the page's live part. Its id is the viewer's number, so
that a page never goes back to an older picture. Each event `say` is what was told, in sentences,
for screen readers. Each event `chat` is what people said (`pages.chat`).
"""

from collections.abc import Sequence
from html import escape
from typing import NamedTuple

from starlette.types import ASGIApp, Receive, Scope, Send

from mauerwerk.core.language.translation import Language
from mauerwerk.server.engine.audience import NoticeBatch
from mauerwerk.server.features.chat.messages import Message
from mauerwerk.server.features.chat.pages import lines_part
from mauerwerk.server.features.chat.service import Chat, messages_in
from mauerwerk.server.features.spectating.access import seen_by, watcher_of
from mauerwerk.server.features.spectating.pages import watchers_part
from mauerwerk.server.features.table.moments import moments_at
from mauerwerk.server.features.table.pages import next_part
from mauerwerk.server.games.viewpoint import Viewpoint, recounted, seats_of, viewpoint_at
from mauerwerk.server.http.errors import HttpError
from mauerwerk.server.http.request import whole_number
from mauerwerk.server.http.response import refuse
from mauerwerk.server.http.static import takes_gzip
from mauerwerk.server.http.stream import Streams
from mauerwerk.server.tables.log import Kind
from mauerwerk.server.tables.notices import Notice
from mauerwerk.server.tables.table import Table, Viewer
from mauerwerk.server.ui.cache import Drawings
from mauerwerk.server.ui.history import announced
from mauerwerk.server.ui.names import names_for
from mauerwerk.server.ui.page import PageRequest


async def follow(request: PageRequest) -> ASGIApp:
    """The stream of one page."""
    wanted = request.query.get("seat", "")
    table = await request.host.table(request.table)
    opened = request.query.get("opened", "")
    viewpoint = viewpoint_at(request, table, wanted, opened)
    watcher = watcher_of(request, table, unseen=request.preferences.unseen)
    teller = Teller(request, (wanted, opened), viewpoint, _left_off(request))

    async def may_still() -> bool:
        if viewpoint.seat is None and watcher is not None:
            return True
        own = seats_of(request, await request.host.table(request.table))
        return bool(own) if viewpoint.seat is None else viewpoint.seat in own

    async def serve(scope: Scope, receive: Receive, send: Send) -> None:
        await request.app.service(Chat).prepare(request.table)
        told = await request.host.subscribe(
            request.table, viewpoint.seat, after=None, looks=viewpoint.looks, watcher=watcher
        )
        try:
            if not await may_still():
                # The seat has changed hands since the first look.
                await refuse(HttpError(403, "that is not your seat"))(scope, receive, send)
                return
            await request.app.service(Streams).serve(
                told, may_still, scope, receive, send, teller.tell, packed=takes_gzip(request)
            )
        finally:
            told.close()

    return request.app.service(Streams).counted(request.client, serve)


def _left_off(request: PageRequest) -> int:
    """The number of the picture that the page has."""
    said = request.headers.get("last-event-id") or request.query.get("after", "")
    return whole_number(said) or 0


class Told(NamedTuple):
    """What was told, by the count of the viewer to whom it was told."""

    listener: Viewer
    notices: Sequence[Notice]


class Teller:
    """Draws a table for one page, as often as it changes."""

    def __init__(
        self, request: PageRequest, wanted: tuple[str, str], viewpoint: Viewpoint, after: int
    ) -> None:
        """The page is for this seat, whose gate was opened then, and shows this picture.

        Batches are told to the seat that looked at first.
        """
        self._request = request
        self._wanted = wanted
        self._listener = viewpoint.seat
        self._number = after
        self._before = viewpoint
        self._heard = whole_number(request.query.get("heard", ""))
        """The number of the last message that the page has, if it has chat."""

    async def tell(self, batch: NoticeBatch | None) -> bytes:
        """What to send of a batch; of none, what the page has missed."""
        request = self._request
        try:
            whole = await request.host.snapshot(request.table)
            snapshot = seen_by(request, whole)
        except HttpError:  # the game has begun, and its players have no spectators
            return b""
        if batch is not None and batch.watching:
            return event("watch", await watchers_part(self._request))
        if batch is not None and batch.announcements:
            return _chat(self._request, whole.table, messages_in(batch))
        viewpoint = viewpoint_at(request, snapshot.table, *self._wanted)
        before, number = self._number, snapshot.table.number(viewpoint.counter)
        content = b""
        if number > before:
            part = next_part(self._request, snapshot, viewpoint, before)
            self._number = number
            content = event("table", part, number)
        if batch is None and self._heard is not None:
            chat = await request.host.service(Chat).said(request.table)
            missed = [each for each in chat if each.number > self._heard]
            content += _chat(self._request, whole.table, missed)
        if batch is not None:
            told = Told(self._listener, batch.notices)
            if viewpoint.together:
                told = Told(None, snapshot.history(None, after=before))
            said = self._said(snapshot.table, viewpoint, told)
            # Nothing new takes no place: the page may just have said what it says by itself. But
            # what was said to one is not left standing for another.
            if said or not (snapshot.table.outcome or viewpoint.viewer == self._before.viewer):
                content += event("say", escape(said))
        self._before = viewpoint
        return content

    def _said(self, table: Table, viewpoint: Viewpoint, told: Told) -> str:
        """The sentences; behind a gate only whose it is.

        A moment has its own announcement, and so has the end of a game, once the page shows it.
        """
        language = self._request.language
        if viewpoint.curtain is not None:
            known = viewpoint.curtain == self._before.curtain
            return "" if known else _passed_on(table, viewpoint, language)
        if table.outcome and any(notice.kind is Kind.MOVE for notice in told.notices):
            return ""
        notices = self._unshown(table, viewpoint, told)
        return " ".join(announced(table.game, notices, viewpoint.viewer, language))

    def _unshown(self, table: Table, viewpoint: Viewpoint, told: Told) -> list[Notice]:
        """What no moment shows. A shared device counts moments as spectators do, who see less."""
        drawings, language = self._request.app.service(Drawings), self._request.language
        first = told.notices[0].number if told.notices else 1
        after = recounted(table, first - 1, told.listener, viewpoint.counter)
        moments = moments_at(drawings, table, viewpoint, language, after)
        shown = {table.number_of(moment.seq, told.listener) for moment in moments}
        return [notice for notice in told.notices if notice.number not in shown]


def _passed_on(table: Table, viewpoint: Viewpoint, language: Language) -> str:
    """What is said when a gate shuts."""
    assert viewpoint.curtain is not None
    who = names_for(table.occupants, None, language)[viewpoint.curtain]
    words = language("Pass the device to {who}", who=who)
    return f"{words}. {language('Nobody else should look now.')}"


def _chat(request: PageRequest, table: Table, said: Sequence[Message]) -> bytes:
    lines = lines_part(request, table, said)
    return event("chat", lines) if lines else b""


def event(name: str, text: str, number: int | None = None) -> bytes:
    """A server-sent event."""
    lines = "".join(f"data: {line}\n" for line in text.splitlines() if line.strip()) or "data:\n"
    head = f"event: {name}\n" if number is None else f"id: {number}\nevent: {name}\n"
    return f"{head}{lines}\n".encode()
