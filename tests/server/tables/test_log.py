"""A log is a value; what a viewer has not noticed makes no difference to them, not even in time."""

import pkgutil
import sys
from collections.abc import Callable
from typing import Any
from unittest.mock import Mock

import pytest
from tests.support.driven_table import BEGAN, LEVEL, DrivenTable, start_table

from mauerwerk.core.game import Seat
from mauerwerk.server.games.viewpoint import recounted
from mauerwerk.server.tables import folding, requests
from mauerwerk.server.tables.log import Entry, Kind
from mauerwerk.server.tables.notices import new_notices, notices
from mauerwerk.server.tables.requests import PendingEntries, Submission

HIDDEN = 290
"""How often a player changes what is in their fist."""


@pytest.fixture
def driven() -> DrivenTable:
    """A table of Die Mauer with three people."""
    return start_table()


# --- A value ---------------------------------------------------------------------------------


def test_a_log_is_not_copied_for_each_entry(
    driven: DrivenTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The time to read a log grows with its length only."""
    charter, entries = driven.table.charter, [logged.entry for logged in driven.table.log]
    shared = "mauerwerk.server.tables.log._Shared"
    make = Mock(wraps=pkgutil.resolve_name(shared))
    monkeypatch.setattr(shared, make)
    before = folding.fold(charter, entries[:3])
    table = folding.more(before, entries[3:])

    assert make.call_count == 1
    assert folding.more(before, entries[3:]) == table  # on another way from the same table
    assert make.call_count == 2


def test_reading_on_leaves_the_table_before_as_it_was(driven: DrivenTable) -> None:
    """A table is a value: it has neither the next entry nor its key, and can go on otherwise."""
    before = driven.table
    length, told = len(before.log), before.log.noticed(None)
    entries = [
        Entry(before.seq, BEGAN, Kind.AWAY, Seat(seat), LEVEL, key="k") for seat in (0, 1, 0)
    ]
    one, other, again = (folding.after(before, entry) for entry in entries)

    assert (len(before.log), before.log[-1], before.log.noticed(None)) == (length, told[-1], told)
    assert [table.log.keyed(Seat(0), "k") for table in (before, one, other)] == [
        None,
        entries[0],
        None,
    ]
    assert one == again == folding.more(before, entries[:1])
    assert one != other
    assert one.log[:-1] == other.log[: before.seq] == before.log[:]


# --- What is hidden --------------------------------------------------------------------------


def work(what: Callable[[], Any]) -> int:
    """How many functions are called meanwhile."""
    calls = 0

    def count(_frame: object, event: str, _given: object) -> None:
        nonlocal calls
        calls += event in {"call", "c_call"}

    sys.setprofile(count)
    try:
        what()
    finally:
        sys.setprofile(None)
    return calls


def hesitating(changes: int) -> DrivenTable:
    """A table at which one player has changed their fist that often, and the others wait."""
    driven = start_table()
    driven.play("0:T 1:4")
    for place in range(changes):
        driven.move(0, "CT"[place % 2], key=f"change {place}")
    return driven


LOOKS: dict[str, Callable[[DrivenTable], object]] = {
    "the table": lambda driven: driven.table_view(1),
    "the lobby": lambda driven: driven.table.card(),
    "the story": lambda driven: driven.history(1),
    "a page of the story": lambda driven: notices(driven.table, Seat(1), after=3, most=2),
    "the story of a spectator": lambda driven: driven.history(None),
    "where a page left off": lambda driven: recounted(driven.table, 4, None, Seat(1)),
}
ACTS: dict[str, Callable[[DrivenTable], object]] = {
    "another fist": lambda driven: act(driven, requests.move, Seat(2), "4", driven.number(2)),
    "a change": lambda driven: act(driven, requests.move, Seat(1), "T", driven.number(1)),
    "taking back": lambda driven: act(driven, requests.take_back, Seat(1), driven.number(1)),
    "a bot instead": lambda driven: act(driven, requests.hand_over, Seat(1), LEVEL),
    "leaving": lambda driven: act(driven, requests.stand, Seat(1)),
}


def act(driven: DrivenTable, write: Callable[..., object], *given: object) -> None:
    """What a host does with a request, but for storing it."""
    request = Submission(Seat(1), frozenset({Kind.MOVE}), "key")
    assert requests.answered(driven.table, request) is None
    pending = PendingEntries(driven.table, driven.seed, driven.now, "key")
    write(pending, *given)
    pending.table.card()
    new_notices(driven.table, pending.table, driven.viewers)


@pytest.mark.parametrize("what", LOOKS | ACTS)
def test_nobody_can_time_how_often_another_hesitates(what: str) -> None:
    """Whatever another player does takes as much work after many hidden changes as after two."""
    once, often = hesitating(2), hesitating(HIDDEN)
    ask = (LOOKS | ACTS)[what]
    ask(hesitating(2))  # whatever is cached is cached now

    assert work(lambda: ask(once)) == work(lambda: ask(often)) > 0


def test_a_page_of_the_story_counts_what_its_reader_notices() -> None:
    """Or the length of a page would tell how often another player has changed their mind."""
    once, often = hesitating(0), hesitating(40)
    for after in range(6):
        pages = [notices(each.table, Seat(1), after=after, most=3) for each in (once, often)]
        assert pages[0] == pages[1]
        assert len(pages[0]) == min(3, once.number(1) - after)

    assert len(notices(often.table, Seat(0), after=6, most=30)) == 30
