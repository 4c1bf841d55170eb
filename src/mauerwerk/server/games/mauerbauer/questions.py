"""How the options of Mauerbauer are asked."""

from typing import Final

from mauerwerk.core.language.translation import message
from mauerwerk.server.games.questions import Answer, OptionQuestion

QUESTIONS: Final = (
    OptionQuestion(
        "board",
        message("Which board?"),
        (
            Answer("small", message("Small"), message("on a small board")),
            Answer("default", message("Usual")),
            Answer("large", message("Large"), message("on a large board")),
        ),
        short=message("Board"),
        why=message("A small board is over sooner."),
    ),
    OptionQuestion(
        "early",
        message("May players roll before building?"),
        (
            Answer("no", message("First build, then roll"), brief=message("no early rolls")),
            Answer(
                "yes",
                message("Yes, for one point"),
                message("with early rolls"),
                message("early rolls"),
            ),
        ),
        why=message("Rolling early costs one point."),
        expert=True,
    ),
)
