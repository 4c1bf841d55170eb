"""The other questions about a new table: who begins, what is played, and for experts."""

from collections.abc import Mapping
from typing import Final

from mauerwerk.core import options
from mauerwerk.core.game import Value
from mauerwerk.core.language.translation import Language, message
from mauerwerk.games import GAMES
from mauerwerk.server.features.setup.seats import OPEN, Seats, beginners
from mauerwerk.server.games.room import OptionQuestion, WebGame, told_of
from mauerwerk.server.tables.charter import ChatRule, stricter
from mauerwerk.server.ui.forms import Chip, Form

TEMPI: Final = (
    (300, message("Fast"), message("fast bots")),
    (800, message("Brisk"), message("brisk bots")),
    (1_000, message("Steady"), message("steady bots")),
    (1_800, message("Unhurried"), message("unhurried bots")),
    (3_500, message("Slow"), message("slow bots")),
)
"""Milliseconds that a bot waits before it moves."""

LISTED: Final = (
    ("", message("If a seat is for anyone"), ""),
    ("1", message("Yes, also to watch"), message("listed on the home page")),
    ("0", message("No"), message("not listed")),
)
"""Whether the home page lists the table."""

HINTS: Final = (
    ("1", message("Yes"), message("hints allowed")),
    ("0", message("No"), message("no hints")),
)


RATED: Final = (
    ("0", message("No, for fun"), ""),
    ("1", message("Yes, it counts"), message("rated")),
)
WATCHING: Final = (
    ("0", message("Everybody, at once"), ""),
    ("10", message("Everybody, 10 moves later"), message("spectators 10 moves later")),
    ("-1", message("Nobody"), message("no spectators")),
)
"""By how many moves spectators are behind."""

TALK: Final = (
    ("off", message("Nothing"), message("no chat")),
    ("phrases", message("Faces and phrases"), message("faces and phrases")),
    ("free", message("Whatever they like"), message("free chat")),
)
"""What players may say."""


class Question(Value):
    """A question with a few answers, of which one is chosen; or with a field to fill in."""

    name: str
    """The name of the field in the form."""

    ask: str
    chips: tuple[Chip, ...]
    why: str = ""
    brief: str = ""
    """The chosen answer without its question; empty where it goes without saying."""

    value: str = ""
    """The content of the field, where there are no answers to choose from."""


def question(
    name: str, ask: str, answers: tuple[tuple[str, str, str], ...], chosen: str, language: Language
) -> Question:
    """A question with these answers: the word, the chip, and the answer without its question."""
    chips = tuple(Chip(word, language(said), word == chosen) for word, said, _ in answers)
    brief = next((brief for word, _, brief in answers if word == chosen), "")
    return Question(name, ask, chips, brief=language(brief) if brief else "")


def words_in(form: Form, room: WebGame) -> dict[str, str]:
    """The options of the game as the form has them, or their defaults."""
    return {
        option.name: form.get(f"option-{option.name}", "").strip() or option.default
        for option in options.described(GAMES[room.box.name].OPTIONS)
    }


def who_begins(
    room: WebGame, words: Mapping[str, str], seats: Seats, language: Language
) -> tuple[Question, ...]:
    """The question for each option that names a seat."""
    asked = {each.option: each.ask for each in room.questions}
    found: list[Question] = []
    for field in options.offered(GAMES[room.box.name].OPTIONS, language):
        if field.kind != "seat":
            continue
        answers = [*((word, language("Draw lots")) for word, _ in field.words)]
        answers += beginners(seats, language)
        value = words[field.name]
        if value not in dict(answers):
            value = answers[0][0]
        chips = tuple(Chip(word, said, word == value) for word, said in answers)
        ask = language(asked[field.name]) if field.name in asked else language("Who begins?")
        found.append(Question(f"option-{field.name}", ask, chips))
    return tuple(found)


def of_game(
    room: WebGame, words: Mapping[str, str], language: Language, *, expert: bool
) -> tuple[Question, ...]:
    """The questions that the game asks, those for experts or the others."""
    seats = {
        field.name
        for field in options.offered(GAMES[room.box.name].OPTIONS)
        if field.kind == "seat"
    }
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


