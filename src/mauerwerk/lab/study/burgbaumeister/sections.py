"""What a study shows of Der Wettkampf der Burgbaumeister."""

from collections.abc import Mapping
from typing import Any, Final

from mauerwerk.core.game import Setup
from mauerwerk.core.language.translation import Language, message
from mauerwerk.games.burgbaumeister.cards import card, shown
from mauerwerk.games.burgbaumeister.notation import ENDINGS, card_name
from mauerwerk.games.burgbaumeister.values import CARDS, Picture
from mauerwerk.lab.study.burgbaumeister.measures import CLAUSES, SOURCES
from mauerwerk.lab.study.figures import Chapter, Mean, Part, Rate, Row, Section, wins_with

__all__ = ["ENDINGS", "ENDINGS_NOTE", "sections"]

ENDINGS_NOTE: Final = ""

_HAPPENED: Final[Mapping[str, str]] = {
    "BB-7": message("A card is added"),
    "BB-8": message("A card is left lying"),
    "BB-10": message("A wall has nine cards, the game ends"),
    "BB-11": message("Nothing fits any more, the game ends"),
    "BB-12": message("Nobody has added a card for too long, the game ends"),
    "BB-13": message("The depot is empty, the game ends"),
    "BB-24": message("A cannon fires, or could have"),
    "BB-26": message("The wizard inserts a card"),
    "BB-27": message("A destroyed card takes a spell with it, or was the last of its wall"),
}

_VARIANT_ONLY: Final = ("BB-24", "BB-26", "BB-27")

_SOURCES: Final[Mapping[str, str]] = {
    "cards": message("Cards"),
    "king": message("The king"),
    "queen": message("The queen"),
    "knights": message("Knights"),
    "damsels": message("Damsels"),
    "pairs": message("Pairs of knight and damsel"),
    "ravens": message("Ravens"),
}

_PICTURES: Final[Mapping[Picture, str]] = {
    Picture.KING: message("The king"),
    Picture.QUEEN: message("The queen"),
    Picture.KNIGHT: message("A knight"),
    Picture.DAMSEL: message("A damsel"),
    Picture.RAVEN: message("A raven"),
    Picture.TWO_RAVENS: message("Two ravens"),
    Picture.CANNON: message("A cannon"),
    Picture.TOWER: message("A tower"),
    Picture.WIZARD: message("The wizard"),
}


_ANY_CARD: Final = Rate("source-won/cards", "source/cards")
"""How often a card that is in a wall is in the wall of a winner."""


def sections(setup: Setup[Any], language: Language) -> tuple[Chapter, ...]:
    """In this order; pictures only where they count."""
    variant = (
        (_sources(language), _pictures(language), _cannons(language))
        if setup.options.variant
        else ()
    )
    return (
        _numbers(setup, language),
        *variant,
        _looking(language),
        _clauses(language, variant=setup.options.variant),
    )


def _numbers(setup: Setup[Any], language: Language) -> Section:
    faces = shown(setup.options)
    return Section(
        name="numbers",
        title=language("Which numbers win"),
        note=language(
            "How often a player who has a number in the wall at the end wins, and how often "
            "anybody has it. "
            "Winners have more cards than others, so compare a number with any card. It says which "
            "cards go with winning, not that they are the cause."
        ),
        heads=(language("wins with it"), language("in a wall")),
        rows=(
            Row(language("Any card"), (_ANY_CARD,)),
            *(
                Row(
                    card_name(card(number, faces), language),
                    (
                        wins_with(f"won/{number}", f"held/{number}"),
                        Part(f"held/{number}"),
                    ),
                )
                for number in CARDS
            ),
        ),
    )


def _sources(language: Language) -> Section:
    return Section(
        name="sources",
        title=language("Where the points come from"),
        note=language("Points of all walls at the end, and of those of the winners."),
        heads=(language("all walls"), language("winners")),
        rows=tuple(
            Row(
                language(_SOURCES[source]),
                (Mean(f"source/{source}"), Mean(f"source-won/{source}")),
            )
            for source in SOURCES
        ),
        drawn=(0, 1),
    )


def _pictures(language: Language) -> Section:
    return Section(
        name="pictures",
        title=language("Which pictures win"),
        note=language(
            "How often a player who has such a card in the wall at the end wins, card by card."
        ),
        heads=(language("wins with it"), language("in walls")),
        rows=(
            Row(language("Any card"), (_ANY_CARD, Mean("source/cards"))),
            *(
                Row(
                    language(_PICTURES[picture]),
                    (
                        wins_with(f"picture-won/{picture}", f"picture/{picture}"),
                        Mean(f"picture/{picture}"),
                    ),
                )
                for picture in Picture
            ),
        ),
    )


def _cannons(language: Language) -> Section:
    return Section(
        name="cannons",
        title=language("Cannons and the wizard"),
        note="",
        heads=(language("a game"),),
        rows=(
            Row(language("Cannons that fire"), (Mean("cannon/fired"),)),
            Row(language("Cannons that hold their fire"), (Mean("cannon/held"),)),
            Row(language("Cannons with nothing to hit"), (Mean("cannon/no-target"),)),
            Row(language("The spell is used"), (Part("spell/used"),)),
            Row(language("The spell is destroyed"), (Part("spell/destroyed"),)),
            Row(language("The spell is left over"), (Part("spell/unused"),)),
        ),
        drawn=(),
    )


def _looking(language: Language) -> Section:
    return Section(
        name="looking",
        title=language("Looking and remembering"),
        note="",
        heads=(language("a game"),),
        rows=(
            Row(language("Cards turned that had been turned before"), (Mean("again"),)),
            Row(language("Their share of all turns"), (Rate("again", "turns"),)),
            Row(language("Cards left lying that would have fitted"), (Mean("declined"),)),
        ),
        drawn=(),
    )


def _clauses(language: Language, *, variant: bool) -> Section:
    return Section(
        name="clauses",
        title=language("How often each clause applies"),
        note=language(
            "What never happened has an interval too: more often than that it hardly can."
        ),
        heads=(language("a game"),),
        rows=tuple(
            Row(f"{clause} {language(_HAPPENED[clause])}", (Mean(f"clause/{clause}"),))
            for clause in CLAUSES
            if variant or clause not in _VARIANT_ONLY
        ),
    )
