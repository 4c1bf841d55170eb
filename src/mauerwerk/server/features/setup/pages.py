"""Setting up a table: plain questions with good answers already chosen, and the table in words.

Each change sends the form as a draft, and the page is drawn again; so whatever depends on an answer
is said by the server, in three languages and also without a script.
"""

from typing import Final, get_args

from mauerwerk.core import options
from mauerwerk.core.errors import SetupError
from mauerwerk.core.game import Seat, Value, shown
from mauerwerk.core.language.translation import Language
from mauerwerk.core.language.words import capital, sentence
from mauerwerk.games import GAMES
from mauerwerk.server.features.chat.service import Chat
from mauerwerk.server.features.setup.clocks import (
    clock_in,
    clock_question,
    clock_told,
    rest_questions,
)
from mauerwerk.server.features.setup.questions import (
    TEMPI,
    Question,
    chat_in,
    chat_question,
    delay_in,
    is_listed,
    of_game,
    of_table,
    plain,
    rated_question,
    told_in,
    unasked_in,
    watching_question,
    who_begins,
    words_in,
)
from mauerwerk.server.features.setup.seats import (
    BOT,
    HERE,
    LINK,
    ME,
    NOBODY,
    OPEN,
    Seats,
    company,
    kind_of,
    level_of,
    seats_in,
)
from mauerwerk.server.features.setup.seats import ICONS as SEAT_ICONS
from mauerwerk.server.games import web_games
from mauerwerk.server.games.room import Box, WebGame
from mauerwerk.server.http.errors import HttpError
from mauerwerk.server.http.identity import named
from mauerwerk.server.http.response import Response, redirect
from mauerwerk.server.tables.charter import Chair, Chance, Guest, Order
from mauerwerk.server.tables.errors import Obstacle, OrderError
from mauerwerk.server.ui.error_texts import ErrorText, refusal_of
from mauerwerk.server.ui.forms import Form
from mauerwerk.server.ui.names import friendly_name
from mauerwerk.server.ui.page import PageRequest

ICONS: Final = (*SEAT_ICONS, "i-chev", "i-plus")

BESIDE: Final = {
    Obstacle.SEATS: "seats",
    Obstacle.BOTS_WITHOUT_END: "seats",
    Obstacle.NOT_A_FREE_SEAT: "seats",
    Obstacle.NO_SUCH_LEVEL: "seats",
    Obstacle.BOTS_WITH_DICE: "chance",
    Obstacle.SCRIBE_WITHOUT_SEAT: "chance",
    Obstacle.NOT_LISTED: "public",
    Obstacle.CLOCKS: "pace",
    Obstacle.RATED_WITH_HINTS: "rated",
    Obstacle.RATED_BY_HAND: "rated",
}
"""The question under which a refusal stands."""


class Refused(Value):
    """Why no table was set up, and under which question that stands."""

    refusal: ErrorText
    beside: str = ""
    """The name of the question; empty where it is about none of them."""


class Summary(Value):
    """The table in words."""

    company: str
    told: str
    after: str
    """What comes next."""


async def ask(request: PageRequest) -> Response:
    """The questions, answered for you, a friend and bots; with options that the address names."""
    form = Form({**request.query})
    return _page(request, _room_of(request), form, None)


async def draft(request: PageRequest, form: Form) -> Response:
    """The questions as they are answered so far."""
    return _page(request, _room_of(request), form, None)


def _page(request: PageRequest, room: WebGame, form: Form, refused: Refused | None) -> Response:
    language, box = request.language, room.box
    if form.get("rated") == "1" and refused is None:  # which has no hints
        form["hints"] = "0"
    name = form.get("name", request.guest.name if request.guest else friendly_name())
    seats = seats_in(box, form, name, language)
    words = words_in(form, room)
    begins = who_begins(room, words, seats, language)
    tempo = form.number("tempo") or box.tempo
    chance = form.get("chance", "house")
    chance = chance if chance in get_args(Chance) else "house"
    experts = (
        *of_game(room, words, language, expert=True),
        *plain(room, words, language),
        *of_table(room, form, tempo, chance, language),
        *rest_questions(form, language),
        watching_question(form, language),
        *chat_question(form, request.host.service(Chat).allowed, language),
    )
    pace = clock_question(form, language)
    rated = rated_question(form, language)
    questions = (*begins, pace, rated, *of_game(room, words, language, expert=False))
    told = (*told_in(room, words, language), *([rated.brief] if rated.brief else ()))
    folded = {each.name for each in experts}
    beside = refused.beside if refused else ""
    if beside not in {"seats", "name", *(each.name for each in questions), *folded}:
        beside = ""
    return request.render(
        "setup/main.html" if request.morphs else "setup/page.html",
        refused.refusal.status if refused else 200,
        room=room,
        box=box,
        name=name,
        seats=seats,
        least=GAMES[box.name].SEATS[0],
        most=GAMES[box.name].SEATS[-1],
        added=form.number("add"),
        questions=questions,
        experts=experts,
        unfold=beside in folded or chance != "house",
        unasked=unasked_in(room, words),
        summary=_summary(box, seats, begins, clock_told(form, language), told, language),
        refusal=refused.refusal if refused else None,
        beside=beside,
        symbols=(*ICONS, *box.symbols),
    )


