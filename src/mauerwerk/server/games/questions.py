"""How a game's options are asked, in words that a player understands.

    OptionQuestion("rounds", message("How many rounds?"), (Answer("1", message("One")), …))

A game that brings no questions gets a plain form with a field for each option. An option that is
not asked keeps its default, or what a link names.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from mauerwerk.core.game import Value
from mauerwerk.core.language.translation import message


class Answer(Value):
    """One answer to a question."""

    word: str
    """What the option is set to, as it is typed."""

    said: str
    """What stands on the chip."""

    told: str = ""
    """What a player should know who is invited: `with ravens and wizards`. Usual answers need
    no words."""

    brief: str = ""
    """The answer without its question, where the chip alone would be a riddle: `six rounds`."""

    @property
    def alone(self) -> str:
        """The answer without its question."""
        return self.brief or self.said


class OptionQuestion(Value):
    """A question about one option."""

    option: str
    ask: str
    answers: tuple[Answer, ...]
    """What can be answered; the option's default is chosen at first. There are none where the
    option names a seat: then the players are the answers."""

    short: str = ""
    """Its name beside "Play now"; empty where it is not asked there."""

    why: str = ""
    """What the answer decides, in a sentence."""

    expert: bool = False
    """Whether it is asked only of those who unfold it."""

    def answer(self, word: str) -> Answer | None:
        """The answer with this word; None where the option has a value that nobody is offered."""
        return next((each for each in self.answers if each.word == word), None)


CHANCE: Final = OptionQuestion(
    "chance",
    message("Who rolls and deals?"),
    (
        Answer("house", message("The server"), brief=message("the server rolls and deals")),
        Answer("dice", message("You roll real dice"), brief=message("you roll real dice")),
        Answer(
            "all",
            message("You roll and deal everything"),
            brief=message("you roll and deal everything"),
        ),
    ),
    why=message(
        "Real dice and cards are entered by hand; the player who enters a card sees it.",
    ),
    expert=True,
)
"""How chance comes to the table, where a game has dice and cards."""


def told_of(questions: Sequence[OptionQuestion], words: Mapping[str, str]) -> tuple[str, ...]:
    """What is unusual about options with these words, to be translated."""
    answers = (each.answer(words.get(each.option, "")) for each in questions)
    return tuple(answer.told for answer in answers if answer and answer.told)
