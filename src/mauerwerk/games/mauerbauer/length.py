"""Mauerbauer, how long a game can take."""

from typing import Any

from mauerwerk.core.game import Setup
from mauerwerk.games.mauerbauer import board, guild


def must_end(_setup: Setup[Any], /) -> bool:
    """Every turn builds a house, and the houses that return cost a palace, which never does."""
    return True


def longest(setup: Setup[Any], /) -> int | None:
    """Every turn builds on a line without a wall (MB-11), and on none a second time.

    A wall that returns to the supply leaves a line inside a closed city (MB-35, MB-41), on which
    no wall is built again (MB-12). In a turn towers and houses are placed, and the wall closes one
    city at most (MB-32); a last scoring can follow (MB-72). In each of these two scorings each
    player can at most lay down, and then swap, all cards there are, and be done with it.
    """
    lines = len(board.board_of(setup.options.board).lines)
    return lines * (10 + 4 * (len(guild.DECK) + 2 * setup.seats))
