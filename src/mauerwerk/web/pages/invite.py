"""Setting up a table: its seats, options, pace, and whether it is listed."""

from collections.abc import Mapping
from typing import Final

from mauerwerk.bots.levels import levels_of
from mauerwerk.core import options
from mauerwerk.core.errors import SetupError
from mauerwerk.core.game import Seat, Value, shown
from mauerwerk.core.language.translation import Language, message
from mauerwerk.games import GAMES
from mauerwerk.play.tables.chance import Chance
from mauerwerk.play.tables.entries import Chair
from mauerwerk.play.tables.orders import Guest, Order
from mauerwerk.web.games import web_games
from mauerwerk.web.games.box import MIDDLE, Box
from mauerwerk.web.http.faults import Fault
from mauerwerk.web.http.names import named
from mauerwerk.web.http.replies import Reply, redirect
from mauerwerk.web.pages.form import Form
from mauerwerk.web.pages.people import friendly_name
from mauerwerk.web.pages.refusals import Refusal, refusal_of
from mauerwerk.web.pages.visitor import Visitor

PACES: Final = (
    (0, message("no limit")),
    (30, message("30 seconds")),
    (60, message("1 minute")),
    (120, message("2 minutes")),
    (300, message("5 minutes")),
    (86_400, message("1 day")),
    (259_200, message("3 days")),
)
"""Seconds for a decision."""

TEMPI: Final = (
    (300, message("fast")),
    (800, message("brisk")),
    (1_000, message("steady")),
    (1_800, message("unhurried")),
    (3_500, message("slow")),
)
"""Milliseconds that a bot waits before it moves."""

CHANCES: Final[Mapping[str, str]] = {
    "house": message("The house rolls and deals"),
    "dice": message("You roll real dice"),
    "all": message("You roll and deal all of it"),
}
"""The ways to bring chance to a table."""

ME, HERE, LINK, OPEN, NOBODY, BOT = "me", "here", "link", "open", "nobody", "bot-"
"""The kinds of occupant that a seat can have, as words of the form."""


class FieldChoice(Value):
    """A choice of a field."""

    word: str
    said: str
    chosen: bool


class SeatField(Value):
    """A seat in the form."""

    number: int
    choices: tuple[FieldChoice, ...]
    name: str


class OptionField(Value):
    """An option of the game in the form."""

    name: str
    label: str
    meaning: str
    allowed: str
    value: str
    choices: tuple[FieldChoice, ...]
    """The words it can be; a field for text, where there are none."""


async def ask(visitor: Visitor) -> Reply:
    """The form, filled in for you, a friend and bots; with options that the address names."""
    named = {name: word for name, word in visitor.query.items() if name.startswith("option-")}
    form = Form({"hints": "1", **named}) if named else Form()
    return _form(visitor, _box_of(visitor), form, None, visitor.query.get("chance", ""))


def _form(
    visitor: Visitor, box: Box, form: Form, refusal: Refusal | None, chance: str = ""
) -> Reply:
    language = visitor.language
    game = GAMES[box.name]
    tempo = form.number("tempo") or box.tempo
    return visitor.paint(
        "invite.html",
        refusal.status if refusal else 200,
        box=box,
        name=form.get("name", visitor.guest.name if visitor.guest else friendly_name()),
        places=[_place(box, number, form, language) for number in range(game.SEATS[-1])],
        least=game.SEATS[0],
        fields=[
            _field(box, option, field, form, language)
            for option, field in zip(
                options.described(game.OPTIONS, language),
                options.offered(game.OPTIONS, language),
                strict=True,
            )
        ],
        paces=_chosen(PACES, form.number("pace") or 0, language),
        tempi=_chosen(TEMPI, tempo, language),
        chances=_chances(form.get("chance", chance), language),
        public=form.get("public") == "1",
        hints=not form or form.get("hints") == "1",
        refusal=refusal,
    )


def _chances(chosen: str, language: Language) -> tuple[FieldChoice, ...]:
    return tuple(
        FieldChoice(word, language(words), word == (chosen if chosen in CHANCES else "house"))
        for word, words in CHANCES.items()
    )


def _box_of(visitor: Visitor) -> Box:
    room = web_games().get(visitor.call.path["game"])
    if room is None:
        raise Fault(404, "there is no such game")
    return room.box


