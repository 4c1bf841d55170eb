"""Tables for tests: moves go in as words, out comes what everybody sees and is told.

A test module that asks for `start_table` or `table` says in a fixture `game` which one it is about.
Each game has tables of its own besides, which can begin in the middle of a game.
"""

import signal

import pytest
from hypothesis import settings, strategies
from tests.support.amounts import amount
from tests.support.game_table import AnyTable, StartTable, Table

from mauerwerk.core.game import AnyGame, Setup
from mauerwerk.core.options import from_words

# How properties are tried, unless a test has its own number. An example may take any time, since
# that depends on the machine. Only the thorough tier looks for new examples: in the other two a
# property that failed once fails again, and nobody meets a fault that is not theirs by chance.
settings.register_profile(
    "tier",
    deadline=None,
    derandomize=amount(quick=True, test=True, thorough=False),
    max_examples=amount(20, 60, 1000),
)
settings.load_profile("tier")

if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    # Whoever starts tests in the background has them ignore Ctrl-C, and all that they start too.
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture
def anyio_backend() -> str:
    """The server runs on asyncio; a library of the browsers' tests also brings Trio."""
    return "asyncio"


@pytest.fixture(scope="session", autouse=True)
def characters() -> None:
    """Have Hypothesis list all characters, which takes a second the first time in a checkout."""
    strategies.text().validate()


@pytest.fixture
def start_table(game: AnyGame) -> StartTable:
    """How to start the test module's game, with as few seats as it can be played by, or more."""

    def start(seats: int = game.SEATS[0], **options: str) -> AnyTable:
        setup = Setup(seats, from_words(game.OPTIONS, options))
        return Table(game, seats, game.start(setup))

    return start


@pytest.fixture
def table(start_table: StartTable) -> AnyTable:
    """The test module's game at its start, with the options as they come."""
    return start_table()
