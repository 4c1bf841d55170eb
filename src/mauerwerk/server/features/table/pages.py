"""A table as a page: everything on it, drawn for one viewer in one language."""

from collections.abc import Hashable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

from msgspec.structs import asdict, replace

from mauerwerk.bots.hints import Hint, has_hints
from mauerwerk.core.game import Seat, Value
from mauerwerk.core.language import Language, capital, sentence
from mauerwerk.games import GAMES
from mauerwerk.server.engine.snapshot import Snapshot
from mauerwerk.server.features.chat import pages, service
from mauerwerk.server.features.ending.end import EndRequest, analysed, end_at
from mauerwerk.server.features.invitations import pages as invitations
from mauerwerk.server.features.invitations.pages import kept_for, welcome_at
from mauerwerk.server.features.matchmaking.pages import may_look, terms_of, waits_at
from mauerwerk.server.features.notifications.service import Notifications
from mauerwerk.server.features.sharing.pages import preview_of_table
from mauerwerk.server.features.spectating import pages as spectating
from mauerwerk.server.features.table import moments, store, view_model
from mauerwerk.server.features.table.view_model import UNADORNED, Extra
from mauerwerk.server.games import last_view, room, web_game
from mauerwerk.server.games import viewpoint as viewpoints
from mauerwerk.server.games.viewpoint import Viewpoint, free_seats, view_from, viewpoint_at
from mauerwerk.server.http import errors, identity, response, seats
from mauerwerk.server.http.request import Request, whole_number
from mauerwerk.server.tables.charter import Guest
from mauerwerk.server.tables.errors import OtherRulesError
from mauerwerk.server.tables.table import Status, Table, Viewer
from mauerwerk.server.tables.table_views import TableView
from mauerwerk.server.ui import cache, dates
from mauerwerk.server.ui.history import History, HistoryLine, ended_words, history_at
from mauerwerk.server.ui.names import names_for, names_on
from mauerwerk.server.ui.page import LONGEST_WORD, VARY, Form, PageRequest, html_reply
from mauerwerk.server.ui.render import text_of

ICONS: Final = (
    *("i-pennant", "i-eye", "i-eyeoff", "i-dots", "i-x", "i-chev"),
    *("i-undo", "i-hint", "i-again"),
)
LINES: Final = 10_000
"""The number of drawn lines of histories that are kept, of about a kilobyte each."""


def _personal(request: PageRequest, table: Table) -> tuple[Hashable, ...]:
    """What the live part of a page shows to its reader alone; most readers share the same."""
    guest, claims = request.guest, free_seats(request, table)
    always = (
        request.base,  # where links lead that the page hands out
        request.preferences.knows,
        guest is not None,  # others are asked for a name
        claims,  # free seats whose links were opened in this browser
        guest.name if guest and claims else "",
        view_model.left_seat(request, table),
        view_model.reserved_seats(request, table),
    )
    match table.status:
        case Status.OPEN:
            return (*always, kept_for(request, table), waits_at(request, table))
        case Status.RUNNING:
            return always
        case Status.OVER:
            return (*always, analysed(request, table))


async def left_seats(request: PageRequest, guest: Guest) -> list[dict[str, Any]] | None:
    """The panel of seats that are kept for a guest who left; None where there is none."""
    now, language = request.host.now(), request.language
    return [
        {
            "table": kept.card.id,
            "seat": kept.seat,
            "title": web_game(kept.card.game).box.title,
            "about": language(
                "{bot} plays in your place.", bot=names_on(kept.card, language)[kept.seat]
            ),
            "left": dates.time_left(kept.until - now, language),
        }
        for kept in await store.reserved_seats(request.host.store, guest.id, now)
    ] or None


def live_part(request: PageRequest, snapshot: Snapshot, viewpoint: Viewpoint) -> str:
    """What is morphed into the page when the table changes, drawn once for all who see the same."""

    def draw() -> str:
        seen = table_page(request, snapshot, viewpoint, request.language)
        return request.text("table/live.html", seen=seen, extra=UNADORNED)

    personal = _personal(request, snapshot.table)
    return snapshot.once(("live", viewpoint, request.language, snapshot.present, personal), draw)


