"""Burgbaumeister, what a seat knows by what it was told, and what it forgets."""

from collections.abc import Iterator
from fractions import Fraction
from random import Random
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.amounts import amount
from tests.support.castle_table import StartCastle
from tests.support.game_table import AnyTable, StartTable

from mauerwerk.core.beliefs import ABSENT, PERFECT, Memory
from mauerwerk.core.game import NATURE, Observer, Seat, Setup, draw_lot
from mauerwerk.games import burgbaumeister as bb
from mauerwerk.games.burgbaumeister.beliefs import (
    Belief,
    after,
    begin,
    believe,
    chance,
    kept,
    known,
    numbers_at,
    recall,
    sample,
    unplaced,
)
from mauerwerk.games.burgbaumeister.values import Drawing, Show, Spreading, State

SEEDS = st.integers(min_value=0, max_value=2**32)
OPTIONS = st.builds(
    bb.Options,
    variant=st.booleans(),
    first=st.sampled_from([0, 1]),
    depot=st.sampled_from(["rectangle", "chaotic"]),
    memory_aid=st.booleans(),
)


class Moment(NamedTuple):
    """A position of a game, what seat 1 sees of it, and what it can know."""

    state: State
    view: bb.View
    belief: Belief


def moments(setup: Setup[bb.Options], seed: int) -> Iterator[Moment]:
    """The positions of a game played by chance."""
    draw = Random(seed).randrange
    seat, state, belief = Seat(1), bb.start(setup), begin()
    yield Moment(state, bb.view(state, seat), belief)
    while seats := bb.to_act(state):
        legal = bb.legal(state, seats[0])
        nature = seats[0] == NATURE
        action = draw_lot(bb.odds(state), draw) if nature else legal[draw(len(legal))]
        step = bb.apply(state, seats[0], action)
        state, belief = step.state, after(belief, step.events)
        yield Moment(state, bb.view(state, seat), belief)


def learnt(table: AnyTable, words: str) -> Belief:
    """What is believed after these moves, from the very beginning."""
    return after(begin(), table.play(words)[0])


# --- What can be known -----------------------------------------------------------------------


@pytest.mark.rule("BB-9")
def test_a_card_that_was_turned_is_known(start_table: StartTable) -> None:
    """And of every other card, that it carries one of the unseen numbers (BB-9)."""
    belief = learnt(start_table(), "0:a1 ~:9 0:-  1:b1 ~:30 1:+")

    assert numbers_at(belief, 0) == {9: 1}
    assert numbers_at(belief, 5) == {n: Fraction(1, 43) for n in range(2, 47) if n not in (9, 30)}
    assert chance(belief, 5, range(40, 47)) == Fraction(7, 43)
    assert chance(belief, 0, range(40, 47)) == 0


@pytest.mark.rule("BB-9")
def test_there_is_nothing_to_know_of_an_empty_place(start_table: StartTable) -> None:
    """The card that lay there stands in a wall."""
    belief = learnt(start_table(), "0:b1 ~:30 0:+")

    with pytest.raises(ValueError, match="no card lies at place 1 any more"):
        numbers_at(belief, 1)


@pytest.mark.rule("BB-24")
def test_a_destroyed_card_is_nowhere(start_table: StartTable) -> None:
    """Its number is not among those that may lie in the depot (BB-24)."""
    belief = learnt(start_table(variant="yes"), "0:a1 ~:9 0:+  1:b1 ~:13 1:+ 1:x9")

    assert 9 not in unplaced(belief)
    assert 13 not in unplaced(belief)
    assert len(unplaced(belief)) == 43


@settings(max_examples=amount(3, 4, 150))
@given(seats=st.sampled_from(bb.SEATS), options=OPTIONS, seed=SEEDS)
def test_whoever_forgets_nothing_knows_the_whole_state(
    seats: int, options: bb.Options, seed: int
) -> None:
    """From view and told events alone the very state follows, unseen numbers and all."""
    for state, view, belief in moments(Setup(seats, options), seed):
        assert sample(belief, view, options, Random(0).randrange) == state
        assert recall(belief, PERFECT, Random(0).randrange) == belief


