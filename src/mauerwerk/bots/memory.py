"""What a bot remembers: a belief that every event updates, less what it has forgotten."""

import random
from math import inf
from time import perf_counter
from typing import Any

from mauerwerk.core.beliefs import PERFECT, Memory, TrackedBeliefs
from mauerwerk.core.errors import SetupError
from mauerwerk.core.game import AnyGame, Chance, Sight


class Tracker:
    """Keeps the belief of one seat up to date.

    It answers from the sight alone. The events that it has followed before only save time. Large
    beliefs are reduced to a bounded size. When there is no time left to follow all events, or the
    reduced belief contradicts a later one, hidden things are dealt anew by what the table shows. So
    a belief is always there in time, and it is exact as long as it can be.
    """

    def __init__(self, game: AnyGame, memory: Memory, draw: Chance) -> None:
        """Whether something will be forgotten is drawn once, so that it does not come and go."""
        self._game = game
        self._memory = memory
        self._draw = draw
        self._seed = draw(1 << 32)
        self._told: tuple[Any, ...] = ()
        self._belief: Any = None

    def belief(self, sight: Sight[Any, Any, Any], until: float = inf) -> Any:  # noqa: ANN401 - the game's own
        """What this player knows; found by the time `until` of `perf_counter`, or little later.

        Raises SetupError where the game has no beliefs.
        """
        beliefs: TrackedBeliefs | None = self._game.beliefs
        if beliefs is None:
            raise SetupError(f"{self._game.NAME} does not say what a seat can infer")
        belief = self._followed(beliefs, sight, until)
        recall = getattr(beliefs, "recall", None)
        if self._memory == PERFECT or recall is None:
            return belief
        tickets = random.Random(self._seed)  # noqa: S311 - forgetting is no secret
        return recall(belief, self._memory, tickets.randrange)

    def _followed(self, beliefs: TrackedBeliefs, sight: Sight[Any, Any, Any], until: float) -> Any:  # noqa: ANN401 - the game's own
        if self._belief is None or sight.told[: len(self._told)] != self._told:
            self._belief, behind = beliefs.latest(sight)
            self._told = sight.told[:behind]
        try:
            for step in beliefs.steps(sight.told, len(self._told)):
                if perf_counter() > until:
                    return beliefs.dealt(sight, self._draw)
                self._belief = beliefs.bounded(beliefs.after(self._belief, step), self._draw)
                self._told += step
        except ValueError:  # a bounded belief has lost the worlds that agree
            self._belief = beliefs.dealt(sight, self._draw)
            self._told = sight.told
        return self._belief


def tracker(game: AnyGame, memory: Memory | Tracker, draw: Chance) -> Tracker:
    """A new tracker with this memory, or this very one where two parts of a bot share it."""
    return memory if isinstance(memory, Tracker) else Tracker(game, memory, draw)
