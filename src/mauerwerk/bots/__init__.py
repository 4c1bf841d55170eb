"""Players that are programs."""

from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from mauerwerk.bots.bot import Bot, Compiled, Maker, Uniform
from mauerwerk.bots.greedy import Greedy
from mauerwerk.bots.memory import Tracker
from mauerwerk.core.beliefs import PERFECT, Memory
from mauerwerk.core.errors import SetupError
from mauerwerk.core.game import AnyGame, Chance, Setup
from mauerwerk.core.language import message
from mauerwerk.games import is_current
from mauerwerk.kernels import NoKernelError, can_run, has_kernel, lacks_part, pack_setup

GUIDED: Final = "guided"
_UNUSABLE: Final[set[str]] = set()
"""Games whose search turned out not to work in this process."""


class UnusableError(SetupError):
    """What is installed for a bot does not go together."""

    def __init__(self, name: str, fault: ImportError) -> None:
        super().__init__(f"the bot {name} cannot be used here: {' '.join(str(fault).split())}")


def can_search(game: AnyGame | None = None, setup: Setup[Any] | None = None) -> bool:
    """Whether this game can be searched; without a game, whether kernels can run here.

    It needs a kernel for the game's present rules; with a setup, one that plays such a game.
    """
    return not why_no_search(game, setup)


def why_no_search(game: AnyGame | None = None, setup: Setup[Any] | None = None) -> str:
    """Why this game cannot be searched, to be translated; empty where it can."""
    if not can_run():
        return message("kernels are not installed")
    if game is None:
        return ""
    if not (has_kernel(game.NAME) and can_run(game.NAME) and is_current(game)):
        return message("there is no kernel for this game")
    if game.beliefs is None or lacks_part(game.NAME, "advice"):
        return message("the kernel of this game cannot be searched")
    if game.NAME in _UNUSABLE:
        return message("kernels do not work here")
    try:
        if setup is not None:
            pack_setup(game, setup)
    except SetupError:
        return "no kernel plays a game with these options"
    return ""


def why_not_searched(game: AnyGame) -> str:
    """What the kernel of a game lacks so that bots could search it; empty if nothing."""
    if game.beliefs is None:
        return "the game has no beliefs, so nothing hidden can be sampled"
    missing = lacks_part(game.NAME, "advice")
    return f"its kernel lacks {', '.join(missing)}" if missing else ""


def can_count(game: AnyGame, setup: Setup[Any]) -> bool:
    """Whether a study of such games can be counted in compiled code."""
    if not (can_run(game.NAME) and has_kernel(game.NAME) and is_current(game)):
        return False
    try:
        pack_setup(game, setup)
    except SetupError:
        return False
    return not lacks_part(game.NAME, "counts")


def note_unusable(game: str) -> None:
    """Note that the search of this game does not work in this process."""
    _UNUSABLE.add(game)


def warm(game: AnyGame, setup: Setup[Any]) -> None:
    """Compile the search of a game, or load it from disk, so that no decision waits for it.

    There is nothing to do for a game that cannot be searched.
    """
    if can_search(game):
        from mauerwerk.kernels.search import search  # noqa: PLC0415 - needs numba

        search.warm(game, setup)


@contextmanager
def _kernels_for(game: AnyGame, name: str) -> Generator[None, None, None]:
    """Make a bot that searches. Raises SetupError if something that it needs is missing."""
    if not can_search():
        raise SetupError(f"the bot {name} needs an extra: pip install 'mauerwerk[kernels]'")
    if not can_search(game):
        if has_kernel(game.NAME) and (why := why_not_searched(game)):
            raise SetupError(f"the bot {name} does not play {game.NAME}: {why}")
        raise NoKernelError(game.NAME)
    try:
        yield
    except ImportError as fault:
        raise UnusableError(name, fault) from fault


def guided(  # noqa: PLR0913 - what every bot is given, and how this one thinks
    game: AnyGame,
    setup: Setup[Any],
    draw: Chance,
    memory: Memory | Tracker = PERFECT,
    *,
    path: Path | None = None,
    simulations: int | None = None,
    threads: int = 1,
    name: str = GUIDED,
) -> Compiled:
    """The search that a network guides: the one in this file, or the game's own.

    Where the game has none, or its own does not fit, for instance on a board of one's own, only
    what is written about the game guides, as it does for the bot `search`. Raises SetupError where
    the one in the file does not fit.
    """
    with _kernels_for(game, name):
        from mauerwerk.bots import net, search  # noqa: PLC0415 - need numba

        network = None
        if name == GUIDED:
            network = net.guiding(game, setup, path) if path else net.own_network(game, setup)
        make = partial(search.Search, game, setup, draw, memory, network=network)
        return make(simulations=simulations, threads=threads)


def network_bot(game: AnyGame, setup: Setup[Any], draw: Chance, path: Path) -> Bot:
    """The network in a file as a bot, if what it needs is installed."""
    if find_spec("numpy") is None:
        raise SetupError("a network needs an extra: pip install 'mauerwerk[kernels]'")
    from mauerwerk.bots.net import Net  # noqa: PLC0415 - needs NumPy

    return Net(game, setup, draw, path)


SEARCHERS: Final[Mapping[str, Callable[..., Bot]]] = {
    "search": partial(guided, name="search"),
    GUIDED: guided,
}
"""The bots that search: with a memory, a network and numbers, as `guided` takes them."""
BOTS: Final[Mapping[str, Maker]] = {"uniform": Uniform, "greedy": Greedy, **SEARCHERS}
"""Every bot, by its word in commands; `spec` reads the words, with the time to think."""
REMEMBERING: Final = ("greedy", *SEARCHERS)
