"""Mauerbauer, beliefs: exactly the chances that the unseen cards have, and states to play in."""

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from math import gcd
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.amounts import amount
from tests.support.setups.mauerbauer import setups

from mauerwerk.core.game import NATURE, Observer, Seat, Setup, draw_lot
from mauerwerk.games import mauerbauer
from mauerwerk.games.mauerbauer import beliefs
from mauerwerk.games.mauerbauer.beliefs import Belief, after, begin, believe, holds, sample
from mauerwerk.games.mauerbauer.events import Drawn, Event, Played, Reshuffled, Swapped
from mauerwerk.games.mauerbauer.guild import DECK, Card, Hand, in_order
from mauerwerk.games.mauerbauer.values import Appointing, Options, Over

A, B, C = Card.CITY_1, Card.CITY_2, Card.CITY_3
ME, ONE, TWO = Seat(0), Seat(1), Seat(2)

MOST_WAYS = amount(60, 60, 2_000)
"""How many ways there may be in which the table came about, before a game is broken off."""

World = tuple[tuple[tuple[int, ...], ...], frozenset[int], frozenset[int]]
"""Hands of the two others, the pile and the discard pile, all as numbers of single cards."""


# --- Against every single arrangement --------------------------------------------------------


def arrangements(deck: Hand, told: Sequence[Event]) -> dict[tuple[Hand, Hand], Fraction]:
    """What the two others may hold, by following every single card through every draw.

    Cards are numbered, so that two of a kind differ. A hidden draw is any card of the pile with the
    same chance, a card that is laid down is any slot of that hand with the same chance.
    """
    worlds: dict[World, Fraction] = {
        (((), ()), frozenset(range(len(deck))), frozenset()): Fraction(1)
    }
    for event in told:
        after_it: dict[World, Fraction] = {}
        for world, chance in worlds.items():
            for other, share in _followed(deck, world, event):
                after_it[other] = after_it.get(other, Fraction(0)) + chance * share
        worlds = after_it
    total = sum(worlds.values())
    dealt: dict[tuple[Hand, Hand], Fraction] = {}
    for (hands, _, _), chance in worlds.items():
        one, two = (in_order(*(deck[card] for card in hand)) for hand in hands)
        dealt[one, two] = dealt.get((one, two), Fraction(0)) + chance / total
    return dealt


def _followed(deck: Hand, world: World, event: Event) -> Iterator[tuple[World, Fraction]]:
    hands, pile, out = world
    match event:
        case Drawn(seat=seat, card=kind):
            for card in pile:
                if kind is None:
                    drawn = _with(hands, seat, (*hands[seat - 1], card))
                    yield (drawn, pile - {card}, out), Fraction(1, len(pile))
                elif deck[card] is kind:
                    # One's own card comes to lie with the discarded ones when it is laid down.
                    yield (hands, pile - {card}, out), Fraction(1, len(pile))
        case Played(seat=seat, card=kind) | Swapped(seat=seat, card=kind):
            hand = hands[seat - 1]
            for card in hand:
                if deck[card] is kind:
                    left = _with(hands, seat, tuple(each for each in hand if each != card))
                    yield (left, pile, out | {card}), Fraction(1, len(hand))
        case Reshuffled():
            yield (hands, pile | out, frozenset()), Fraction(1)
        case _:
            raise AssertionError(event)


def _with(
    hands: tuple[tuple[int, ...], ...], seat: Seat, hand: tuple[int, ...]
) -> tuple[tuple[int, ...], ...]:
    return (hand, hands[1]) if seat == ONE else (hands[0], hand)


def believed(belief: Belief) -> dict[tuple[Hand, Hand], Fraction]:
    """What the two others may hold, by the belief: every arrangement of every shift."""
    total = sum(each.weight for each in belief.hypotheses)
    dealt: dict[tuple[Hand, Hand], Fraction] = {}
    for each in belief.hypotheses:
        per_shift = [_orders(shift) for shift in each.shifts]
        for parts in product(*(orders.items() for orders in per_shift)):
            chance = Fraction(each.weight, total)
            one: list[Card] = []
            two: list[Card] = []
            for (mine, theirs), share in parts:
                one += mine
                two += theirs
                chance *= share
            key = in_order(*one), in_order(*two)
            dealt[key] = dealt.get(key, Fraction(0)) + chance
    return dealt


def _orders(shift: beliefs.Shift) -> dict[tuple[Hand, Hand], Fraction]:
    """Every way in which the cards of a shift can lie in the slots of seats 1 and 2."""
    ways: Counter[tuple[Hand, Hand]] = Counter()

    def deal(left: list[Card], one: Hand, two: Hand) -> None:
        if len(one) < shift.slots[1]:
            for place, card in enumerate(left):
                deal(left[:place] + left[place + 1 :], (*one, card), two)
        elif len(two) < shift.slots[2]:
            for place, card in enumerate(left):
                deal(left[:place] + left[place + 1 :], one, (*two, card))
        else:
            ways[in_order(*one), in_order(*two)] += 1

    deal(list(shift.cards), (), ())
    return {key: Fraction(count, ways.total()) for key, count in ways.items()}


