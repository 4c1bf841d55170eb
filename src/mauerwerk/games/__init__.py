"""The rules; no game knows another."""

from typing import Any, Final

from mauerwerk.core.game import AnyGame, Game
from mauerwerk.core.registry import Registry, lacking
from mauerwerk.games import burgbaumeister, mauer, mauerbauer


def fault_of(name: str, game: Any) -> str:  # noqa: ANN401 - whatever a package calls a game
    """What is wrong with a game from another package; empty when nothing is."""
    if isinstance(game, type):
        return f"{game.__name__} is a class; a game is a module or an instance"
    if fault := lacking(game, Game, "game"):
        return fault
    if name != game.NAME:
        return f"the game's own name is {game.NAME}, not {name}"
    return ""


GAMES: Final = Registry[AnyGame](
    "mauerwerk.games",
    {
        "mauer": mauer,
        "burgbaumeister": burgbaumeister,
        "mauerbauer": mauerbauer,
    },
    fault_of,
)
"""Every game, by its word in records and commands; other packages can add games."""
