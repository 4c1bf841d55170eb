"""Burgbaumeister on the home page, the questions about its options, and its cards."""

from collections.abc import Sequence
from typing import Final

from mauerwerk.core.language import Language, message
from mauerwerk.games import burgbaumeister
from mauerwerk.games.burgbaumeister.values import Drawing, Showing, State, numbers_of
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
    name=burgbaumeister.NAME,
    title="Burgbaumeister",
    line=message("Remember where the cards lie and raise a wall of nine rising numbers."),
    minutes=message("15 min"),
    moves=65,
    age=6,
    seats=3,
    bot_delay_ms=1_800,
    secrets=False,
    theme=WALLS,
    thumb="fig-queen",
    goal=message("be the first with a wall of nine cards whose numbers rise."),
    house_goal=message("be the first with a complete wall whose numbers rise."),
    symbols=("fig-knight", "fig-queen", "fig-king", "fig-wizard", "fig-damsel", "fig-raven"),
)


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

DICE: Final = OptionQuestion(
    "dice",
    message("Who spreads the cards?"),
    (
        Answer("server", message("The server"), brief=message("the server spreads the cards")),
        Answer("scribe", message("You have the real cards"), brief=message("with your own cards")),
    ),
    why=message("You enter the number of each card that is turned up."),
    expert=True,
)


def chance_form(state: State, names: Sequence[str], language: Language) -> ChanceFields | None:
    """The form for what nature does now."""
    match state:
        case Drawing():
            return lots(burgbaumeister, state, names, language)
        case Showing(table=table):
            legend = language("Which number does the card show?")
            numbers = numbers_of(table.options)
            return ChanceFields(legend, numbers=(numbers[0], numbers[-1]))
        case _:
            return None


REAL_TABLE: Final = RealTable(
    link="/new/burgbaumeister?dice=scribe",
    action=message("Record a game"),
    line=message("Record a game card by card, and keep its whole story."),
    dice=("scribe",),
)