def table_page(
    request: Request, snapshot: Snapshot, viewpoint: Viewpoint, language: Language
) -> view_model.TablePage:
    """The table as it is seen from this viewpoint; its board is drawn once per position."""
    table, viewer = snapshot.table, viewpoint.viewer
    table_view = view_from(snapshot, viewpoint)
    history = history_seen(request, snapshot, viewer, language)
    names = names_for(table.players, viewer, language)
    web = web_game(table_view.game, table_view.rules)
    board, box = web.board, web.box
    here = (*snapshot.present, *viewpoint.own)
    tags = [
        view_model.tags_of(table_view, Seat(seat), here, language) for seat in range(len(names))
    ]
    parts = None
    ask = ""
    asked = EndRequest(snapshot, viewer, names, language)
    end = end_at(request, asked) if table.status is Status.OVER else None
    if table_view.view is not None:
        view = last_view(snapshot, viewer) if end else table_view.view
        notes = tuple(", ".join(each) for each in tags)
        before = [event for notice in history.notices for event in notice.events]
        parts = snapshot.once(
            ("board", viewer, viewpoint.acts, language, notes),
            lambda: board.parts(view, table_view.legal, names, language, before, notes),
        )
        history = view_model.located(web, table_view.view, history)
        ask = (
            ended_words(table.ended, language)
            if table.ended
            else capital(table.game.ask(table_view.view, names, language))
        )
    where = parts.when if parts else language("waiting for players")
    title = view_model.tab_title(
        box.title, table_view.asked, [names[each] for each in table.deciding], language
    )
    question = table_view.question
    return view_model.TablePage(
        table_view=table_view,
        number=table.number(viewpoint.counter),
        moves=len(table.plays),
        viewpoint=viewpoint,
        box=box,
        look=board.LOOK,
        seated=board.SEATED and parts is not None,
        parts=parts,
        title=title,
        where=where,
        ask=ask or language("The game begins when every seat is taken."),
        lines=view_model.seat_rows(
            request, table, table_view, viewpoint, names, parts, tags, language
        ),
        choices=room.buttons(table.game, table_view.legal, language),
        history=tuple(
            _line(each, box.name, language)
            for each in view_model.folded_history(web, table, viewer, history, names, language)
        ),
        since=()
        if viewpoint.together
        else view_model.since_turn(web, table, table_view, history.notices, names, language),
        end=end,
        evening=f"/e/{table.charter.evening}" if table.charter.evening and viewpoint.own else "",
        free_seats=view_model.FreeSeats(
            waits=waits_at(request, table),
            terms=terms_of(table.charter, language),
            welcome=welcome_at(request, table, viewpoint, web, names, language),
            links_opened=tuple(seat for seat, _ in kept_for(request, table)),
        )
        if table.status is Status.OPEN
        else None,
        asker=names[question.seat] if question and table_view.seat in question.waits_for else "",
        curtain="" if viewpoint.curtain is None else names[viewpoint.curtain],
        tray=viewpoints.tray_at(table_view, viewpoint, parts, language),
        gate=viewpoints.gate_before(table_view, viewpoint, names, language),
        chance_form=view_model.chance_form_at(table, viewpoint, language),
        awaited=view_model.awaited(table, names, language),
        forced=view_model.forced_move(table, table_view),
        may_ask=table_view.hints and bool(table_view.legal) and has_hints(table.game),
        left=view_model.left_seat(request, table),
        has_chat=request.host.service(service.Chat).allowed_at(table) != "off",
        goal=view_model.goal_at(table, viewpoint.acts, box, language),
    )


@lru_cache(LINES)
def _line(line: HistoryLine, game: str, language: Language) -> str:
    """A line of the history, drawn. Most lines are as they were before the last move."""
    return text_of("table/parts.html", "line", line, game, language)


