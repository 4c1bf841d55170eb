"""Who plays at a new table: a line for each seat, and who may begin."""

from collections.abc import Mapping, Sequence
from typing import Final

from mauerwerk.bots.levels import levels_of, title_of
from mauerwerk.core.game import Value
from mauerwerk.core.language.translation import Language, message, messages
from mauerwerk.games import GAMES
from mauerwerk.server.games.room import MIDDLE, Box
from mauerwerk.server.ui.forms import Chip, Form
from mauerwerk.server.ui.names import BOTS

ME, HERE, LINK, OPEN, NOBODY, BOT = "me", "here", "link", "open", "nobody", "bot"
"""The kinds of occupant that a seat can have, as words of the form."""

KINDS: Final = (
    (ME, "i-me", message("You")),
    (LINK, "i-link", message("A friend (send a link)")),
    (OPEN, "i-door", message("Anyone")),
    (HERE, "i-device", message("At this device")),
    (BOT, "i-bot", message("Bot")),
    (NOBODY, "i-x", message("Nobody")),
)
"""The kinds of occupant with their signs and names."""

KINDS_OF_OTHERS: Final = (LINK, OPEN, HERE, BOT, NOBODY)

COMPANY: Final = {
    LINK: messages("a friend", "{number} friends"),
    OPEN: messages("anyone", "{number} others"),
    HERE: messages("somebody beside you", "{number} beside you"),
    BOT: messages("a bot", "{number} bots"),
}
"""The others at the table, counted."""

ICONS: Final = tuple(icon for _, icon, _ in KINDS)

ADD: Final = (
    message("A first player"),
    message("A second player"),
    message("A third player"),
    message("A fourth player"),
    message("A fifth player"),
    message("A sixth player"),
)
"""What the button says that adds a seat, by the number of seats there are."""


class SeatChip(Chip):
    """A kind of occupant that a seat can have."""

    icon: str


class SeatQuestion(Value):
    """A seat with its occupant, and what else it could have."""

    number: int
    """Its number in the form, in which seats may be empty."""

    kind: str
    icon: str
    title: str
    note: str
    kinds: tuple[SeatChip, ...]
    levels: tuple[Chip, ...]
    character: str
    """What bots of the chosen level are like."""

    name: str
    """The name of a person at this device."""


class Seats(Value):
    """The seats of a new table."""

    taken: tuple[SeatQuestion, ...]
    empty: tuple[int, ...]
    """The numbers of seats that nobody has."""

    add: str
    """What the button says that adds one."""

    @property
    def kinds(self) -> tuple[str, ...]:
        """Who has the seats of the table, in their order."""
        return tuple(seat.kind for seat in self.taken)


def kind_of(box: Box, number: int, form: Form) -> str:
    """Who has a seat: what the form says, and otherwise you, a friend and bots."""
    usual = [ME, LINK, *[BOT] * (box.seats - 2)][: box.seats]
    said = form.get(f"seat-{number}", usual[number] if number < len(usual) else NOBODY)
    return said if said in {kind for kind, _, _ in KINDS} else NOBODY


def level_of(box: Box, number: int, form: Form) -> str:
    """The level of the bot at a seat."""
    levels = levels_of(GAMES[box.name])
    usual = MIDDLE if MIDDLE in levels else next(iter(levels))
    return form.get(f"level-{number}", usual)


def seats_in(box: Box, form: Form, own: str, language: Language) -> Seats:
    """The seats in a form, for a visitor of this name."""
    numbers = range(GAMES[box.name].SEATS[-1])
    added = form.number("add")
    kinds = {number: kind_of(box, number, form) for number in numbers}
    if added in kinds and kinds[added] == NOBODY:
        kinds[added] = BOT
    taken = [number for number in numbers if kinds[number] != NOBODY]
    return Seats(
        taken=tuple(
            _question(box, number, kinds, place, form, own, language)
            for place, number in enumerate(taken)
        ),
        empty=tuple(number for number in numbers if kinds[number] == NOBODY),
        add=language(ADD[len(taken)]) if len(taken) < len(ADD) else language("Another player"),
    )


def _question(  # noqa: PLR0913, PLR0917 - all that a line depends on
    box: Box,
    number: int,
    occupants: Mapping[int, str],
    place: int,
    form: Form,
    own: str,
    language: Language,
) -> SeatQuestion:
    kind, game = occupants[number], GAMES[box.name]
    levels = levels_of(game)
    level = level_of(box, number, form)
    name = form.get(f"name-{number}", "")
    icon, title = next((icon, language(words)) for each, icon, words in KINDS if each == kind)
    notes = {
        ME: own,
        LINK: language("you get the link when the table is created"),
        OPEN: language("the table is listed on the home page"),
        HERE: name or language("you pass the device on"),
        BOT: BOTS[place % len(BOTS)],
    }
    known = levels.get(level)
    if kind == BOT and known:
        title = language("Bot, {level}", level=title_of(known, game, language))
    return SeatQuestion(
        number=number,
        kind=kind,
        icon=icon,
        title=title,
        note=notes.get(kind, ""),
        kinds=tuple(
            SeatChip(each, language(words), each == kind, sign)
            for each, sign, words in KINDS
            # You sit down once; others at this device have a name of their own.
            if each in {kind, *KINDS_OF_OTHERS} or ME not in occupants.values()
        ),
        levels=tuple(
            Chip(each, title_of(known, game, language), each == level)
            for each, known in levels.items()
        ),
        character=language(known.character) if known else "",
        name=name,
    )


def company(kinds: Sequence[str], language: Language) -> str:
    """Who plays, in words: `You, a friend and 2 bots`."""
    said = [language("You")] if ME in kinds else []
    for kind, (one, several) in COMPANY.items():
        if count := kinds.count(kind):
            said.append(language.many(count, one, several))
    return language.listed(said) if said else language("Nobody")


def beginners(seats: Seats, language: Language) -> list[tuple[str, str]]:
    """Who could begin: the place at the table, and how a player would call its occupant."""
    called: list[tuple[str, str]] = []
    kinds = seats.kinds
    words = {
        ME: language("You"),
        LINK: language("Your friend"),
        OPEN: language("Anyone who joins"),
        HERE: language("Your neighbour"),
        BOT: language("The bot"),
    }
    for place, seat in enumerate(seats.taken):
        alone = kinds.count(seat.kind) == 1
        if seat.kind == BOT and not alone:
            said = seat.note
        elif seat.kind == HERE and seat.name:
            said = seat.name
        elif alone:
            said = words[seat.kind]
        else:
            number = kinds[: place + 1].count(seat.kind)
            said = f"{words[seat.kind]} {number}"
        called.append((str(place), said))
    return called
