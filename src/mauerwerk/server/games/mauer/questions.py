"""How the options of Die Mauer are asked."""

from typing import Final

from mauerwerk.core.language.translation import message
from mauerwerk.server.games.questions import Answer, OptionQuestion

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
