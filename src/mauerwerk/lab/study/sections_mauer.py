"""What a study shows of Die Mauer."""

from collections.abc import Mapping
from typing import Any, Final

from mauerwerk.core.game import Setup
from mauerwerk.core.tongue import Tongue, message
from mauerwerk.core.words import capital
from mauerwerk.games.mauer.notation import piece_name
from mauerwerk.games.mauer.values import FULL_SET, PENALTY
from mauerwerk.lab.study.figures import Chapter, Mean, Rate, Row, Section
from mauerwerk.lab.study.measures_mauer import CLAUSES

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


def sections(setup: Setup[Any], tongue: Tongue) -> tuple[Chapter, ...]:
    """In this order."""
    return (_pieces(tongue), _rounds(setup.options.rounds, tongue), _turn(tongue), _clauses(tongue))


def _pieces(tongue: Tongue) -> Section:
    return Section(
        name="pieces",
        title=tongue("Where the points come from"),
        note=tongue("Penalty points for the pieces left in all hands, all rounds together."),
        heads=(tongue("points a game"), tongue("pieces left"), tongue("pieces built")),
        rows=tuple(
            Row(
                capital(piece_name(piece, tongue)),
                (
                    Mean(f"left/{piece.value}", PENALTY[piece]),
                    Mean(f"left/{piece.value}"),
                    Mean(f"built/{piece.value}"),
                ),
            )
            for piece in FULL_SET
        ),
    )


def _rounds(rounds: int, tongue: Tongue) -> Section:
    return Section(
        name="rounds",
        title=tongue("Round by round"),
        note=tongue("Penalty points of all seats together."),
        heads=(tongue("points"),),
        rows=tuple(
            Row(tongue("round {number}", number=number), (Mean(f"round/{number}"),))
            for number in range(1, rounds + 1)
        ),
        drawn=(),
    )


def _turn(tongue: Tongue) -> Section:
    return Section(
        name="building",
        title=tongue("Who builds"),
        note="",
        heads=(tongue("a game"),),
        rows=(
            Row(tongue("Pieces built by master builders"), (Mean("builder/master"),)),
            Row(tongue("Pieces built by rivals who guessed"), (Mean("builder/rival"),)),
            Row(tongue("Turns in which nothing is built"), (Mean("idle"),)),
            Row(tongue("Their share of all turns"), (Rate("idle", "turns"),)),
            Row(tongue("Hands that are empty when a round ends"), (Mean("clean"),)),
        ),
        drawn=(),
    )


def _clauses(tongue: Tongue) -> Section:
    return Section(
        name="clauses",
        title=tongue("How often each clause applies"),
        note=tongue("What never happened has an interval too: more often than that it hardly can."),
        heads=(tongue("a game"),),
        rows=tuple(
            Row(f"{clause} {tongue(_HAPPENED[clause])}", (Mean(f"clause/{clause}"),))
            for clause in CLAUSES
        ),
    )
