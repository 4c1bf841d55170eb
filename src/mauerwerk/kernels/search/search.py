"""Tree search from Python: memory for trees, slices of time, several cores.

search = TreeSearch(game, setup)
result = search.search(state, seat, belief, seed=1, until=perf_counter() + 0.2)
result.actions, result.values, result.visits, result.policy
"""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from math import inf
from threading import Event
from time import perf_counter
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from mauerwerk.core.errors import SetupError
from mauerwerk.core.game import NATURE, AnyGame, Observer, Seat, Setup
from mauerwerk.kernels import actions_of, kernel_of, pack_setup
from mauerwerk.kernels.arrays import Memory
from mauerwerk.kernels.chance import key_of
from mauerwerk.kernels.compiler import Device, functions_for, usual_device
from mauerwerk.kernels.contract import MOST_SEATS, Array, GameBelief, GameState
from mauerwerk.kernels.networks.forward import Inference, inference_of, with_own_buffers
from mauerwerk.kernels.networks.network import Network, number_on, share_on
from mauerwerk.kernels.search import tree as source
from mauerwerk.kernels.search.tree import DONE, NODES, STEPS, Tree

DEPTH: Final = 256
"""The largest number of decisions of one simulation in the tree."""
FIRST_LOOK: Final = 1_024
"""The number of simulations before a mixed strategy is first checked for convergence."""


# --- Settings --------------------------------------------------------------------------------

IN_THE_TREE: Final = (
    "c_puct",
    "fpu_reduction",
    "epsilon",
    "prior_weight",
    "prior_temperature",
    "expand_after_visits",
    "value_weight",
)
"""The `Settings` that compiled code reads."""
SETTINGS: Final = np.dtype([(name, "f8") for name in (*IN_THE_TREE, "temperature")])
"""These, and the temperature that the game's advice gives."""
SHARES: Final = ("epsilon", "prior_weight", "value_weight")
"""The `Settings` that are at most 1."""


class Settings(NamedTuple):
    """The parameters of a search."""

    c_puct: float = 0.6
    """The weight of the bonus for actions that were tried little."""
    fpu_reduction: float = 0.05
    """How much worse than the rest an action that was never tried is assumed to be."""
    epsilon: float = 0.1
    """How often a seat that chooses together with others plays a random action."""
    prior_weight: float = 0.8
    """The share of the network in the priors, if there is one; the rest is the game's advice."""
    prior_temperature: float = 1.0
    """The temperature of the network's probabilities; below 1, what is likely becomes likelier."""
    expand_after_visits: int = 1
    """After how many visits a node gets the network's priors.

    The root gets them after one, and at once where seats choose together. Most nodes are
    visited only a few times, and an answer takes as long as one or two simulations."""
    value_weight: float = 0.0
    """The share of the network in the evaluation of a position."""
    strategy_temperature: float = 0.25
    """The temperature of the final mixed strategy, as a share of that used for learning."""
    catch_up_share: float = 0.5
    """The share of the remaining simulations that a second action could get to catch up."""
    convergence_threshold: float = 0.05
    """The largest change, while simulations double, of a mixed strategy that has converged."""
    nodes: int = 1 << 17
    edges: int = 1 << 20


def settings_for(network: Network | None) -> Settings:
    """How a network guides best, as its card says. Raises SetupError where that is impossible."""
    usual = Settings()
    if network is None:
        return usual
    card = network.card
    said: dict[str, Any] = {
        name: (share_on if name in SHARES else number_on)(card, name, getattr(usual, name))
        for name in (*IN_THE_TREE, "strategy_temperature")
    }
    for name in ("prior_temperature", "strategy_temperature"):
        if not said[name]:
            raise SetupError(f"the network's card says {name} is 0, which must be more")
    visits = int(said["expand_after_visits"])
    if visits < 1 or visits != said["expand_after_visits"]:
        raise SetupError(
            f"the network's card says expand_after_visits is {card['expand_after_visits']}, "
            "which must be a whole number of 1 or more"
        )
    return usual._replace(**{**said, "expand_after_visits": visits})


# --- Slices of time --------------------------------------------------------------------------
#
# Several trees grow side by side, each in a thread of its own. Against the clock no thread waits
# for another: where cores are scarce, one of them may get little done. With a number of simulations
# they meet after every slice, so that what is found depends on the number of simulations and of
# trees, and not on which thread was faster. The first thread alone asks if the search is decided.


