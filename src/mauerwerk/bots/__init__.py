"""Players that are programs."""

from collections.abc import Callable, Mapping
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from mauerwerk.bots.bot import Bot, Maker
from mauerwerk.bots.greedy import Greedy
from mauerwerk.bots.uniform import Uniform
from mauerwerk.core.beliefs import PERFECT, Memory
from mauerwerk.core.errors import SetupError
from mauerwerk.core.game import AnyGame, Chance, Setup
from mauerwerk.kernels import NoKernelError, has_kernel


def can_search(game: AnyGame | None = None) -> bool:
    """Whether this game can be searched; without a game, whether the extra is installed.

    The search needs what the extra `kernels` installs, and a kernel for the game.
    """
    installed = all(find_spec(needed) for needed in ("numba", "numpy"))
    return installed and (game is None or has_kernel(game.NAME))


def warm(game: AnyGame, setup: Setup[Any]) -> None:
    """Compile the search of a game, or load it from disk, so that no decision waits for it.

    There is nothing to do for a game without a kernel, or without the extra `kernels`.
    """
    if can_search(game):
        import_module("mauerwerk.kernels.search.search").warm(game, setup)


def _search(game: AnyGame, setup: Setup[Any], draw: Chance, memory: Memory = PERFECT) -> Bot:
    """The bot that searches, if the extra that it needs is installed and the game has a kernel."""
    if not can_search():
        raise SetupError("the bot search needs an extra: pip install 'mauerwerk[kernels]'")
    if not has_kernel(game.NAME):
        raise NoKernelError(game.NAME)
    bot: Bot = import_module("mauerwerk.bots.search").Search(game, setup, draw, memory)
    return bot


def net(game: AnyGame, setup: Setup[Any], path: Path) -> Bot:
    """The network in a file as a bot, if what it needs is installed."""
    if find_spec("numpy") is None:
        raise SetupError("a network needs an extra: pip install 'mauerwerk[kernels]'")
    bot: Bot = import_module("mauerwerk.bots.net").Net(game, setup, path)
    return bot


BOTS: Final[Mapping[str, Maker]] = {
    "uniform": Uniform,
    "greedy": Greedy,
    "search": _search,
}
"""Every bot, by its word in commands; `spec` reads the words, with the time to think."""

REMEMBERING: Final[Mapping[str, Callable[[AnyGame, Setup[Any], Chance, Memory], Bot]]] = {
    "greedy": Greedy,
    "search": _search,
}
"""The bots that can be given a memory."""
