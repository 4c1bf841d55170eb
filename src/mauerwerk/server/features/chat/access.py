"""Chat, for pages and programs alike: who speaks, what a caller hears, and phrases in words."""

from collections.abc import Mapping, Sequence
from typing import Final

from mauerwerk.core.game import Seat
from mauerwerk.core.language.translation import ENGLISH, Language, message
from mauerwerk.server.features.chat import messages, service
from mauerwerk.server.features.chat.messages import Form, Message, Side, Speaker
from mauerwerk.server.features.moderation import store as moderation
from mauerwerk.server.features.moderation.state import Report, Subject
from mauerwerk.server.http.errors import HttpError
from mauerwerk.server.http.identity import cleaned, guest_in
from mauerwerk.server.http.request import Request
from mauerwerk.server.http.seats import own_seats
from mauerwerk.server.keys import new_id
from mauerwerk.server.tables import errors, table_views
from mauerwerk.server.tables.table import Status, Table

PHRASES: Final[Mapping[str, str]] = {
    "well-built": message("Well built!"),
    "thank-you": message("Thank you"),
    "one-moment": message("One moment"),
    "hello": message("Hello!"),
    "good-luck": message("Good luck, everybody!"),
    "your-turn": message("It is your turn"),
    "well-played": message("Well played!"),
    "sorry": message("Sorry!"),
    "back-soon": message("I will be right back"),
    "good-game": message("A fine game"),
    "again": message("Another game?"),
    "goodbye": message("Goodbye!"),
}
"""Each phrase; everybody reads it in their own language."""

FACES: Final[Mapping[str, str]] = {
    "smile": message("Smile"),
    "laugh": message("Laugh"),
    "wow": message("Surprised"),
    "hmm": message("Let me think"),
    "oh": message("Oh no"),
    "wink": message("Wink"),
}
"""What each face is called."""


def words_of(said: Message, language: Language) -> str:
    """What was said, in words."""
    match said.form:
        case Form.FACE:
            return language(FACES[said.word]) if said.word in FACES else said.word
        case Form.PHRASE:
            return language(PHRASES[said.word]) if said.word in PHRASES else said.word
        case Form.TEXT:
            return said.word


def seats_played(request: Request, table: Table) -> tuple[Seat, ...]:
    """The seats that the caller plays here."""
    try:
        own = own_seats(request, table)
    except HttpError:
        return ()
    return tuple(seat for seat in own if table.occupants[seat].guest)


def heard_by(request: Request, table: Table, said: Sequence[Message]) -> tuple[Message, ...]:
    """What of this the caller may hear now; spectators who are behind hear players later."""
    player = bool(seats_played(request, table))
    heard = messages.audible(said, player=player, over=table.status is Status.OVER)
    if player or not table_views.is_late(table):
        return heard
    last = table_views.seen_until(table)
    return tuple(each for each in heard if each.side is Side.SPECTATORS or each.at <= last)


def speaker_at(request: Request, table: Table, wanted: int | None) -> Speaker:
    """As whom the caller speaks: from a seat of theirs, or as a spectator. Raises HttpError."""
    own = seats_played(request, table)
    if not own:
        guest = guest_in(request)
        return Speaker(guest.id, guest.name)
    seat = Seat(wanted) if wanted is not None and wanted in own else own[0]
    occupant = table.occupants[seat]
    return Speaker(occupant.guest, occupant.name, seat)


async def say(request: Request, speaker: Speaker, form: Form, word: str) -> Message:
    """Say something at the table of the call; a text is one line without anything invisible."""
    said = cleaned(word, messages.LONGEST_TEXT) if form is Form.TEXT else word
    return await request.host.service(service.Chat).say(request.table, speaker, form, said)


async def report(request: Request, number: int, text: str = "") -> None:
    """Report what somebody said, with what came before it. Raises HttpError and RequestError."""
    table = await request.host.table(request.table)
    heard = heard_by(request, table, await request.host.service(service.Chat).said(request.table))
    quoted = messages.with_context(heard, number)
    if not quoted:
        raise errors.RequestError(errors.Reason.NOTHING_SAID)
    told, speaker = quoted[-1], speaker_at(request, table, None)
    if told.guest == speaker.guest:
        raise HttpError(422, "that is you", code="seat")
    request.app.limiter.report(request.client)
    made = Report(
        id=new_id(),
        at=request.host.now(),
        table=request.table,
        game=table.charter.game,
        seat=told.seat,
        guest=told.guest,
        name=told.name,
        about=Subject.CHAT,
        text=cleaned(text, messages.LONGEST_TEXT),
        said="\n".join(f"{each.name}: {words_of(each, ENGLISH)}" for each in quoted),
        reporter=speaker.guest,
        reporter_name=speaker.name,
    )
    await request.host.store.write("", lambda transaction: moderation.add_report(transaction, made))
