"""What spectators see of a table where they are behind: a beginning of its log, whole and alike."""

from typing import Any

import pytest
from tests.support.driven_table import ADA, BOB, CLEO, SEED, DrivenTable, bytes_of, order

from mauerwerk.core.game import Seat
from mauerwerk.server.api.table_messages import notice_messages, view_message
from mauerwerk.server.engine.snapshot import Snapshot
from mauerwerk.server.tables import requests
from mauerwerk.server.tables.charter import charter_for
from mauerwerk.server.tables.table import Table
from mauerwerk.server.tables.table_views import NOBODY, is_closed, seen_from_outside, seen_until

PEOPLE = {Seat(0): ADA, Seat(1): BOB, Seat(2): CLEO}
TURNS = "0:- 1:- 2:- 0:- 1:- 2:-"


def at_table(**more: Any) -> DrivenTable:  # noqa: ANN401 - any field of an order
    """Three people at a table of Die Mauer."""
    charter = charter_for(order("mauer", "hhh", **more), "table", SEED, 1_000_000)
    return DrivenTable(charter, PEOPLE)


def everything(table: Table) -> bytes:
    """Every byte that a spectator can have of a table, by look and story."""
    snapshot = Snapshot(table, SEED)
    story = notice_messages(table.game, snapshot.history(None))
    return bytes_of((view_message(snapshot, None), story))


def test_spectators_are_so_many_moves_behind() -> None:
    """What they see is exactly what they would have seen then."""
    driven = at_table(spectator_delay=3)
    seen: list[Table] = []
    for word in TURNS.split():
        seen.append(driven.table)
        driven.play(word)
    assert everything(seen_from_outside(driven.table)) == everything(seen[-3])


def test_a_change_of_mind_brings_them_no_further() -> None:
    """Who changes a choice that is still hidden has moved once, and nobody learns of it."""
    driven = at_table(spectator_delay=1)
    driven.play("0:- 1:- 2:- 0:4")
    before = everything(seen_from_outside(driven.table))
    driven.play("0:T")
    driven.play("0:-")
    assert everything(seen_from_outside(driven.table)) == before


@pytest.mark.parametrize("delay", [0, 2, 50, NOBODY])
def test_until_when_they_see_it(delay: int) -> None:
    """The time of the last thing that they see, without going through the game again."""
    driven = at_table(spectator_delay=delay)
    for word in ("", *TURNS.split()):
        driven.play(word)
        assert seen_until(driven.table) == seen_from_outside(driven.table).log[-1].entry.at


def test_what_happens_meanwhile_changes_nothing_for_them() -> None:
    """Not a byte, whatever the moves are that they do not see yet."""
    shown: set[bytes] = set()
    for last in ("0:4 1:- 2:-", "0:T 1:4 2:-", "0:- 1:T 2:T"):
        driven = at_table(spectator_delay=3)
        driven.play("0:- 1:- 2:-")
        driven.play(last)
        shown.add(everything(seen_from_outside(driven.table)))
    assert len(shown) == 1


def test_it_is_found_step_by_step_as_at_once() -> None:
    """What was worked out before is continued, also past a move that is taken back."""
    driven = at_table(spectator_delay=2)
    outside = None
    for word in TURNS.split():
        driven.play(word)
        outside = seen_from_outside(driven.table, outside)
        assert outside == seen_from_outside(driven.table)
        assert outside == seen_from_outside(driven.table, driven.table)  # they saw too much
    driven.take_back(2)
    assert seen_from_outside(driven.table, outside) == seen_from_outside(driven.table)


def test_a_new_name_is_seen_at_once() -> None:
    """Nobody is to read the old one, however far they are behind."""
    driven = at_table(spectator_delay=9)
    driven.play("0:4")
    driven.do(requests.rename, BOB.id, "Guest")
    shown = everything(seen_from_outside(driven.table))
    assert b"Guest" in shown
    assert b"Bob" not in shown


@pytest.mark.parametrize("delay", [NOBODY, 5])
def test_at_the_end_everybody_sees_all(delay: int) -> None:
    """Nothing is kept from spectators once the game is over."""
    driven = at_table(spectator_delay=delay, options={"rounds": "1", "stall": "1"})
    assert is_closed(driven.table) == (delay == NOBODY)
    driven.play("0:- 1:- 2:-")
    assert seen_from_outside(driven.table) is driven.table
    assert not is_closed(driven.table)