Slice: TypeAlias = Callable[[int, int, int], None]
"""Runs in one of the trees, from the first number on, this many simulations."""
Test: TypeAlias = Callable[[float], bool]
"""Whether this many more simulations of each tree cannot change the answer."""

SLICE: Final = 0.004
"""How many seconds compiled code runs between two looks at the clock."""
STRIDE: Final = 256
"""The number of simulations in one slice where time does not matter."""


def never(left: float) -> bool:  # noqa: ARG001 - a `Test`
    """Not decided."""
    return False


def always(left: float) -> bool:  # noqa: ARG001 - a `Test`
    """Decided."""
    return True


def run_until(simulate: Slice, decided: Test, until: float, trees: int) -> None:
    """Run in slices by the clock; the rate so far determines the size of the next."""
    stopped = Event()

    def run(tree: int) -> None:
        first, number = 1, 16
        began = perf_counter()
        while not stopped.is_set():
            simulate(tree, first, number)
            first += number
            now = perf_counter()
            rate = (now - began) / (first - 1)
            number = min(4 * number, int(min(SLICE, until - now) / rate))
            if number < 1:
                return
            if not tree and decided((until - now) / rate):
                stopped.set()

    _side_by_side(run, trees)


def run_through(simulate: Slice, decided: Test, simulations: int, trees: int) -> None:
    """Run this many simulations in each tree, or fewer if the answer is decided."""
    for first in range(1, simulations + 1, STRIDE):
        left = simulations + 1 - first
        if decided(left):
            return
        _side_by_side(simulate, trees, first, min(STRIDE, left))


def _side_by_side(work: Callable[..., None], trees: int, *given: int) -> None:
    """Do this for all trees at the same time; this thread has the first."""
    others = [_pool(trees - 1).submit(work, tree, *given) for tree in range(1, trees)]
    work(0, *given)
    for other in others:
        other.result()


@cache
def _pool(threads: int) -> ThreadPoolExecutor:
    """Threads that wait for work; all searches of this process with as many trees share them."""
    return ThreadPoolExecutor(threads)


# --- The search ------------------------------------------------------------------------------

Root: TypeAlias = tuple[Tree, int]
"""A tree, and the node of the decision that is searched."""


class SearchResult(NamedTuple):
    """What a search found."""

    actions: npt.NDArray[np.int16]
    """The actions that were tried, by number."""
    tried: Mapping[int, int]
    """For every legal action the one that was tried for it: itself, or one that is equal."""
    values: npt.NDArray[np.float64]
    """The mean share in the win with each, from 0 to 1."""
    visits: npt.NDArray[np.int64]
    policy: npt.NDArray[np.float64]
    """How often each should be played: a mixed strategy where seats choose together."""
    mixed: bool
    """Whether others choose at the same time."""
    chances: npt.NDArray[np.float64]
    """The share in the win of every seat, over all simulations."""
    simulations: int
    decisions: int
    nodes: int
    """The size of all trees."""


def can_recall(game: AnyGame) -> bool:
    """Whether simulations can go on from what a seat remembers.

    Then they do so without a network too: it costs next to nothing, and only one search is compiled
    for the game.
    """
    memory = getattr(kernel_of(game.NAME), "memory", None)
    return hasattr(memory, "recall")


