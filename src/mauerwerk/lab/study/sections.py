"""What a study shows: seats, length, endings and closeness of any game, then the game's own."""

from typing import Any

from mauerwerk.core.game import AnyGame, Setup
from mauerwerk.core.language.translation import ENGLISH, Language
from mauerwerk.core.language.words import capital
from mauerwerk.games import GAMES
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
from mauerwerk.lab.study.rooms import sections_of


def sections(game: str, setup: Setup[Any], language: Language = ENGLISH) -> tuple[Chapter, ...]:
    """All that a study of this game shows, in this language."""
    rules = GAMES[game]
    return (
        _seats(setup.seats, language),
        _order(setup.seats, language),
        _turns(language),
        _length(language),
        _endings(rules, language),
        _gap(language),
        _closeness(language),
        _margins(language),
        *sections_of(rules).sections(setup, language),
    )


def _seats(seats: int, language: Language) -> Section:
    return Section(
        name="seats",
        title=language("Seats"),
        note=language(
            "If it made no difference where one sits, every seat would win equally often. "
            "A win that is shared counts in parts."
        ),
        heads=(language("wins"), language("mean rank"), language("points"), language("moves")),
        rows=tuple(
            Row(
                language("seat {number}", number=seat + 1),
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


def _order(seats: int, language: Language) -> Section:
    return Section(
        name="order",
        title=language("Order of play"),
        note=language(
            "The same wins, counted from the player who began. If the first player is drawn, only "
            "this shows whether it is good to begin."
        ),
        heads=(language("wins"), language("points")),
        rows=tuple(
            Row(
                language("begins") if turn == 0 else language("position {number}", number=turn + 1),
                (wins(f"win-by-turn/{turn}"), Mean(f"points-by-turn/{turn}")),
            )
            for turn in range(seats)
        ),
        even=1 / seats,
    )


def _turns(language: Language) -> Distribution:
    return Distribution(
        name="turns",
        title=language("Turns of a game"),
        note=language("How many games took how many complete turns."),
        column="turns",
        axis=language("turns"),
    )


def _length(language: Language) -> Section:
    def row(label: str, column: str) -> Row:
        middle, short, long = (Quantile(column, part) for part in (0.5, 0.05, 0.95))
        return Row(label, (Mean(column), short, middle, long))

    return Section(
        name="length",
        title=language("Length"),
        note=language("Moves are single decisions, those of nature included."),
        heads=(
            language("mean"),
            language("5 in 100 are at most"),
            language("half are at most"),
            language("95 in 100 are at most"),
        ),
        rows=(row(language("turns"), "turns"), row(language("moves"), "moves")),
        drawn=(),
    )


def _endings(game: AnyGame, language: Language) -> Section:
    room = sections_of(game)
    phrases = {reason: language(phrase) for reason, phrase in room.ENDINGS.items()}
    return Section(
        name="endings",
        title=language("How games end"),
        note=language(room.ENDINGS_NOTE) if room.ENDINGS_NOTE else "",
        heads=(language("games"),),
        rows=tuple(
            Row(capital(phrases.get(reason, reason)), (Part(f"reason/{reason}"),))
            for reason in game.ENDINGS
        ),
    )


def _gap(language: Language) -> Distribution:
    return Distribution(
        name="gap",
        title=language("Between the first and the second"),
        note=language("How many points were between them at the end."),
        column="gap",
        axis=language("points"),
    )


def _closeness(language: Language) -> Section:
    return Section(
        name="closeness",
        title=language("How close it was"),
        note="",
        heads=(language("games"),),
        rows=(
            Row(language("The win is shared"), (Part("shared"),)),
            Row(language("First and second have equal points"), (Within("gap", 0),)),
            *(
                Row(
                    language("At most {number} points between first and second", number=most),
                    (Within("gap", most),),
                )
                for most in (3, 10)
            ),
        ),
        drawn=(),
    )


def _margins(language: Language) -> Section:
    return Section(
        name="margins",
        title=language("Points between them"),
        note="",
        heads=(language("mean"), language("half are at most"), language("95 in 100 are at most")),
        rows=tuple(
            Row(label, (Mean(column), Quantile(column, 0.5), Quantile(column, 0.95)))
            for label, column in (
                (language("First and second"), "gap"),
                (language("First and last"), "spread"),
            )
        ),
        drawn=(),
    )
