"""Burgbaumeister, the blocked end against its definition: BB-11 and BB-28."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from tests.support.amounts import amount
from tests.support.castle_table import CastleTable, start_castle

from mauerwerk.core.game import Seat
from mauerwerk.games import burgbaumeister as bb
from mauerwerk.games.burgbaumeister.rules import blocked
from mauerwerk.games.burgbaumeister.values import CARDS, Add, Deciding, Insert


def late_position(seats: int, cards: int, chance: Random, *, spell: bool) -> CastleTable:
    """Walls that have run high, and a few low cards in the depot."""
    numbers = list(CARDS)
    high = sorted(chance.sample(numbers[-20:], seats))
    low = chance.sample([n for n in numbers if n not in high and n != 17], cards)
    walls = [[number] for number in high]
    if spell:
        walls[0] = [17, *walls[0]]
    words = " | ".join(" ".join(map(str, wall)) for wall in walls)
    return start_castle(
        words,
        remaining=" ".join(map(str, low)),
        spell=0 if spell else None,
        variant="yes",
    )


@pytest.mark.rule("BB-11", "BB-28")
@settings(max_examples=amount(20, 60, 1500))
@given(
    seats=st.sampled_from(bb.SEATS),
    cards=st.integers(1, 6),
    spell=st.booleans(),
    seed=st.integers(0, 2**32),
)
def test_blocked_is_when_nobody_could_add_or_insert_anything(
    *, seats: int, cards: int, spell: bool, seed: int
) -> None:
    """No player could build any of the remaining cards (BB-11, BB-28)."""
    table = late_position(seats, cards, Random(seed), spell=spell).on_table
    gone = {*table.destroyed, *(number for wall in table.walls for number in wall)}

    def can_build(seat: Seat, number: int) -> bool:
        numbers = (number, *table.numbers[1:])
        turned = Deciding(replace(table, player=seat, numbers=numbers), 0)
        return any(isinstance(action, Add | Insert) for action in bb.legal(turned, seat))

    possible = any(
        can_build(Seat(seat), number)
        for seat in range(seats)
        for number in CARDS
        if number not in gone
    )
    assert blocked(table) == (not possible)
