"""Analysis by search: of choices by what each seat knew, of chances by what all seats hold.

A decision is searched first with all its choices together. Then the most promising choices, and the
chosen one, are each applied and searched in rounds of the same length with the same seeds. So they
can be compared, and the variation between rounds tells how sure the comparison is.

What a network expects is mixed into the chances. An observer who sees all cards knows what every
seat knows. So the network is asked once from each seat, and what all seats expect together is the
geometric mean of its answers.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from math import sqrt
from pathlib import Path
from random import Random
from statistics import fmean, stdev
from time import perf_counter
from typing import Any, Final, NamedTuple

import numpy as np

from mauerwerk.bots import hints, memory, rooms
from mauerwerk.bots.net import guiding, own_network
from mauerwerk.core.beliefs import PERFECT
from mauerwerk.core.game import NATURE, AnyGame, Chance, Seat, Setup, Sight
from mauerwerk.kernels.networks.network import Floats, Network, share_on
from mauerwerk.kernels.search.search import SearchResult, TreeSearch, settings_for, warm
from mauerwerk.lab.analysis import positions, results
from mauerwerk.lab.analysis.positions import Effort, Situation, Weighed, weigh
from mauerwerk.lab.analysis.results import Judged, Lens, result_of
from mauerwerk.lab.intervals import student

PROMISING: Final = 4
"""The number of choices that are searched one by one, in addition to the chosen one."""
ROUNDS: Final = 4
"""How often each of them is searched."""
FIRST_LOOK: Final = 0.4
"""The share of the effort for a decision that goes into the search of all choices together."""
FEWEST: Final = 32
"""The smallest number of simulations of a search, where they are counted."""
NETWORK_SHARPNESS: Final = 0.8
"""`Lens.sharpness` where a network alone evaluates: it is too sure, most of all of weaker players.

