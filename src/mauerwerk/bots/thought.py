"""What a greedy bot thinks of its choices: what each is worth, and why."""

from collections.abc import Mapping, Sequence
from math import exp, log
from typing import Any, Final, NamedTuple, Union

from mauerwerk.core.game import Chance
from mauerwerk.core.language.translation import Language

_TICKETS: Final = 1 << 30
_SUREST: Final = 30.0
"""In logits. Nobody is so far ahead that a game could not turn: no chance is quite 0 or 1."""


class Reason(NamedTuple):
    """Why something is good or bad: a template, one form or two, and its values.

    It becomes a sentence only when somebody asks, and in their language.
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

    >>> from mauerwerk.core.language.translation import ENGLISH
    >>> because(("It costs {number} point.", "It costs {number} points."), number=3).said(ENGLISH)
    'It costs 3 points.'
    """
    template, several = (forms, "") if isinstance(forms, str) else forms
    return Reason(template, values, several)


class Thought(NamedTuple):
    """One legal action, weighed."""

    action: Any
    worth: float
    """In points of the game, against those of the others; only differences count."""
    reason: Reason
    at_once: float = 0.0
    """The points one sees at first sight, with no thought for later or for the others."""


class Judgement(NamedTuple):
    """All legal actions, weighed."""

    thoughts: Sequence[Thought]
    temperature: float = 0.0
    """How many points an action may be worse and still be taken now and then; 0 takes the best.

    Above 0 where others try to guess what one will do."""
    lead: float = 0.0
    """Points ahead of the best of the others, or behind, before anything is done."""
    swing: float = 10.0
    """Points by which such a game usually still turns."""


def shares(worths: Sequence[float], temperature: float) -> list[float]:
    """How often to do each: the better, the more often; without temperature the best share alone.

    >>> shares([1.0, 3.0, 3.0], temperature=0)
    [0.0, 0.5, 0.5]
    >>> [round(share, 2) for share in shares([0.0, 2.0], temperature=2)]
    [0.27, 0.73]
    """
    best = max(worths)
    weights = [
        exp((worth - best) / temperature) if temperature else float(worth == best)
        for worth in worths
    ]
    total = sum(weights)
    return [weight / total for weight in weights]


def sampled(weights: Sequence[float], draw: Chance) -> int:
    """A place among these, by weight."""
    ticket = draw(_TICKETS) / _TICKETS * sum(weights)
    for place, weight in enumerate(weights):
        ticket -= weight
        if ticket < 0:
            return place
    return max(range(len(weights)), key=weights.__getitem__)


def chance_to_win(judgement: Judgement, worth: float, seats: int) -> float:
    """What an action of this worth promises: above 0 and below 1.

    A guess: even points give everybody the same chance, and a lead of one swing makes it e times as
    likely to win as not.
    """
    ahead = (judgement.lead + worth) / judgement.swing
    return 1 / (1 + exp(min(max(log(seats - 1) - ahead, -_SUREST), _SUREST)))
