"""Tables of Burgbaumeister that begin in the middle of a game, from a position in notation."""

import pytest
from tests.support.castle_table import StartCastle, start_castle

from mauerwerk.core.game import AnyGame
from mauerwerk.games import burgbaumeister


@pytest.fixture
def game() -> AnyGame:
    """What these tests are about."""
    return burgbaumeister


@pytest.fixture
def castle() -> StartCastle:
    """How to begin from a position; by default two start towers and a full depot."""
    return start_castle