Fitted to games of greedy bots and of networks; `bench/results-lab.md` has the figures.
"""
_SEEDS: Final = 1 << 62


def guided_sharpness(sharpness: float, value_weight: float) -> float:
    """The sharpness of a search in whose evaluation a network has this share.

    >>> guided_sharpness(1.9, 0.0), round(guided_sharpness(1.9, 0.5), 2), guided_sharpness(1.9, 1.0)
    (1.9, 1.23, 0.8)
    """
    return float(sharpness ** (1 - value_weight) * NETWORK_SHARPNESS**value_weight)


class _World(NamedTuple):
    """A state that looks to a seat as the table does, and what the seat knows."""

    state: Any
    belief: Any
    told: Sequence[Any]


class _Decision(NamedTuple):
    """A decision of a seat, and the search of all its choices together."""

    sight: Sight[Any, Any, Any]
    chosen: str
    world: _World
    result: SearchResult
    tried: Mapping[str, int]
    """For each word the number of the action that was tried for it; equal actions share one."""

    @property
    def found(self) -> Mapping[int, tuple[float, int]]:
        """The share in the win with each action, and how often it was tried."""
        numbers, values = self.result.actions.tolist(), self.result.values.tolist()
        tries = self.result.visits.tolist()
        return dict(zip(numbers, zip(values, tries, strict=True), strict=True))

    @property
    def named(self) -> Mapping[int, str]:
        """A word for each number: the chosen one, or the first of several that are equal."""
        words = {self.tried[self.chosen]: self.chosen}
        for word, number in self.tried.items():
            words.setdefault(number, word)
        return words


class SearchAnalyst:
    """Searches one game. Raises SetupError where no kernel plays it."""

    def __init__(self, game: AnyGame, setup: Setup[Any], seed: int, net: str = "") -> None:
        """With a fixed number of simulations, seed and record determine the result.

        The network in a file guides the search of choices, or the game's own if it fits. Chances
        come from a search without one, mixed with what the network expects.
        Raises SetupError if the one in the file does not fit.
        """
        self._game = game
        self._setup = setup
        self._seed = seed
        self._network = guiding(game, setup, Path(net)) if net else own_network(game, setup)
        settings = settings_for(self._network)
        self._search = TreeSearch(game, setup, settings, network=self._network)
        self._unguided = TreeSearch(game, setup)
        sharpness = rooms.room_of(game).SHARPNESS
        self._unguided_lens = Lens(sharpness)
        self._lens = Lens(guided_sharpness(sharpness, settings.value_weight))
        self._network_value = NetworkValue(game, setup, self._network)
        self._beliefs = game.beliefs
        self._trackers = [
            memory.Tracker(game, PERFECT, self._draw(f"mind {seat}")) for seat in range(setup.seats)
        ]
        self._numbers = {action: number for number, action in enumerate(self._search.actions)}

    def get_ready(self) -> None:
        """Compile what has to be compiled."""
        warm(self._game, self._setup, settings_for(self._network), network=self._network)

    def hear(self, sight: Sight[Any, Any, Any]) -> None:
        """Follow what a seat knows at a position that another process analyses."""
        self._belief(sight)

    def chances(self, situation: Situation, effort: Effort) -> tuple[float, ...]:
        """Every seat's chance, for an observer who sees all cards."""
        state = situation.state
        asked = self._game.to_act(state)
        seat = Seat(0) if asked[0] == NATURE else asked[0]
        belief = self._beliefs.certain(state, situation.events, seat)
        seed = self._draw(f"chances {situation.task.at}")(_SEEDS)
        world = _World(state, belief, situation.events)
        result = self._think(world, seat, seed, effort, self._unguided)
        chances = self._unguided_lens.chances(result.chances.tolist())
        return self._network_value.mix(chances, situation)

    def choices(self, situation: Situation, sight: Sight[Any, Any, Any], effort: Effort) -> Weighed:
        """The value of each choice of a seat, by what it knew."""
        assert situation.move is not None
        draw = self._draw(f"choices {situation.task.at}")
        belief = self._belief(sight)
        world = _World(self._sampled(belief, sight, draw), belief, sight.told)
        result = self._think(world, sight.seat, draw(_SEEDS), effort.part(FIRST_LOOK))
        decision = _Decision(sight, situation.move.word, world, result, self._words(sight, result))
        closer = None if result.mixed else self._closer(decision, effort, draw)
        return closer or self._at_first_look(decision)

    def _words(self, sight: Sight[Any, Any, Any], result: SearchResult) -> Mapping[str, int]:
        return {
            self._game.write(action): result.tried[self._numbers[action]] for action in sight.legal
        }

    # --- All choices together ----------------------------------------------------------------

    def _at_first_look(self, decision: _Decision) -> Weighed:
        """The choices that were tried often enough, and the chosen one."""
        found = decision.found
        if not found:  # no time for anything
            return Weighed((), 0.0, 0.0)
        enough = max(1, int(hints.SOUND * max(visits for _, visits in found.values())))
        judged = [
            Judged(word, self._lens.chance(found[number][0], self._setup.seats), found[number][1])
            for number, word in decision.named.items()
            if number in found and (found[number][1] >= enough or word == decision.chosen)
        ]
        return weigh(judged, decision.chosen, partial(_doubt, self._lens.sharpness))

    # --- A few choices more closely ----------------------------------------------------------

    def _closer(self, decision: _Decision, effort: Effort, draw: Chance) -> Weighed | None:
        """The best few and the chosen one, each applied; None if that would reveal something.

        The one that looks worst is too, to know what is at stake.
        """
        seat = decision.sight.seat
        by_visits = sorted(decision.found, key=lambda number: -decision.found[number][1])
        listed = [decision.named[number] for number in by_visits[:PROMISING]]
        listed += [decision.chosen] if decision.chosen not in listed else []
        worst = decision.named[min(decision.found, key=lambda number: decision.found[number][0])]
        words = [*listed, worst] if worst not in listed else listed
        other = self._sampled(decision.world.belief, decision.sight, draw)
        worlds = [self._after(decision.world, other, seat, word) for word in words]
        each_time = effort.part((1 - FIRST_LOOK) / (ROUNDS * len(words)))
        values: dict[str, list[float]] = {word: [] for word in words}
        visits = dict.fromkeys(words, 0)
        for _ in range(ROUNDS):
            seed = draw(_SEEDS)
            for word, world in zip(words, worlds, strict=True):
                if world is None:
                    return None
                chance, tried = self._worth(world, seat, seed, each_time)
                values[word].append(chance)
                visits[word] += tried
        judged = [Judged(word, fmean(values[word]), visits[word]) for word in listed]
        scatter = partial(_scatter, values)
        return weigh(judged, decision.chosen, scatter, fmean(values[worst]))

    def _after(self, world: _World, other: Any, seat: Seat, word: str) -> _World | None:  # noqa: ANN401 - the game's own
        """The world after this action; None if the seat would learn from it what it cannot know.

        It learns nothing if the move looks the same to it in another world.
        """
        game, action = self._game, self._game.parse(word)
        step, twin = game.apply(world.state, seat, action), game.apply(other, seat, action)
        seen, same = ([game.seen(event, seat) for event in each.events] for each in (step, twin))
        if seen != same or game.view(step.state, seat) != game.view(twin.state, seat):
            return None
        try:
            told = [event for event in seen if event is not None]
            belief = self._beliefs.after(world.belief, told)
            return _World(step.state, belief, [*world.told, *told])
        except ValueError:  # a bounded belief has lost the worlds that agree
            return None

    def _worth(self, world: _World, seat: Seat, seed: int, effort: Effort) -> tuple[float, int]:
        outcome = self._game.outcome(world.state)
        if outcome is not None:
            return result_of(outcome)[seat], 1
        result = self._think(world, seat, seed, effort)
        share = float(result.chances[seat])
        return self._lens.chance(share, self._setup.seats), result.simulations

    # --- Thinking ----------------------------------------------------------------------------

    def _belief(self, sight: Sight[Any, Any, Any]) -> Any:  # noqa: ANN401 - the game's own
        return self._trackers[sight.seat].belief(sight)

    def _sampled(self, belief: Any, sight: Sight[Any, Any, Any], draw: Chance) -> Any:  # noqa: ANN401
        return self._beliefs.sample(belief, sight.view, self._setup.options, draw)

    def _think(
        self,
        world: _World,
        seat: Seat,
        seed: int,
        effort: Effort,
        search: TreeSearch | None = None,
    ) -> SearchResult:
        think = partial(
            (search or self._search).search, world.state, seat, world.belief, seed, told=world.told
        )
        if effort.simulations is not None:
            return think(simulations=max(effort.simulations, FEWEST))
        return think(until=perf_counter() + effort.seconds)

    def _draw(self, what: str) -> Chance:
        return Random(f"{self._seed}/{what}").randrange  # noqa: S311 - no secret


