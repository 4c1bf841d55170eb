"""What is asked about a new table, and what each answer does to the order.

`table_questions` lists what is asked about every table. The form, its defaults, the order and the
table in words follow from these declarations (`draft.py`). How the options of a game are asked is
declared in its room.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from mauerwerk.core import options
from mauerwerk.core.game import Value
from mauerwerk.core.language import Language, message
from mauerwerk.games import GAMES
from mauerwerk.server.games.room import DICE, OptionQuestion, WebGame
from mauerwerk.server.tables.charter import SLOW, ChatRule, stricter
from mauerwerk.server.ui.page import Chip, Form

EVENING: Final = 23 * 60
"""The minute of the day at which a night begins, where the table is set up."""


class Question(Value):
    """A question on the page, with a few answers of which one is chosen, or a field to fill in."""

    name: str
    """The name of the field in the form."""
    ask: str
    chips: tuple[Chip, ...]
    why: str = ""
    brief: str = ""
    """The chosen answer without its question; empty where it goes without saying."""
    value: str = ""
    """The content of the field, where there are no answers to choose from."""


# --- About every table -----------------------------------------------------------------------


class Choice(Value):
    """An answer to a question about the table."""

    word: str
    """What the form sends."""
    said: str
    value: Any = None
    """What it sets the field of the question to; None: nothing."""
    brief: str = ""
    """The answer without its question; empty where it goes without saying."""
    why: str = ""
    """What this answer means, instead of the question's `why`."""
    others: Mapping[str, int] = {}
    """Other fields that it sets instead, by their names."""


def _total(so_far: Mapping[str, Any]) -> bool:
    return "total" in so_far


def _slow(so_far: Mapping[str, Any]) -> bool:
    return bool(so_far.get("seconds_per_move", 0) >= SLOW)


class TableQuestion(NamedTuple):
    """A question about the table. What is none of its answers counts as the usual one."""

    name: str
    """The field of the order, or of its clock, that it is about."""
    ask: str
    choices: tuple[Choice, ...]
    why: str = ""
    usual: str | None = None
    """The answer that is chosen at first; None: the first one."""
    when: Callable[[Mapping[str, Any]], bool] = lambda _: True
    """Whether it is asked, after what the questions before it set."""
    expert: bool = True
    shown: bool = True

    def chosen(self, form: Form) -> Choice | None:
        """The answer in a form; None where the usual one is not offered."""
        choices = {each.word: each for each in self.choices}
        usual = self.choices[0].word if self.usual is None else self.usual
        return choices.get(form.get(self.name, usual)) or choices.get(usual)

    def sets(self, form: Form) -> Mapping[str, Any]:
        """Fields of the order, or of its clock, that the answer in a form sets."""
        chosen = self.chosen(form)
        if chosen is None:
            return {}
        return chosen.others if chosen.value is None else {self.name: chosen.value}

    def asked(self, form: Form, language: Language) -> Question:
        """The question with the answer that the form has."""
        chosen = self.chosen(form)
        brief = chosen.brief if chosen else ""
        why = (chosen.why if chosen else "") or self.why
        return Question(
            self.name,
            language(self.ask),
            tuple(Chip(each.word, language(each.said), each == chosen) for each in self.choices),
            language(why) if why else "",
            language(brief) if brief else "",
        )


_FOR_THE_GAME: Final = message(
    "Each player's clock runs while they must act. When it is up, a bot plays the game to its end."
)

SECONDS_PER_MOVE: Final = TableQuestion(
    "seconds_per_move",
    message("How long may a move take?"),
    (
        Choice("0", message("As long as it takes")),
        Choice("60", message("1 min"), 60),
        Choice("120", message("2 min"), 120),
        Choice("300", message("5 min"), 300),
        Choice("86400", message("1 day"), 86_400),
        Choice("259200", message("3 days"), 259_200),
        Choice(
            "t600",
            message("10 min each + 10 s a move"),
            others={"total": 600, "increment": 10},
            why=_FOR_THE_GAME,
        ),
        Choice(
            "t1500",
            message("25 min each + 15 s a move"),
            others={"total": 1_500, "increment": 15},
            why=_FOR_THE_GAME,
        ),
    ),
    message("When the time is up, a bot plays on for that seat until its owner is back."),
    expert=False,
)

