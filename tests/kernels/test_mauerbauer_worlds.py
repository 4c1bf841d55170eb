"""Mauerbauer: what a seat cannot see, filled in by the kernel just as beliefs would."""

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from random import Random
from typing import Any, NamedTuple

import numpy as np
import pytest
from msgspec.structs import replace

from mauerwerk.core.game import NATURE, Seat, Setup, draw_lot
from mauerwerk.core.options import from_words
from mauerwerk.games import mauerbauer
from mauerwerk.games.mauerbauer import beliefs
from mauerwerk.games.mauerbauer.beliefs import Belief, Hypothesis, Shift
from mauerwerk.games.mauerbauer.guild import DECK, KINDS, Card, Hand, in_order
from mauerwerk.games.mauerbauer.values import Building, Dealing, Done, Options, Over, State
from mauerwerk.kernels import kernel_of
from mauerwerk.kernels.mauerbauer import rules as mauerbauer_rules
from mauerwerk.kernels.search import worlds as search

kernel: Any = kernel_of("mauerbauer")

ME = Seat(1)
A, B, C, D = Card.CITY_1, Card.CITY_2, Card.CITY_3, Card.CITY_7


class Moment(NamedTuple):
    """A position of a game, and what seat 1 can know of it."""

    setup: Setup[Options]
    state: State
    belief: Belief


def moment(seed: int, turns: int, **options: str) -> Moment:
    """A random game after this many turns, or at its end."""
    setup = Setup(3, from_words(Options, options))
    draw = Random(seed).randrange
    state: State = mauerbauer.start(setup)
    belief = beliefs.begin(3, ME)
    while seats := mauerbauer.to_act(state):
        if mauerbauer.turn(state) >= turns and not isinstance(state, Building):
            break
        legal = [each for each in mauerbauer.legal(state, seats[0]) if each != Done()]
        nature = seats[0] == NATURE
        action = draw_lot(mauerbauer.odds(state), draw) if nature else legal[draw(len(legal))]
        step = mauerbauer.apply(state, seats[0], action)
        told = (mauerbauer.seen(event, ME) for event in step.events)
        belief = beliefs.after(belief, (event for event in told if event is not None))
        state = step.state
    return Moment(setup, state, belief)


# --- Exactly ---------------------------------------------------------------------------------


class Lots:
    """Every way the lots can fall, one after the other, each with its chance."""

    def __init__(self) -> None:
        """Begin with the first of all ways."""
        self._lots: list[tuple[int, list[Fraction]]] = []
        self._next = 0
        self.chance = Fraction(1)

    def draw(self, shares: list[Fraction]) -> int:
        """One of this many."""
        if self._next == len(self._lots):
            self._lots.append((0, shares))
        drawn = self._lots[self._next][0]
        self._next += 1
        self.chance *= shares[drawn]
        return drawn

    def further(self) -> bool:
        """Go on to the next way; False when there is none."""
        while self._lots and self._lots[-1][0] + 1 == len(self._lots[-1][1]):
            self._lots.pop()
        if not self._lots:
            return False
        drawn, shares = self._lots[-1]
        self._lots[-1] = drawn + 1, shares
        self._next, self.chance = 0, Fraction(1)
        return True


def all_ways(play: Callable[[Lots], Any]) -> dict[Any, Fraction]:
    """Everything that can come of it, with its chance."""
    lots = Lots()
    chances: dict[Any, Fraction] = {}
    while True:
        come = play(lots)
        chances[come] = chances.get(come, Fraction()) + lots.chance
        if not lots.further():
            return chances


def even(number: int) -> list[Fraction]:
    """Each as likely."""
    return [Fraction(1, number)] * number


def few_cards(*hypotheses: Hypothesis) -> Moment:
    """A position in which hardly anything is unseen: what these shifts hold, one way of it."""
    setup = Setup(3, from_words(Options, {"first": "0"}))
    begin: State = mauerbauer.start(setup)
    assert isinstance(begin, Dealing)
    hands: list[list[Card]] = [[], [A], []]
    pile: list[Card] = []
    for shift in hypotheses[0].shifts:
        left = list(shift.cards)
        for seat, slots in enumerate(shift.slots):
            hands[seat] += (left.pop() for _ in range(slots))
        pile += left
    seen = Counter(DECK) - Counter([A, *(c for s in hypotheses[0].shifts for c in s.cards)])
    out = in_order(*seen.elements())
    table = replace(
        begin.table,
        hands=tuple(in_order(*hand) for hand in hands),
        pile=in_order(*pile),
        discard=out,
    )
    return Moment(setup, Building(table, hasty=False), Belief(ME, (A,), out, hypotheses))


def shift(cards: str, *slots: int) -> Shift:
    """Cards by the letters above."""
    return Shift(tuple({"A": A, "B": B, "C": C, "D": D}[each] for each in cards), slots)


