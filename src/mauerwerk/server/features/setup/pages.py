"""Setting up a table: plain questions with good answers already chosen, and the table in words.

Each change sends the form as a draft, and the page is drawn again; so whatever depends on an answer
is said by the server, in three languages and also without a script.
"""

from collections.abc import Mapping
from functools import cached_property
from typing import Any, Final

from mauerwerk.core import errors, options
from mauerwerk.core.game import Seat, Value
from mauerwerk.core.language import Language, capital, sentence
from mauerwerk.games import GAMES
from mauerwerk.server.features.chat.service import Chat
from mauerwerk.server.features.setup import questions, seats
from mauerwerk.server.features.setup.questions import Question
from mauerwerk.server.games import web_games
from mauerwerk.server.games.room import WebGame, unusual
from mauerwerk.server.http.errors import HttpError
from mauerwerk.server.http.identity import chosen_name
from mauerwerk.server.http.response import Response, redirect
from mauerwerk.server.tables.charter import Chair, ChatRule, Guest, Order
from mauerwerk.server.tables.clocks import Clock
from mauerwerk.server.tables.errors import (
    ClosedError,
    Obstacle,
    OrderError,
    RequestError,
    TooManyError,
)
from mauerwerk.server.ui import dates, error_texts
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

    refusal: error_texts.ErrorText
    beside: str = ""
    """The name of the question; empty where it is about none of them."""


# --- The form as it is filled in so far: its questions, the table in words, and the order ---------

MINUTES: Final = 24 * 60


class Draft:
    """What a form says about a table of one game."""

    def __init__(self, room: WebGame, form: Form, chat: ChatRule, *, alone: bool = False) -> None:
        """Read the answers; `chat` is what the server allows players to say.

        Where it is `alone`, nobody comes from elsewhere.
        """
        self.room = room
        self.alone = alone
        self.form = form
        self.words = questions.words_in(form, room)
        """The options of the game."""

        self.values: dict[str, Any] = {"bot_delay_ms": room.box.bot_delay_ms}
        """Fields of the order and of its clock, by their names."""

        self._asked: list[questions.TableQuestion] = []
        for each in questions.table_questions(room, chat, alone=alone):
            if each.when(self.values):
                self._asked.append(each)
                self.values |= each.sets(form)

    @property
    def is_by_hand(self) -> bool:
        """Whether the players roll or deal themselves."""
        return bool(self.values["dice"] != "server")

    @cached_property
    def clock(self) -> Clock:
        """The clock, beside the seconds for a decision."""
        clock = {name: self.values[name] for name in Clock.__struct_fields__ if name in self.values}
        if "night" in clock:  # which the form has in the time of the browser
            clock["night"] = (clock["night"] + self._minutes_behind) % MINUTES
        return Clock(**clock)

    @property
    def _minutes_behind(self) -> int:
        """How many minutes the browser's clock is behind UTC."""
        zone = self.form.get("zone", "0")
        minutes = zone.lstrip("-")
        return int(zone) if minutes.isdecimal() and int(minutes) < MINUTES else 0

    # --- On the page -------------------------------------------------------------------------

    def begins(self, taken: seats.Seats, language: Language) -> tuple[Question, ...]:
        """Who begins, of these seats."""
        players = seats.beginners(taken.taken, language)
        return questions.who_begins(self.room, self.words, players, language)

    def questions(self, language: Language) -> tuple[Question, ...]:
        """What everybody is asked, beside who plays and who begins."""
        game = questions.of_game(self.room, self.words, language, expert=False)
        return (*self._of_table(language, expert=False), *game)

    def experts(self, language: Language) -> tuple[Question, ...]:
        """What is asked of those who unfold it."""
        game = questions.of_game(self.room, self.words, language, expert=True)
        return (*game, *self._of_table(language, expert=True))

    def _of_table(self, language: Language, *, expert: bool) -> list[Question]:
        return [
            each.asked(self.form, language)
            for each in self._asked
            if each.shown and each.expert == expert
        ]

    def summary(self, taken: seats.Seats, language: Language) -> dict[str, str]:
        """The table in words."""
        box, seconds = self.room.box, self.values.get("seconds_per_move", 0)
        begins = [chip for each in self.begins(taken, language) for chip in each.chips]
        limited = bool(seconds or self.clock.total)
        parts = [
            *(_begins(chip.word, chip.said, language) for chip in begins if chip.chosen),
            dates.clock_of(seconds, self.clock, language) if limited else language("no time limit"),
            *(language(each) for each in unusual(self.room.questions, self.words)),
            *(each.brief for each in self._of_table(language, expert=False) if each.brief),
            *([language("about {time}", time=box.lasts(language))] if box.minutes else []),
        ]
        kinds = [seat.kind for seat in taken.taken]
        friends = kinds.count(seats.LINK)
        after = language.many(
            friends,
            "You then get a link for your friend.",
            "You then get the links for your friends.",
        )
        return {
            "company": capital(seats.company(kinds, language)),
            "told": " ".join(sentence(part) for part in parts),
            "after": after if friends else "",
        }

    # --- As an order -------------------------------------------------------------------------

    @property
    def _taken(self) -> dict[int, str]:
        kinds = seats.kinds_in(self.room.box, self.form, alone=self.alone)
        return {number: kind for number, kind in kinds.items() if kind != seats.NOBODY}

    def order(self) -> Order:
        """The order that the form makes."""
        box, taken = self.room.box, self._taken
        fields = {
            name: self.values[name] for name in Order.__struct_fields__ if name in self.values
        }
        # A table with a seat for anyone is listed, unless the player says otherwise.
        fields.setdefault("public", seats.OPEN in taken.values() and not self.is_by_hand)
        return Order(
            game=box.name,
            chairs=tuple(
                Chair("bot", seats.level_of(box, number, self.form))
                if kind == seats.BOT
                else Chair("open" if kind == seats.OPEN else "human")
                for number, kind in taken.items()
            ),
            options=self.words,
            mine=tuple(Seat(seat) for seat, kind in enumerate(taken.values()) if kind == seats.ME),
            clock=self.clock,
            **fields,
        )

    def at_this_device(self, request: PageRequest) -> list[tuple[Seat, str]]:
        """The seats of others who share the device, and the names they chose. Raises HttpError."""
        names = [self.form.get(f"name-{number}", "") for number in self._taken]
        return [
            (Seat(seat), chosen_name(request, name) if name.strip() else "")
            for seat, (kind, name) in enumerate(zip(self._taken.values(), names, strict=True))
            if kind == seats.HERE
        ]


