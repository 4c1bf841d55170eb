"""What a study shows: of every game seats, length, endings and closeness; then the game's own."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from mauerwerk.core.game import Setup
from mauerwerk.core.tongue import ENGLISH, Tongue
from mauerwerk.core.words import capital
from mauerwerk.games import burgbaumeister, mauer, mauerbauer
from mauerwerk.games.burgbaumeister.notation import ENDINGS as BURGBAUMEISTER_ENDINGS
from mauerwerk.games.mauer.notation import ENDINGS as MAUER_ENDINGS
from mauerwerk.games.mauerbauer.naming import ENDINGS as MAUERBAUER_ENDINGS
from mauerwerk.lab.study import sections_burgbaumeister, sections_mauer, sections_mauerbauer
from mauerwerk.lab.study.counting import MEASURES
from mauerwerk.lab.study.figures import (
    Chapter,
    Distribution,
    Mean,
    Part,
    Quantile,
    Row,
    Section,
    Within,
    wins,
)

_ENDINGS: Final[Mapping[str, Mapping[str, str]]] = {
    mauer.NAME: MAUER_ENDINGS,
    burgbaumeister.NAME: BURGBAUMEISTER_ENDINGS,
    mauerbauer.NAME: MAUERBAUER_ENDINGS,
}

_OWN: Final[Mapping[str, Callable[[Setup[Any], Tongue], tuple[Chapter, ...]]]] = {
    mauer.NAME: sections_mauer.sections,
    burgbaumeister.NAME: sections_burgbaumeister.sections,
    mauerbauer.NAME: sections_mauerbauer.sections,
}


def sections(game: str, setup: Setup[Any], tongue: Tongue = ENGLISH) -> tuple[Chapter, ...]:
    """All that a study of this game shows, in this language."""
    return (
        _seats(setup.seats, tongue),
        _turns(tongue),
        _length(tongue),
        _endings(game, tongue),
        _gap(tongue),
        _closeness(tongue),
        _margins(tongue),
        *_OWN[game](setup, tongue),
    )


def _seats(seats: int, tongue: Tongue) -> Section:
    return Section(
        name="seats",
        title=tongue("Seats"),
        note=tongue(
            "If it made no difference where one sits, every seat would win equally often. "
            "A win that is shared counts in parts."
        ),
        heads=(tongue("wins"), tongue("mean rank"), tongue("points"), tongue("moves")),
        rows=tuple(
            Row(
                tongue("seat {number}", number=seat + 1),
                (
                    wins(f"win/{seat}"),
                    Mean(f"rank/{seat}"),
                    Mean(f"points/{seat}"),
                    Mean(f"decisions/{seat}"),
                ),
            )
            for seat in range(seats)
        ),
        even=1 / seats,
    )


def _turns(tongue: Tongue) -> Distribution:
    return Distribution(
        name="turns",
        title=tongue("Turns of a game"),
        note=tongue("How many games took how many complete turns."),
        column="turns",
        axis=tongue("turns"),
    )


def _length(tongue: Tongue) -> Section:
    def row(label: str, column: str) -> Row:
        middle, short, long = (Quantile(column, part) for part in (0.5, 0.05, 0.95))
        return Row(label, (Mean(column), short, middle, long))

    return Section(
        name="length",
        title=tongue("Length"),
        note=tongue("Moves are single decisions, those of nature included."),
        heads=(
            tongue("mean"),
            tongue("5 in 100 are at most"),
            tongue("half are at most"),
            tongue("95 in 100 are at most"),
        ),
        rows=(row(tongue("turns"), "turns"), row(tongue("moves"), "moves")),
        drawn=(),
    )


def _endings(game: str, tongue: Tongue) -> Section:
    endings = _ENDINGS[game]
    return Section(
        name="endings",
        title=tongue("How games end"),
        note=tongue("Of rounds the last one counts.") if game == mauer.NAME else "",
        heads=(tongue("games"),),
        rows=tuple(
            Row(capital(tongue(endings[reason])), (Part(f"reason/{reason}"),))
            for reason in MEASURES[game].reasons
        ),
    )


def _gap(tongue: Tongue) -> Distribution:
    return Distribution(
        name="gap",
        title=tongue("Between the first and the second"),
        note=tongue("How many points were between them at the end."),
        column="gap",
        axis=tongue("points"),
    )


def _closeness(tongue: Tongue) -> Section:
    return Section(
        name="closeness",
        title=tongue("How close it was"),
        note="",
        heads=(tongue("games"),),
        rows=(
            Row(tongue("The win is shared"), (Part("shared"),)),
            Row(tongue("First and second have equal points"), (Within("gap", 0),)),
            *(
                Row(
                    tongue("At most {number} points between first and second", number=most),
                    (Within("gap", most),),
                )
                for most in (3, 10)
            ),
        ),
        drawn=(),
    )


def _margins(tongue: Tongue) -> Section:
    return Section(
        name="margins",
        title=tongue("Points between them"),
        note="",
        heads=(tongue("mean"), tongue("half are at most"), tongue("95 in 100 are at most")),
        rows=tuple(
            Row(label, (Mean(column), Quantile(column, 0.5), Quantile(column, 0.95)))
            for label, column in (
                (tongue("First and second"), "gap"),
                (tongue("First and last"), "spread"),
            )
        ),
        drawn=(),
    )