def _summary(  # noqa: PLR0913, PLR0917 - all that a table is
    box: Box,
    seats: Seats,
    begins: tuple[Question, ...],
    clock: str,
    told: tuple[str, ...],
    language: Language,
) -> Summary:
    first = [chip for each in begins for chip in each.chips if chip.chosen]
    parts = [
        *(_begins(chip.word, chip.said, language) for chip in first),
        clock,
        *told,
        *([language("about {time}", time=box.lasts(language))] if box.minutes else []),
    ]
    friends = seats.kinds.count(LINK)
    after = language.many(
        friends, "You then get a link for your friend.", "You then get the links for your friends."
    )
    return Summary(
        company=capital(company(seats.kinds, language)),
        told=" ".join(sentence(part) for part in parts),
        after=after if friends else "",
    )


def _begins(word: str, said: str, language: Language) -> str:
    if not word.isdigit():
        return language("lots decide who begins")
    return language("{who} begins", who=said) if said != language("You") else language("you begin")


def _room_of(request: PageRequest) -> WebGame:
    room = web_games().get(request.path_params["game"])
    if room is None:
        raise HttpError(404, "there is no such game")
    return room


# --- The table -------------------------------------------------------------------------------


async def set_up(request: PageRequest, form: Form) -> Response:
    """Create the table that the form describes; all players at this device sit down."""
    room = _room_of(request)
    try:
        order, sitting = _ordered(room, form)
        guest, headers = request.known(form.get("name", "") or friendly_name())
        # A new guest already has this name; renaming them would create a second guest.
        if request.guest is not None and form.get("name", guest.name) != guest.name:
            guest, headers = Guest(guest.id, named(form["name"])), request.renamed(form["name"])
        table = await request.create_table(order, guest)
    except (SetupError, HttpError) as error:
        return _page(request, room, form, _refused(error, room, form, request.language))
    for seat, name in sitting:
        await request.host.claim(table, seat, Guest(guest.id, name or guest.name))
    return redirect(f"/t/{table}", headers)


def _refused(
    error: SetupError | HttpError, room: WebGame, form: Form, language: Language
) -> Refused:
    """Why a table was refused, and the question that it is about."""
    fault = error if isinstance(error, HttpError) else HttpError(422, str(error), word="setup")
    refusal = refusal_of(error, fault, language)
    match error:
        case OrderError(obstacle=Obstacle.SEATS, values=values):
            words = language("{game} needs at least {least} players: add one.", **values)
            return Refused(ErrorText(refusal.status, words), "seats")
        case OrderError(obstacle=obstacle):
            return Refused(refusal, BESIDE.get(obstacle, ""))
        case SetupError():
            return Refused(refusal, _wrong_option(room, form))
        case _:
            return Refused(refusal, "name" if fault.word == "name" else "")


def _wrong_option(room: WebGame, form: Form) -> str:
    """The field of the first option that cannot be what the form says."""
    for name, word in words_in(form, room).items():
        try:
            options.from_words(GAMES[room.box.name].OPTIONS, {name: word})
        except SetupError:
            return f"option-{name}"
    return ""


def _ordered(room: WebGame, form: Form) -> tuple[Order, list[tuple[Seat, str]]]:
    """The order in the form, and the other players at this device."""
    box = room.box
    said = [(number, kind_of(box, number, form)) for number in range(GAMES[box.name].SEATS[-1])]
    taken = [(number, kind) for number, kind in said if kind != NOBODY]
    kinds = tuple(kind for _, kind in taken)
    here = [
        (Seat(seat), named(wish) if (wish := form.get(f"name-{number}", "")).strip() else "")
        for seat, (number, kind) in enumerate(taken)
        if kind == HERE
    ]
    pace, clock = clock_in(form)
    order = Order(
        game=box.name,
        chairs=tuple(_chair(kind, level_of(box, number, form)) for number, kind in taken),
        options=words_in(form, room),
        mine=tuple(Seat(seat) for seat, kind in enumerate(kinds) if kind == ME),
        public=is_listed(form, kinds),
        pace=pace,
        clock=clock,
        tempo=min(form.number("tempo") or box.tempo, TEMPI[-1][0]),
        hints=form.get("hints", "1") == "1",
        chance=_chance(form.get("chance", "house")),
        delay=delay_in(form),
        chat=chat_in(form.get("chat", "")),
        rated=form.get("rated") == "1",
    )
    return order, here


def _chance(word: str) -> Chance:
    """The kind of chance that a word names. Raises SetupError."""
    match word:
        case "house" | "dice" | "all":
            return word
        case _:
            raise SetupError(f"chance is house, dice or all, not {shown(word)}")


def _chair(kind: str, level: str) -> Chair:
    if kind == BOT:
        return Chair("bot", level)
    return Chair("open" if kind == OPEN else "human")
