"""Bots in a browser: rules of thumb at once, and a search in a worker of its own.

Python packs a position, `think.mjs` searches in the kernel's module, and Python reads its answer.
So pages go on while a bot thinks.
"""

import json
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Hashable, Mapping
from functools import cache, partial
from importlib import resources
from time import perf_counter
from typing import Any, Final, TypeAlias, TypeVar, cast

import msgspec

from mauerwerk.bots.hints import Hint, hints
from mauerwerk.bots.levels import Fallible, Level, mistakes_in
from mauerwerk.bots.memory import Tracker, tracker
from mauerwerk.bots.search import chosen_by, estimates_by
from mauerwerk.core.beliefs import ABSENT, Memory
from mauerwerk.core.errors import SetupError
from mauerwerk.core.game import AnyGame, Chance, Setup, Sight
from mauerwerk.core.language import language_of
from mauerwerk.kernels import KERNELS, actions_of, pack_setup
from mauerwerk.kernels.networks.network import Network, Weights
from mauerwerk.kernels.search.packed import packed_request, result_of
from mauerwerk.kernels.search.search import SearchResult, settings_for
from mauerwerk.server.engine import thinking as thoughts
from mauerwerk.server.engine.workers import BotWorkers

Task = TypeVar("Task")
Answer = TypeVar("Answer")
Think: TypeAlias = Callable[[str, Mapping[str, Any]], Awaitable[str]]
"""Searches a game by a packed request, and answers in JSON; what `thoughts.mjs` does."""

CARDS: Final = "networks.json"
"""What the networks say about themselves; their numbers stay with the search."""

_SEEDS: Final = 1 << 62
_LATER: Final = 0.004
"""Seconds that are reserved for the work after the search."""
_HUNDRED: Final = 100


class CardStack(msgspec.Struct):
    """What is to be known of a network to ask a search that it guides."""

    card: dict[str, str]
    sizes: dict[str, int]
    """The length of each of its weights."""


def cards_of(networks: Mapping[str, Network]) -> bytes:
    """The file `CARDS` for these networks, by game."""
    return msgspec.json.encode(
        {
            name: CardStack(
                dict(network.card),
                {field: len(weights) for field, weights in network.weights._asdict().items()},
            )
            for name, network in networks.items()
        }
    )


@cache
def _cards() -> Mapping[str, CardStack]:
    file = resources.files("mauerwerk.pocket").joinpath(CARDS)
    content = file.read_bytes() if file.is_file() else b"{}"
    return msgspec.json.decode(content, type=dict[str, CardStack])


def network_of(game: AnyGame, setup: Setup[Any]) -> Network | None:
    """The game's own network without its numbers, if it fits such a table."""
    known = _cards().get(game.NAME)
    if known is None:
        return None
    lengths: dict[str, Any] = {field: range(size) for field, size in known.sizes.items()}
    network = Network(Weights(**lengths), known.card)
    try:
        network.refuse(game, setup)
    except SetupError:
        return None
    return network


# --- A search that is asked for ------------------------------------------------------------------


class Searcher:
    """Asks for searches of one game at one seat, as `bots.search.Search` makes them."""

    def __init__(
        self, game: AnyGame, setup: Setup[Any], draw: Chance, memory: Memory | Tracker
    ) -> None:
        """Raises SetupError where no kernel plays such a game."""
        pack_setup(game, setup)
        self._game, self._setup, self.draw = game, setup, draw
        self._network = network_of(game, setup)
        self._settings = settings_for(self._network)
        self._tracker = tracker(game, memory, draw)
        numbered = enumerate(actions_of(game, setup))
        self.numbers = {action: number for number, action in numbered}

    async def search(
        self,
        sight: Sight[Any, Any, Any],
        seconds: float,
        think: Think,
        *,
        simulations: int | None = None,
        decide: bool = False,
    ) -> SearchResult:
        """What a search finds in this time, or with this many simulations."""
        began = perf_counter()
        belief = self._tracker.belief(sight, began + seconds / 3)
        state = self._game.beliefs.sample(belief, sight.view, self._setup.options, self.draw)
        request = packed_request(
            self._game,
            self._setup,
            self._settings,
            state,
            sight.seat,
            belief,
            self.draw(_SEEDS),
            told=sight.told,
            remembers=None if self._network is None else self._network.remembers,
            decide=decide,
        )
        left = max(seconds - (perf_counter() - began) - _LATER, 0.01)
        effort = {"seconds": left} if simulations is None else {"simulations": simulations}
        return result_of(json.loads(await think(self._game.NAME, {**request, **effort})))