RATED: Final = TableQuestion(
    "rated",
    message("Rated?"),
    (
        Choice("0", message("No, for fun"), value=False),
        Choice("1", message("Yes, it counts"), value=True, brief=message("rated")),
    ),
    message("A rated game changes everybody's rating. It has no hints."),
    expert=False,
)

HINTS: Final = TableQuestion(
    "hints",
    message("Are hints allowed?"),
    (
        Choice("1", message("Yes"), value=True, brief=message("hints allowed")),
        Choice("0", message("No"), value=False, brief=message("no hints")),
    ),
)

BOT_DELAY: Final = TableQuestion(
    "bot_delay_ms",
    message("How fast do the bots play?"),
    (
        Choice("300", message("Fast"), 300, message("fast bots")),
        Choice("800", message("Brisk"), 800, message("brisk bots")),
        Choice("1000", message("Steady"), 1_000, message("steady bots")),
        Choice("1800", message("Unhurried"), 1_800, message("unhurried bots")),
        Choice("3500", message("Slow"), 3_500, message("slow bots")),
    ),
)
"""Milliseconds that a bot waits before it moves; a game says how long it usually does."""

LISTED: Final = TableQuestion(
    "public",
    message("Is the table on the home page?"),
    (
        Choice("", message("If a seat is for anyone")),
        Choice(
            "1", message("Yes, also to watch"), value=True, brief=message("listed on the home page")
        ),
        Choice("0", message("No"), value=False, brief=message("not listed")),
    ),
)

FLAG: Final = TableQuestion(
    "forfeits",
    message("What happens when time runs out?"),
    (
        Choice("0", message("A bot plays on")),
        Choice(
            "1",
            message("A bot plays on, and the seat comes last"),
            value=True,
            brief=message("last place if time runs out"),
        ),
    ),
    when=_total,
)

DAYS_OFF: Final = TableQuestion(
    "days_off",
    message("How many days off does everybody get?"),
    (
        Choice("0", message("None")),
        Choice("2", message("2 days"), 2, message("2 days off")),
        Choice("7", message("7 days"), 7, message("7 days off")),
    ),
    when=_slow,
)

NIGHT: Final = TableQuestion(
    "night",
    message("Does the clock run at night?"),
    (
        Choice("1", message("Yes")),
        Choice("0", message("No, from 23 to 7"), EVENING, message("nights do not count")),
    ),
    when=_slow,
)

SPECTATOR_DELAY: Final = TableQuestion(
    "spectator_delay",
    message("Who may watch?"),
    (
        Choice("0", message("Everybody, at once")),
        Choice(
            "10", message("Everybody, 10 moves later"), 10, message("spectators 10 moves later")
        ),
        Choice("-1", message("Nobody"), -1, message("no spectators")),
    ),
)

CHAT: Final = TableQuestion(
    "chat",
    message("What may players say?"),
    (
        Choice("off", message("Nothing"), "off", message("no chat")),
        Choice("phrases", message("Faces and phrases"), "phrases", message("faces and phrases")),
        Choice("free", message("Whatever they like"), "free", message("free chat")),
    ),
    usual="phrases",
)


def table_questions(
    room: WebGame, allowed: ChatRule, *, alone: bool = False
) -> tuple[TableQuestion, ...]:
    """What is asked about a table of a game, on a server that allows this much chat.

    Where it is `alone`, nobody rates games, and nobody comes to watch.
    """
    chat = tuple(each for each in CHAT.choices if stricter(each.value, allowed) == each.word)
    return (
        SECONDS_PER_MOVE,
        RATED._replace(shown=not alone),
        HINTS,
        BOT_DELAY._replace(usual=str(room.box.bot_delay_ms)),
        _dice(room.dice or DICE, alone=alone)._replace(shown=room.dice is not None),
        LISTED._replace(shown=not alone),
        FLAG,
        DAYS_OFF,
        NIGHT,
        SPECTATOR_DELAY._replace(shown=not alone),
        CHAT._replace(choices=chat, shown=allowed != "off"),
    )


