"""What people do at a table: each is a form, answered with the table as it then is."""

import json
from collections.abc import Awaitable, Callable, Sequence
from itertools import takewhile
from typing import Any

from mauerwerk.core.errors import MoveError
from mauerwerk.core.game import NATURE, Ephemeral, Outcome, Seat
from mauerwerk.core.language import capital, sentence
from mauerwerk.server.engine.snapshot import Receipt, Snapshot
from mauerwerk.server.features.ending.end import podium_file, towers_said
from mauerwerk.server.features.invitations.pages import check_kept, is_free
from mauerwerk.server.features.matchmaking.service import Matchmaking
from mauerwerk.server.features.moderation import service
from mauerwerk.server.features.moderation.state import Subject
from mauerwerk.server.features.replay.pages import ask_for_analysis
from mauerwerk.server.features.spectating.pages import seen_by
from mauerwerk.server.features.table.moments import end_for_all
from mauerwerk.server.features.table.pages import advised, next_part, page_of
from mauerwerk.server.features.table.view_model import (
    UNADORNED,
    Extra,
    take_back_question,
    words_in,
)
from mauerwerk.server.games import room, web_game_at
from mauerwerk.server.games.viewpoint import Viewpoint, recounted, viewpoint_at
from mauerwerk.server.http import errors, identity
from mauerwerk.server.http.request import Request, whole_number
from mauerwerk.server.http.response import Header, Response, redirect
from mauerwerk.server.http.seats import (
    act,
    acting,
    player_of,
    seat_for,
    seats_played,
    submitting,
    take_seat,
)
from mauerwerk.server.tables import log, requests
from mauerwerk.server.tables.charter import Guest
from mauerwerk.server.tables.errors import Reason, RequestError, TooManyError, WarmingUpError
from mauerwerk.server.tables.table import Status, Table, is_by_hand, scribes
from mauerwerk.server.ui import error_texts, names
from mauerwerk.server.ui.page import LONGEST_WORD, Form, PageRequest, html_reply


async def move(request: PageRequest, form: Form) -> Response:
    """Play a word; confirm first one that cannot be taken back, if the visitor prefers that."""
    word = form.get("word", "")[:LONGEST_WORD]
    version = form.number("version") or 0
    if request.preferences.twice and form.get("sure") != "1":
        snapshot, seat = await _acting(request, form)
        if is_final(snapshot.table, seat, word):
            game = snapshot.table.game
            said = capital(game.say(game.parse(word), request.language))
            return _table(request, form, snapshot, Extra(sure=room.Button(word, said)))
    # The same form sent twice makes one move.
    key = f"{version} {word}"[-64:]
    return await _act(request, form, request.host.move, word, version, key)


async def enter(request: PageRequest, form: Form) -> Response:
    """Enter what was rolled or dealt at people's own table; several cards one after the other."""
    snapshot, scribe = await acting(request, form.number("scribe"), seated=True)
    try:
        receipt = await _enter_all(request, form, snapshot.table, scribe)
    except (MoveError, RequestError) as error:
        return await _refused(request, form, error)
    return _done(request, form, receipt)


async def _enter_all(request: Request, form: Form, table: Table, scribe: Seat) -> Receipt:
    """Enter every word of the form. Raises MoveError before the first, if one is wrong."""
    version = form.number("version") or 0
    # An empty form is no move, and the rules say what would be one.
    words = words_in(form) or ("",)
    if is_by_hand(table) and scribe in scribes(table) and table.number(scribe) == version:
        _check_all(table, words)
    place = 0
    while True:
        word = words[place]
        key = f"enter {form.number('version')} {place} {word}"[:64]
        receipt = await act(table, scribe, request.host.enter, word[:LONGEST_WORD], version, key)
        # The next word follows this one, whether it is new or was sent before.
        made = receipt.table.log.keyed(table.owners[scribe], key)
        certain = 0 if made is None else _certain_after(receipt.table, made)
        version = receipt.number + certain
        place += 1 + certain
        if place >= len(words):
            return receipt