class TreeSearch:
    """Searches one game with one setup. Raises SetupError where no kernel can play it."""

    def __init__(
        self,
        game: AnyGame,
        setup: Setup[Any],
        settings: Settings | None = None,
        threads: int = 1,
        network: Network | None = None,
        device: Device | None = None,
    ) -> None:
        """Find the compiled functions; trees are taken from a pool when they are needed."""
        self.setup = setup
        self._packed_setup = pack_setup(game, setup)
        self._remembers = can_recall(game) if network is None else network.remembers
        self._kernel: Any = kernel_of(game.NAME, remember=self._remembers)
        self.actions = actions_of(game, setup)
        device = device or usual_device()
        functions = functions_for(game.NAME, device, remember=self._remembers, part="advice")
        self._settings = settings or Settings()
        self._simulate = functions.entry(source.simulate)
        self._root_of = functions.entry(source.root_of)
        self._mix_strategy = functions.entry(source.mix_strategy)
        self._together = functions.entry(source.chosen_together)
        self._canonical_actions = functions.entry(source.canonical_actions)
        self._inference = inference_of(network)
        self._memory = functions.memory
        sizes = self._settings.nodes, self._settings.edges
        self._room = (game.NAME, device, self._remembers, *sizes)
        self._threads = threads

    def search(
        self,
        state: GameState,
        seat: Seat,
        belief: GameBelief,
        seed: int,
        *,
        told: Sequence[Any] = (),
        until: float = 0.0,
        simulations: int | None = None,
        decide: bool = False,
    ) -> SearchResult:
        """Search until this time of `perf_counter`, or for this many simulations in each thread.

        Each thread has a tree of its own, and what they find is added up. The state may be any that
        looks to the seat as the table does. A network that remembers also needs what the seat was
        told. With `decide`, the search stops at once if all choices are equal, and as soon as no
        action can catch up with the one tried most or, where seats choose together, the mixed
        strategy has converged.
        """
        believed = self._kernel.pack_belief(self.setup, belief)
        rooms = [self._borrowed() for _ in range(self._threads)]
        trees = [room.tree for room in rooms]
        keys = [key_of(seed + place) for place in range(self._threads)]
        for tree in trees:
            for array in (tree.table_nodes, tree.visited_once, tree.counts, tree.value_totals):
                array[:] = 0
            self._kernel.pack(self.setup, state, tree.states[0])
            if self._remembers:
                self._kernel.recall(self.setup, belief, told, tree.states[0])

        def simulate(place: int, first: int, number: int) -> None:
            self._simulate(trees[place], believed, seat, keys[place], first, number)

        decided: Test = never
        if decide:
            for place in range(self._threads):
                simulate(place, 0, 1)
            decided = self._decided(self._roots(trees, believed, seat))
        if not decided(inf):
            if simulations is None:
                run_until(simulate, decided, until, self._threads)
            else:
                run_through(simulate, decided, simulations, self._threads)
        result = self._gathered(trees, believed, seat)
        _ROOMS[self._room].extend(rooms)
        return result

    def _borrowed(self) -> "Room":
        """A tree that is not in use."""
        try:
            memory, tree = _ROOMS[self._room].pop()
        except IndexError:
            memory = self._memory()
            tree = _tree(memory, self._kernel.STATE, self._settings)
        told = self._settings._asdict()
        chosen = np.array([(*(told[name] for name in IN_THE_TREE), 1.0)], SETTINGS)
        tree = tree._replace(
            setups=memory.keep(self._packed_setup),
            settings=memory.keep(chosen),
            inference=Inference(*map(memory.keep, with_own_buffers(self._inference))),
        )
        return Room(memory, tree)

    def _roots(self, trees: Sequence[Tree], believed: Array, seat: Seat) -> list[Root]:
        """The seat's decision in each tree that has it, with the same edges in all."""
        roots = [(tree, int(self._root_of(tree, believed, seat))) for tree in trees]
        return [(tree, node) for tree, node in roots if node >= 0]

    def _decided(self, roots: Sequence[Root]) -> Test:
        """A test whether this many more simulations of each tree cannot change the answer."""
        if len(roots) < self._threads:
            return never
        visits = [tree.visits[_edges(tree, node)] for tree, node in roots]
        if len(visits[0]) == 1:
            return always
        if self._together(roots[0][0]):
            return self._converged(*roots[0])

        def decided(left: float) -> bool:
            second, first = np.partition(sum(visits), -2)[-2:].tolist()
            return bool(first - second > self._settings.catch_up_share * left * len(roots))

        return decided

    def _converged(self, tree: Tree, node: int) -> Test:
        """A test whether the mixed strategy has hardly changed since half as many simulations."""
        due = FIRST_LOOK
        now: Array | None = None

        def converged(left: float) -> bool:  # noqa: ARG001 - a `Test`
            nonlocal due, now
            if tree.node_visits[node] < due:
                return False
            before, now = now, self._strategy(tree, node)
            due = 2 * int(tree.node_visits[node])
            return (
                before is not None
                and abs(now - before).sum() / 2 < self._settings.convergence_threshold
            )

        return converged

    def _tried(self, tree: Tree, seat: Seat) -> Mapping[int, int]:
        choices = np.zeros((2, len(self.actions)), np.int64)
        number = int(self._canonical_actions(tree, seat, choices[0], choices[1]))
        return dict(choices[:, :number].T.tolist())

    def _gathered(self, trees: Sequence[Tree], believed: Array, seat: Seat) -> SearchResult:
        """The result of all trees together."""
        roots = self._roots(trees, believed, seat)
        rows = [(tree, _edges(tree, node)) for tree, node in roots]
        mixed = bool(self._together(trees[0]))
        actions = rows[0][0].actions[rows[0][1]].copy() if rows else np.zeros(0, np.int16)
        visits, sums = np.zeros(len(actions), np.int64), np.zeros(len(actions))
        for tree, row in rows:
            visits += tree.visits[row]
            sums += tree.value_sums[row]
        policy = visits / max(visits.sum(), 1)
        if mixed and rows:
            policy = np.mean([self._strategy(*root) for root in roots], axis=0)
        done = sum(int(tree.counts[DONE]) for tree in trees)
        totals = np.sum([tree.value_totals for tree in trees], axis=0)
        return SearchResult(
            actions=actions,
            tried=self._tried(trees[0], seat),
            values=sums / np.maximum(visits, 1),
            visits=visits,
            policy=policy,
            mixed=mixed,
            chances=totals[: self.setup.seats] / max(done, 1),
            simulations=done,
            decisions=sum(int(tree.counts[STEPS]) for tree in trees),
            nodes=sum(int(tree.counts[NODES]) for tree in trees),
        )

    def _strategy(self, tree: Tree, node: int) -> Array:
        """The mixed strategy at a node, at a lower temperature than while it was learnt."""
        total = self._mix_strategy(
            tree, node, tree.settings["temperature"][0] * self._settings.strategy_temperature
        )
        return tree.strategy[_edges(tree, node)] / total