def history_seen(
    request: Request, snapshot: Snapshot, viewer: Viewer, language: Language
) -> History:
    """What this viewer was told so far."""
    table = snapshot.table
    # Once the game is over, more is told, and from the beginning.
    over = table.status is Status.OVER
    # The host of the server may give a player another name, also in what was told before.
    names = tuple(occupant.name for occupant in table.occupants)
    key = ("history", table.charter.id, viewer, language.code, over, names)
    return request.host.service(cache.Drawings).grown(
        key, lambda known: history_at(snapshot, viewer, language, known)
    )


def advised(
    table: Table, hints: Sequence[Hint], language: Language
) -> tuple[view_model.Advice, ...]:
    """Hints, in words."""
    return tuple(
        view_model.Advice(
            table.game.write(hint.action),
            capital(table.game.say(hint.action, language)),
            hint.reason,
            None if hint.value is None else round(100 * hint.value),
        )
        for hint in hints
    )


# --- The page --------------------------------------------------------------------------------


async def show(request: PageRequest) -> response.Response:
    """The page of a table; to a page that asks again while it waits, only what changes."""
    try:
        whole = await request.host.snapshot(request.table)
        snapshot = spectating.seen_by(request, whole)
    except OtherRulesError:
        return await show_unsupported(request)
    wanted, opened = (request.query.get(name, "") for name in ("seat", "opened"))
    viewpoint = viewpoint_at(request, snapshot.table, wanted, opened)
    if request.guest is not None:
        request.host.service(Notifications).show(request.guest.id, request.table)
    if request.morphs:
        return html_reply(live_part(request, snapshot, viewpoint))
    said, watched = (
        await pages.panel_at(request, whole.table, viewpoint),
        await spectating.watched_at(request),
    )
    if not viewpoint.own:
        watched = replace(watched, follows=await spectating.is_followed(request))
    return page_of(request, snapshot, viewpoint, Extra(), chat=said, watched=watched)


def page_of(  # noqa: PLR0913 - all that a page shows
    request: PageRequest,
    snapshot: Snapshot,
    viewpoint: Viewpoint,
    extra: Extra,
    status: int = 200,
    *,
    chat: dict[str, Any] | None = None,
    watched: spectating.Watched = spectating.NOBODY,
) -> response.Response:
    """The whole page of a table; a page without the chat asks for it."""
    seen = table_page(request, snapshot, viewpoint, request.language)
    waits = seen.table_view.status is Status.OPEN
    symbols = (*ICONS, *seen.symbols, *(invitations.ICONS if waits else ()))
    return request.render(
        "table/page.html",
        status,
        seats.renewed_tokens(request, snapshot.table),
        seen=seen,
        extra=extra,
        preview=preview_of_table(request, snapshot),
        symbols=(*symbols, *(pages.ICONS if seen.has_chat else ())),
        chat=chat,
        watched=watched,
        may_look=may_look(snapshot.table),
        now=request.host.now(),
        chat_words=pages.chat_words(request.language),
        reported="reported" in request.query,
    )


def next_part(
    request: PageRequest,
    snapshot: Snapshot,
    viewpoint: Viewpoint,
    after: int,
    extra: Extra = UNADORNED,
) -> str:
    """What is morphed into a page that has the picture with this number, the moments last."""
    if extra == UNADORNED:
        live = live_part(request, snapshot, viewpoint)
    else:
        seen = table_page(request, snapshot, viewpoint, request.language)
        live = request.text("table/live.html", seen=seen, extra=extra)
    if request.preferences.sounds:
        live += moments.sounds_part(snapshot.table, viewpoint, after)
    return live + moments.moments_part(request, snapshot, viewpoint, after)


# --- A table whose rules this server does not have ------------------------------------------------