class Ahead:
    """A level that looks ahead; like `levels.Ahead`, but for what it waits for."""

    def __init__(self, level: Level, game: AnyGame, setup: Setup[Any], draw: Chance) -> None:
        """Without a kernel for such a game, it plays by rules of thumb."""
        memory = Tracker(game, level.memory, draw)
        self._level = level
        self._unthinking = mistakes_in(game, level).unthinking
        self._first_choice = Fallible(level, game, setup, draw, memory)
        self._searcher: Searcher | None = None
        if level.looks_ahead and game.NAME in KERNELS:
            try:
                self._searcher = Searcher(game, setup, draw, memory)
            except SetupError:
                self._searcher = None

    async def act(self, sight: Sight[Any, Any, Any], think: Think | None) -> Any:  # noqa: ANN401 - an action
        """What the search finds, or now and then the first choice."""
        level, searcher = self._level, self._searcher
        if think is None or searcher is None or searcher.draw(_HUNDRED) < self._unthinking:
            return self._first_choice.act(sight, level.seconds)
        if len(sight.legal) == 1:
            return sight.legal[0]
        found = await searcher.search(
            sight, level.seconds, think, simulations=level.simulations, decide=True
        )
        return chosen_by(found, sight, searcher.numbers, searcher.draw)


# --- In place of processes -----------------------------------------------------------------------

KEPT: Final = 16
"""How many players are kept between their decisions."""


class Here:
    """Does what `lab.workers.AsyncWorkers` does, on the event loop, and asks for searches."""

    def __init__(self, think: Think | None, size: int, nice: int = 0) -> None:
        """There is one loop, whatever the size."""
        del size, nice
        self._think = think
        self._players: OrderedDict[thoughts.BotAtSeat, Ahead] = OrderedDict()

    async def run(
        self,
        work: Callable[[Task], Answer],
        task: Task,
        *,
        within: float | None = None,
        near: Hashable | None = None,
    ) -> Answer:
        """The answer to a task. Raises whatever goes wrong."""
        del within, near
        plain = work
        if isinstance(work, partial) and isinstance(task, thoughts.Turn):
            given: tuple[Any, ...] = work.args
            if work.func is thoughts.choose:
                return cast("Answer", await self._choose(task, *given))
            if work.func is thoughts.advise:
                return cast("Answer", await self._advise(task, *given))
        return plain(task)

    async def _choose(self, turn: thoughts.Turn, bot: thoughts.BotAtSeat) -> str:
        player = self._players.pop(bot, None) or thoughts.seated(bot, turn, _sit)
        action = await player.act(turn.sight, self._think)
        self._players[bot] = player
        if len(self._players) > KEPT:
            self._players.popitem(last=False)
        return turn.played.write(action)

    async def _advise(self, turn: thoughts.Turn, seconds: float, language: str) -> tuple[Hint, ...]:
        game, sight = turn.played, turn.sight
        said = partial(hints, game, turn.setup, sight, thoughts.CHANCE, 0.0)
        said = partial(said, language=language_of(language))
        if self._think is None or not sight.legal or game.NAME not in KERNELS:
            return said()
        try:
            searcher = Searcher(game, turn.setup, thoughts.CHANCE, ABSENT)
        except SetupError:  # no kernel plays such a game
            return said()
        found = await searcher.search(sight, seconds, self._think)
        return said(estimates=estimates_by(found, sight, searcher.numbers))

    def close(self) -> None:
        """There is nothing to end."""


def _sit(level: Level, game: AnyGame, setup: Setup[Any], draw: Chance, threads: int) -> Ahead:
    del threads  # a worker has one
    return Ahead(level, game, setup, draw)


class PocketBots(BotWorkers):
    """The bots of a server in a browser."""

    def begin(self) -> None:
        """Nothing has to be compiled."""