def _doubt(sharpness: float, one: Judged, other: Judged) -> float:
    """How far apart two values may be by chance alone, if each simulation was won or lost."""
    spread = sum(each.value * (1 - each.value) / max(each.visits, 1) for each in (one, other))
    return 2 * sharpness * sqrt(spread)


def _scatter(values: Mapping[str, Sequence[float]], one: Judged, other: Judged) -> float:
    """The same, from the differences between rounds, which had the same seeds for both."""
    pairs = zip(values[one.word], values[other.word], strict=True)
    differences = [mine - theirs for mine, theirs in pairs]
    return student(len(differences) - 1) * stdev(differences) / sqrt(len(differences))


class NetworkValue:
    """Mixes a network's expectation into the chances of a search.

    Its card says with which share (`chance_weight`), from 0 to 1. They are mixed by `pool`, so
    what the search is sure of hardly changes.
    """

    def __init__(self, game: AnyGame, setup: Setup[Any], network: Network | None) -> None:
        """Without a network the chances of the search stay as they are."""
        self._game, self._setup, self._network = game, setup, network
        self._share = 0.0
        if network is not None:
            self._share = share_on(network.card, "chance_weight", 0.0)

    def mix(self, searched: Sequence[float], situation: positions.Situation) -> tuple[float, ...]:
        """Every seat's chance; together they are 1 if those of the search are."""
        if self._network is None or not self._share:
            return tuple(searched)
        return results.pool(searched, self._expected(self._network, situation), self._share)

    def _expected(self, network: Network, situation: positions.Situation) -> Sequence[float]:
        """Each seat's share in the win, as all seats together expect it."""
        seats = self._setup.seats
        logs = np.mean(
            [np.roll(self._from_seat(network, situation, seat), seat) for seat in range(seats)],
            axis=0,
        )
        shares: list[float] = (np.exp(logs) / np.exp(logs).sum()).tolist()
        return shares

    def _from_seat(self, network: Network, situation: positions.Situation, seat: int) -> Floats:
        """The logarithms of all seats' shares, clockwise from this seat."""
        game, viewer = self._game, Seat(seat)
        noticed = (game.seen(event, viewer) for event in situation.events)
        told = tuple(event for event in noticed if event is not None)
        sight = Sight[Any, Any, Any](viewer, game.view(situation.state, viewer), told, ())
        logits = network.forward_sight(game, self._setup, sight).wins[: self._setup.seats]
        logs: Floats = logits - np.logaddexp.reduce(logits)
        return logs
