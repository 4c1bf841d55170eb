"""What a study shows of Der Wettkampf der Burgbaumeister."""

from collections.abc import Mapping
from typing import Any, Final

from mauerwerk.core.game import Setup
from mauerwerk.core.tongue import Tongue, message
from mauerwerk.games.burgbaumeister.cards import card, shown
from mauerwerk.games.burgbaumeister.notation import card_name
from mauerwerk.games.burgbaumeister.values import CARDS, Picture
from mauerwerk.lab.study.figures import Chapter, Mean, Part, Rate, Row, Section, wins_with
from mauerwerk.lab.study.measures_burgbaumeister import CLAUSES, SOURCES

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


def sections(setup: Setup[Any], tongue: Tongue) -> tuple[Chapter, ...]:
    """In this order; pictures only where they count."""
    variant = (
        (_sources(tongue), _pictures(tongue), _cannons(tongue)) if setup.options.variant else ()
    )
    return (
        _numbers(setup, tongue),
        *variant,
        _looking(tongue),
        _clauses(tongue, variant=setup.options.variant),
    )


def _numbers(setup: Setup[Any], tongue: Tongue) -> Section:
    faces = shown(setup.options)
    return Section(
        name="numbers",
        title=tongue("Which numbers win"),
        note=tongue(
            "How often who has a number in the wall at the end wins, and how often anybody has it. "
            "Winners have more cards than others, so compare a number with any card. It says which "
            "cards go with winning, not that they are the cause."
        ),
        heads=(tongue("wins with it"), tongue("in a wall")),
        rows=(
            Row(tongue("Any card"), (_ANY_CARD,)),
            *(
                Row(
                    card_name(card(number, faces), tongue),
                    (
                        wins_with(f"won/{number}", f"held/{number}"),
                        Part(f"held/{number}"),
                    ),
                )
                for number in CARDS
            ),
        ),
    )


def _sources(tongue: Tongue) -> Section:
    return Section(
        name="sources",
        title=tongue("Where the points come from"),
        note=tongue("Points of all walls at the end, and of those of the winners."),
        heads=(tongue("all walls"), tongue("winners")),
        rows=tuple(
            Row(
                tongue(_SOURCES[source]),
                (Mean(f"source/{source}"), Mean(f"source-won/{source}")),
            )
            for source in SOURCES
        ),
        drawn=(0, 1),
    )


def _pictures(tongue: Tongue) -> Section:
    return Section(
        name="pictures",
        title=tongue("Which pictures win"),
        note=tongue("How often who has such a card in the wall at the end wins, card by card."),
        heads=(tongue("wins with it"), tongue("in walls")),
        rows=(
            Row(tongue("Any card"), (_ANY_CARD, Mean("source/cards"))),
            *(
                Row(
                    tongue(_PICTURES[picture]),
                    (
                        wins_with(f"picture-won/{picture}", f"picture/{picture}"),
                        Mean(f"picture/{picture}"),
                    ),
                )
                for picture in Picture
            ),
        ),
    )


def _cannons(tongue: Tongue) -> Section:
    return Section(
        name="cannons",
        title=tongue("Cannons and the wizard"),
        note="",
        heads=(tongue("a game"),),
        rows=(
            Row(tongue("Cannons that fire"), (Mean("cannon/fired"),)),
            Row(tongue("Cannons that hold their fire"), (Mean("cannon/held"),)),
            Row(tongue("Cannons with nothing to hit"), (Mean("cannon/no-target"),)),
            Row(tongue("The spell is used"), (Part("spell/used"),)),
            Row(tongue("The spell is destroyed"), (Part("spell/destroyed"),)),
            Row(tongue("The spell is left over"), (Part("spell/unused"),)),
        ),
        drawn=(),
    )


def _looking(tongue: Tongue) -> Section:
    return Section(
        name="looking",
        title=tongue("Looking and remembering"),
        note="",
        heads=(tongue("a game"),),
        rows=(
            Row(tongue("Cards turned that had been turned before"), (Mean("again"),)),
            Row(tongue("Their share of all turns"), (Rate("again", "turns"),)),
            Row(tongue("Cards left lying that would have fitted"), (Mean("declined"),)),
        ),
        drawn=(),
    )


def _clauses(tongue: Tongue, *, variant: bool) -> Section:
    return Section(
        name="clauses",
        title=tongue("How often each clause applies"),
        note=tongue("What never happened has an interval too: more often than that it hardly can."),
        heads=(tongue("a game"),),
        rows=tuple(
            Row(f"{clause} {tongue(_HAPPENED[clause])}", (Mean(f"clause/{clause}"),))
            for clause in CLAUSES
            if variant or clause not in _VARIANT_ONLY
        ),
    )
