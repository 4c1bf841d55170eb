"""Chat on the page of a table: a tab beside the story, for players and for spectators.

Each event `chat` of the stream has the lines of what was said since, in the reader's language. Only
this module turns messages into HTML, and it gets none that the reader may not hear.
"""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, Final

from mauerwerk.core.language import YOU, Language, capital, is_you
from mauerwerk.server.features.chat import messages, service
from mauerwerk.server.features.chat.messages import Form, Message, Side
from mauerwerk.server.games.viewpoint import Viewpoint, viewpoint_at
from mauerwerk.server.http.errors import HttpError
from mauerwerk.server.http.request import whole_number
from mauerwerk.server.http.response import Header, Response, redirect
from mauerwerk.server.http.seats import seats_played
from mauerwerk.server.tables import errors
from mauerwerk.server.tables.table import Status, Table
from mauerwerk.server.ui import error_texts, names
from mauerwerk.server.ui import page as sent
from mauerwerk.server.ui.cache import Drawings
from mauerwerk.server.ui.page import PageRequest, html_reply

ICONS: Final = (
    *("i-chat", "i-dots", "i-send", "i-eye", "i-mute", "i-flag", "i-x"),
    *(f"face-{name}" for name in messages.FACES),
)

ChatLine = dict[str, Any]
"""Something that was said, as the template shows it to the reader."""


async def panel_at(
    request: PageRequest, table: Table, viewpoint: Viewpoint
) -> dict[str, Any] | None:
    """The chat of a table; None where nobody may chat."""
    allowed = request.host.service(service.Chat).allowed_at(table)
    if allowed == "off":
        return None
    said = await request.host.service(service.Chat).said(table.charter.id)
    own, acts = viewpoint.own, viewpoint.acts
    return {
        "table": table.charter.id,
        "lines": lines_of(request, table, said),
        "allowed": allowed,
        "speaks": Side.PLAYERS if own else Side.SPECTATORS,
        "seat": acts if acts is not None else own[0] if own else None,
        "over": table.status is Status.OVER,
        "faces": messages.FACES,
        "phrases": messages.PHRASES,
        "longest": messages.LONGEST_TEXT,
    }


def lines_of(request: PageRequest, table: Table, said: Sequence[Message]) -> list[ChatLine]:
    """What of this the reader may hear, in their language."""
    language = request.language
    own = seats_played(request, table)
    called = names.names_for(table.players, own[0] if len(own) == 1 else None, language)
    guest = request.identity.guest.id if request.identity.guest else ""
    own_ids = {guest, *(table.occupants[seat].guest for seat in own)} - {""}
    return [
        {
            "said": each,
            "by": request.host.keys.speaker_key(table.charter.id, each.guest),
            "mark": 0 if each.seat is None else each.seat + 1,
            "name": capital(language.called(_called(each, table, called, guest))),
            "words": each.in_words(language),
            "face": each.word if each.form is Form.FACE and each.word in messages.FACES else "",
            # The time of day, for readers without a script.
            "clock": f"{datetime.fromtimestamp(each.at / 1_000, UTC):%H:%M}",
            "mine": each.guest in own_ids,
        }
        for each in service.heard_by(request, table, said)
    ]


def _called(said: Message, table: Table, called: Sequence[str], guest: str) -> str:
    """The name of a speaker: as the seat is called, or one that is not taken for another."""
    if said.seat is not None and table.occupants[said.seat].guest == said.guest:
        return called[said.seat]
    if said.seat is None and guest and said.guest == guest:
        return YOU
    name = f"“{said.name}”" if is_you(said.name) else said.name
    return names.apart([*called, name])[-1]


def lines_part(request: PageRequest, table: Table, said: Sequence[Message]) -> str:
    """The same as HTML, drawn once for all who read the same; empty where there is nothing."""
    lines = lines_of(request, table, said)
    if not lines:
        return ""
    key = (
        "chat",
        table.charter.id,
        table.seq,
        tuple(line["said"].at for line in lines),
        seats_played(request, table),
        request.identity.guest.id if request.identity.guest else "",
        request.language.code,
    )
    return request.host.service(Drawings).once(
        key, lambda: request.text("chat/lines.html", lines=lines)
    )


# --- Requests --------------------------------------------------------------------------------


async def show(request: PageRequest) -> Response:
    """The chat alone, for a page on which the table has just appeared or come to its end."""
    table = await request.host.table(request.table)
    viewpoint = viewpoint_at(request, table, request.query.get("seat", ""))
    panel = await panel_at(request, table, viewpoint)
    if panel is None:
        raise HttpError(404, "chat is off at this table")
    return html_reply(request.text("chat/panel.html", chat=panel))


async def say(request: PageRequest, form: sent.Form) -> Response:
    """Say what was pressed or typed; spectators without a name get one."""
    table = await request.host.table(request.table)
    headers: list[Header] = []
    if not seats_played(request, table) and request.guest is None:
        guest, headers = request.known()
        request.identity = request.identity._replace(guest=guest)
    try:
        speaker = service.speaker_at(request, table, form.number("seat"))
        said = await request.host.service(service.Chat).say(request.table, speaker, *_chosen(form))
    except (HttpError, errors.RequestError) as error:
        return _refused(request, error)
    if not request.morphs:
        return redirect(f"/t/{request.table}#story", headers)
    return html_reply(lines_part(request, table, [said]), headers=headers)


def _chosen(form: sent.Form) -> tuple[Form, str]:
    for each in (Form.FACE, Form.PHRASE):
        if word := form.get(each.value):
            return each, word
    return Form.TEXT, form.get("text", "")


async def report(request: PageRequest, form: sent.Form) -> Response:
    """Tell the host of the server what somebody said."""
    try:
        await service.report(request, whole_number(form.get("number", ""), 16) or 0)
    except (HttpError, errors.RequestError) as error:
        return _refused(request, error)
    return Response(b"", b"text/plain", 204)


def _refused(request: PageRequest, error: Exception) -> Response:
    """Why it was not said, in one sentence for the page that has what was typed."""
    if not request.morphs:
        raise error
    refusal = error_texts.refusal_of(error, request.language)
    return Response(refusal.words.encode(), b"text/plain; charset=utf-8", refusal.status)


def chat_words(language: Language) -> dict[str, str]:
    """Sentences that the script of the page fills in: {who} and {number} stay as they are."""
    who = "{who}"
    return {
        "mute": language("Mute {who}", who=who),
        "unmute": language("Unmute {who}", who=who),
        "alone": language("only for you, this game"),
        "all": language("Mute everybody"),
        "none": language("Unmute everybody"),
        "report": language("Report “{words}” …", words="{words}"),
        "reads": language("the host of this server reads it"),
        "reported": language("Thank you. The host of this server will look at it."),
        "muted": language("{who} is muted.", who=who),
        "silent": language("Everybody is muted."),
        "one": language.many(1, "{number} message is hidden.", "{number} messages are hidden."),
        "many": language.many(2, "{number} message is hidden.", "{number} messages are hidden."),
        "lost": language("Your message was not sent: the connection is down."),
    }