def _certain_after(table: Table, entry: log.Entry) -> int:
    """How many moves of nature came after one by themselves: there was no other card left."""
    later = (table.log[seq].entry for seq in range(entry.seq + 1, table.seq))
    return len(list(takewhile(lambda each: each.seat == NATURE and not each.guest, later)))


def _check_all(table: Table, words: Sequence[str]) -> None:
    """Refuse a form before its first card is entered: a wrong one must not leave half a hand."""
    state = table.state
    for word in words:
        state = table.game.apply(state, NATURE, table.game.parse(word[:LONGEST_WORD])).state


def is_final(table: Table, seat: Seat, word: str) -> bool:
    """Whether a legal move reveals something, so that it cannot simply be taken back."""
    try:
        step = table.game.apply(table.state, seat, table.game.parse(word))
    except (MoveError, AttributeError):
        return False
    told = any(isinstance(each, Ephemeral) or table.game.reveals(each) for each in step.events)
    return told or NATURE in table.game.to_act(step.state)


async def take_back(request: PageRequest, form: Form) -> Response:
    """Take back the last move, or ask the others whether it may be.

    Where it goes back behind what others did or what was revealed, the page confirms it first.
    """
    version = form.number("version") or 0
    if form.get("sure") != "1":
        snapshot, seat = await _acting(request, form)
        table, language = snapshot.table, request.language
        called = names.names_for(table.players, seat, language)
        if question := take_back_question(table, seat, called, language):
            return _table(request, form, snapshot, Extra(take_back=question))
    return await _act(request, form, request.host.undo, version, f"undo {version}")


async def consent(request: PageRequest, form: Form) -> Response:
    """Say whether another player may take back their move."""
    return await _act(request, form, request.host.consent, agree=form.get("agree") == "1")


async def advise(request: PageRequest, form: Form) -> Response:
    """What a bot would think about."""
    snapshot, seat = await _acting(request, form)
    language = request.language
    try:
        hints = await request.host.hints(snapshot.table, seat, language.code)
    except (RequestError, TooManyError, WarmingUpError) as error:
        return await _refused(request, form, error)
    now = await request.host.snapshot(request.table)  # a bot's advice takes a while
    return _table(request, form, now, Extra(advice=advised(snapshot.table, hints, language)))


async def choose(request: PageRequest, form: Form) -> Response:
    """Play what a bot would do, in a first game, and say why."""
    snapshot, seat = await _acting(request, form)
    table, language = snapshot.table, request.language
    version = form.number("version") or 0
    try:
        hints = await request.host.hints(table, seat, language.code, 0)
    except (RequestError, TooManyError, WarmingUpError) as error:
        return await _refused(request, form, error)
    if not hints:
        return await _refused(request, form, RequestError(Reason.NO_HINTS))
    best = advised(table, hints[:1], language)[0]
    if request.preferences.twice and is_final(table, seat, best.word):
        return _table(request, form, snapshot, Extra(sure=room.Button(best.word, best.said)))
    key = f"{version} {best.word}"[-64:]
    try:
        receipt = await act(table, seat, request.host.move, best.word, version, key)
    except (MoveError, RequestError) as error:
        return await _refused(request, form, error)
    said = language("Chosen for you: {move}. {reason}", move=best.said, reason=best.reason)
    done = _done(request, form, receipt)
    done.raw_headers.append((b"hx-trigger", json.dumps({"chosen": said.rstrip()}).encode()))
    return done


async def go_on(request: PageRequest, form: Form) -> Response:
    """A page has shown a moment, and no bot need wait for it any longer."""
    snapshot, seat = await _acting(request, form)
    table, number = snapshot.table, form.number("number") or 0
    counter = viewpoint_at(request, table, str(seat)).counter
    told = recounted(table, number, counter, seat)
    await request.host.go_on(request.table, seat, told)
    if form.get("pressed") == "1":
        await end_for_all(request.host, request.table, counter, number)
    return Response(b"", b"text/plain", 204)


