"""What people do at a table: each is a form, answered with the table as it then is."""

from collections.abc import Awaitable, Sequence
from itertools import takewhile
from typing import Final

from mauerwerk.core.game import NATURE, Ephemeral, MoveError, Seat, StaleMoveError
from mauerwerk.core.language.words import capital
from mauerwerk.play.tables.chance import is_by_hand, scribes
from mauerwerk.play.tables.entries import Entry
from mauerwerk.play.tables.errors import RequestError, TooManyError
from mauerwerk.play.tables.requests import SUBSTITUTE
from mauerwerk.play.tables.table import Table
from mauerwerk.web.api.operation import Call
from mauerwerk.web.api.playing import player_of
from mauerwerk.web.http.faults import Fault
from mauerwerk.web.http.identity import keep_tokens, seat_for
from mauerwerk.web.http.replies import Header, Reply, fault_of, redirect
from mauerwerk.web.pages.chance_form import words_in
from mauerwerk.web.pages.page import Form, Visitor
from mauerwerk.web.pages.people import friendly_name
from mauerwerk.web.pages.refusals import refusal_of
from mauerwerk.web.pages.table import Extra, Sure, advised, page_of
from mauerwerk.web.pages.viewpoint import seats_of, viewpoint_at

LONGEST_WORD: Final = 200


async def move(visitor: Visitor, form: Form) -> Reply:
    """Play a word; before one that cannot be taken back, ask whether it is meant, if so wished."""
    table, seat = await _acting(visitor, form)
    word = form.get("word", "")[:LONGEST_WORD]
    version = form.number("version") or 0
    if visitor.preferences.twice and form.get("sure") != "1" and is_final(table, seat, word):
        said = capital(table.game.say(table.game.parse(word), visitor.language))
        return await _table(visitor, form, Extra(sure=Sure(word, said)))
    # Who sends the same form twice makes one move.
    key = f"{version} {word}"[-64:]
    tenure = table.occupants[seat].tenure
    request = visitor.call.host.move(visitor.call.table, seat, word, version, key, tenure=tenure)
    return await _done(visitor, form, request)


async def enter(visitor: Visitor, form: Form) -> Reply:
    """Enter what was rolled or dealt at people's own table; several cards one after the other."""
    call = visitor.call
    table = await call.host.table(call.table)
    scribe = seat_for(call.host, table, call.caller, form.number("scribe"))
    if scribe not in seats_of(call, table):
        raise Fault(403, "nobody sits there yet")
    request = _enter_all(visitor, table, scribe, form)
    return await _done(visitor, form, request)


async def _enter_all(visitor: Visitor, table: Table, scribe: Seat, form: Form) -> None:
    version = form.number("version") or 0
    tenure = table.occupants[scribe].tenure
    # An empty form is no move, and the rules say what would be one.
    words = words_in(form) or ("",)
    if is_by_hand(table) and scribe in scribes(table) and table.number(scribe) == version:
        _check_all(table, words)
    place = 0
    while place < len(words):
        word = words[place]
        key = f"enter {form.number('version')} {place} {word}"[:64]
        receipt = await visitor.call.host.enter(
            visitor.call.table, scribe, word[:LONGEST_WORD], version, key, tenure=tenure
        )
        # The next one goes on from this one, whether it is new or was sent before.
        now = await visitor.call.host.table(visitor.call.table)
        certain = _certain_after(now, now.keys[table.occupants[scribe].guest, key])
        version = receipt.number + certain
        place += 1 + certain


def _certain_after(table: Table, entry: Entry) -> int:
    """How many moves of nature came after one by themselves: there was no other card left."""
    later = (logged.entry for logged in table.log[entry.seq + 1 :])
    return len(list(takewhile(lambda each: each.seat == NATURE and not each.guest, later)))


def _check_all(table: Table, words: Sequence[str]) -> None:
    """Refuse a form before its first card is entered: a wrong one must not leave half a hand."""
    state = table.state
    for word in words:
        state = table.game.apply(state, NATURE, table.game.parse(word[:LONGEST_WORD])).state


def is_final(table: Table, seat: Seat, word: str) -> bool:
    """Whether a legal move shows somebody something, so that it cannot simply be taken back."""
    try:
        step = table.game.apply(table.state, seat, table.game.parse(word))
    except (MoveError, AttributeError):
        return False
    told = any(isinstance(each, Ephemeral) or table.game.reveals(each) for each in step.events)
    return told or NATURE in table.game.to_act(step.state)


async def take_back(visitor: Visitor, form: Form) -> Reply:
    """Take back the last move, or ask the others whether it may be."""
    table, seat = await _acting(visitor, form)
    version = form.number("version") or 0
    tenure = table.occupants[seat].tenure
    request = visitor.call.host.undo(
        visitor.call.table, seat, version, f"undo {version}", tenure=tenure
    )
    return await _done(visitor, form, request)


