"""What the host of the server does at a table, as its players see it."""

import pytest
from tests.support.driven_table import DrivenTable, start_table

from mauerwerk.server.tables import requests


@pytest.fixture
def driven() -> DrivenTable:
    """Three people who have begun to play."""
    driven = start_table("mauer", "hhh")
    driven.play("0:T 1:4")
    return driven


def test_a_name_that_the_host_replaced_is_nowhere_to_be_read(driven: DrivenTable) -> None:
    """Not at the seat, nor in what is told again; the seat stays its owner's."""
    assert any(notice.name == "Bob" for notice in driven.history(None))
    before = driven.table.occupants[1].tenure
    driven.do(requests.rename, "bob", "Mason")

    assert driven.table_view(0).seats[1].name == "Mason"
    told = driven.history(None)
    assert not [n for n in told if "Bob" in {n.name, *(player.name for player in n.players)}]
    assert driven.table.occupants[1].guest == "bob"
    assert driven.table.occupants[1].tenure == before
    driven.do(requests.rename, "bob", "Mason")
    assert len(driven.history(None)) == len(told)


def test_a_bot_plays_for_a_guest_who_was_sent_away(driven: DrivenTable) -> None:
    """The others need not wait; the seat stays theirs."""
    driven.do(requests.send_away, "bob")
    place = driven.table_view(0).seats[1]
    assert (place.name, bool(place.level), place.away) == ("Bob", True, True)
