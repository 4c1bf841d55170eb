"""What a study shows of Die Mauer."""

from collections.abc import Mapping
from typing import Any, Final

from mauerwerk.core.game import Setup
from mauerwerk.core.language.translation import Language, message
from mauerwerk.core.language.words import capital
from mauerwerk.games.mauer.notation import ENDINGS, piece_name
from mauerwerk.games.mauer.values import FULL_SET, PENALTY
from mauerwerk.lab.study.figures import Chapter, Mean, Rate, Row, Section
from mauerwerk.lab.study.mauer.measures import CLAUSES

__all__ = ["ENDINGS", "ENDINGS_NOTE", "sections"]

ENDINGS_NOTE: Final = message("Of rounds the last one counts.")

_HAPPENED: Final[Mapping[str, str]] = {
    "DM-12": message("The master builder shows what fits nowhere"),
    "DM-13": message("Nobody guesses, the master builder builds"),
    "DM-14": message("Rivals who guessed build"),
    "DM-15": message("Too many guess, the master builder builds"),
    "DM-18": message("Only the master builder's fist is empty"),
    "DM-19": message("One rival's fist is empty too: a gift"),
    "DM-20": message("Several rivals' fists are empty too"),
    "DM-21": message("A rival's fist is empty, the master builder's is not"),
    "DM-23": message("A hand is empty, the round ends"),
    "DM-26": message("No piece fits any more, the round ends"),
    "DM-27": message("Nothing was built for too long, the round ends"),
}


def sections(setup: Setup[Any], language: Language) -> tuple[Chapter, ...]:
    """The game's own sections, in their order."""
    return (
        _pieces(language),
        _rounds(setup.options.rounds, language),
        _turn(language),
        _clauses(language),
    )


def _pieces(language: Language) -> Section:
    return Section(
        name="pieces",
        title=language("Where the points come from"),
        note=language("Penalty points for the pieces left in all hands, all rounds together."),
        heads=(language("points a game"), language("pieces left"), language("pieces built")),
        rows=tuple(
            Row(
                capital(piece_name(piece, language)),
                (
                    Mean(f"left/{piece.value}", PENALTY[piece]),
                    Mean(f"left/{piece.value}"),
                    Mean(f"built/{piece.value}"),
                ),
            )
            for piece in FULL_SET
        ),
    )


def _rounds(rounds: int, language: Language) -> Section:
    return Section(
        name="rounds",
        title=language("Round by round"),
        note=language("Penalty points of all seats together."),
        heads=(language("points"),),
        rows=tuple(
            Row(language("round {number}", number=number), (Mean(f"round/{number}"),))
            for number in range(1, rounds + 1)
        ),
        drawn=(),
    )


def _turn(language: Language) -> Section:
    return Section(
        name="building",
        title=language("Who builds"),
        note="",
        heads=(language("a game"),),
        rows=(
            Row(language("Pieces built by master builders"), (Mean("builder/master"),)),
            Row(language("Pieces built by rivals who guessed"), (Mean("builder/rival"),)),
            Row(language("Turns in which nothing is built"), (Mean("idle"),)),
            Row(language("Their share of all turns"), (Rate("idle", "turns"),)),
            Row(language("Hands that are empty when a round ends"), (Mean("clean"),)),
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
        heads=(language("a game"),),
        rows=tuple(
            Row(f"{clause} {language(_HAPPENED[clause])}", (Mean(f"clause/{clause}"),))
            for clause in CLAUSES
        ),
    )
