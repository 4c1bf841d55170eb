"""A bot's word can name its memory, and then it remembers so much."""

import pytest
from tests.support.amounts import amount
from tests.support.positions import draws, setup_of

from mauerwerk.bots import spec
from mauerwerk.bots.levels import LEVELS
from mauerwerk.core.beliefs import ABSENT, PERFECT, Memory
from mauerwerk.core.errors import SetupError
from mauerwerk.games import GAMES
from mauerwerk.lab.match.match import simulate


def test_a_memory_is_named_or_measured() -> None:
    """A level's, all, nothing, or thousandths a turn and a card; before or after the time."""
    assert spec.read("greedy").memory is None
    assert spec.read("greedy:memory=absent").memory == ABSENT
    assert spec.read("greedy:memory=perfect").memory == PERFECT
    assert spec.read("greedy:memory=apprentice").memory == LEVELS["apprentice"].memory
    both = spec.read("search:0.2s:memory=900/1000")
    assert (both.seconds, both.memory) == (0.2, Memory(900, 1000))
    assert spec.read("search:memory=900/1000:0.2s").seconds == both.seconds


@pytest.mark.parametrize(
    ("word", "fault"),
    [
        ("greedy:memory=", "a memory is absent, apprentice, journeyman, foreman, master, perfect"),
        ("greedy:memory=1001/5", "or thousandths like 990/960, not '1001/5'"),
        ("greedy:memory=-1/5", "thousandths"),
        ("greedy:memory=perfect:memory=absent", "one time to think, one memory, one network"),
        ("greedy:1s:2s", "one time to think, one memory, one network"),
        (
            "uniform:memory=perfect",
            "the bot uniform has no memory of its own; greedy, search and guided",
        ),
        ("apprentice:memory=perfect", "the bot apprentice has no memory of its own"),
    ],
)
def test_another_word_is_no_memory(word: str, fault: str) -> None:
    """With what would have been one."""
    with pytest.raises(SetupError, match=fault):
        spec.read(word)


def test_only_burgbaumeister_is_about_memory() -> None:
    """Elsewhere nobody has to remember anything."""
    game = GAMES["mauer"]
    with pytest.raises(SetupError, match="there is nothing to remember in mauer"):
        spec.sit("greedy:memory=perfect", game, setup_of(game, 3), draws())


def test_who_remembers_needs_fewer_turns() -> None:
    """A perfect memory finds the next card; without any, cards are turned again and again."""
    game = GAMES["burgbaumeister"]
    setup = setup_of(game, 2)

    def turns(memory: str) -> int:
        bots = [f"greedy:memory={memory}"] * 2
        return sum(played.turns for played in simulate(game, setup, bots, amount(2, 4, 12), seed=1))

    assert turns("perfect") < 0.8 * turns("absent")
