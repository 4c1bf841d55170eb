"""What a greedy bot thinks of its choices: the value of each, and the reason."""

from collections.abc import Mapping, Sequence
from math import exp, log
from typing import Any, Final, NamedTuple, Union

from mauerwerk.core.game import Chance
from mauerwerk.core.language import Language

_TICKETS: Final = 1 << 30
_SUREST: Final = 30.0
"""In logits. No lead is so large that a game could not turn: no chance is quite 0 or 1."""


class Estimate(NamedTuple):
    """What a search found about one legal action."""

    action: Any
    value: float
    """The share in the win that it promises to the seat that decides, from 0 to 1."""
    visits: int
    """How often it, or an action that is equal to it, was tried."""


class Reason(NamedTuple):
    """Why something is good or bad: a template, one form or two, and its values.

    It becomes a sentence only when it is shown, in the reader's language.
    """

    template: str
    values: Mapping[str, Union[str, int, "Reason"]]
    several: str = ""
    """The template for any `number` but one, where it has two forms."""
    context: str = ""

    def said(self, language: Language) -> str:
        """The sentence in this language."""
        values = {
            name: value.said(language) if isinstance(value, Reason) else value
            for name, value in self.values.items()
        }
        if self.context:
            return language.about(self.context, self.template, **values)
        number = values.get("number")
        if isinstance(number, int) and self.several:
            del values["number"]
            return language.many(number, self.template, self.several, **values)
        return language(self.template, **values)


def because(forms: str | tuple[str, str], **values: str | int | Reason) -> Reason:
    """A reason; two forms are for one and for any other `number`.

    >>> from mauerwerk.core.language import ENGLISH
    >>> because(("It costs {number} point.", "It costs {number} points."), number=3).said(ENGLISH)
    'It costs 3 points.'
    """
    template, several = (forms, "") if isinstance(forms, str) else forms
    return Reason(template, values, several)


class Choice(NamedTuple):
    """One legal action and its value."""

    action: Any
    value: float
    """In points of the game, relative to the others' points; only differences count."""
    reason: Reason
    at_once: float = 0.0
    """The points that it scores at once, whatever it brings later or to the others."""


class Evaluation(NamedTuple):
    """All legal actions with their values."""

    choices: Sequence[Choice]
    temperature: float = 0.0
    """How many points worse an action may be and still be taken now and then; 0 takes the best.

    It is above 0 where others try to guess the choice."""
    lead: float = 0.0
    """The seat's points less those of the best of the others, before it acts."""
    swing: float = 10.0
    """The points by which a lead in such a game typically still changes."""


def shares(values: Sequence[float], temperature: float) -> list[float]:
    """The probability of each action by its value; without temperature only the best have any.

    >>> shares([1.0, 3.0, 3.0], temperature=0)
    [0.0, 0.5, 0.5]
    >>> [round(share, 2) for share in shares([0.0, 2.0], temperature=2)]
    [0.27, 0.73]
    """
    best = max(values)
    weights = [
        exp((value - best) / temperature) if temperature else float(value == best)
        for value in values
    ]
    total = sum(weights)
    return [weight / total for weight in weights]


def sample(weights: Sequence[float], draw: Chance) -> int:
    """An index, drawn by weight."""
    ticket = draw(_TICKETS) / _TICKETS * sum(weights)
    for place, weight in enumerate(weights):
        ticket -= weight
        if ticket < 0:
            return place
    return max(range(len(weights)), key=weights.__getitem__)


def chance_to_win(evaluation: Evaluation, value: float, seats: int) -> float:
    """The chance to win with an action of this worth: above 0 and below 1.

    It is an estimate: with even points all seats have the same chance, and a lead of one swing
    multiplies the odds of winning by e.
    """
    ahead = (evaluation.lead + value) / evaluation.swing
    return 1 / (1 + exp(min(max(log(seats - 1) - ahead, -_SUREST), _SUREST)))
