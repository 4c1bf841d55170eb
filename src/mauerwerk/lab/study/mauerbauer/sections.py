"""What a study shows of Mauerbauer."""

from collections.abc import Mapping
from typing import Any, Final

from mauerwerk.core.game import Setup
from mauerwerk.core.language.translation import Language, message
from mauerwerk.games.mauerbauer import clauses, guild, values
from mauerwerk.games.mauerbauer.board import board_of
from mauerwerk.games.mauerbauer.drawing.picture import bare
from mauerwerk.games.mauerbauer.naming import ENDINGS, title_of
from mauerwerk.lab.study.figures import Chapter, Figure, Mean, Quotient, Row, Section, wins_with
from mauerwerk.lab.study.mauerbauer.measures import CLAUSES, KINDS_OF_CARD, LARGEST, THIRDS

__all__ = ["ENDINGS", "ENDINGS_NOTE", "pictured", "sections"]

ENDINGS_NOTE: Final = ""

_HAPPENED: Final[Mapping[str, str]] = {
    "MB-13": message("There is no line left, the game ends"),
    "MB-14": message("Somebody rolls early"),
    "MB-20": message("A wall between two towers: the tower die is left out"),
    "MB-22": message("A second tower is placed, of any colour"),
    "MB-23": message("The tower die shows a colour that is out"),
    "MB-26": message("A house die shows a free choice"),
    "MB-27": message("A house die shows a colour that is out"),
    "MB-28": message("A wall is built on the edge"),
    "MB-31": message("A city is closed"),
    "MB-34": message("Houses become palaces"),
    "MB-35": message("What stands free in a city goes back"),
    "MB-40": message("Somebody may join cities"),
    "MB-43": message("A card is discarded in a scoring"),
    "MB-46": message("The pile is shuffled anew"),
    "MB-47": message("The last player swaps a card"),
    "MB-50": message("A card for the size of the city is played"),
    "MB-51": message("The card for the colours of the city is played"),
    "MB-52": message("A card for towers of one colour of the city is played"),
    "MB-53": message("The card for the palaces of the city is played"),
    "MB-54": message("A card for one colour in the city is played"),
    "MB-55": message("The card for the towers of the city is played"),
    "MB-57": message("A card for houses of one colour is played"),
    "MB-58": message("A card for houses in a region is played"),
    "MB-59": message("The card for towers is played"),
    "MB-60": message("A card for towers of one colour is played"),
    "MB-61": message("The card for towers by the water is played"),
    "MB-62": message("The card for walls is played"),
    "MB-64": message("The card for cities is played"),
    "MB-70": message("The last piece of a kind decides the end"),
    "MB-71": message("The last turn closes a city"),
    "MB-72": message("Somebody chooses a city for the last scoring"),
}

_KINDS: Final[Mapping[str, str]] = {
    "city": message("City cards"),
    "land": message("Country cards"),
    "cities": message("The card that counts cities"),
}

_THIRDS: Final[Mapping[str, str]] = {
    "early": message("First third of the game"),
    "middle": message("Second third"),
    "late": message("Last third"),
}


def pictured(setup: Setup[Any], language: Language, /) -> tuple[str, str, str] | None:
    """The board, where it is not the printed one: its word, its title and its drawing."""
    board = board_of(setup.options.board)
    if board.word == values.Options().board:
        return None
    return board.word, language(board.title), bare(board.word, language)


def sections(setup: Setup[Any], language: Language) -> tuple[Chapter, ...]:
    """The game's own sections, in their order."""
    return (
        _sources(language),
        _when(language),
        _worth(language),
        _fate(language),
        _cities(language),
        _scorings(setup.seats, language),
        _clauses(language),
    )


def _sources(language: Language) -> Section:
    return Section(
        name="sources",
        title=language("Where the points come from"),
        note=language("Points of all seats together, and of those who win."),
        heads=(language("all seats"), language("winners")),
        rows=tuple(
            Row(language(_KINDS[kind]), (Mean(f"earned/{kind}"), Mean(f"earned-won/{kind}")))
            for kind in KINDS_OF_CARD
        ),
        drawn=(0, 1),
    )


