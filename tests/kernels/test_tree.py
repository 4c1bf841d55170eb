"""The search tree: what it finds, what it must not know, and when it stops."""

import itertools
from collections.abc import Iterator
from random import Random
from typing import Any

import numpy as np
import pytest
from tests.support.positions import setup_of

from mauerwerk.bots.memory import Tracker
from mauerwerk.core.beliefs import PERFECT
from mauerwerk.core.game import NATURE, Observer, Seat, Setup
from mauerwerk.games import GAMES, burgbaumeister, mauer, mauerbauer
from mauerwerk.games.mauerbauer.guild import KINDS
from mauerwerk.games.mauerbauer.values import Deal
from mauerwerk.kernels.search.search import SearchResult, Settings, TreeSearch

GIFT = "0:- 1:- 2:4 3:4 1:*T"
"""In Die Mauer, seat 1 gives seat 0 its tower; the others do not see which piece it was."""


def seen(name: str, setup: Setup[Any], words: str, seat: int) -> tuple[Any, Any]:
    """The state after these moves, and what a seat believes then."""
    game = GAMES[name]
    watch = Observer(game, Seat(seat))
    state: Any = game.start(setup)
    for word in words.split():
        who, _, what = word.partition(":")
        mover = NATURE if who == "~" else Seat(int(who))
        step = game.apply(state, mover, game.parse(what))
        watch.follow(step)
        state = step.state
    tracker = Tracker(game, PERFECT, Random(1).randrange)
    return state, tracker.belief(watch.sight(state))


def thought_of(
    name: str,
    setup: Setup[Any],
    words: str,
    seat: int,
    simulations: int = 500,
    **how: Any,  # noqa: ANN401 - passed on
) -> SearchResult:
    """What a search finds after these moves."""
    state, belief = seen(name, setup, words, seat)
    search = TreeSearch(GAMES[name], setup, **how)
    return search.search(state, Seat(seat), belief, seed=1, simulations=simulations)


def by_word(name: str, setup: Setup[Any], thought: SearchResult) -> dict[str, tuple[float, int]]:
    """Values and visits by the words of the actions."""
    search = TreeSearch(GAMES[name], setup)
    rows = zip(thought.actions, thought.values, thought.visits, strict=True)
    return {
        GAMES[name].write(search.actions[number]): (float(value), int(visits))
        for number, value, visits in rows
    }


FOUR = Setup(4, mauer.Options())
PAIR = Setup(2, burgbaumeister.Options(first=0))


def test_who_gives_gives_the_tower() -> None:
    """It costs most (DM-19, DM-24)."""
    found = by_word("mauer", FOUR, thought_of("mauer", FOUR, GIFT[:-5], 1, 2_000))

    assert max(found, key=lambda word: found[word][1]) == "*T"
    assert max(found, key=lambda word: found[word][0]) == "*T"


def test_fists_are_mixed() -> None:
    """Where all choose together no plan is certain, and none that does harm is likely (DM-5)."""
    thought = thought_of("mauer", FOUR, "", 0, 4_000)

    assert thought.mixed
    assert thought.policy.sum() == pytest.approx(1)
    assert 0.3 < thought.policy.max() < 0.98
    assert sorted(thought.actions.tolist()) == list(range(8))


def test_a_seat_alone_does_not_mix() -> None:
    """Nobody guesses which end is built at (DM-17)."""
    assert not thought_of("mauer", FOUR, GIFT[:-5], 1).mixed


def test_the_search_knows_no_more_than_the_seat() -> None:
    """Whatever was given, and whatever is in the closed fists: the thoughts are the same."""
    one = thought_of("mauer", FOUR, f"{GIFT}  1:C 3:-", 2)
    other = thought_of("mauer", FOUR, f"{GIFT.replace('*T', '*6')}  1:T 3:4", 2)

    assert one.tried == other.tried
    for name in ("actions", "values", "visits", "policy", "chances"):
        assert np.array_equal(getattr(one, name), getattr(other, name))


