"""Mauerbauer, who sees what: hands are secret from everybody else, spectators included."""

from random import Random

import msgspec
import pytest
from msgspec.structs import replace
from tests.support.amounts import amount

from mauerwerk.core.game import NATURE, Seat, Setup, draw_lot
from mauerwerk.games import mauerbauer
from mauerwerk.games.mauerbauer.values import Appointing, Options, Over, State


def games(seed: int) -> list[State]:
    """The states of a random game of three, on the island, where cards are drawn often."""
    random = Random(seed)
    states: list[State] = [mauerbauer.start(Setup(3, Options(board="small")))]
    while asked := mauerbauer.to_act(states[-1]):
        state = states[-1]
        if asked == (NATURE,):
            action = draw_lot(mauerbauer.odds(state), random.randrange)
        else:
            action = random.choice(mauerbauer.legal(state, asked[0]))
        states.append(mauerbauer.apply(state, asked[0], action).state)
    return states


def exchanged(state: State, one: int, other: int) -> State:
    """The same table, but for a card that this seat has exchanged with another, or the pile."""
    assert not isinstance(state, Appointing)
    table = state.table
    cards = [*table.hands, table.pile]
    if not cards[one] or not cards[other]:
        return state
    first, second = cards[one][0], cards[other][-1]
    cards[one] = tuple(sorted((*cards[one][1:], second), key=lambda card: card.value))
    cards[other] = tuple(sorted((*cards[other][:-1], first), key=lambda card: card.value))
    return replace(state, table=replace(table, hands=tuple(cards[:-1]), pile=cards[-1]))


@pytest.mark.rule("MB-8", "MB-44")
@pytest.mark.parametrize("seed", range(amount(1, 2, 20)))
def test_what_a_viewer_may_not_know_changes_no_byte(seed: int) -> None:
    """Cards exchanged between other hands, or with the pile, cannot be told apart (MB-8)."""
    encode = msgspec.json.encode
    compared = 0
    for state in games(seed):
        if isinstance(state, Appointing | Over):
            continue
        for viewer in (None, Seat(0), Seat(1), Seat(2)):
            for one, other in ((0, 1), (1, 2), (2, 3), (0, 3)):
                if viewer in (one, other):
                    continue
                twin = exchanged(state, one, other)
                seen = encode(mauerbauer.view(state, viewer))
                assert encode(mauerbauer.view(twin, viewer)) == seen
                compared += twin != state
    assert compared > 500


@pytest.mark.rule("MB-8", "MB-73")
def test_a_seat_sees_its_own_hand_and_all_hands_at_the_end() -> None:
    """Counts are public all the time (MB-8, MB-73)."""
    states = games(9)
    for state in states[1:-1]:
        assert not isinstance(state, Appointing)
        hands = state.table.hands
        for seat in range(3):
            view = mauerbauer.view(state, Seat(seat))
            assert view.hands == tuple(hands[seat] if seat == s else None for s in range(3))
            assert view.counts == tuple(map(len, hands))
        assert mauerbauer.view(state, None).hands == (None, None, None)
    last = states[-1]
    assert isinstance(last, Over)
    assert mauerbauer.view(last, None).hands == last.table.hands
