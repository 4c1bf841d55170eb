"""Die Mauer, what is news: who may think again, and who has learnt too much for that."""

import pytest
from tests.games.mauer.conftest import StartMauer
from tests.support.game_table import AnyTable, StartTable
from tests.support.taking_back import news

from mauerwerk.core.game import AnyGame
from mauerwerk.games import mauer
from mauerwerk.games.mauer.events import NobodyBuilds


@pytest.fixture
def game() -> AnyGame:
    return mauer


@pytest.mark.rule("DM-3")
def test_the_lot_is_news(start_table: StartTable) -> None:
    """Nature decided who begins, and all have seen it (DM-3)."""
    assert news(start_table(first="lot"), "~:@2") == "~:@2"


@pytest.mark.rule("DM-5")
def test_a_closed_fist_may_be_opened_again_until_all_are_closed(table: AnyTable) -> None:
    """Nobody has seen what is in it; with the last one all are revealed (DM-5)."""
    assert news(table, "1:T 0:4 2:-") == "2:-"


@pytest.mark.rule("DM-2", "DM-17")
def test_the_end_of_the_wall_may_be_thought_over(table: AnyTable) -> None:
    """The piece lay open before, and the wall is on the table for all to see (DM-17)."""
    table.play("0:4 1:4 2:4")

    assert news(table, "1:> 2:<") == ""


@pytest.mark.rule("DM-2", "DM-18")
def test_a_named_piece_tells_of_a_hand(table: AnyTable) -> None:
    """Hands are secret; a player who names a piece shows that he holds it (DM-2, DM-18)."""
    assert news(table, "0:- 1:4 2:4 0:!T 0:>") == "2:4 0:!T"


@pytest.mark.rule("DM-19")
def test_a_gift_has_been_looked_at(table: AnyTable) -> None:
    """The receiver knows now what he did not before (DM-19)."""
    assert news(table, "0:- 1:4 2:- 2:*C") == "2:- 2:*C"


@pytest.mark.rule("DM-2", "DM-23")
def test_when_the_round_ends_hands_are_shown(mauer_table: StartMauer) -> None:
    """The last piece is built in the open, but then all lay down their hands (DM-2)."""
    goes_on, ends = mauer_table(hands="12 T4 C6"), mauer_table(hands="1 T4 C6")
    for table in (goes_on, ends):
        table.play("0:1 1:T 2:C")

    assert (news(goes_on, "0:>"), news(ends, "0:>")) == ("", "0:>")


@pytest.mark.rule("DM-12", "DM-18", "DM-20")
@pytest.mark.parametrize(
    ("plans", "clause", "tells"),
    [("TT6", "DM-12", False), ("-46", "DM-18", True), ("---", "DM-20", False)],
)
def test_why_nobody_builds_may_tell_of_a_hand(
    mauer_table: StartMauer, plans: str, clause: str, *, tells: bool
) -> None:
    """What the open fists say is known; that a hand has nothing to build is not (DM-18)."""
    why = mauer_table(wall="T4T", hands="TC T4 C6").open_fists(plans).only(NobodyBuilds)

    assert (why.clause, mauer.reveals(why)) == (clause, tells)
