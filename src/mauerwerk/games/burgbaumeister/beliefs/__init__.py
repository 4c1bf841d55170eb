"""What a seat of Burgbaumeister can infer about the cards of the depot, and how much it remembers.

    belief = begin()                              # or all at once: believe(sight)
    belief = after(belief, told)                  # step by step, as it is told
    chance(belief, place, range(20, 30))          # that the card there carries one of these
    fading = recall(belief, Memory(), draw)       # what a player with this memory still knows
    sample(fading, view, options, draw)           # a whole state, as it may be

Exact inference is in `inference`, forgetting in `memory`, states that agree with a belief in
`worlds`, and how bots keep a belief up to date in `tracking`.
"""

from mauerwerk.core.beliefs import ABSENT, PERFECT, Memory
from mauerwerk.games.burgbaumeister.beliefs.inference import (
    Belief,
    Glimpse,
    after,
    begin,
    believe,
    chance,
    known,
    numbers_at,
    unplaced,
)
from mauerwerk.games.burgbaumeister.beliefs.memory import kept, recall
from mauerwerk.games.burgbaumeister.beliefs.tracking import bounded, certain, dealt, latest, steps
from mauerwerk.games.burgbaumeister.beliefs.worlds import sample

__all__ = [
    "ABSENT",
    "PERFECT",
    "Belief",
    "Glimpse",
    "Memory",
    "after",
    "begin",
    "believe",
    "bounded",
    "certain",
    "chance",
    "dealt",
    "kept",
    "known",
    "latest",
    "numbers_at",
    "recall",
    "sample",
    "steps",
    "unplaced",
]