def _place(box: Box, number: int, form: Form, language: Language) -> SeatField:
    levels = levels_of(GAMES[box.name])
    level = MIDDLE if MIDDLE in levels else next(iter(levels))
    usual = [ME, LINK, *[f"{BOT}{level}"] * (box.seats - 2)][: box.seats]
    chosen = form.get(f"seat-{number}", usual[number] if number < len(usual) else NOBODY)
    said = [
        (ME, language("You")),
        (LINK, language("A friend, by a link")),
        (OPEN, language("Whoever comes")),
        (HERE, language("Somebody at this device")),
        *(
            (f"{BOT}{name}", language("Bot: {level}", level=language(each.title)))
            for name, each in levels.items()
        ),
        (NOBODY, language("Nobody")),
    ]
    choices = tuple(FieldChoice(word, words, word == chosen) for word, words in said)
    return SeatField(number, choices, form.get(f"name-{number}", ""))


def _field(
    box: Box, option: options.Option, field: options.Field, form: Form, language: Language
) -> OptionField:
    value = form.get(f"option-{option.name}", option.default)
    said = [] if field.kind == "count" else list(field.words)
    if field.kind == "seat":
        seats = range(GAMES[box.name].SEATS[-1])
        said += [(str(seat), language("seat {number}", number=seat + 1)) for seat in seats]
    elif field.other and value not in dict(said):
        said.append((value, field.other))
    return OptionField(
        name=option.name,
        label=options.label(option.name, language),
        meaning=option.meaning,
        allowed=option.allowed,
        value=value,
        choices=tuple(FieldChoice(word, words, word == value) for word, words in said),
    )


def _chosen(
    pairs: tuple[tuple[int, str], ...], chosen: int, language: Language
) -> tuple[FieldChoice, ...]:
    return tuple(
        FieldChoice(str(value), language(words), value == chosen) for value, words in pairs
    )


async def set_up(visitor: Visitor, form: Form) -> Reply:
    """Create the table that the form describes; all players at this device sit down."""
    box = _box_of(visitor)
    try:
        order, sitting = _ordered(box, form)
        guest, headers = visitor.known(form.get("name", "") or friendly_name())
        # A new guest already has this name; renaming them would create a second guest.
        if visitor.guest is not None and form.get("name", guest.name) != guest.name:
            guest, headers = Guest(guest.id, named(form["name"])), visitor.renamed(form["name"])
        table = await opened(visitor, order, guest)
    except (SetupError, Fault) as error:
        fault = error if isinstance(error, Fault) else Fault(422, str(error), word="setup")
        return _form(visitor, box, form, refusal_of(error, fault, visitor.language))
    for seat, name in sitting:
        await visitor.call.host.claim(table, seat, Guest(guest.id, name or guest.name))
    return redirect(f"/t/{table}", headers)


def _ordered(box: Box, form: Form) -> tuple[Order, list[tuple[Seat, str]]]:
    """The order in the form, and the other players at this device."""
    said = [
        (number, form.get(f"seat-{number}", NOBODY)) for number in range(GAMES[box.name].SEATS[-1])
    ]
    taken = [(number, word) for number, word in said if word != NOBODY]
    chairs = tuple(_chair(word) for _, word in taken)
    mine = tuple(Seat(seat) for seat, (_, word) in enumerate(taken) if word == ME)
    here = [
        (Seat(seat), named(wish) if (wish := form.get(f"name-{number}", "")).strip() else "")
        for seat, (number, word) in enumerate(taken)
        if word == HERE
    ]
    chosen = {
        option.name: word
        for option in options.described(GAMES[box.name].OPTIONS)
        if (word := form.get(f"option-{option.name}", "").strip())
    }
    order = Order(
        game=box.name,
        chairs=chairs,
        options=chosen,
        mine=mine,
        public=form.get("public") == "1",
        pace=min(form.number("pace") or 0, PACES[-1][0]),
        tempo=min(form.number("tempo") or box.tempo, TEMPI[-1][0]),
        hints=form.get("hints") == "1",
        chance=_chance(form.get("chance", "house")),
    )
    return order, here


def _chance(word: str) -> Chance:
    """The kind of chance that a word names. Raises SetupError."""
    match word:
        case "house" | "dice" | "all":
            return word
        case _:
            raise SetupError(f"chance is house, dice or all, not {shown(word)}")


def _chair(word: str) -> Chair:
    if word.startswith(BOT):
        return Chair("bot", word.removeprefix(BOT))
    return Chair("open" if word == OPEN else "human")


async def opened(visitor: Visitor, order: Order, guest: Guest) -> str:
    """A new table's name, counted as this guest's. Raises Fault."""
    call = visitor.call
    call.site.limiter.table(visitor.visit.client)
    call.site.limiter.table(f"guest {guest.id}")
    table = await call.host.create(order, guest)
    return table.charter.id