def test_a_seat_can_work_it_out_all_at_once(start_table: StartTable) -> None:
    """Step by step or from the whole story, it is the same belief."""
    watch, state = Observer(bb, Seat(1)), bb.start(Setup(2, bb.Options()))
    for seat, word in [(0, "a1"), (NATURE, "9"), (0, "-"), (1, "b1"), (NATURE, "30"), (1, "+")]:
        step = bb.apply(state, Seat(seat), bb.parse(word))
        watch.follow(step)
        state = step.state

    assert believe(watch.sight(state)) == learnt(start_table(), "0:a1 ~:9 0:- 1:b1 ~:30 1:+")


@settings(max_examples=amount(2, 2, 100))
@given(seats=st.sampled_from(bb.SEATS), options=OPTIONS, seed=SEEDS)
def test_beliefs_are_natures_odds(seats: int, options: bb.Options, seed: int) -> None:
    """As likely as a seat takes a number to be, so likely nature is to show it."""
    for state, view, belief in moments(Setup(seats, options), seed):
        if view.turned is not None and view.turned.card is None:
            odds = bb.odds(state)
            whole = sum(odds.values())
            shares = numbers_at(belief, view.turned.place)
            assert {Show(number): share for number, share in shares.items()} == {
                action: Fraction(weight, whole) for action, weight in odds.items()
            }


# --- What is kept in mind --------------------------------------------------------------------


def test_memory_fades_with_turns_and_with_cards() -> None:
    """Each turn and each other card takes its share; nothing comes back."""
    memory = Memory(per_turn=900, per_card=500)

    assert kept(memory, 0, 0) == 1
    assert kept(memory, 2, 0) == Fraction(81, 100)
    assert kept(memory, 2, 1) == Fraction(81, 200)
    assert kept(PERFECT, 90, 44) == 1
    assert kept(ABSENT, 1, 0) == 0


@pytest.mark.parametrize("then", ["1:b1 ~:8 1:-", "1:b1 ~:30 1:+"])
def test_each_turn_counts_once_whether_a_card_stays_or_not(
    start_table: StartTable, then: str
) -> None:
    """A card fades by as many turns as have been (BB-9)."""
    belief = learnt(start_table(), f"0:a1 ~:9 0:-  {then}")

    first, second = belief.glimpses
    assert (first.turn, second.turn, belief.turns) == (0, 1, 2)


def test_without_memory_only_the_open_card_is_known(start_table: StartTable) -> None:
    """Once it is turned back, it is gone from mind."""
    table = start_table()
    face_up = learnt(table, "0:a1 ~:9")
    turned_back = after(face_up, table.play("0:-")[0])

    assert known(recall(face_up, ABSENT, Random(1).randrange)) == {0: 9}
    assert known(recall(turned_back, ABSENT, Random(1).randrange)) == {}
    assert recall(turned_back, ABSENT, Random(1).randrange).left == ()


def test_a_forgotten_card_may_be_any_that_cannot_be_placed(start_table: StartTable) -> None:
    """It is as unknown as one that was never turned, and its number may be anywhere."""
    belief = learnt(start_table(), "0:a1 ~:9 0:-  1:b1 ~:30 1:-")
    fading = recall(belief, Memory(per_turn=1000, per_card=0), Random(1).randrange)

    assert known(fading) == {1: 30}
    assert numbers_at(fading, 0) == numbers_at(fading, 7)
    assert chance(fading, 7, [9]) == Fraction(1, 44)