@pytest.mark.rule("MB-8", "MB-46")
@pytest.mark.parametrize(
    "hypotheses",
    [
        (Hypothesis((shift("ABC", 1, 0, 0),), 1),),
        (Hypothesis((shift("ABBCC", 2, 0, 1),), 1),),
        (Hypothesis((shift("ABB", 2, 0, 1), shift("BC", 0, 0, 1)), 1),),
        (
            Hypothesis((shift("BB", 1, 0, 1), shift("CCD", 1, 0, 0)), 5),
            Hypothesis((shift("BC", 1, 0, 1), shift("BCD", 1, 0, 0)), 3),
            Hypothesis((shift("BBCCD", 2, 0, 1),), 2),
        ),
    ],
)
def test_worlds_have_the_chances_that_beliefs_give_them(
    hypotheses: tuple[Hypothesis, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Hands and pile by weight and slot, to the last fraction (MB-8, MB-46)."""
    setup, state, belief = few_cards(*hypotheses)
    packed_setup, believed = kernel.pack_setup(setup), kernel.pack_belief(setup, belief)
    total = sum(each.weight for each in hypotheses)
    shares = [Fraction(each.weight, total) for each in hypotheses]

    def by_beliefs(lots: Lots) -> State:
        view = mauerbauer.view(state, ME)
        return beliefs.sample(belief, view, setup.options, lambda n: lots.draw(even(n)))

    def by_kernel(lots: Lots) -> State:
        def by_weight(*_given: object) -> int:
            return lots.draw(shares)

        def below(_seed: int, _number: int, _draw: int, bound: int) -> int:
            return lots.draw(even(int(bound)))

        monkeypatch.setattr(mauerbauer_rules, "by_weight", by_weight)
        monkeypatch.setattr(mauerbauer_rules, "below", below)
        states = search.packed(mauerbauer, setup, state).view(np.recarray)
        with np.errstate(over="ignore"):
            kernel.fill(packed_setup.view(np.recarray)[0], states[0], ME, believed, 0, 0)
        unpacked: State = kernel.unpack(setup, states[0])
        return unpacked

    assert all_ways(by_kernel) == all_ways(by_beliefs)


def test_source_and_compiled_code_fill_alike() -> None:
    """The chances were counted with the source; compiled, it does the same."""
    setup, state, belief = moment(seed=2, turns=14, board="small")
    packed_setup, believed = kernel.pack_setup(setup), kernel.pack_belief(setup, belief)
    compiled = search.determinize(mauerbauer, setup, state, ME, belief, worlds=20, seed=4)

    by_source = search.packed(mauerbauer, setup, state, 20).view(np.recarray)
    with np.errstate(over="ignore"):
        for number in range(20):
            here = packed_setup.view(np.recarray)[0], by_source[number]
            kernel.fill(*here, ME, believed, np.uint64(4), number)

    assert by_source.tobytes() == compiled.tobytes()


# --- In a game -------------------------------------------------------------------------------


@pytest.mark.rule("MB-8", "MB-46", "MB-73")
@pytest.mark.parametrize("turns", [0, 3, 14, 22, 99])
def test_worlds_look_to_the_seat_as_the_table_does(turns: int) -> None:
    """At any time: while cards are dealt, before and after a shuffle, and when it is over."""
    setup, state, belief = moment(seed=2, turns=turns, board="small")

    states = search.determinize(mauerbauer, setup, state, ME, belief, worlds=50, seed=1)
    worlds = [kernel.unpack(setup, each) for each in states]

    assert {mauerbauer.view(world, ME) for world in worlds} == {mauerbauer.view(state, ME)}
    if turns == 99:
        assert set(worlds) == {state}
    elif turns:
        assert len(set(worlds)) == 50


@pytest.mark.rule("MB-46")
def test_shares_are_those_of_the_belief() -> None:
    """After shuffles, with several hypotheses: within five standard errors (MB-46)."""
    setup, state, belief = moment(seed=2, turns=22, board="small")
    assert len(belief.hypotheses) > 1
    assert max(len(each.shifts) for each in belief.hypotheses) > 1

    states = search.determinize(mauerbauer, setup, state, ME, belief, worlds=4_000, seed=1)

    for seat in (0, 2):
        hands = states["hands"][:, seat]
        for kind, card in enumerate(KINDS):
            share = float(beliefs.holds(belief, Seat(seat), card))
            error = (share * (1 - share) / len(states)) ** 0.5
            assert abs((hands >> 2 * kind & 1).mean() - share) <= 5 * error


@pytest.mark.rule("MB-8", "MB-44")
def test_worlds_do_not_depend_on_what_the_seat_cannot_see() -> None:
    """From any state that looks the same to the seat come the same worlds."""
    setup, state, belief = moment(seed=2, turns=22, board="small")
    view = mauerbauer.view(state, ME)
    other = beliefs.sample(belief, view, setup.options, Random(1).randrange)
    assert state != other

    one, two = (
        search.determinize(mauerbauer, setup, each, ME, belief, worlds=50, seed=9).tobytes()
        for each in (state, other)
    )

    assert one == two


def test_worlds_can_be_played_out() -> None:
    """Chance to the end in each; no card is lost on the way (MB-7)."""
    setup, state, belief = moment(seed=2, turns=3, board="small")
    states = search.determinize(mauerbauer, setup, state, ME, belief, worlds=100, seed=1)

    played = search.finish(mauerbauer, setup, states, seed=2)

    ends = [kernel.unpack(setup, each) for each in states]
    outcomes = [mauerbauer.outcome(each) for each in ends]
    assert [outcome and list(outcome.points) for outcome in outcomes] == played.points.tolist()
    for end in ends:
        assert isinstance(end, Over)
        cards: Hand = sum(end.table.hands, end.table.pile + end.table.discard)
        assert in_order(*cards) == DECK