def _edges(tree: Tree, node: int) -> slice:
    begin = int(tree.first_edges[node])
    return slice(begin, begin + int(tree.edge_counts[node]))


class Room(NamedTuple):
    """A tree, and the memory that it is in."""

    memory: Memory
    tree: Tree


_ROOMS: Final[defaultdict[tuple[str, Device, bool, int, int], list[Room]]] = defaultdict(list)
"""The pool of trees that are not in use. They are large, and few bots think at a time."""


def _tree(memory: Memory, kind: Any, settings: Settings) -> Tree:  # noqa: ANN401 - a dtype
    nodes, edges, zeros = settings.nodes, settings.edges, memory.zeros
    return Tree(
        setups=zeros((0,), np.uint8),
        states=zeros((2,), kind),
        settings=zeros((1,), SETTINGS),
        inference=inference_of(None),
        table_keys=zeros((2 * nodes,), np.uint64),
        table_nodes=zeros((2 * nodes,), np.int32),
        visited_once=zeros((2 * nodes,), np.uint32),
        first_edges=zeros((nodes,), np.int32),
        edge_counts=zeros((nodes,), np.int32),
        node_visits=zeros((nodes,), np.int32),
        actions=zeros((edges,), np.int16),
        priors=zeros((edges,), np.float32),
        visits=zeros((edges,), np.int32),
        value_sums=zeros((edges,), np.float64),
        strategy=zeros((edges,), np.float64),
        path_nodes=zeros((DEPTH,), np.int32),
        path_edges=zeros((DEPTH,), np.int32),
        path_seats=zeros((DEPTH,), np.int8),
        observed_keys=zeros((MOST_SEATS,), np.uint64),
        values=zeros((MOST_SEATS,), np.float64),
        value_totals=zeros((MOST_SEATS,), np.float64),
        counts=zeros((4,), np.int64),
    )


def warm(
    game: AnyGame,
    setup: Setup[Any],
    settings: Settings | None = None,
    network: Network | None = None,
    device: Device | None = None,
) -> None:
    """Use each compiled function once, after the first moves that seat 1 is told of."""
    observer = Observer(game, Seat(1))
    state: Any = game.start(setup)
    while NATURE in game.to_act(state) or not observer.told:
        seat = game.to_act(state)[0]
        choices = list(game.odds(state)) if seat == NATURE else game.legal(state, seat)
        step = game.apply(state, seat, choices[0])
        observer.follow(step)
        state = step.state
    belief = game.beliefs.believe(observer.sight(state))
    search = TreeSearch(game, setup, settings, network=network, device=device)
    search.search(state, Seat(1), belief, 1, simulations=1)
