"""How the options of Burgbaumeister are asked."""

from typing import Final

from mauerwerk.core.language.translation import message
from mauerwerk.server.games.questions import Answer, OptionQuestion

QUESTIONS: Final = (
    OptionQuestion(
        "variant",
        message("Which rules?"),
        (
            Answer("no", message("Basic game")),
            Answer("yes", message("Variant"), message("with ravens, wizards and cannons")),
        ),
        short=message("Rules"),
        why=message("In the variant some pictures have powers of their own."),
    ),
    OptionQuestion(
        "depot",
        message("How do the cards lie?"),
        (
            Answer("rectangle", message("In rows"), brief=message("cards in rows")),
            Answer(
                "chaotic",
                message("Scattered"),
                message("with scattered cards"),
                message("scattered cards"),
            ),
        ),
        expert=True,
    ),
    OptionQuestion(
        "memory_aid",
        message("Who remembers the cards?"),
        (
            Answer("no", message("The players"), brief=message("no memory aid")),
            Answer(
                "yes",
                message("The page"),
                message("with a memory aid"),
                message("a memory aid"),
            ),
        ),
        why=message("The page can show every card that has been seen."),
        expert=True,
    ),
    OptionQuestion(
        "stall",
        message("What if nobody adds a card for long?"),
        (
            Answer("yes", message("The game ends"), brief=message("a standstill ends the game")),
            Answer("no", message("It goes on"), brief=message("no end by a standstill")),
        ),
        expert=True,
    ),
)

CHANCE: Final = OptionQuestion(
    "chance",
    message("Who spreads the cards?"),
    (
        Answer("house", message("The server"), brief=message("the server spreads the cards")),
        Answer("all", message("You have the real cards"), brief=message("with your own cards")),
    ),
    why=message("You enter the number of each card that is turned up."),
    expert=True,
)