def test_closed_fists_are_thought_of_anew() -> None:
    """Others may have closed theirs before or not: it is the same decision (DM-5)."""
    early = thought_of("mauer", FOUR, "", 3)
    late = thought_of("mauer", FOUR, "0:T 1:- 2:4", 3)

    assert np.array_equal(early.visits, late.visits)


def test_ends_that_look_alike_are_one() -> None:
    """A wall of one wall piece has two equal ends (DM-10)."""
    thought = thought_of("mauer", FOUR, "0:4 1:6 2:6 3:6 0:>  0:1 1:T 2:1 3:2", 1)

    assert len(thought.actions) == 1
    assert set(thought.tried.values()) == set(thought.actions.tolist())
    assert len(thought.tried) == 2


def test_unknown_cards_are_one() -> None:
    """Which of the cards that nobody has seen is turned does not matter (BB-5)."""
    thought = thought_of("burgbaumeister", PAIR, "", 0)

    assert len(thought.actions) == 1
    assert len(thought.tried) == 45
    assert thought.simulations == 500


def test_who_decides_between_equals_does_not_think() -> None:
    """One simulation shows that there is nothing to think about."""
    state, belief = seen("burgbaumeister", PAIR, "", 0)
    search = TreeSearch(burgbaumeister, PAIR)

    assert search.search(state, Seat(0), belief, 1, simulations=500, decide=True).simulations == 1


@pytest.mark.parametrize(
    ("name", "setup", "words", "seat"),
    [
        ("burgbaumeister", PAIR, "0:a1 ~:3 0:- 1:b1 ~:46 1:-", 0),
        ("mauer", FOUR, GIFT[:-5], 1),
    ],
)
def test_who_has_decided_stops(name: str, setup: Setup[Any], words: str, seat: int) -> None:
    """What cannot be caught up with any more is the answer of the whole search, found sooner."""
    state, belief = seen(name, setup, words, seat)
    search = TreeSearch(GAMES[name], setup, Settings(catch_up_share=1.0))
    whole, soon = (
        search.search(state, Seat(seat), belief, 1, simulations=8_000, decide=decide)
        for decide in (False, True)
    )
    first, second = np.sort(soon.visits)[[-1, -2]]

    assert 1_000 < soon.simulations < 0.9 * whole.simulations
    assert first - second > 8_000 - soon.simulations
    assert soon.visits.argmax() == whole.visits.argmax()


def test_a_mixture_that_has_settled_is_enough() -> None:
    """It is much what it would be after all simulations; never settled, it takes all (DM-5)."""
    state, belief = seen("mauer", FOUR, "", 0)
    soon, whole = (
        TreeSearch(mauer, FOUR, Settings(convergence_threshold=threshold)).search(
            state, Seat(0), belief, 1, simulations=16_000, decide=True
        )
        for threshold in (0.1, 0.0)
    )

    assert 2_000 < soon.simulations < whole.simulations == 16_001
    assert soon.policy.argmax() == whole.policy.argmax()
    assert abs(soon.policy - whole.policy).sum() / 2 < 0.25


def test_several_trees_stop_together() -> None:
    """As soon as no action can catch up, by what all of them have found."""
    state, belief = seen("mauer", FOUR, GIFT[:-5], 1)
    search = TreeSearch(mauer, FOUR, threads=2)
    thought = search.search(state, Seat(1), belief, 1, simulations=4_000, decide=True)

    assert 500 < thought.simulations < 6_000
    assert thought.simulations % 2 == 0


def test_a_known_card_that_fits_is_taken() -> None:
    """Seat 0 has seen the 3 and has nothing in its wall; the 46 would end it (BB-7)."""
    words = "0:a1 ~:3 0:- 1:b1 ~:46 1:-"
    found = by_word("burgbaumeister", PAIR, thought_of("burgbaumeister", PAIR, words, 0, 3_000))

    assert max(found, key=lambda word: found[word][1]) == "a1"
    assert found["a1"][0] > found["b1"][0]


