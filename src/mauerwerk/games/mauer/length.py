"""Die Mauer, how long a game can take."""

from mauerwerk.core.game import Setup
from mauerwerk.games.mauer.values import Options


def must_end(setup: Setup[Options], /) -> bool:
    """Without DM-27 no player ever has to build."""
    return setup.options.stall != "off"


def longest(setup: Setup[Options], /) -> int | None:
    """In a round every piece can be built once, after the idle turns that DM-27 allows.

    In a turn all players plan; one chooses or gives, and all build.
    """
    chosen = setup.options
    if chosen.stall == "off":
        return None
    turns = (setup.seats * len(chosen.pieces) + 1) * chosen.stall
    return chosen.rounds * turns * (2 * setup.seats + 1)