async def consent(visitor: Visitor, form: Form) -> Reply:
    """Say whether somebody may take back their move."""
    table, seat = await _acting(visitor, form)
    agree = form.get("agree") == "1"
    tenure = table.occupants[seat].tenure
    request = visitor.call.host.consent(visitor.call.table, seat, agree=agree, tenure=tenure)
    return await _done(visitor, form, request)


async def advise(visitor: Visitor, form: Form) -> Reply:
    """What a bot would think about."""
    table, seat = await _acting(visitor, form)
    try:
        hints = await visitor.call.host.hints(visitor.call.table, seat, visitor.language.code)
    except (RequestError, StaleMoveError, TooManyError) as error:
        return await _refused(visitor, form, error)
    return await _table(visitor, form, Extra(advice=advised(table, hints, visitor.language)))


async def hand_over(visitor: Visitor, form: Form) -> Reply:
    """Let a bot play on for a while."""
    table, seat = await _acting(visitor, form)
    level = form.get("level", SUBSTITUTE)
    tenure = table.occupants[seat].tenure
    request = visitor.call.host.hand_over(visitor.call.table, seat, level, tenure=tenure)
    return await _done(visitor, form, request)


async def come_back(visitor: Visitor, form: Form) -> Reply:
    """Play again oneself."""
    table, seat = await _acting(visitor, form)
    tenure = table.occupants[seat].tenure
    request = visitor.call.host.come_back(visitor.call.table, seat, tenure=tenure)
    return await _done(visitor, form, request)


async def stand(visitor: Visitor, form: Form) -> Reply:
    """Leave the table for good."""
    table, seat = await _acting(visitor, form)
    tenure = table.occupants[seat].tenure
    await visitor.call.host.stand(visitor.call.table, seat, tenure=tenure)
    return redirect("/")


async def sit(visitor: Visitor, form: Form) -> Reply:
    """Take an open seat, under the name that one has or gives."""
    guest, headers = visitor.known(form.get("name", "").strip() or friendly_name())
    seat = form.number("seat")
    wanted = None if seat is None else Seat(seat)
    await visitor.call.host.sit(visitor.call.table, wanted, guest)
    return redirect(_path(visitor), headers)


async def rematch(visitor: Visitor, form: Form) -> Reply:
    """Go to the table at which all play again."""
    del form
    call = visitor.call
    table = await call.host.table(call.table)
    again = await call.host.rematch(call.table, player_of(call, table))
    return redirect(f"/t/{again}", _taken_along(call, table, await call.host.table(again)))


def _taken_along(call: Call, table: Table, again: Table) -> list[Header]:
    """The cookie for seats that are played here by their links, and are the same people's again."""
    guest = call.caller.guest
    tokens = [
        call.host.keys.seat_token(again, seat)
        for seat in seats_of(call, table)
        if again.occupants[seat].guest == table.occupants[seat].guest
        and not (guest and guest.id == table.occupants[seat].guest)
    ]
    return [keep_tokens(call.visit, again.charter.id, *tokens)] if tokens else []


# --- Answers ---------------------------------------------------------------------------------


async def _acting(visitor: Visitor, form: Form) -> tuple[Table, Seat]:
    """The table, and the seat that the form is sent for. Raises Fault."""
    call = visitor.call
    table = await call.host.table(call.table)
    seat = seat_for(call.host, table, call.caller, form.number("seat"))
    if seat not in seats_of(call, table):
        raise Fault(403, "nobody sits there yet")
    return table, seat


async def _done(visitor: Visitor, form: Form, request: Awaitable[object]) -> Reply:
    """The table once it is done, or what is wrong with it."""
    try:
        await request
    except (MoveError, RequestError, StaleMoveError) as error:
        return await _refused(visitor, form, error)
    if not visitor.morphs:
        return redirect(_path(visitor, form))
    return await _table(visitor, form, Extra(plain=False))


async def _refused(visitor: Visitor, form: Form, error: Exception) -> Reply:
    """The table as it is, and why nothing was done."""
    fault = fault_of(error)
    assert fault is not None
    refusal = refusal_of(error, fault, visitor.language)
    return await _table(visitor, form, Extra(refusal=refusal), fault.status)


async def _table(visitor: Visitor, form: Form, extra: Extra, status: int = 200) -> Reply:
    table = await visitor.call.host.table(visitor.call.table)
    viewpoint = viewpoint_at(visitor.call, table, form.get("seat", ""))
    return await page_of(visitor, viewpoint, extra, status)


def _path(visitor: Visitor, form: Form | None = None) -> str:
    """The page of the table; where several share a device, that of the one who just played."""
    seat = form.number("seat") if form and form.get("shared") == "1" else None
    return f"/t/{visitor.call.table}" + ("" if seat is None else f"?seat={seat}")
