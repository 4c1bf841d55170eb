"""Tokens: nobody can guess one, forge one, or use one for something else."""

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.amounts import amount
from tests.support.driven_table import ADA, BOB, DAN, start_table

from mauerwerk.core.game import Seat
from mauerwerk.server.keys import LIFETIME, RENEWAL, GuestStatus, Keys, new_id
from mauerwerk.server.tables import requests
from mauerwerk.server.tables.charter import Guest
from mauerwerk.server.tables.table import KEPT, Table

KEYS = Keys(b"k" * 32)


def test_a_guest_is_known_again() -> None:
    """The token alone identifies a guest, whatever characters the name has."""
    guest = Guest("id", 'Ädä "🧱"')

    assert KEYS.guest_of(KEYS.guest_token(guest)) == guest


def test_a_token_of_another_server_is_worth_nothing() -> None:
    """A token from another server, or one that was changed, identifies nobody."""
    token = KEYS.guest_token(ADA)
    content, _, signature = token.partition(".")
    other, _, _ = KEYS.guest_token(BOB).partition(".")

    assert Keys(b"x" * 32).guest_of(token) is None
    for forged in (f"{other}.{signature}", content, f"{content}.", f".{signature}", token[:-1]):
        assert KEYS.guest_of(forged) is None


@pytest.fixture(scope="module")
def table() -> Table:
    """A table at which three sit."""
    return start_table().table


@settings(max_examples=amount(25, 100, 1_000), deadline=None)
@given(token=st.text())
def test_nonsense_is_nobody(table: Table, token: str) -> None:
    """Nonsense is answered like a wrong token, and opens no seat."""
    assert KEYS.guest_of(token) is None
    assert KEYS.seat_of(table, token) is None


def test_each_seat_has_a_token_of_its_own() -> None:
    """A token opens its own seat at its own table and no other."""
    table = start_table().table
    other = msgspec.structs.replace(
        table, charter=msgspec.structs.replace(table.charter, id="elsewhere")
    )
    tokens = [KEYS.seat_token(table, Seat(seat)) for seat in range(3)]

    assert [KEYS.seat_of(table, token) for token in tokens] == [0, 1, 2]
    assert [KEYS.seat_of(other, token) for token in tokens] == [None] * 3


def test_a_seat_that_changed_hands_has_another_token() -> None:
    """The token changes with the owner, but not when a bot plays for the owner."""
    driven = start_table(letters="ohh")
    before = KEYS.seat_token(driven.table, Seat(0))
    driven.do(requests.hand_over, Seat(0), "apprentice")
    driven.do(requests.come_back, Seat(0))
    assert KEYS.seat_of(driven.table, before) == 0

    driven.do(requests.stand, Seat(0))
    driven.now += KEPT
    between = KEYS.seat_token(driven.table, Seat(0))
    driven.do(requests.sit, Seat(0), DAN)

    assert KEYS.seat_of(driven.table, before) is None
    assert KEYS.seat_of(driven.table, between) is None
    assert len({before, between, KEYS.seat_token(driven.table, Seat(0))}) == 3


def test_names_of_tables_cannot_be_guessed() -> None:
    """Only the server can work out the id of a rematch."""
    table = start_table().table

    assert len({new_id() for _ in range(1_000)}) == 1_000
    assert len(new_id()) == len(KEYS.rematch_id(table)) == 16
    assert KEYS.rematch_id(table) == Keys(b"k" * 32).rematch_id(table)
    assert KEYS.rematch_id(table) != Keys(b"x" * 32).rematch_id(table)


def test_a_guest_who_is_logged_out_needs_a_new_token() -> None:
    """Old tokens, also of seats, are worth nothing; one that is made later is."""
    table = start_table().table
    early = Keys(b"k" * 32, clock=lambda: 1.0)
    token, link = early.guest_token(ADA), early.seat_token(table, Seat(0))
    later = Keys(b"k" * 32, b"", {ADA.id: GuestStatus(ADA.id, logged_out=2_000)}, lambda: 3.0)

    assert early.guest_of(token) == ADA
    assert later.guest_of(token) is None
    assert later.seat_of(table, link) is None
    assert later.guest_of(later.guest_token(ADA)) == ADA
    assert later.seat_of(table, later.seat_token(table, Seat(0))) == 0


def test_a_name_that_was_given_counts_until_another_is_chosen() -> None:
    """The token of a guest who was renamed is outdated; the next one says what they choose."""
    status = {ADA.id: GuestStatus(ADA.id, name="Mason", renamed=2_000)}
    token = Keys(b"k" * 32, clock=lambda: 1.0).guest_token(ADA)
    keys = Keys(b"k" * 32, b"", status, lambda: 3.0)

    assert keys.guest_of(token) == Guest(ADA.id, "Mason")
    assert keys.behind(token).outdated
    assert keys.guest_of(keys.guest_token(ADA)) == ADA


def test_a_token_ends_and_a_visit_renews_it() -> None:
    """A year after it was made it identifies nobody, also where it was known before."""
    time = [1.0]
    keys = Keys(b"k" * 32, clock=lambda: time[0])
    token = keys.guest_token(ADA)
    assert not keys.behind(token).outdated

    time[0] = 1.0 + RENEWAL / 1_000
    assert not keys.behind(token).outdated
    time[0] += 0.001
    assert keys.behind(token).outdated
    renewed = keys.guest_token(ADA)

    time[0] = 1.0 + LIFETIME / 1_000
    assert keys.guest_of(token) == ADA
    time[0] += 0.001
    assert keys.guest_of(token) is None
    assert keys.guest_of(renewed) == ADA


def test_the_first_cookie_belongs_to_a_device() -> None:
    """It is called as the guest is, and can be signed out like any other."""
    first, second = KEYS.guest_token(ADA), KEYS.guest_token(ADA, "second")
    assert [KEYS.behind(each).device for each in (first, second)] == [ADA.id, "second"]
    signed_out = Keys(b"k" * 32, ended=[ADA.id])
    assert [signed_out.guest_of(each) for each in (first, second)] == [None, ADA]
