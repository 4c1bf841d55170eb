"""The bot that takes what looks best now, by rules of thumb.

It does not look ahead and takes about a millisecond. What it thinks of a choice, and why, is in the
room of each game; see `rooms`. In a game without a room it plays any legal action.
"""

from collections.abc import Sequence
from functools import partial
from typing import Any

from mauerwerk.bots.evaluation import Evaluation, sample, shares
from mauerwerk.bots.memory import Tracker, tracker
from mauerwerk.bots.rooms import room_of
from mauerwerk.core.beliefs import PERFECT, Memory
from mauerwerk.core.game import AnyGame, Chance, Setup, Sight


class Greedy:
    """Evaluates every legal action, and takes the best, or mixes where it could be guessed."""

    def __init__(
        self,
        game: AnyGame,
        setup: Setup[Any],
        draw: Chance,
        memory: Memory | Tracker = PERFECT,
    ) -> None:
        """The memory matters in games about memory only."""
        self._room = room_of(game)
        self._options = setup.options
        self._draw = draw
        self._tracker = tracker(game, memory, draw)

    def consider(self, sight: Sight[Any, Any, Any]) -> Evaluation:
        """What every legal action is worth."""
        return self._room.consider(sight, self._options, partial(self._tracker.belief, sight))

    def policy(self, sight: Sight[Any, Any, Any], /) -> Sequence[float]:
        """The probability of each legal action; those as good as the best are as likely."""
        if len(sight.legal) == 1:
            return (1.0,)
        choices, temperature, *_ = self.consider(sight)
        weights = shares([each.value for each in choices], temperature)
        by_action = {each.action: share for each, share in zip(choices, weights, strict=True)}
        return tuple(by_action[action] for action in sight.legal)

    def act(self, sight: Sight[Any, Any, Any], _seconds: float, /) -> Any:  # noqa: ANN401
        """The best, or one of those as good; where others guess, now and then another."""
        if len(sight.legal) == 1:
            return sight.legal[0]
        choices, temperature, *_ = self.consider(sight)
        weights = shares([each.value for each in choices], temperature)
        return choices[sample(weights, self._draw)].action
