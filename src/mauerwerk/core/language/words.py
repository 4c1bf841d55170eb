"""How names, numbers and lists come together in a sentence.

The reader of a sentence can be called `you` in it; `core.language.translation` has a template for
that. What is the same in all games is said here.
"""

from collections.abc import Sequence

from mauerwerk.core.language.translation import ENGLISH, YOU, Language, is_you


def listed(words: Sequence[str], joint: str = "and") -> str:
    """Words in a row, the last one joined by a word, in English.

    >>> listed(["Ada"]), listed(["Ada", "Bo"]), listed(["1", "2", "off"], "or")
    ('Ada', 'Ada and Bo', '1, 2 or off')
    """
    return ENGLISH.listed(words, joint)


def counted(number: int, thing: str, things: str = "") -> str:
    """A number of things, in English.

    >>> counted(1, "card"), counted(4, "card"), counted(0, "city", "cities")
    ('1 card', '4 cards', '0 cities')
    """
    return f"{number} {thing}" if number == 1 else f"{number} {things or thing + 's'}"


def capital(words: str) -> str:
    """The words as they begin a sentence.

    >>> capital("you and Ada")
    'You and Ada'
    """
    return f"{words[:1].upper()}{words[1:]}"


def sentence(words: str) -> str:
    """The words with a capital and a full stop.

    >>> sentence("you built a 4")
    'You built a 4.'
    """
    return f"{capital(words)}."


def signed(name: str, language: Language = ENGLISH, *, own: bool) -> str:
    """The name on a drawing; the viewer is told which one is theirs.

    >>> signed("Ada", own=False), signed("Ada", own=True), signed("you", own=True)
    ('Ada', 'Ada (you)', 'you')
    """
    return f"{name} ({language(YOU)})" if own and not is_you(name) else language.called(name)


# --- What all games say ----------------------------------------------------------------------


def points(number: int, language: Language = ENGLISH) -> str:
    """`1 point`, `7 points`."""
    return language.many(number, "{number} point", "{number} points")


def cards(number: int, language: Language = ENGLISH) -> str:
    """`1 card`, `7 cards`."""
    return language.many(number, "{number} card", "{number} cards")


def shares(names: Sequence[str], numbers: Sequence[int], language: Language = ENGLISH) -> str:
    """Who has how much.

    >>> shares(["Ada", "you"], [3, 0])
    'Ada 3, you 0'
    """
    pairs = zip(names, numbers, strict=False)
    return ", ".join(f"{language.called(name)} {number}" for name, number in pairs)


def waiting_for(names: Sequence[str], language: Language = ENGLISH) -> str:
    """Whom the table waits for.

    >>> waiting_for(["Ada", "Bo"])
    'Waiting for Ada and Bo.'
    """
    if names[1:]:
        return language("Waiting for {names}.", names=names)
    return language("Waiting for {name}.", name=names[0])


def won(winners: Sequence[str], number: int, language: Language = ENGLISH) -> str:
    """Who won, alone or together, and with how many points.

    >>> won(["you"], 7)
    'You won with 7 points.'
    >>> won(["you", "Ada"], 7)
    'You and Ada share the win with 7 points each.'
    """
    if winners[1:]:
        together = language.many(
            number,
            "{names} share the win with {number} point each",
            "{names} share the win with {number} points each",
            names=winners,
        )
        return sentence(together)
    alone = language.many(
        number,
        "{name} won with {number} point",
        "{name} won with {number} points",
        name=winners[0],
    )
    return sentence(alone)
