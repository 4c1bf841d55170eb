"""The rules; no game knows another."""

from collections.abc import Mapping
from typing import Final

from mauerwerk.core.game import AnyGame
from mauerwerk.games import burgbaumeister, mauer, mauerbauer

GAMES: Final[Mapping[str, AnyGame]] = {
    "mauer": mauer,
    "burgbaumeister": burgbaumeister,
    "mauerbauer": mauerbauer,
}
"""Every game, by its word in records and commands."""
