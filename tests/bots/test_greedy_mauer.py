"""The greedy bot at Die Mauer: it counts, guesses and cannot be guessed."""

import random
import tracemalloc
from collections import Counter
from itertools import islice
from typing import Any, Final

import pytest
from tests.support.positions import draws, seen_after, setup_of, sights

from mauerwerk.bots.bot import Uniform
from mauerwerk.bots.greedy import Greedy
from mauerwerk.bots.mauer.greedy import holdings, weighed
from mauerwerk.core.game import Observer, Seat, Sight
from mauerwerk.games import mauer
from mauerwerk.games.mauer.events import Given
from mauerwerk.games.mauer.values import FULL_SET, Drawing, Piece, Plan

SETUP = setup_of(mauer, 3, rounds="1")


def answer(words: str, seat: int, seed: int = 1) -> str:
    """What the bot does at this seat after these moves, as a word."""
    sight = seen_after(mauer, mauer.start(SETUP), words, seat)
    return mauer.write(Greedy(mauer, SETUP, draws(seed)).act(sight, 1.0))


@pytest.mark.rule("DM-18")
def test_alone_with_an_empty_fist_it_builds_the_tower() -> None:
    """Nobody can take the dearest piece from the master builder now (DM-18)."""
    assert answer("0:- 1:T 2:4", 0) == "!T"


@pytest.mark.rule("DM-19")
def test_it_gives_the_tower_away() -> None:
    """A gift is the dearest piece, which the master builder cannot refuse (DM-19)."""
    assert answer("0:- 1:- 2:4", 1) == "*T"


def test_the_master_builder_mixes() -> None:
    """What is always the same would be guessed: no plan is made in more than half of the cases."""
    counts = Counter(answer("", 0, seed) for seed in range(120))
    assert len(counts) >= 3
    assert max(counts.values()) <= 60


def test_rivals_guess_what_costs_the_master_builder_most() -> None:
    """Towers and gates sooner than a 1."""
    sight = seen_after(mauer, mauer.start(SETUP), "", 1)
    values = {
        each.action: each.value for each in Greedy(mauer, SETUP, draws()).consider(sight).choices
    }
    assert values[Plan(Piece.TOWER)] > values[Plan(Piece.WALL_3)] > values[Plan(Piece.WALL_1)]


@pytest.mark.rule("DM-12")
def test_a_piece_without_a_site_is_worth_nothing() -> None:
    """Beside the tower alone neither tower nor gate fits (DM-9, DM-12)."""
    sight = seen_after(mauer, mauer.start(SETUP), "0:T 1:4 2:4 0:>", 1)
    evaluation = Greedy(mauer, SETUP, draws()).consider(sight)
    values = {each.action: each.value for each in evaluation.choices}
    assert values[Plan(Piece.TOWER)] == values[Plan(Piece.GATE)] == 0
    assert values[Plan(Piece.WALL_6)] > 0


@pytest.mark.rule("DM-10")
def test_it_keeps_a_site_for_its_own_tower() -> None:
    """A player with a tower left keeps two ends open; one without closes an end (DM-10)."""
    tower_out = "0:T 1:4 2:4 0:>  0:4 1:6 2:1 1:>"  # T6, and 1 and 2 still have towers
    assert answer(f"{tower_out} 0:4 1:3 2:4", 0) == ">"
    assert answer(f"{tower_out} 0:3 1:4 2:4", 1) == "<"


@pytest.mark.rule("DM-2")
def test_it_knows_every_hand_until_something_is_given() -> None:
    """What has been built is public (DM-2)."""
    setup = setup_of(mauer, 4, rounds="2")
    state = mauer.start(setup)
    watch = Observer(mauer, Seat(0))
    draw = draws(8)
    while not any(isinstance(event, Given) for event in watch.told):
        sight: Sight[Any, Any, Any] = watch.sight(state)
        counted = [{p: n for p, n in each.items() if n} for each in holdings(sight)]
        assert not isinstance(state, Drawing)
        assert counted == [dict(Counter(hand)) for hand in state.table.hands]
        seat = mauer.to_act(state)[0]
        choices = mauer.legal(state, seat)
        step = mauer.apply(state, seat, choices[draw(len(choices))])
        watch.follow(step)
        state = step.state


def test_after_gifts_it_still_counts_as_many_pieces_as_there_are() -> None:
    """Which pieces is a guess then; how many is not (DM-2, DM-19)."""
    setup = setup_of(mauer, 5, rounds="2")
    blind = Uniform(mauer, setup, draws(2))
    gifts = 0
    for sight, _ in islice(sights(mauer, setup, blind, seed=2), 400):
        gifts += any(isinstance(event, Given) for event in sight.told)
        for holding, count in zip(holdings(sight), sight.view.counts, strict=True):
            assert sum(holding.values()) == pytest.approx(count)
            assert min(holding.values()) >= 0
    assert gifts


def test_it_plays_with_fewer_pieces() -> None:
    """A miniature has no pieces to reckon with but its own (DM-1)."""
    setup = setup_of(mauer, 3, pieces="T1", rounds="1")
    played = list(sights(mauer, setup, Greedy(mauer, setup, draws()), seed=1))
    assert all(action in sight.legal for sight, action in played)
    assert {piece for each in holdings(played[0][0]) for piece, n in each.items() if n} == {
        Piece.TOWER,
        Piece.WALL_1,
    }


HERE_AND_BOTS: Final = [
    tracemalloc.Filter(inclusive=True, filename_pattern=pattern)
    for pattern in (__file__, "*/mauerwerk/bots/*")
]
"""Where memory is counted: threads that other tests have left take some, too."""


def test_what_was_weighed_takes_little_memory() -> None:
    """What the bot remembers of turns long past stays below a megabyte: servers run for months."""
    draw, turns = random.Random(1).random, 8
    weighed.cache_clear()
    tracemalloc.start()
    try:
        for _ in range(turns):
            weighed(1, Seat(0), tuple(tuple(draw() for _ in FULL_SET) for _ in range(4)))
        found = tracemalloc.take_snapshot().filter_traces(HERE_AND_BOTS).traces
    finally:
        tracemalloc.stop()
        weighed.cache_clear()

    most = weighed.cache_info().maxsize
    assert most is not None
    assert 0 < sum(each.size for each in found) / turns * most < 1_000_000