async def hand_over(request: PageRequest, form: Form) -> Response:
    """Let a bot play on for a while."""
    level = form.get("level", requests.SUBSTITUTE)
    return await _act(request, form, request.host.hand_over, level)


async def come_back(request: PageRequest, form: Form) -> Response:
    """Play again oneself."""
    return await _act(request, form, request.host.come_back)


async def rest(request: PageRequest, form: Form) -> Response:
    """Take a day off."""
    return await _act(request, form, request.host.rest, f"rest {form.number('version')}")


async def stand(request: PageRequest, form: Form) -> Response:
    """Leave the table for good."""
    snapshot, seat = await _acting(request, form)
    receipt = await act(snapshot.table, seat, request.host.stand)
    # In the middle of a game the page of the table offers to take it back.
    return redirect(_path(request) if receipt.table.status is Status.RUNNING else "/")


async def claim(request: PageRequest, form: Form) -> Response:
    """Take a seat whose personal link was opened before."""
    table = await request.host.table(request.table)
    seat = seat_for(request, table, form.number("seat"))
    check_kept(request, table, seat)
    name = form.get("name", "").strip() or names.friendly_name()
    guest, headers = request.guest, list[Header]()
    new = guest is not None and name != guest.name and "name" in form
    try:
        if guest is not None and new and request.may_be_renamed and is_free(table, seat):
            headers = request.renamed(name)
            guest = Guest(guest.id, identity.chosen_name(request, name))
            await request.host.claim(request.table, seat, guest)
        else:
            _, headers = await take_seat(request, table, seat, name)
    except errors.HttpError as error:
        return await _refused(request, form, error)
    return redirect(_path(request), headers)


async def sit(request: PageRequest, form: Form) -> Response:
    """Take an open seat, under the name that one has or gives."""
    try:
        guest, headers = request.known(form.get("name", "").strip() or None)
    except errors.HttpError as error:
        return await _refused(request, form, error)
    seat = form.number("seat")
    wanted = None if seat is None else Seat(seat)
    await request.host.sit(request.table, wanted, guest)
    return redirect(_path(request), headers)


async def report(request: PageRequest, form: Form) -> Response:
    """Report a player: `what` is the subject and the seat, such as `name-1`."""
    about, _, seat = form.get("what", "").partition("-")
    number = whole_number(seat)
    if number is None or about not in {Subject.NAME, Subject.BEHAVIOUR}:
        raise errors.HttpError(422, "which seat?", code="seat")
    await service.report(request, number, Subject(about), form.get("text", ""))
    return redirect(f"{_path(request)}?reported=1")


async def rematch(request: PageRequest, form: Form) -> Response:
    """Go to the table at which all play again."""
    del form
    table = await request.host.table(request.table)
    joining = await request.host.service(Matchmaking).joining(request.table)
    again = await request.host.rematch(request.table, player_of(request, table), joining)
    return redirect(f"/t/{again}", _taken_along(request, table, await request.host.table(again)))


def _taken_along(request: Request, table: Table, again: Table) -> list[Header]:
    """The cookie for seats that are played here by their links and have the same owners again."""
    guest = request.identity.guest
    tokens = [
        request.host.keys.seat_token(again, seat)
        for seat in seats_played(request, table)
        if again.occupants[seat].guest == table.occupants[seat].guest
        and not (guest and guest.id == table.occupants[seat].guest)
    ]
    return [identity.keep_tokens(request, again.charter.id, *tokens)] if tokens else []


# --- What can be asked for at the end: the chances to win, and a picture of the places -----------


