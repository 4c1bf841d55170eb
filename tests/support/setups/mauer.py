"""Set-ups of Die Mauer to be tried."""

from hypothesis import strategies as st

from mauerwerk.core.game import Setup
from mauerwerk.games import mauer


@st.composite
def setups(draw: st.DrawFn) -> Setup[mauer.Options]:
    """Any number of seats, up to three rounds, and a stall ruling that sometimes bites."""
    seats = draw(st.sampled_from(mauer.SEATS))
    by_lot = draw(st.booleans())
    return Setup(
        seats,
        mauer.Options(
            rounds=draw(st.integers(min_value=1, max_value=3)),
            first="lot" if by_lot else draw(st.integers(min_value=0, max_value=seats - 1)),
            stall=draw(st.sampled_from([1, 2, 5, 24])),
            pieces=draw(st.sampled_from(["TC12346", "TC12346", "T1", "TC", "1346"])),
        ),
    )
