"""Timing side by side: everybody gets a slice in turn, so that a busy machine is busy for all."""

import time
from collections.abc import Callable, Sequence

from mauerwerk.core.game import Value

Work = Callable[[], tuple[int, int]]
"""Plays for a moment; how many games it finished and how many decisions it made.

Decisions are nature's and players' alike, one for each who chooses. Where games are counted by how
many decisions an average one has, the count may be a fraction that is rounded.
"""


class Score(Value):
    """What somebody got done."""

    name: str
    games: float
    """A second."""
    decisions: float
    """A second."""


def contest(contenders: Sequence[tuple[str, Work]], seconds: float, rounds: int = 5) -> list[Score]:
    """Let each work for so long, in as many slices; the first call of each is not timed."""
    done = [[0, 0, 0.0] for _ in contenders]
    for _, work in contenders:
        work()
    for _ in range(rounds):
        for (_, work), tally in zip(contenders, done, strict=True):
            began = now = time.perf_counter()
            while now < began + seconds / rounds:
                games, decisions = work()
                tally[0] += games
                tally[1] += decisions
                now = time.perf_counter()
            tally[2] += now - began
    return [
        Score(name, games / took, decisions / took)
        for (name, _), (games, decisions, took) in zip(contenders, done, strict=True)
    ]
