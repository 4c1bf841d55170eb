"""Mauerbauer, what pieces, cards and lines are called in a sentence.

Languages differ in what becomes of a word in a sentence, so each colour of each piece is a phrase
of its own: `a red house`, `the first red house`, `no red house`.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, Literal, TypeAlias

from mauerwerk.core.language import ENGLISH, Language, message, messages
from mauerwerk.games.mauerbauer import events, guild
from mauerwerk.games.mauerbauer.values import COLOURS, Colour, Ending, Roll, Tower

OBJECT: Final = "object"
"""The context of a piece to which something is done: German says *einen roten Turm* then."""
Ordinal: TypeAlias = Literal["", "first", "second"]
"""Which of two equal houses is meant."""

# --- Towers ----------------------------------------------------------------------------------

_A_TOWER: Final[Mapping[Tower, str]] = {
    Tower.WHITE: message("a white tower", OBJECT),
    Tower.GREY: message("a grey tower", OBJECT),
    Tower.BLACK: message("a black tower", OBJECT),
}
THE_TOWER: Final[Mapping[Tower, str]] = {
    Tower.WHITE: message("the white tower"),
    Tower.GREY: message("the grey tower"),
    Tower.BLACK: message("the black tower"),
}
NO_TOWER: Final[Mapping[Tower, str]] = {
    Tower.WHITE: message("no white tower"),
    Tower.GREY: message("no grey tower"),
    Tower.BLACK: message("no black tower"),
}
TOWER_ON: Final[Mapping[Tower, str]] = {
    Tower.WHITE: message("white tower on {point}"),
    Tower.GREY: message("grey tower on {point}"),
    Tower.BLACK: message("black tower on {point}"),
}


def tower_name(tower: Tower, language: Language = ENGLISH, context: str = "") -> str:
    """`a black tower`."""
    return language.about(context, _A_TOWER[tower])


# --- Houses and palaces ----------------------------------------------------------------------

_A_HOUSE: Final[Mapping[Colour, str]] = {
    Colour.YELLOW: message("a yellow house"),
    Colour.GREEN: message("a green house"),
    Colour.BLUE: message("a blue house"),
    Colour.PINK: message("a pink house"),
    Colour.RED: message("a red house"),
}
_TWO_HOUSES: Final[Mapping[Colour, str]] = {
    Colour.YELLOW: message("two yellow houses"),
    Colour.GREEN: message("two green houses"),
    Colour.BLUE: message("two blue houses"),
    Colour.PINK: message("two pink houses"),
    Colour.RED: message("two red houses"),
}
_TWO_TOWERS: Final[Mapping[Tower, str]] = {
    Tower.WHITE: message("two white towers"),
    Tower.GREY: message("two grey towers"),
    Tower.BLACK: message("two black towers"),
}
_THE_HOUSE: Final[Mapping[Ordinal, Mapping[Colour, str]]] = {
    "": {
        Colour.YELLOW: message("the yellow house"),
        Colour.GREEN: message("the green house"),
        Colour.BLUE: message("the blue house"),
        Colour.PINK: message("the pink house"),
        Colour.RED: message("the red house"),
    },
    "first": {
        Colour.YELLOW: message("the first yellow house"),
        Colour.GREEN: message("the first green house"),
        Colour.BLUE: message("the first blue house"),
        Colour.PINK: message("the first pink house"),
        Colour.RED: message("the first red house"),
    },
    "second": {
        Colour.YELLOW: message("the second yellow house"),
        Colour.GREEN: message("the second green house"),
        Colour.BLUE: message("the second blue house"),
        Colour.PINK: message("the second pink house"),
        Colour.RED: message("the second red house"),
    },
}
NO_HOUSE: Final[Mapping[Colour, str]] = {
    Colour.YELLOW: message("no yellow house"),
    Colour.GREEN: message("no green house"),
    Colour.BLUE: message("no blue house"),
    Colour.PINK: message("no pink house"),
    Colour.RED: message("no red house"),
}
_TOWERS: Final[Mapping[Tower, tuple[str, str]]] = {
    Tower.WHITE: messages("{number} white tower", "{number} white towers"),
    Tower.GREY: messages("{number} grey tower", "{number} grey towers"),
    Tower.BLACK: messages("{number} black tower", "{number} black towers"),
}
HOUSES: Final[Mapping[Colour, tuple[str, str]]] = {
    Colour.YELLOW: messages("{number} yellow house", "{number} yellow houses"),
    Colour.GREEN: messages("{number} green house", "{number} green houses"),
    Colour.BLUE: messages("{number} blue house", "{number} blue houses"),
    Colour.PINK: messages("{number} pink house", "{number} pink houses"),
    Colour.RED: messages("{number} red house", "{number} red houses"),
}
PALACES: Final[Mapping[Colour, tuple[str, str]]] = {
    Colour.YELLOW: messages("{number} yellow palace", "{number} yellow palaces"),
    Colour.GREEN: messages("{number} green palace", "{number} green palaces"),
    Colour.BLUE: messages("{number} blue palace", "{number} blue palaces"),
    Colour.PINK: messages("{number} pink palace", "{number} pink palaces"),
    Colour.RED: messages("{number} red palace", "{number} red palaces"),
}
_NEW_PALACES: Final[Mapping[Colour, tuple[str, str]]] = {
    Colour.YELLOW: messages("a yellow palace", "{number} yellow palaces"),
    Colour.GREEN: messages("a green palace", "{number} green palaces"),
    Colour.BLUE: messages("a blue palace", "{number} blue palaces"),
    Colour.PINK: messages("a pink palace", "{number} pink palaces"),
    Colour.RED: messages("a red palace", "{number} red palaces"),
}


def house_name(colour: Colour, language: Language = ENGLISH) -> str:
    """`a red house`."""
    return language(_A_HOUSE[colour])


def the_house(colour: Colour, language: Language = ENGLISH, ordinal: Ordinal = "") -> str:
    """`the red house`, `the first red house`."""
    return language(_THE_HOUSE[ordinal][colour])


def counted(piece: Tower | Colour, number: int, language: Language = ENGLISH) -> str:
    """`2 white towers`, `1 red house`, `0 blue houses`."""
    words = _TOWERS[piece] if isinstance(piece, Tower) else HOUSES[piece]
    return language.many(number, *words)


def in_words(piece: Tower | Colour, number: int, language: Language = ENGLISH) -> str:
    """`a white tower`, `two red houses`; more than two as a number."""
    match piece, number:
        case Tower(), 1:
            return tower_name(piece, language)
        case Tower(), 2:
            return language(_TWO_TOWERS[piece])
        case Colour(), 1:
            return house_name(piece, language)
        case Colour(), 2:
            return language(_TWO_HOUSES[piece])
        case _:
            return counted(piece, number, language)


def houses(colours: Sequence[Colour], language: Language = ENGLISH) -> str:
    """`2 red houses, 1 blue house`; empty when there is none."""
    return _by_colour(colours, HOUSES, language)


def palaces(colours: Sequence[Colour], language: Language = ENGLISH) -> str:
    """`2 red palaces, 1 blue palace`; empty when there is none."""
    return _by_colour(colours, PALACES, language)


def _by_colour(
    colours: Sequence[Colour], words: Mapping[Colour, tuple[str, str]], language: Language
) -> str:
    counts = Counter(colours)
    return ", ".join(
        language.many(counts[colour], *words[colour]) for colour in COLOURS if counts[colour]
    )


def new_palaces(colours: Iterable[Colour], language: Language = ENGLISH) -> str:
    """`a red palace and 2 blue palaces`, in the order in which they were built."""
    counts = Counter(colours)
    return language.listed(
        [language.many(count, *_NEW_PALACES[colour]) for colour, count in counts.items()]
    )


# --- Dice, cards, endings --------------------------------------------------------------------

ENDINGS: Final[Mapping[str, str]] = {
    Ending.WALLS: message("the last wall is built"),
    Ending.TOWERS: message("the last tower is built"),
    Ending.HOUSES: message("the last house is built"),
    Ending.PALACES: message("the last palace is built"),
    Ending.NO_LINE: message("there is no line left to build on"),
}


_BACK: Final[Mapping[Ending, tuple[str, str]]] = {
    Ending.WALLS: messages(
        "the last wall was built; {number} wall came back to the supply later in that turn",
        "the last wall was built; {number} walls came back to the supply later in that turn",
    ),
    Ending.TOWERS: messages(
        "the last tower was built; {number} tower came back to the supply later in that turn",
        "the last tower was built; {number} towers came back to the supply later in that turn",
    ),
    Ending.HOUSES: messages(
        "the last house was built; {number} house came back to the supply later in that turn",
        "the last house was built; {number} houses came back to the supply later in that turn",
    ),
}
"""The same where the supply is not empty: the end was decided before (MB-70)."""


def why_over(view: events.View, language: Language = ENGLISH) -> str:
    """Why the game ends: `the last wall is built`; empty while it does not."""
    if view.ending is None:
        return ""
    supply = view.supply
    left = {
        Ending.WALLS: supply.walls,
        Ending.TOWERS: sum(supply.towers),
        Ending.HOUSES: sum(supply.houses),
    }.get(view.ending, 0)
    if left:
        return language.many(left, *_BACK[view.ending])
    return ending_name(view.ending, language)


def roll_name(roll: Roll, language: Language = ENGLISH, context: str = "") -> str:
    """What the dice show: `a black tower, a red house and a free choice`."""
    tower = [tower_name(roll.tower, language, context)] if roll.tower else []
    return language.listed([*tower, *_faces(roll, language)])


def _faces(roll: Roll, language: Language) -> list[str]:
    first, second = roll.houses
    if first != second:
        return [
            language("a free choice") if face is None else house_name(face, language)
            for face in (first, second)
        ]
    return [language("two free choices") if first is None else language(_TWO_HOUSES[first])]


def card_name(card: guild.Card, language: Language = ENGLISH) -> str:
    """The card's title, as it stands in a sentence: `“Towers by the water”`."""
    return language("“{title}”", title=title_of(card, language))


def title_of(card: guild.Card, language: Language = ENGLISH) -> str:
    """What a card says of itself."""
    return language.about("card", card.title)


def short_title(card: guild.Card, language: Language = ENGLISH) -> str:
    """The same in a word."""
    return language.about("small card", card.short)


def ending_name(ending: Ending, language: Language = ENGLISH) -> str:
    """Why the game ends: `the last wall is built`."""
    return language(ENDINGS[ending])


def fields(number: int, language: Language = ENGLISH) -> str:
    """`1 field`, `7 fields`."""
    return language.many(number, "{number} field", "{number} fields")