def test_a_card_is_kept_by_as_many_tickets_as_its_chance_says(start_table: StartTable) -> None:
    """The last card counts none after it, the one before it one, and so on."""
    belief = learnt(start_table(), "0:a1 ~:9 0:-  1:b1 ~:30 1:-  0:c1 ~:40")
    halved = Memory(per_turn=1000, per_card=500)

    def known_by(ticket: int) -> list[int]:
        return sorted(known(recall(belief, halved, lambda _: ticket)).values())

    assert [known_by(249_999), known_by(250_000)] == [[9, 30, 40], [30, 40]]
    assert [known_by(499_999), known_by(500_000)] == [[30, 40], [40]]
    assert known_by(999_999) == [40]


def test_other_cards_count_once_however_often_they_are_turned(start_table: StartTable) -> None:
    """One other card seen three times is one card, and three turns."""
    belief = learnt(start_table(), "0:a1 ~:9 0:-  1:b1 ~:30 1:-  0:b1 ~:30 0:-  1:b1 ~:30 1:-")
    by_turn, by_card = Memory(500, 1000), Memory(1000, 500)

    assert share_kept(belief, by_card) == pytest.approx(1 / 2, abs=0.06)
    assert share_kept(belief, by_turn) == pytest.approx(1 / 16, abs=0.04)


def share_kept(belief: Belief, memory: Memory) -> float:
    """How many of a thousand players of this memory still know the card at a1."""
    return sum(0 in known(recall(belief, memory, Random(n).randrange)) for n in range(1000)) / 1000


def test_seeing_a_card_again_makes_it_new(start_table: StartTable) -> None:
    """Turned once more, it was last seen now."""
    belief = learnt(start_table(), "0:a1 ~:9 0:-  1:b1 ~:30 1:-  0:a1 ~:9 0:-")

    assert list(known(belief).items()) == [(1, 30), (0, 9)]
    assert belief.glimpses[-1].turn == 2


@settings(max_examples=amount(2, 2, 100))
@given(seed=SEEDS, player=SEEDS)
def test_what_is_forgotten_stays_forgotten_until_it_is_seen_again(seed: int, player: int) -> None:
    """With the same tickets a player never remembers all of a sudden."""
    before: dict[int, int] = {}
    turned: int | None = None
    for _, view, belief in moments(Setup(3, bb.Options()), seed):
        now = known(recall(belief, Memory(), Random(player).randrange))
        if view.turned is not None:
            turned = view.turned.place
        assert set(now) - set(before) <= {turned}
        before = dict(now)


@settings(max_examples=amount(2, 2, 100))
@given(options=OPTIONS, seed=SEEDS)
def test_a_fading_belief_still_looks_like_the_table(options: bb.Options, seed: int) -> None:
    """A sampled state is seen by this seat just as the real one is, whatever was forgotten."""
    for real, view, belief in moments(Setup(3, options), seed):
        fading = recall(belief, Memory(950, 800), Random(seed).randrange)
        state = sample(fading, view, options, Random(0).randrange)
        assert bb.view(state, Seat(1)) == view
        assert bb.legal(state, Seat(1)) == bb.legal(real, Seat(1))


@pytest.mark.rule("BB-9")
def test_at_a_table_with_the_memory_aid_nothing_is_forgotten(start_table: StartTable) -> None:
    """What the aid shows is known without memory (BB-9)."""
    table = start_table(memory_aid="yes")
    belief = learnt(table, "0:a1 ~:9 0:-")
    fading = recall(belief, ABSENT, Random(1).randrange)
    state = sample(fading, table.view(1), bb.Options(memory_aid=True), Random(0).randrange)

    assert not isinstance(state, Drawing | Spreading)
    assert state.table.numbers[0] == 9


def test_a_belief_of_another_game_is_refused(castle: StartCastle, start_table: StartTable) -> None:
    """Rather than made into a table that is not there."""
    table = castle("4 | 5", memory_aid="yes")
    with pytest.raises(ValueError, match="not of one game at one moment"):
        sample(begin(), table.view(0), bb.Options(), Random(0).randrange)
    assert start_table().view(0).seen is None