@pytest.mark.parametrize(
    ("name", "seats", "words", "seat"),
    [
        ("mauer", 6, "", 5),
        ("burgbaumeister", 4, "0:a1 ~:3 0:- 1:b1 ~:46", 1),
        ("mauerbauer", 3, "", 0),
    ],
)
def test_shares_add_up(name: str, seats: int, words: str, seat: int) -> None:
    """One win is shared among all, and the same seed gives the same thoughts."""
    setup = setup_of(GAMES[name], seats, first="0")
    words = words or {"mauerbauer": _deal(seats)}.get(name, "")
    one, again = (thought_of(name, setup, words, seat, 200) for _ in range(2))

    assert one.chances.sum() == pytest.approx(1)
    assert len(one.chances) == seats
    assert (one.values >= 0).all()
    assert (one.values <= 1).all()
    assert one.visits.sum() == one.simulations == 200
    assert np.array_equal(one.visits, again.visits)


def _deal(seats: int) -> str:
    """Six cards for everybody, two of a kind at a time (MB-8)."""
    words = [mauerbauer.write(Deal(card)) for card in KINDS[: 3 * seats]]
    return " ".join(f"~:{word} ~:{word}" for word in words)


def test_threads_think_side_by_side() -> None:
    """Each has a tree of its own; what they found is added up."""
    alone = thought_of("mauer", FOUR, GIFT[:-5], 1, 300)
    both = thought_of("mauer", FOUR, GIFT[:-5], 1, 300, threads=2)

    assert both.simulations == both.visits.sum() == 600
    assert both.actions.tolist() == alone.actions.tolist()
    assert (both.visits >= alone.visits).all()


def test_threads_find_the_same_again() -> None:
    """With a number of simulations instead of a clock, whichever thread is faster."""
    one, other = (thought_of("mauer", FOUR, "", 0, 1_000, threads=3) for _ in range(2))

    assert one.simulations == 3_000
    for name in ("actions", "values", "visits", "policy", "chances"):
        assert np.array_equal(getattr(one, name), getattr(other, name))


def test_the_clock_ends_all_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each looks at it, and none goes on alone."""
    state, belief = seen("mauer", FOUR, "", 0)
    looks = _clock(monkeypatch, step=0.01)

    thought = TreeSearch(mauer, FOUR, threads=2).search(state, Seat(0), belief, 1, until=0.05)

    assert thought.simulations > 16
    assert 0.05 <= next(looks) <= 0.12


def test_a_full_tree_still_learns() -> None:
    """Without room for more nodes, simulations go on by rollouts from where the tree ends."""
    small = Settings(nodes=8, edges=64)
    thought = thought_of("mauer", FOUR, "", 0, 300, settings=small)

    assert thought.visits.sum() == 300


def test_wide_nodes_wait_until_they_are_come_by_again() -> None:
    """Else the many walls that may be built next would soon leave no room for anything."""
    pair = setup_of(mauerbauer, 2, first="0")
    words = f"{_deal(2)} 0:b3-c2 ~:*Wyg 0:Wc2 0:Wb3"  # and now the houses, on two sides
    thought = thought_of("mauerbauer", pair, words, 0, 3_000)

    assert len(thought.actions) == 2
    assert 1 < thought.nodes < 30  # it would be 3,000


def test_the_clock_ends_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Slices are as long as there is time for; the last look at the clock is soon after."""
    state, belief = seen("mauer", FOUR, "", 0)
    search = TreeSearch(mauer, FOUR)
    looks = _clock(monkeypatch, step=0.01)

    thought = search.search(state, Seat(0), belief, 1, until=0.05)

    assert 16 < thought.simulations < 100_000
    assert 0.05 <= next(looks) <= 0.08


def test_with_no_time_at_all_there_is_an_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """A few simulations are always done."""
    state, belief = seen("mauer", FOUR, "", 0)
    _clock(monkeypatch, step=1.0)

    assert TreeSearch(mauer, FOUR).search(state, Seat(0), belief, 1, until=0.0).simulations == 16


def _clock(monkeypatch: pytest.MonkeyPatch, step: float) -> Iterator[float]:
    """A clock that goes on by this much whenever it is looked at."""
    looks = (step * look for look in itertools.count())
    monkeypatch.setattr("mauerwerk.kernels.search.search.perf_counter", lambda: next(looks))
    return looks