async def show_unsupported(request: PageRequest) -> response.Response:
    """Why nobody can play on, who played, and once it is over the moves as they are stored."""
    database, table = request.host.store, request.table
    seen = await store.unsupported_table(database, table)
    language = request.language
    game = GAMES.get(seen.charter.game)
    return request.render(
        "table/unsupported.html",
        seen=seen,
        title=seen.charter.game if game is None else game.TITLE,
        names=names_on(seen.card, language),
        ended=ended_words(seen.ended, language) if seen.ended else "",
        when=dates.day_of(seen.card.changed, request.host.now(), language),
        may_end=await store.may_end(database, table, request.guest),
    )


async def end_unsupported(request: PageRequest, form: Form) -> response.Response:
    """End it without a winner."""
    del form
    await store.end(request.host.store, request.table, identity.guest_in(request))
    return response.redirect(f"/t/{request.table}")


# --- What a choice would do: the page asks for it while somebody thinks about the choice ----------


async def preview(request: PageRequest) -> response.Response:
    """What a word would do for a seat of the visitor. Raises HttpError or MoveError."""
    snapshot = await request.host.snapshot(request.table)
    table = snapshot.table
    seat = seats.seat_for(request, table, whole_number(request.query.get("seat", "")))
    viewpoint = viewpoint_at(request, table, str(seat), request.query.get("opened", ""))
    if viewpoint.acts != seat:
        raise errors.HttpError(403, "this seat is behind the gate")
    word = request.query.get("word", "")[:LONGEST_WORD]
    viewer, code = viewpoint.viewer, request.language.code
    # The viewer is None where the seat chooses in front of all who share the device.
    key = ("preview", table.charter.id, table.seq, seat, viewer, code, word)
    view = view_from(snapshot, viewpoint)
    action = table.game.parse(word)
    if action not in view.legal:  # the table has changed since it was pointed at
        return response.Response(b"", b"text/plain", 204)
    drawings = request.host.service(cache.Drawings)
    made = drawings.once(key, lambda: _preview(request, snapshot, view, viewer, action))
    return response.reply(made, headers=[VARY])


class ExplanationMessage(Value):
    """An explanation as the page's script gets it."""

    html: str
    drawing: str
    marks: Mapping[str, str]
    aloud: str


async def explain(request: PageRequest) -> response.Response:
    """What a card, a piece or a figure is for, and what it pays now; 204 if there is nothing."""
    whole = await request.host.snapshot(request.table)
    snapshot = spectating.seen_by(request, whole)
    table, language = snapshot.table, request.language
    wanted, opened = (request.query.get(name, "") for name in ("seat", "opened"))
    viewpoint = viewpoint_at(request, table, wanted, opened)
    view = view_from(snapshot, viewpoint)
    make = web_game(view.game, view.rules).explain
    names = names_for(table.players, viewpoint.viewer, language)
    thing = request.query.get("thing", "")[:LONGEST_WORD]
    found = make(view.view, thing, names, language) if make and view.view is not None else None
    if found is None:
        return response.Response(b"", b"text/plain", 204)
    rows = (f"{each.words}: {each.points}" if each.points else each.words for each in found.now)
    said = (found.title, found.sentence, *rows, found.aloud, found.more)
    message = ExplanationMessage(
        html=request.text("table/explanation.html", each=found, game=view.game),
        drawing=found.drawing,
        marks=found.marks,
        aloud=" ".join(sentence(each.rstrip(".")) for each in said if each),
    )
    return response.reply(message, headers=[VARY])


def _preview(
    request: PageRequest,
    snapshot: Snapshot,
    table_view: TableView,
    viewer: Viewer,
    action: Any,  # noqa: ANN401 - the game's own
) -> room.PreviewMessage:
    language = request.language
    said = capital(snapshot.table.game.say(action, language))
    names = names_for(snapshot.table.players, viewer, language)
    draw = web_game(table_view.game, table_view.rules).preview
    told = history_seen(request, snapshot, viewer, language).notices
    before = [event for notice in told for event in notice.events]
    made = draw(table_view.view, action, names, language, before) if draw else None
    preview = made or room.Preview(sentence="")
    message = room.PreviewMessage(said=said, **asdict(preview))
    return message if message.act else replace(message, act=said)