GAMES = [
    pytest.param([Drawn(ONE, None), Drawn(TWO, None), Drawn(ME, A)], id="one draw each"),
    pytest.param(
        [Drawn(ONE, None), Drawn(ONE, None), Drawn(TWO, None), Played(ONE, A, 0)],
        id="a card is shown",
    ),
    pytest.param(
        [
            *[Drawn(ONE, None)] * 3,
            *[Drawn(TWO, None)] * 2,
            Swapped(ONE, A),
            Swapped(TWO, B),
            Drawn(ONE, None),
            Reshuffled(2),
            Drawn(TWO, None),
            Played(TWO, A, 0),
            Drawn(ONE, None),
        ],
        id="a shuffle, and a card of either shift",
    ),
    pytest.param(
        [
            *[Drawn(ONE, None)] * 2,
            *[Drawn(TWO, None)] * 3,
            Swapped(TWO, A),
            Swapped(TWO, B),
            Drawn(TWO, None),
            Reshuffled(2),
            Drawn(ONE, None),
            Swapped(ONE, B),
            Drawn(TWO, None),
            Reshuffled(1),
            Drawn(ONE, None),
            Played(ONE, A, 0),
        ],
        id="two shuffles",
    ),
    pytest.param(
        [
            *[Drawn(ONE, None)] * 2,
            *[Drawn(TWO, None)] * 2,
            Swapped(ONE, A),
            Swapped(ONE, B),
            Drawn(ONE, None),
            Drawn(TWO, None),
            Reshuffled(2),
            Drawn(TWO, None),
            Played(TWO, A, 0),
        ],
        id="more slots of one shift than of the other",
    ),
]


@pytest.mark.rule("MB-8", "MB-44", "MB-46", "MB-47")
@pytest.mark.parametrize("told", GAMES)
def test_the_chances_are_those_of_single_cards(told: list[Event]) -> None:
    """Six cards, followed one by one through every draw, give the same chances (MB-46)."""
    deck = (A, A, B, B, C, C)

    belief = after(begin(3, ME, deck), told)

    assert believed(belief) == arrangements(deck, told)
    assert gcd(*(each.weight for each in belief.hypotheses)) == 1
    for seat in (ONE, TWO):
        chance = sum(
            (share for hands, share in believed(belief).items() if A in hands[seat - 1]),
            start=Fraction(0),
        )
        assert holds(belief, seat, A) == chance


@pytest.mark.rule("MB-8")
def test_at_first_every_unseen_card_is_as_likely() -> None:
    """Of 59 unseen cards two are of a kind that one does not hold: six slots see one or both."""
    belief = after(begin(2, ME), [Drawn(ME, A), *[Drawn(ONE, None)] * 6])

    assert holds(belief, ME, A) == 1
    assert holds(belief, ONE, A) == Fraction(6, 59)
    assert holds(belief, ONE, B) == 1 - Fraction(53 * 52, 59 * 58)


@pytest.mark.rule("MB-8")
def test_what_cannot_be_is_refused() -> None:
    """A third card of a kind was never dealt."""
    belief = after(begin(2, ME), [Drawn(ME, A), Drawn(ME, A)])

    with pytest.raises(ValueError, match="no cards agree"):
        after(belief, [Drawn(ME, A)])


# --- All through games -----------------------------------------------------------------------


@pytest.mark.rule("MB-8", "MB-44", "MB-45", "MB-46", "MB-47", "MB-73")
@settings(max_examples=amount(2, 2, 80))
@given(setup=setups(), seed=st.integers(min_value=0, max_value=2**32))
def test_a_sample_looks_like_the_table_and_the_truth_is_possible(
    setup: Setup[Options], seed: int
) -> None:
    """In every phase: the sample gives the same view, all 60 cards, and may be the truth.

    After many shuffles there can be a hundred thousand ways in which it came about. What holds for
    fewer holds for those, and such a game would take minutes.
    """
    random = Random(seed)
    viewer = random.choice([None, *map(Seat, range(setup.seats))])
    state, belief = mauerbauer.start(setup), begin(setup.seats, viewer)
    while not isinstance(state, Over) and len(belief.hypotheses) < MOST_WAYS:
        (seat,) = mauerbauer.to_act(state)
        if seat == NATURE:
            action = draw_lot(mauerbauer.odds(state), random.randrange)
        else:
            action = random.choice(mauerbauer.legal(state, seat))
        step = mauerbauer.apply(state, seat, action)
        state = step.state
        told = (mauerbauer.seen(event, viewer) for event in step.events)
        belief = after(belief, [event for event in told if event is not None])
        view = mauerbauer.view(state, viewer)
        drawn = sample(belief, view, setup.options, random.randrange)
        assert mauerbauer.view(drawn, viewer) == view
        assert mauerbauer.to_act(drawn) == mauerbauer.to_act(state)
        assert not isinstance(state, Appointing)
        for other, hand in enumerate(state.table.hands):
            assert all(holds(belief, Seat(other), card) for card in set(hand))
            if isinstance(state, Over):
                assert all(holds(belief, Seat(other), card) == (card in hand) for card in DECK)


@pytest.mark.rule("MB-8")
def test_a_sight_is_enough_to_believe() -> None:
    """Event by event or all at once, the belief is the same."""
    random = Random(3)
    state = mauerbauer.start(Setup(3, Options(board="small")))
    watch, belief = Observer(mauerbauer, ME), begin(3, ME)
    for _ in range(120):
        (seat,) = mauerbauer.to_act(state)
        step = mauerbauer.apply(state, seat, random.choice(mauerbauer.legal(state, seat)))
        state = step.state
        belief = after(belief, watch.follow(step))

    assert believe(watch.sight(state)) == belief


@pytest.mark.rule("MB-8")
def test_another_games_view_is_refused() -> None:
    """A belief without any cards dealt does not fit a table with full hands."""
    random = Random(4)
    state = mauerbauer.start(Setup(2, Options(first=0)))
    for _ in range(12):
        state = mauerbauer.apply(
            state, NATURE, random.choice(mauerbauer.legal(state, NATURE))
        ).state

    with pytest.raises(ValueError, match="not of one game"):
        sample(begin(2, ME), mauerbauer.view(state, ME), Options(first=0), random.randrange)
    assert len(DECK) == 60
