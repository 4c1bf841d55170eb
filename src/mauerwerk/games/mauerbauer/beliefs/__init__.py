"""What a seat of Mauerbauer can infer about the cards that it has not seen.

    belief = begin(seats, seat)              # or all at once: believe(sight)
    belief = after(belief, told)             # step by step, as it is told
    holds(belief, Seat(2), Card.CITIES)      # the probability that seat 2 holds such a card
    sample(belief, view, options, draw)      # a whole state, as it may be

Exact inference is in `inference`, states that agree with a belief in `worlds`, and beliefs of
bounded size, as bots use them, in `tracking`.
"""

from mauerwerk.games.mauerbauer.beliefs.inference import (
    Belief,
    Hypothesis,
    Shift,
    after,
    begin,
    believe,
    holds,
)
from mauerwerk.games.mauerbauer.beliefs.tracking import bounded, certain, dealt, latest, steps
from mauerwerk.games.mauerbauer.beliefs.worlds import sample

__all__ = [
    "Belief",
    "Hypothesis",
    "Shift",
    "after",
    "begin",
    "believe",
    "bounded",
    "certain",
    "dealt",
    "holds",
    "latest",
    "sample",
    "steps",
]
