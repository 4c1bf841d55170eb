"""What `mauerwerk bench` shows."""

from mauerwerk.core.game import Setup
from mauerwerk.games import mauer
from mauerwerk.kernels.timing import timings


def test_timings_count_games_and_decisions() -> None:
    """In the loop and stepwise; a game of Die Mauer has hundreds of decisions."""
    measured = list(timings(mauer, Setup(3, mauer.Options()), seconds=0.01))

    assert {timing.what.partition(",")[0] for timing in measured} == {"loop", "stepwise"}
    for timing in measured:
        assert 100 < timing.decisions / timing.games < 2_000