def _dice(asked: OptionQuestion, *, alone: bool) -> TableQuestion:
    """Who rolls at the table, in the words of the game."""
    choices = {
        each.word: Choice(each.word, each.said, each.word, each.brief) for each in asked.answers
    }
    if alone:  # the server is here
        choices["server"] = Choice("server", message("This browser"), "server")
    return TableQuestion(asked.option, asked.ask, tuple(choices.values()), asked.why)


# --- About the options of a game -------------------------------------------------------------


def words_in(form: Form, room: WebGame) -> dict[str, str]:
    """The options of the game as the form has them, or their defaults."""
    return {
        option.name: form.get(f"option-{option.name}", "").strip() or option.default
        for option in options.described(GAMES[room.box.name].OPTIONS)
    }


def seat_options(room: WebGame) -> tuple[options.Field, ...]:
    """The options that name a seat, such as who begins."""
    return tuple(
        field for field in options.offered(GAMES[room.box.name].OPTIONS) if field.kind == "seat"
    )


def who_begins(
    room: WebGame,
    words: Mapping[str, str],
    beginners: Sequence[tuple[str, str]],
    language: Language,
) -> tuple[Question, ...]:
    """The question for each option that names a seat."""
    asked = {each.option: each.ask for each in room.questions}
    found: list[Question] = []
    for field in seat_options(room):
        answers = {word: language("Draw lots") for word, _ in field.words} | dict(beginners)
        value = words[field.name] if words[field.name] in answers else next(iter(answers))
        found.append(
            Question(
                f"option-{field.name}",
                language(asked.get(field.name, _WHO_BEGINS)),
                tuple(Chip(word, said, word == value) for word, said in answers.items()),
            )
        )
    return tuple(found)


_WHO_BEGINS: Final = message("Who begins?")


def of_game(
    room: WebGame, words: Mapping[str, str], language: Language, *, expert: bool
) -> tuple[Question, ...]:
    """The game's questions, for experts or not; without any, experts get a field per option."""
    if not room.questions:
        return tuple(_plain(room, words, language)) if expert else ()
    seats = {field.name for field in seat_options(room)}
    return tuple(
        _of_option(each, words[each.option], language)
        for each in room.questions
        if each.expert == expert and each.option not in seats
    )


def _of_option(asked: OptionQuestion, value: str, language: Language) -> Question:
    chips = [Chip(each.word, language(each.said), each.word == value) for each in asked.answers]
    answer = asked.answer(value)
    brief = language(answer.alone) if answer else language("a choice of your own")
    if answer is None:
        # A link can name what nobody is offered, such as a board of one's own.
        chips.append(Chip(value, language("A choice of your own"), chosen=True))
    return Question(
        f"option-{asked.option}",
        language(asked.ask),
        tuple(chips),
        language(asked.why) if asked.why else "",
        brief,
    )


def _plain(room: WebGame, words: Mapping[str, str], language: Language) -> Iterator[Question]:
    kinds = GAMES[room.box.name].OPTIONS
    for option, field in zip(
        options.described(kinds, language), options.offered(kinds, language), strict=True
    ):
        if field.kind == "seat" or option.house:
            continue
        value = words[option.name]
        answers = () if field.kind == "count" else field.words
        chips = [Chip(word, said, word == value) for word, said in answers]
        if chips and field.other and value not in dict(answers):
            chips.append(Chip(value, field.other, chosen=True))
        label = options.label(option.name, language)
        why = option.meaning if chips else f"{option.meaning}: {option.allowed}"
        brief = f"{label} {dict(field.words).get(value, value)}"
        yield Question(f"option-{option.name}", label, tuple(chips), why, brief, value)


def unasked_in(room: WebGame, words: Mapping[str, str]) -> dict[str, str]:
    """Options that a link set and that nobody is asked about; they must not be lost."""
    if not room.questions:
        return {}
    asked = {each.option for each in room.questions} | {each.name for each in seat_options(room)}
    return {
        option.name: words[option.name]
        for option in options.described(GAMES[room.box.name].OPTIONS)
        if option.name not in asked and words[option.name] != option.default
    }
