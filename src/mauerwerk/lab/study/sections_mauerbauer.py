"""What a study shows of Mauerbauer."""

from collections.abc import Mapping
from typing import Any, Final

from mauerwerk.core.game import Setup
from mauerwerk.core.tongue import Tongue, message
from mauerwerk.games.mauerbauer.clauses import CARD_CLAUSES
from mauerwerk.games.mauerbauer.guild import KINDS, Card
from mauerwerk.games.mauerbauer.naming import title_of
from mauerwerk.lab.study.figures import Chapter, Figure, Mean, Quotient, Row, Section, wins_with
from mauerwerk.lab.study.measures_mauerbauer import CLAUSES, KINDS_OF_CARD, LARGEST, THIRDS

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
    "MB-47": message("Who is last swaps a card"),
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


def sections(setup: Setup[Any], tongue: Tongue) -> tuple[Chapter, ...]:
    """In this order."""
    return (
        _sources(tongue),
        _when(tongue),
        _worth(tongue),
        _fate(tongue),
        _cities(tongue),
        _scorings(setup.seats, tongue),
        _clauses(tongue),
    )


def _sources(tongue: Tongue) -> Section:
    return Section(
        name="sources",
        title=tongue("Where the points come from"),
        note=tongue("Points of all seats together, and of those who win."),
        heads=(tongue("all seats"), tongue("winners")),
        rows=tuple(
            Row(tongue(_KINDS[kind]), (Mean(f"earned/{kind}"), Mean(f"earned-won/{kind}")))
            for kind in KINDS_OF_CARD
        ),
        drawn=(0, 1),
    )


def _when(tongue: Tongue) -> Section:
    return Section(
        name="when",
        title=tongue("When points are scored"),
        note=tongue("Points of all seats together; thirds by the turns of the game."),
        heads=(tongue("points"),),
        rows=tuple(Row(tongue(_THIRDS[third]), (Mean(f"earned-{third}"),)) for third in THIRDS),
    )


def _worth(tongue: Tongue) -> Section:
    def points(card: Card) -> tuple[Figure, ...]:
        word = card.value
        return (
            Quotient(f"score/{word}", f"play/{word}"),
            *(Quotient(f"score-{third}/{word}", f"play-{third}/{word}") for third in THIRDS),
            Mean(f"score/{word}"),
        )

    return Section(
        name="cards",
        title=tongue("What guild cards earn"),
        note=tongue(
            "Points each time a card is played, in the whole game and in each third of it, "
            "and points a game."
        ),
        heads=(
            tongue("points a play"),
            tongue("early"),
            tongue("in the middle"),
            tongue("late"),
            tongue("points a game"),
        ),
        rows=tuple(Row(title_of(card, tongue), points(card)) for card in KINDS),
        drawn=(1, 3),
    )


def _fate(tongue: Tongue) -> Section:
    def fate(card: Card) -> tuple[Figure, ...]:
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
        title=tongue("What becomes of guild cards"),
        note=tongue(
            "How often who plays a card wins, and how often a game each card is played, played for "
            "nothing, discarded, swapped, and still in a hand at the end; and in which scoring it "
            "is played on average, counted from 1. Who plays more cards wins more often, so "
            "compare cards with each other."
        ),
        heads=(
            tongue("wins with it"),
            tongue("played"),
            tongue("for nothing"),
            tongue("in scoring"),
            tongue("discarded"),
            tongue("swapped"),
            tongue("in hand at the end"),
        ),
        rows=tuple(Row(title_of(card, tongue), fate(card)) for card in KINDS),
    )


def _cities(tongue: Tongue) -> Section:
    def size(number: int) -> str:
        if number == LARGEST:
            return tongue("Cities of {number} fields or more", number=number)
        return tongue.many(number, "Cities of {number} field", "Cities of {number} fields")

    return Section(
        name="cities",
        title=tongue("Cities"),
        note=tongue("Sizes are those of cities as they are closed, before any are joined."),
        heads=(tongue("a game"),),
        rows=(
            Row(tongue("Cities closed"), (Mean("closed"),)),
            *(Row(size(number), (Mean(f"size/{number}"),)) for number in range(1, LARGEST + 1)),
            Row(tongue("Cities joined"), (Mean("joined"),)),
            Row(tongue("Palaces"), (Mean("palaces"),)),
            Row(tongue("Palaces a city"), (Quotient("palaces", "closed"),)),
        ),
    )


def _scorings(seats: int, tongue: Tongue) -> Section:
    return Section(
        name="scorings",
        title=tongue("Scorings"),
        note="",
        heads=(tongue("mean"),),
        rows=(
            Row(
                tongue("Points of who closed the city, a scoring"), (Quotient("closer", "closed"),)
            ),
            Row(
                tongue("Points of each of the others, a scoring"),
                (Quotient("others", "closed", 1 / (seats - 1)),),
            ),
            Row(tongue("One card is played, times a game"), (Mean("laid/one"),)),
            Row(tongue("Two cards are played, times a game"), (Mean("laid/two"),)),
            Row(tongue("A card is discarded, times a game"), (Mean("laid/discard"),)),
        ),
        drawn=(),
    )


def _clauses(tongue: Tongue) -> Section:
    return Section(
        name="clauses",
        title=tongue("How often each clause applies"),
        note=tongue("What never happened has an interval too: more often than that it hardly can."),
        heads=(tongue("a game"), tongue("points a game")),
        rows=tuple(
            Row(
                f"{clause} {tongue(_HAPPENED[clause])}",
                (
                    Mean(f"clause/{clause}"),
                    *((Mean(f"source/{clause}"),) if clause in CARD_CLAUSES else ()),
                ),
            )
            for clause in CLAUSES
        ),
    )
