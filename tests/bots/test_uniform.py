"""The bot that chooses at random."""

from collections import Counter

from tests.support.positions import draws, seen_after, setup_of

from mauerwerk.bots.bot import Uniform
from mauerwerk.games import mauer


def test_each_choice_is_as_likely() -> None:
    """Eight ways to close a fist, each about 100 times in 800 (DM-5)."""
    setup = setup_of(mauer, 3)
    sight = seen_after(mauer, mauer.start(setup), "", 0)
    bot = Uniform(mauer, setup, draws())
    counts = Counter(bot.act(sight, 1.0) for _ in range(800))
    assert set(counts) == set(sight.legal)
    assert all(60 < count < 140 for count in counts.values())