def plain(room: WebGame, words: Mapping[str, str], language: Language) -> tuple[Question, ...]:
    """A field for each option of a game that does not say how its options are asked."""
    if room.questions:
        return ()
    found: list[Question] = []
    kinds = GAMES[room.box.name].OPTIONS
    for option, field in zip(
        options.described(kinds, language), options.offered(kinds, language), strict=True
    ):
        if field.kind == "seat":
            continue
        value = words[option.name]
        answers = () if field.kind == "count" else field.words
        chips = [Chip(word, said, word == value) for word, said in answers]
        if chips and field.other and value not in dict(answers):
            chips.append(Chip(value, field.other, chosen=True))
        label = options.label(option.name, language)
        why = option.meaning if chips else f"{option.meaning}: {option.allowed}"
        found.append(
            Question(f"option-{option.name}", label, tuple(chips), why, f"{label} {value}", value)
        )
    return tuple(found)


def unasked_in(room: WebGame, words: Mapping[str, str]) -> dict[str, str]:
    """Options that a link set and that nobody is asked about; they must not be lost."""
    if not room.questions:
        return {}
    asked = {each.option for each in room.questions}
    fields = options.offered(GAMES[room.box.name].OPTIONS)
    usual = {each.name: each.default for each in options.described(GAMES[room.box.name].OPTIONS)}
    return {
        field.name: words[field.name]
        for field in fields
        if field.name not in asked
        and field.kind != "seat"
        and words[field.name] != usual[field.name]
    }


def rated_question(form: Form, language: Language) -> Question:
    """Whether the game changes ratings."""
    chosen = "1" if form.get("rated") == "1" else "0"
    why = language("A rated game changes everybody's rating. It has no hints.")
    asked = question("rated", language("Rated?"), RATED, chosen, language)
    return Question(asked.name, asked.ask, asked.chips, why, asked.brief)


def of_table(
    room: WebGame, form: Form, tempo: int, chance: str, language: Language
) -> tuple[Question, ...]:
    """What experts are asked about every game."""
    tempi = tuple((str(pause), said, brief) for pause, said, brief in TEMPI)
    hints = "0" if form.get("hints") == "0" else "1"
    listed = form.get("public", "")
    return (
        question("hints", language("Are hints allowed?"), HINTS, hints, language),
        question("tempo", language("How fast do the bots play?"), tempi, str(tempo), language),
        *([_asked_of_chance(room.chance, chance, language)] if room.chance else ()),
        question("public", language("Is the table on the home page?"), LISTED, listed, language),
    )


def watching_question(form: Form, language: Language) -> Question:
    """Who may watch."""
    chosen = str(delay_in(form))
    return question("delay", language("Who may watch?"), WATCHING, chosen, language)


def delay_in(form: Form) -> int:
    """By how many moves spectators are behind, as the form has it."""
    said = form.get("delay", "0")
    return int(said) if said in {word for word, _, _ in WATCHING} else 0


def chat_question(form: Form, allowed: ChatRule, language: Language) -> tuple[Question, ...]:
    """What players may say, as far as the server allows it."""
    if allowed == "off":
        return ()
    answers = tuple(each for each in TALK if stricter(chat_in(each[0]), allowed) == each[0])
    chosen = stricter(chat_in(form.get("chat", "")), allowed)
    return (question("chat", language("What may players say?"), answers, chosen, language),)


def chat_in(word: str) -> ChatRule:
    """What may be said, by its word in the form; what is no such word is the usual."""
    match word:
        case "off" | "free":
            return word
        case _:
            return "phrases"


def _asked_of_chance(asked: OptionQuestion, chance: str, language: Language) -> Question:
    """How chance comes to the table."""
    answers = tuple((each.word, each.said, each.brief) for each in asked.answers)
    rolled = question(asked.option, language(asked.ask), answers, chance, language)
    return Question(rolled.name, rolled.ask, rolled.chips, language(asked.why), rolled.brief)


def is_listed(form: Form, kinds: tuple[str, ...]) -> bool:
    """Whether the home page lists the table: if it is asked to, or if a seat is for anyone."""
    said = form.get("public", "")
    by_hand = form.get("chance", "house") != "house"
    return said == "1" or (not said and OPEN in kinds and not by_hand)


def told_in(room: WebGame, words: Mapping[str, str], language: Language) -> tuple[str, ...]:
    """What is unusual about the options, in words."""
    return tuple(language(each) for each in told_of(room.questions, words))
