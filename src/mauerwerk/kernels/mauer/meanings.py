"""Die Mauer, what each part of an observation says; `layout` says where it stands.

Seats are counted clockwise from one's own. One of several possibilities is a 1 in its place. The
part of a seat that does not play is zero.
"""

from collections.abc import Mapping
from typing import Final

MEANINGS: Final[Mapping[str, str]] = {
    "task": "what the table waits for: lot, plan, choose, build, give, nothing",
    "waiting": "who must do it",
    "master": "the master builder",
    "left": "the kind of piece at the left end of the wall",
    "right": "the kind of piece at the right end",
    "wall": "how many of each kind are built",
    "counts": "how many pieces each seat holds",
    "hand": "how many of each kind one holds oneself",
    "fists": "of each seat: thinking, closed, or which kind, or nothing",
    "piece": "the kind that is being built",
    "rounds": "rounds in the game",
    "scored": "rounds that are over",
    "totals": "penalty points of each seat",
    "idle": "turns in a row without building",
}
