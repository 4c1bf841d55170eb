"""Timing side by side: contestants take turns, so that other load affects all of them equally."""

import time
from collections.abc import Callable, Sequence

from mauerwerk.core.game import Value

Work = Callable[[], tuple[int, int]]
"""Plays for a moment; returns the numbers of finished games and of decisions.

Decisions are those of players and of nature, one for each choice. If games are counted by the
average number of decisions, the count may be a rounded fraction.
"""


class Score(Value):
    """What one contestant achieved."""

    name: str
    games: float
    """A second."""
    decisions: float
    """A second."""


def contest(contenders: Sequence[tuple[str, Work]], seconds: float, rounds: int = 5) -> list[Score]:
    """Let each contestant work for this long, in this many slices; first calls are not timed."""
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
