"""Set-ups of Burgbaumeister to be tried."""

from hypothesis import strategies as st

from mauerwerk.core.game import Setup
from mauerwerk.games import burgbaumeister as bb


@st.composite
def setups(draw: st.DrawFn) -> Setup[bb.Options]:
    """Any number of seats, both variants, both layouts, with and without the memory aid."""
    seats = draw(st.sampled_from(bb.SEATS))
    by_lot = draw(st.booleans())
    return Setup(
        seats,
        bb.Options(
            variant=draw(st.booleans()),
            first="lot" if by_lot else draw(st.integers(min_value=0, max_value=seats - 1)),
            depot=draw(st.sampled_from(["rectangle", "chaotic"])),
            memory_aid=draw(st.booleans()),
        ),
    )
