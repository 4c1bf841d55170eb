"""Players that are programs."""

from collections.abc import Mapping
from importlib import import_module
from typing import Any, Final

from mauerwerk.bots.bot import Bot, Maker
from mauerwerk.bots.greedy import Greedy
from mauerwerk.bots.uniform import Uniform
from mauerwerk.core.game import AnyGame, Draw, Setup, SetupError


def _search(game: AnyGame, setup: Setup[Any], draw: Draw) -> Bot:
    """The bot that searches, if the extra that it needs is installed."""
    try:
        import_module("mauerwerk.kernels.tree_search")
    except ModuleNotFoundError as fault:
        needed = f"the bot search needs {fault.name}: pip install 'mauerwerk[kernels]'"
        raise SetupError(needed) from None
    bot: Bot = import_module("mauerwerk.bots.search").Search(game, setup, draw)
    return bot


BOTS: Final[Mapping[str, Maker]] = {
    "uniform": Uniform,
    "greedy": Greedy,
    "search": _search,
}
"""Every bot, by its word in commands; `spec` reads the words, with the time to think."""
