"""Analysis by rules of thumb, for games that no kernel plays, or without kernels."""

from typing import Any

from mauerwerk.bots.evaluation import chance_to_win
from mauerwerk.bots.greedy import Greedy
from mauerwerk.core.game import AnyGame, Chance, Setup
from mauerwerk.core.sight import Sight
from mauerwerk.lab.analysis.positions import Effort, Situation, Weighed, weigh
from mauerwerk.lab.analysis.results import Judged


class GreedyAnalyst:
    """Weighs points. All seats begin with the same chance; each decision updates its seat's."""

    def __init__(self, game: AnyGame, setup: Setup[Any], draw: Chance) -> None:
        """In a game without rules of thumb all choices are equal."""
        self._game = game
        self._seats = setup.seats
        self._greedy = Greedy(game, setup, draw)
        self._chances = (1 / setup.seats,) * setup.seats

    def get_ready(self) -> None:
        """There is nothing to prepare."""

    def hear(self, sight: Sight[Any, Any, Any]) -> None:
        """Nothing to do: a sight contains all that is needed."""

    def chances(self, situation: Situation, effort: Effort) -> tuple[float, ...]:
        """The value of the best choice for the seat that decides; the others share the rest."""
        del effort  # it needs next to none
        if situation.sight is None:
            return self._chances
        seat = situation.sight.seat
        own = max(each.value for each in self._judged(situation.sight))
        rest = 1 - self._chances[seat]
        self._chances = tuple(
            own if each == seat else chance * (1 - own) / rest
            for each, chance in enumerate(self._chances)
        )
        return self._chances

    def choices(self, situation: Situation, sight: Sight[Any, Any, Any], effort: Effort) -> Weighed:
        """All of them, by their value in points."""
        del effort
        assert situation.move is not None
        return weigh(self._judged(sight), situation.move.word, _certain)

    def _judged(self, sight: Sight[Any, Any, Any]) -> list[Judged]:
        evaluation = self._greedy.consider(sight)
        return [
            Judged(
                self._game.write(each.action),
                chance_to_win(evaluation, each.value, self._seats),
                visits=0,
            )
            for each in evaluation.choices
        ]


def _certain(one: Judged, other: Judged) -> float:
    """Rules of thumb do not vary by chance."""
    del one, other
    return 0.0