def _when(language: Language) -> Section:
    return Section(
        name="when",
        title=language("When points are scored"),
        note=language("Points of all seats together; thirds by the turns of the game."),
        heads=(language("points"),),
        rows=tuple(Row(language(_THIRDS[third]), (Mean(f"earned-{third}"),)) for third in THIRDS),
    )


def _worth(language: Language) -> Section:
    def points(card: guild.Card) -> tuple[Figure, ...]:
        word = card.value
        return (
            Quotient(f"score/{word}", f"play/{word}"),
            *(Quotient(f"score-{third}/{word}", f"play-{third}/{word}") for third in THIRDS),
            Mean(f"score/{word}"),
        )

    return Section(
        name="cards",
        title=language("What guild cards earn"),
        note=language(
            "Points each time a card is played, in the whole game and in each third of it, "
            "and points a game."
        ),
        heads=(
            language("points a play"),
            language("early"),
            language("in the middle"),
            language("late"),
            language("points a game"),
        ),
        rows=tuple(Row(title_of(card, language), points(card)) for card in guild.KINDS),
        drawn=(1, 3),
    )


def _fate(language: Language) -> Section:
    def fate(card: guild.Card) -> tuple[Figure, ...]:
        word = card.value
        return (
            wins_with(f"play-won/{word}", f"play/{word}"),
            Mean(f"play/{word}"),
            Mean(f"zero/{word}"),
            Quotient(f"when/{word}", f"play/{word}"),
            Mean(f"discard/{word}"),
            Mean(f"swap/{word}"),
            Mean(f"kept/{word}"),
        )

    return Section(
        name="fate",
        title=language("What becomes of guild cards"),
        note=language(
            "How often a player who plays a card wins, and how often a game each card is "
            "played, played for "
            "nothing, discarded, swapped, and still in a hand at the end; and in which scoring it "
            "is played on average, counted from 1. Players who play more cards win more often, so "
            "compare cards with each other."
        ),
        heads=(
            language("wins with it"),
            language("played"),
            language("for nothing"),
            language("in scoring"),
            language("discarded"),
            language("swapped"),
            language("in hand at the end"),
        ),
        rows=tuple(Row(title_of(card, language), fate(card)) for card in guild.KINDS),
    )


def _cities(language: Language) -> Section:
    def size(number: int) -> str:
        if number == LARGEST:
            return language("Cities of {number} fields or more", number=number)
        return language.many(number, "Cities of {number} field", "Cities of {number} fields")

    return Section(
        name="cities",
        title=language("Cities"),
        note=language("Sizes are those of cities as they are closed, before any are joined."),
        heads=(language("a game"),),
        rows=(
            Row(language("Cities closed"), (Mean("closed"),)),
            *(Row(size(number), (Mean(f"size/{number}"),)) for number in range(1, LARGEST + 1)),
            Row(language("Cities joined"), (Mean("joined"),)),
            Row(language("Palaces"), (Mean("palaces"),)),
            Row(language("Palaces a city"), (Quotient("palaces", "closed"),)),
        ),
    )


def _scorings(seats: int, language: Language) -> Section:
    return Section(
        name="scorings",
        title=language("Scorings"),
        note="",
        heads=(language("mean"),),
        rows=(
            Row(
                language("Points per scoring of the player who closed the city"),
                (Quotient("closer", "closed"),),
            ),
            Row(
                language("Points per scoring of each other player"),
                (Quotient("others", "closed", 1 / (seats - 1)),),
            ),
            Row(language("One card is played, times per game"), (Mean("laid/one"),)),
            Row(language("Two cards are played, times per game"), (Mean("laid/two"),)),
            Row(language("A card is discarded, times per game"), (Mean("laid/discard"),)),
        ),
        drawn=(),
    )


def _clauses(language: Language) -> Section:
    return Section(
        name="clauses",
        title=language("How often each clause applies"),
        note=language(
            "What never happened has an interval too: more often than that it hardly can."
        ),
        heads=(language("a game"), language("points a game")),
        rows=tuple(
            Row(
                f"{clause} {language(_HAPPENED[clause])}",
                (
                    Mean(f"clause/{clause}"),
                    *((Mean(f"source/{clause}"),) if clause in clauses.CARD_CLAUSES else ()),
                ),
            )
            for clause in CLAUSES
        ),
    )
