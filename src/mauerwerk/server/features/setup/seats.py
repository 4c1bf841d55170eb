"""Who plays at a new table: a line for each seat, who may begin, and the company in words."""

from collections.abc import Sequence
from typing import Final

from mauerwerk.bots.levels import levels_of, title_of
from mauerwerk.core.game import Value
from mauerwerk.core.language import Language, message, messages
from mauerwerk.games import GAMES
from mauerwerk.server.games.room import Box, usual_level
from mauerwerk.server.ui.names import BOTS
from mauerwerk.server.ui.page import Chip, Form

ME, HERE, LINK, OPEN, NOBODY, BOT = "me", "here", "link", "open", "nobody", "bot"
"""The kinds of occupant that a seat can have, as words of the form."""


class SeatKind(Value):
    """A kind of occupant."""

    icon: str
    title: str
    note: str = ""
    """What stands below the title, unless that is a name."""
    counted: tuple[str, str] = ("", "")
    """One of them and several, among the others at the table."""
    begins: str = ""
    """How a player would call one of them who begins."""


KINDS: Final = {
    ME: SeatKind("i-me", message("You"), begins=message("You")),
    LINK: SeatKind(
        "i-link",
        message("A friend (send a link)"),
        message("you get the link when the table is created"),
        messages("a friend", "{number} friends"),
        message("Your friend"),
    ),
    OPEN: SeatKind(
        "i-door",
        message("Anyone"),
        message("the table is listed on the home page"),
        messages("anyone", "{number} others"),
        message("Anyone who joins"),
    ),
    HERE: SeatKind(
        "i-device",
        message("At this device"),
        message("you pass the device on"),
        messages("somebody beside you", "{number} beside you"),
        message("Your neighbour"),
    ),
    BOT: SeatKind(
        "i-bot",
        message("Bot"),
        counted=messages("a bot", "{number} bots"),
        begins=message("The bot"),
    ),
    NOBODY: SeatKind("i-x", message("Nobody")),
}
"""In this order they are offered."""

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


FROM_ELSEWHERE: Final = (LINK, OPEN)
"""The kinds of those who cannot come where a server is for one device alone."""


def kinds_in(box: Box, form: Form, *, alone: bool = False) -> dict[int, str]:
    """Who has each seat: what the form says, and otherwise you, a friend and bots."""
    usual = [ME, HERE if alone else LINK, *[BOT] * (box.seats - 2)][: box.seats]
    usual += [NOBODY] * GAMES[box.name].SEATS[-1]
    kinds = {
        number: form.get(f"seat-{number}", usual[number])
        for number in range(GAMES[box.name].SEATS[-1])
    }
    known = [kind for kind in KINDS if not (alone and kind in FROM_ELSEWHERE)]
    return {number: kind if kind in known else NOBODY for number, kind in kinds.items()}


def level_of(box: Box, number: int, form: Form) -> str:
    """The level of the bot at a seat."""
    return form.get(f"level-{number}", usual_level(GAMES[box.name]))


def seats_in(box: Box, form: Form, own: str, language: Language, *, alone: bool = False) -> Seats:
    """The seats in a form, for a visitor of this name."""
    kinds = kinds_in(box, form, alone=alone)
    added = form.number("add")
    if added in kinds and kinds[added] == NOBODY:
        kinds[added] = BOT
    taken = [number for number, kind in kinds.items() if kind != NOBODY]
    # You sit down once; others at this device have a name of their own.
    others = {kind for kind in KINDS if kind != ME or ME not in kinds.values()}
    others -= set(FROM_ELSEWHERE if alone else ())
    game = GAMES[box.name]
    levels = {word: title_of(level, game, language) for word, level in levels_of(game).items()}

    def question(place: int, number: int) -> SeatQuestion:
        kind, level = kinds[number], level_of(box, number, form)
        name = form.get(f"name-{number}", "")
        names = {ME: own, HERE: name, BOT: BOTS[place % len(BOTS)]}
        title, note = language(KINDS[kind].title), KINDS[kind].note
        if kind == BOT and level in levels:
            title = language("Bot, {level}", level=levels[level])
        return SeatQuestion(
            number=number,
            kind=kind,
            icon=KINDS[kind].icon,
            title=title,
            note=names.get(kind, "") or (language(note) if note else ""),
            kinds=tuple(
                SeatChip(word, language(each.title), word == kind, each.icon)
                for word, each in KINDS.items()
                if word in others | {kind}
            ),
            levels=tuple(Chip(word, title, word == level) for word, title in levels.items()),
            character=language(levels_of(game)[level].character) if level in levels else "",
            name=name,
        )

    return Seats(
        taken=tuple(question(place, number) for place, number in enumerate(taken)),
        empty=tuple(number for number, kind in kinds.items() if kind == NOBODY),
        add=language(ADD[len(taken)]) if len(taken) < len(ADD) else language("Another player"),
    )


def company(kinds: Sequence[str], language: Language) -> str:
    """Who plays, in words: `You, a friend and 2 bots`."""
    others = ((kinds.count(word), KINDS[word].counted) for word in (LINK, OPEN, HERE, BOT))
    said = [language("You")] if ME in kinds else []
    said += [language.many(count, *forms) for count, forms in others if count]
    return language.listed(said) if said else language("Nobody")


def beginners(seats: Sequence[SeatQuestion], language: Language) -> list[tuple[str, str]]:
    """Who could begin: the place at the table, and how a player would call its occupant."""
    kinds = [seat.kind for seat in seats]

    def called(place: int, seat: SeatQuestion) -> str:
        said = language(KINDS[seat.kind].begins)
        if seat.kind == HERE and seat.name:
            return seat.name
        if kinds.count(seat.kind) == 1:
            return said
        number = kinds[: place + 1].count(seat.kind)
        return seat.note if seat.kind == BOT else f"{said} {number}"

    return [(str(place), called(place, seat)) for place, seat in enumerate(seats)]
