"""What a seat of Die Mauer can infer about the hands of the others.

    belief = begin(seats)                    # or all at once: believe(sight)
    belief = after(belief, told)             # step by step, as it is told
    at_least(belief, Seat(2), Piece.GATE)    # the probability that seat 2 holds a gate
    sample(belief, view, options, draw)      # a whole state, as it may be

Exact inference is in `inference`, states that agree with a belief in `worlds`, and beliefs of
bounded size, as bots use them, in `tracking`.
"""

from mauerwerk.games.mauer.beliefs.inference import (
    Belief,
    Hands,
    World,
    after,
    at_least,
    begin,
    believe,
    exactly,
    possible,
)
from mauerwerk.games.mauer.beliefs.tracking import bounded, certain, dealt, latest, steps
from mauerwerk.games.mauer.beliefs.worlds import sample

__all__ = [
    "Belief",
    "Hands",
    "World",
    "after",
    "at_least",
    "begin",
    "believe",
    "bounded",
    "certain",
    "dealt",
    "exactly",
    "latest",
    "possible",
    "sample",
    "steps",
]