def _begins(word: str, said: str, language: Language) -> str:
    if not word.isdigit():
        return language("lots decide who begins")
    return language("{who} begins", who=said) if said != language("You") else language("you begin")


# --- Pages ---------------------------------------------------------------------------------------


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
        order, sitting = described.order(), described.at_this_device(request)
        guest, headers = request.known(form.get("name") or None)
        # A new guest already has this name; renaming them would create a second guest.
        new = request.guest is not None and form.get("name", guest.name) != guest.name
        if new and request.may_be_renamed:
            guest = Guest(guest.id, chosen_name(request, form["name"]))
            headers = request.renamed(form["name"])
        table = await request.create_table(order, guest)
    except (errors.SetupError, RequestError, ClosedError, TooManyError, HttpError) as error:
        return _page(request, described, _refused(error, described, request.language))
    for seat, name in sitting:
        await request.host.claim(table, seat, Guest(guest.id, name or guest.name))
    return redirect(f"/t/{table}", headers)


def _draft_of(request: PageRequest, form: Form) -> Draft:
    room = web_games().get(request.path_params["game"])
    if room is None:
        raise HttpError(404, "there is no such game")
    chat, alone = request.host.service(Chat).allowed, request.app.settings.alone
    return Draft(room, form, chat, alone=alone)


def _page(request: PageRequest, drafted: Draft, refused: Refused | None = None) -> Response:
    language, form, room = request.language, drafted.form, drafted.room
    if form.get("rated") == "1" and refused is None:  # which has no hints
        form["hints"] = "0"
    box, game = room.box, GAMES[room.box.name]
    name = form.get("name", request.guest.name if request.guest else friendly_name())
    taken = seats.seats_in(box, form, name, language, alone=drafted.alone)
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


def _refused(error: Exception, drafted: Draft, language: Language) -> Refused:
    refusal = error_texts.refusal_of(error, language)
    match error:
        case OrderError(obstacle=Obstacle.SEATS, values=values):
            words = language("{game} needs at least {least} players: add one.", **values)
            return Refused(error_texts.ErrorText(refusal.status, words), "seats")
        case OrderError(obstacle=obstacle):
            return Refused(refusal, BESIDE.get(obstacle, ""))
        case errors.SetupError():
            return Refused(refusal, _wrong_option(drafted.room, drafted.words))
        case HttpError(code="name"):
            return Refused(refusal, "name")
        case _:
            return Refused(refusal)


def _wrong_option(room: WebGame, words: Mapping[str, str]) -> str:
    for name, word in words.items():
        try:
            options.from_words(GAMES[room.box.name].OPTIONS, {name: word})
        except errors.SetupError:
            return f"option-{name}"
    return ""