async def work_out(request: PageRequest, form: Form) -> Response:
    """Have a bot work out everybody's chances in a game that is over."""
    snapshot, _ = await _finished(request)
    table, language = snapshot.table, request.language
    extra = UNADORNED
    try:
        ask_for_analysis(request, table.record(), public=table.charter.public)
    except TooManyError:
        busy = language("bots look at other games right now; ask again in a few minutes")
        extra = Extra(refusal=error_texts.ErrorText(409, sentence(busy)), plain=not request.morphs)
    viewpoint = viewpoint_at(request, table, form.get("seat", ""))
    status = extra.refusal.status if extra.refusal else 200
    if request.morphs:
        shown = table.number(viewpoint.counter)
        return html_reply(next_part(request, snapshot, viewpoint, shown, extra), status)
    if extra.refusal:
        return page_of(request, snapshot, viewpoint, extra, status)
    return redirect(_path(request))


async def see_places(request: PageRequest) -> Response:
    """The places as a picture, to be sent to others."""
    snapshot, outcome = await _finished(request)
    table, language = snapshot.table, request.language
    called = names.names_for(table.players, None, language)
    places = names.places_of(outcome, called, language)
    title = web_game_at(table).box.title
    drawn = podium_file(places, title, towers_said(places, language))
    return Response(drawn.encode(), b"image/svg+xml")


async def _finished(request: PageRequest) -> tuple[Snapshot, Outcome]:
    """The table that a path is about, and its outcome. Raises HttpError while the game goes on."""
    snapshot = await request.host.snapshot(request.table)
    if snapshot.table.outcome is None:
        raise errors.HttpError(409, "this game is not over yet", code="request")
    return snapshot, snapshot.table.outcome


# --- Answers ---------------------------------------------------------------------------------


async def _acting(request: PageRequest, form: Form) -> tuple[Snapshot, Seat]:
    """The table, and the seat that the form is sent for. Raises HttpError."""
    return await acting(request, form.number("seat"), seated=True)


async def _act(
    request: PageRequest,
    form: Form,
    carry_out: Callable[..., Awaitable[Receipt]],
    *what: Any,  # noqa: ANN401 - what it takes beyond table and seat
    **more: Any,  # noqa: ANN401 - as above
) -> Response:
    """Do something at the seat of the form: the table then, or why it was refused."""
    snapshot, seat = await submitting(request, form.number("seat"), seated=True)
    try:
        receipt = await act(snapshot.table, seat, carry_out, *what, **more)
    except (MoveError, RequestError) as error:
        return await _refused(request, form, error)
    return _done(request, form, receipt)


def _done(request: PageRequest, form: Form, receipt: Receipt) -> Response:
    if not request.morphs:
        return redirect(_path(request, form))
    return _table(request, form, receipt.snapshot, UNADORNED)


async def _refused(request: PageRequest, form: Form, error: Exception) -> Response:
    refusal = error_texts.refusal_of(error, request.language)
    now = seen_by(request, await request.host.snapshot(request.table))
    return _table(request, form, now, Extra(refusal=refusal), refusal.status)


def _table(
    request: PageRequest, form: Form, snapshot: Snapshot, extra: Extra, status: int = 200
) -> Response:
    wanted, opened = form.get("seat", ""), form.get("opened", "")
    viewpoint = viewpoint_at(request, snapshot.table, wanted, opened)
    if not request.morphs:
        return page_of(request, snapshot, viewpoint, extra, status)
    after = _picture(form, snapshot.table, viewpoint)
    return html_reply(next_part(request, snapshot, viewpoint, after, extra), status)


def _picture(form: Form, table: Table, viewpoint: Viewpoint) -> int:
    """The number of the picture that the page has; the form has it by the count of its seat.

    At a shared device the page counts as spectators do, who are told less.
    """
    version, seat, scribe = map(form.number, ("version", "seat", "scribe"))
    counted = seat if scribe is None else scribe
    if version is None or counted is None:
        return table.seq
    return recounted(table, version, Seat(counted), viewpoint.counter)


def _path(request: PageRequest, form: Form | None = None) -> str:
    """The page of the table; on a shared device, the page of the seat that just played."""
    seat = form.number("seat") if form and form.get("shared") == "1" else None
    opened = form.number("opened") if form else None
    gate = "" if opened is None else f"&opened={opened}"
    return f"/t/{request.table}" + ("" if seat is None else f"?seat={seat}{gate}")
