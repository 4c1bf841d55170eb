"""Die Mauer on the home page, the questions about its options, and its lots."""

from collections.abc import Sequence
from typing import Final

from mauerwerk.core.language import Language, message
from mauerwerk.games import mauer
from mauerwerk.games.mauer.values import Drawing, State
from mauerwerk.server.games.room import (
    WALLS,
    Answer,
    Box,
    ChanceFields,
    OptionQuestion,
    RealTable,
    lots,
)

BOX: Final = Box(
    name=mauer.NAME,
    title=mauer.TITLE,
    line=message("One wall for all. Guess what the master builder hides in a fist."),
    minutes=message("10 min a round"),
    usual_minutes=message("40 min"),
    moves=150,
    age=8,
    seats=4,
    bot_delay_ms=800,
    theme=WALLS,
    thumb="piece-C",
    goal=message("get rid of your pieces. What is left in your hand costs points."),
    first=message("Ten minutes. We show you a round, then you play against three easy bots."),
    symbols=("piece-T", "piece-C", "piece-1", "piece-2", "piece-3", "piece-4"),
)


def rounds(state: State) -> int:
    """How many rounds are over."""
    return 0 if isinstance(state, Drawing) else len(state.table.scores)


QUESTIONS: Final = (
    OptionQuestion("first", message("Who is the first master builder?"), ()),
    OptionQuestion(
        "rounds",
        message("How many rounds?"),
        (
            Answer("1", "1", message("one round"), message("one round")),
            Answer("2", "2", message("two rounds"), message("two rounds")),
            Answer("3", "3", message("three rounds"), message("three rounds")),
            Answer("4", "4", message("four rounds"), message("four rounds")),
            Answer("6", "6", message("six rounds"), message("six rounds")),
        ),
        short=message("Rounds"),
        why=message("A round takes about ten minutes."),
    ),
    OptionQuestion(
        "pieces",
        message("Which pieces?"),
        (
            Answer("TC12346", message("All seven"), brief=message("all pieces")),
            Answer(
                "TC124",
                message("Without 3 and 6"),
                message("without the walls 3 and 6"),
                message("without the walls 3 and 6"),
            ),
            Answer(
                "TC1",
                message("Tower, gate and 1"),
                message("with tower, gate and 1 only"),
                message("tower, gate and 1"),
            ),
        ),
        why=message("Everybody begins a round with them. Fewer pieces make a shorter game."),
        expert=True,
    ),
    OptionQuestion(
        "stall",
        message("When does a round without building end?"),
        (
            Answer(
                "12",
                message("After 12 turns"),
                brief=message("12 turns without building end a round"),
            ),
            Answer(
                "24",
                message("After 24 turns"),
                brief=message("24 turns without building end a round"),
            ),
            Answer("off", message("Never"), brief=message("no round ends for lack of building")),
        ),
        expert=True,
    ),
)


def chance_form(state: State, names: Sequence[str], language: Language) -> ChanceFields | None:
    """The form for what nature does now."""
    return lots(mauer, state, names, language) if isinstance(state, Drawing) else None


REAL_TABLE: Final = RealTable(
    link="/real/mauer",
    action=message("Score sheet"),
    line=message("A score sheet for all rounds. Tap what players still hold; the page adds it up."),
)
"""It offers no chance by hand: nothing is rolled or dealt in Die Mauer."""
