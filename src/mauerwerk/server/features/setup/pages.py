"""Setting up a table: plain questions with good answers already chosen, and the table in words.

Each change sends the form as a draft, and the page is drawn again; so whatever depends on an answer
is said by the server, in three languages and also without a script.
"""

from collections.abc import Mapping
from typing import Final

from mauerwerk.core import errors, options
from mauerwerk.core.game import Value
from mauerwerk.core.language.translation import Language
from mauerwerk.games import GAMES
from mauerwerk.server.features.chat.service import Chat
from mauerwerk.server.features.setup import questions, seats
from mauerwerk.server.features.setup.draft import Draft
from mauerwerk.server.games import web_games
from mauerwerk.server.games.room import WebGame
from mauerwerk.server.http.errors import HttpError
from mauerwerk.server.http.identity import named
from mauerwerk.server.http.response import Response, redirect
from mauerwerk.server.tables.charter import Guest
from mauerwerk.server.tables.errors import Obstacle, OrderError
from mauerwerk.server.ui.error_texts import ErrorText, refusal_of
from mauerwerk.server.ui.names import friendly_name
from mauerwerk.server.ui.page import Form, PageRequest

ICONS: Final = (*(kind.icon for kind in seats.KINDS.values()), "i-chev", "i-plus")

BESIDE: Final = {
    Obstacle.SEATS: "seats",
    Obstacle.BOTS_WITHOUT_END: "seats",
    Obstacle.NOT_A_FREE_SEAT: "seats",
    Obstacle.NO_SUCH_LEVEL: "seats",
    Obstacle.BOTS_WITH_DICE: "dice",
    Obstacle.SCRIBE_WITHOUT_SEAT: "dice",
    Obstacle.NOT_LISTED: "public",
    Obstacle.CLOCKS: "seconds_per_move",
    Obstacle.RATED_WITH_HINTS: "rated",
    Obstacle.RATED_BY_HAND: "rated",
}
"""The question under which a refusal stands."""


class Refused(Value):
    """Why no table was set up, and under which question that stands."""

    refusal: ErrorText
    beside: str = ""
    """The name of the question; empty where it is about none of them."""


async def ask(request: PageRequest) -> Response:
    """The questions, answered for you, a friend and bots; with options that the address names."""
    return _page(request, _draft_of(request, Form({**request.query})))


async def draft(request: PageRequest, form: Form) -> Response:
    """The questions as they are answered so far."""
    return _page(request, _draft_of(request, form))


async def set_up(request: PageRequest, form: Form) -> Response:
    """Create the table that the form describes; all players at this device sit down."""
    described = _draft_of(request, form)
    try:
        order, sitting = described.order(), described.at_this_device()
        guest, headers = request.known(form.get("name", "") or friendly_name())
        # A new guest already has this name; renaming them would create a second guest.
        if request.guest is not None and form.get("name", guest.name) != guest.name:
            guest, headers = Guest(guest.id, named(form["name"])), request.renamed(form["name"])
        table = await request.create_table(order, guest)
    except (errors.SetupError, HttpError) as error:
        return _page(request, described, _refused(error, described, request.language))
    for seat, name in sitting:
        await request.host.claim(table, seat, Guest(guest.id, name or guest.name))
    return redirect(f"/t/{table}", headers)


def _draft_of(request: PageRequest, form: Form) -> Draft:
    """The draft in a form, for the game in the path. Raises HttpError."""
    room = web_games().get(request.path_params["game"])
    if room is None:
        raise HttpError(404, "there is no such game")
    return Draft(room, form, request.host.service(Chat).allowed)


def _page(request: PageRequest, drafted: Draft, refused: Refused | None = None) -> Response:
    language, form, room = request.language, drafted.form, drafted.room
    if form.get("rated") == "1" and refused is None:  # which has no hints
        form["hints"] = "0"
    box, game = room.box, GAMES[room.box.name]
    name = form.get("name", request.guest.name if request.guest else friendly_name())
    taken = seats.seats_in(box, form, name, language)
    asked = (*drafted.begins(taken, language), *drafted.questions(language))
    experts = drafted.experts(language)
    folded = {each.name for each in experts}
    beside = refused.beside if refused else ""
    if beside not in {"seats", "name", *(each.name for each in asked), *folded}:
        beside = ""
    return request.render(
        "setup/main.html" if request.morphs else "setup/page.html",
        refused.refusal.status if refused else 200,
        room=room,
        box=box,
        name=name,
        seats=taken,
        least=game.SEATS[0],
        most=game.SEATS[-1],
        added=form.number("add"),
        questions=asked,
        experts=experts,
        unfold=beside in folded or drafted.is_by_hand,
        unasked=questions.unasked_in(room, drafted.words),
        summary=drafted.summary(taken, language),
        refusal=refused.refusal if refused else None,
        beside=beside,
        symbols=(*ICONS, *box.symbols),
    )


# --- Why there is no table -------------------------------------------------------------------


def _refused(error: errors.SetupError | HttpError, drafted: Draft, language: Language) -> Refused:
    """Why a table was refused, and the question that it is about."""
    fault = error if isinstance(error, HttpError) else HttpError(422, str(error), code="setup")
    refusal = refusal_of(error, fault, language)
    match error:
        case OrderError(obstacle=Obstacle.SEATS, values=values):
            words = language("{game} needs at least {least} players: add one.", **values)
            return Refused(ErrorText(refusal.status, words), "seats")
        case OrderError(obstacle=obstacle):
            return Refused(refusal, BESIDE.get(obstacle, ""))
        case errors.SetupError():
            return Refused(refusal, _wrong_option(drafted.room, drafted.words))
        case _:
            return Refused(refusal, "name" if fault.code == "name" else "")


def _wrong_option(room: WebGame, words: Mapping[str, str]) -> str:
    """The field of the first option that cannot be what the form says."""
    for name, word in words.items():
        try:
            options.from_words(GAMES[room.box.name].OPTIONS, {name: word})
        except errors.SetupError:
            return f"option-{name}"
    return ""
