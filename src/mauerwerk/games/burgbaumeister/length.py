"""Burgbaumeister, how long a game can take."""

from mauerwerk.core.game import Setup
from mauerwerk.games.burgbaumeister.values import CARDS, MOST_IDLE_TURNS, Options


def must_end(setup: Setup[Options], /) -> bool:
    """Without BB-12 the players could leave every card for ever."""
    return setup.options.stall


def longest(setup: Setup[Options], /) -> int | None:
    """Every card can be added once, after the idle turns that BB-12 allows.

    In a turn a card is turned, decided upon and perhaps fired.
    """
    return (len(CARDS) + 1) * MOST_IDLE_TURNS * 3 if must_end(setup) else None
