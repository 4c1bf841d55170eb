"""The bot that searches: a tree over what each seat knows, on sampled worlds.

It samples what it cannot see from its belief, plays on from there in a kernel tens of thousands of
times a second, and keeps in a tree what each seat, by what that seat knows, does best. Where
players choose together it mixes, so that it cannot be guessed.

A network can guide it: then the search tries first what the network likes.

Where there is no kernel for the game, or it refuses the setup (a game that need not end, a board
that is too large), it plays as the greedy bot does.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from time import perf_counter
from typing import Any, Final

from mauerwerk.bots.evaluation import Estimate, chance_to_win, sample
from mauerwerk.bots.evaluation import shares as shares_by_value
from mauerwerk.bots.greedy import Greedy
from mauerwerk.bots.memory import Tracker, tracker
from mauerwerk.core.beliefs import PERFECT, Memory
from mauerwerk.core.errors import SetupError
from mauerwerk.core.game import AnyGame, Chance, Setup, Sight
from mauerwerk.kernels.search import search as kernels

_SEEDS: Final = 1 << 62
_LAST: Final = 0.004
"""Seconds that are reserved for the work after the search."""
RARE: Final = 0.03
"""Actions with a smaller share in a mixed strategy are not played: they are mostly noise."""


def without_rare(shares: Sequence[float]) -> list[float]:
    """The same shares without those that are not played; the largest stays in any case."""
    least = min(RARE * sum(shares), max(shares))
    return [each if each >= least else 0.0 for each in shares]


def chosen_by(
    found: Any,  # noqa: ANN401 - a `SearchResult` of the kernels, which are an extra
    sight: Sight[Any, Any, Any],
    numbers: Mapping[Any, int],
    draw: Chance,
) -> Any:  # noqa: ANN401 - an action
    """The action tried most; where others choose at the same time, one of a mixed strategy."""
    if not len(found.actions):  # no room or no time for anything
        return sight.legal[draw(len(sight.legal))]
    if found.mixed:
        chosen = sample(without_rare(found.policy.tolist()), draw)
    else:
        ranking = zip(found.visits.tolist(), found.values.tolist(), strict=True)
        chosen = max(enumerate(ranking), key=lambda each: each[1])[0]
    number = int(found.actions[chosen])
    equal = [action for action in sight.legal if found.tried[numbers[action]] == number]
    return equal[draw(len(equal))]


def estimates_by(
    found: Any,  # noqa: ANN401 - as above
    sight: Sight[Any, Any, Any],
    numbers: Mapping[Any, int],
) -> Sequence[Estimate]:
    """What every legal action promises, in the order of `sight.legal`."""
    rows = zip(found.actions.tolist(), found.values.tolist(), found.visits.tolist(), strict=True)
    known = {number: (value, visits) for number, value, visits in rows}
    own = float(found.chances[sight.seat])  # nothing is tried where there is one choice
    return [
        Estimate(action, *known.get(found.tried[numbers[action]], (own, found.simulations)))
        for action in sight.legal
    ]


class Search:
    """Thinks for as long as it may; the more time, the better it plays."""

    def __init__(  # noqa: PLR0913 - what every bot is given, and how this one thinks
        self,
        game: AnyGame,
        setup: Setup[Any],
        draw: Chance,
        memory: Memory | Tracker = PERFECT,
        *,
        threads: int = 1,
        simulations: int | None = None,
        network: Any = None,  # noqa: ANN401 - of the kernels, which are an extra
        settings: Any = None,  # noqa: ANN401 - as above
    ) -> None:
        """With `simulations`, each thread runs that many instead of watching the clock.

        A `Network` of the kernels guides the search; `Settings` of theirs say how it thinks, by
        default as the network's card does.
        """
        self._game = game
        self._setup = setup
        self._draw = draw
        self._greedy: Greedy | None = None
        self._simulations = simulations
        self._guidance = settings or kernels.settings_for(network), network
        try:
            self._search = kernels.TreeSearch(game, setup, self._guidance[0], threads, network)
        except SetupError:
            self._greedy = Greedy(game, setup, draw, memory)
            return
        self._beliefs = game.beliefs
        self._tracker = tracker(game, memory, draw)
        self._numbers = {action: number for number, action in enumerate(self._search.actions)}

    def warm(self) -> None:
        """Compile now, so that the first decision does not have to wait."""
        if self._greedy is None:
            kernels.warm(self._game, self._setup, *self._guidance)

    def act(self, sight: Sight[Any, Any, Any], seconds: float, /) -> Any:  # noqa: ANN401
        """The action tried most; where others choose at the same time, one of a mixed strategy."""
        if self._greedy:
            return self._greedy.act(sight, seconds)
        if len(sight.legal) == 1:
            return sight.legal[0]
        found = self._searched(sight, seconds, decide=True)
        return chosen_by(found, sight, self._numbers, self._draw)

    def shares(self, sight: Sight[Any, Any, Any], seconds: float) -> Sequence[float]:
        """How much of its simulations, or of its mixed strategy, each legal action has.

        They are in the order of `sight.legal`. Actions that are equal have equal shares.
        """
        if self._greedy:
            evaluation = self._greedy.consider(sight)
            values = {each.action: each.value for each in evaluation.choices}
            by_action = [values[action] for action in sight.legal]
            return shares_by_value(by_action, evaluation.temperature)
        if len(sight.legal) == 1:
            return [1.0]
        found = self._searched(sight, seconds, decide=True)
        planned = dict(zip(found.actions.tolist(), found.policy.tolist(), strict=True))
        tried = [found.tried[self._numbers[action]] for action in sight.legal]
        equal = Counter(tried)
        shares = [planned.get(number, 0.0) / equal[number] for number in tried]
        total = sum(shares)
        return [share / total if total else 1 / len(shares) for share in shares]

    def values(self, sight: Sight[Any, Any, Any], seconds: float) -> Sequence[Estimate]:
        """What every legal action promises, in the order of `sight.legal`."""
        if self._greedy:
            evaluation = self._greedy.consider(sight)
            seats = self._setup.seats
            values = {each.action: each.value for each in evaluation.choices}
            return [
                Estimate(action, chance_to_win(evaluation, values[action], seats), 0)
                for action in sight.legal
            ]
        if not sight.legal:
            return []
        return estimates_by(self._searched(sight, seconds), sight, self._numbers)

    def chances(self, sight: Sight[Any, Any, Any], seconds: float) -> tuple[float, ...]:
        """Every seat's chance to win by what this seat knows, whoever acts. Raises SetupError."""
        if self._greedy:
            raise SetupError("no kernel plays a game with these options, so nobody can search it")
        return tuple(self._searched(sight, seconds).chances.tolist())

    def _searched(
        self, sight: Sight[Any, Any, Any], seconds: float, *, decide: bool = False
    ) -> Any:  # noqa: ANN401 - a `SearchResult` of the kernels, which are an extra
        began = perf_counter()
        belief = self._tracker.belief(sight, began + seconds / 3)
        state = self._beliefs.sample(belief, sight.view, self._setup.options, self._draw)
        return self._search.search(
            state,
            sight.seat,
            belief,
            self._draw(_SEEDS),
            told=sight.told,
            until=began + seconds - _LAST,
            simulations=self._simulations,
            decide=decide,
        )
