"""What the bot that searches believes: bounded in size and in time, and never at odds."""

from collections.abc import Iterator
from itertools import chain
from math import inf
from statistics import fmean
from typing import Any

import pytest
from msgspec.structs import replace
from tests.support.amounts import amount
from tests.support.positions import draws, gifts, seen_after, setup_of, sights

from mauerwerk.bots.bot import Uniform
from mauerwerk.bots.memory import Tracker
from mauerwerk.core.beliefs import PERFECT
from mauerwerk.core.game import AnyGame, Seat, Sight
from mauerwerk.games import mauer, mauerbauer
from mauerwerk.games.mauer import beliefs as of_mauer
from mauerwerk.games.mauer.beliefs import MOST_WORLDS
from mauerwerk.games.mauer.events import Task
from mauerwerk.games.mauer.legality import sites
from mauerwerk.games.mauer.values import Piece
from mauerwerk.games.mauerbauer import beliefs as of_mauerbauer
from mauerwerk.games.mauerbauer.beliefs import MOST_HYPOTHESES, Hypothesis, Shift
from mauerwerk.games.mauerbauer.guild import DECK

FOUR = setup_of(mauer, 4, first="0")


def test_many_gifts_leave_a_belief_of_bounded_size() -> None:
    """Twelve unseen gifts could be billions of worlds (DM-19)."""
    state, watch = gifts(FOUR, 12)
    sight = watch.sight(state)
    tracker = Tracker(mauer, PERFECT, draws())
    belief = tracker.belief(sight, inf)

    assert 1 < len(belief.worlds) <= MOST_WORLDS
    for _ in range(20):
        world = of_mauer.sample(belief, sight.view, FOUR.options, draws())
        assert mauer.view(world, Seat(2)) == sight.view


def test_without_time_pieces_are_dealt_anew() -> None:
    """By what the table shows alone."""
    state, watch = gifts(FOUR, 6)
    sight = watch.sight(state)
    belief = Tracker(mauer, PERFECT, draws()).belief(sight, -inf)

    for world in belief.worlds:
        assert world.hands[2] == sight.view.hands[2]
        assert tuple(map(len, world.hands)) == sight.view.counts


def test_who_names_a_piece_or_must_is_dealt_one_that_fits() -> None:
    """The master builder with an empty fist, seen by somebody who only looks on (DM-18)."""
    naming = seen_after(mauer, mauer.start(FOUR), "0:- 1:4 2:4 3:4", 2)
    named = seen_after(mauer, mauer.start(FOUR), "0:- 1:4 2:4 3:4 0:!T", 2)

    for world in Tracker(mauer, PERFECT, draws()).belief(named, -inf).worlds:
        assert Piece.TOWER in world.hands[0]
    for world in Tracker(mauer, PERFECT, draws()).belief(naming, -inf).worlds:
        assert any(sites(naming.view.wall, piece) for piece in world.hands[0])


def test_who_builds_next_still_holds_what_they_show() -> None:
    """Of three who show a 4, two build; the first of them is to, and both still hold it (DM-17)."""
    seen = seen_after(mauer, mauer.start(FOUR), "0:4 1:4 2:T 3:4", 2)

    assert (seen.view.task, seen.view.waiting) == (Task.BUILD, (Seat(1),))
    for world in Tracker(mauer, PERFECT, draws()).belief(seen, -inf).worlds:
        assert all(Piece.WALL_4 in world.hands[seat] for seat in (1, 3))


def test_who_shows_another_piece_still_holds_it() -> None:
    """Also one who sits between the master builder and the next who builds (DM-17)."""
    seen = seen_after(mauer, mauer.start(FOUR), "0:4 1:T 2:4 3:4", 3)

    assert (seen.view.task, seen.view.waiting) == (Task.BUILD, (Seat(2),))
    for world in Tracker(mauer, PERFECT, draws()).belief(seen, -inf).worlds:
        assert Piece.TOWER in world.hands[1]


def test_a_belief_that_is_too_large_keeps_the_likeliest_part() -> None:
    """As it is, where it is just small enough; otherwise what no other weighs more than."""
    few = tuple(Hypothesis((Shift((card,), (1, 0)),), 1 + n) for n, card in enumerate(DECK[:8]))
    shifts = tuple(tuple(each.shifts * n for n in range(1, 34)) for each in few)
    many = tuple(
        Hypothesis(each, 1 + weight) for weight, each in enumerate(chain.from_iterable(shifts))
    )
    belief = of_mauerbauer.Belief(Seat(0), (), (), many[:MOST_HYPOTHESES])

    assert of_mauerbauer.bounded(belief, draws()) == belief
    larger = replace(belief, hypotheses=many)
    kept = of_mauerbauer.bounded(larger, draws()).hypotheses
    assert sorted(each.weight for each in kept) == [each.weight for each in many[-MOST_HYPOTHESES:]]


@pytest.mark.parametrize("lot", ["lowest", "highest"])
def test_of_worlds_with_equal_luck_the_likeliest_stay(lot: str) -> None:
    """Whatever all of them draw; with the worst luck each keeps its own weight."""
    full = of_mauer.begin(3).worlds[0].hands
    worlds = tuple(of_mauer.World(full, 1 + n) for n in range(MOST_WORLDS + 40))
    belief = of_mauer.Belief((), worlds)

    kept = of_mauer.bounded(belief, lambda n: 0 if lot == "lowest" else n - 1).worlds

    assert len(kept) == MOST_WORLDS
    if lot == "highest":
        shares = sorted(each.weight / kept[0].weight for each in kept)
        expected = sorted(each.weight / worlds[-1].weight for each in worlds[40:])
        assert shares == pytest.approx(expected)
    else:
        assert len({each.weight for each in kept}) == 1
    assert of_mauer.bounded(replace(belief, worlds=worlds[40:]), draws()).worlds == worlds[40:]


def test_a_thinned_belief_is_as_likely_as_a_whole_one() -> None:
    """On average: what is left stands for what was left out, and nothing counts twice."""
    state, watch = gifts(FOUR, 6)
    sight = watch.sight(state)
    exact = of_mauer.believe(sight)
    trackers = [Tracker(mauer, PERFECT, draws(seed)).belief(sight, inf) for seed in range(30)]

    assert len(exact.worlds) > MOST_WORLDS
    for seat, piece in ((1, Piece.WALL_1), (0, Piece.TOWER)):
        thinned = [holds(belief, seat, piece) for belief in trackers]
        assert fmean(thinned) == pytest.approx(holds(exact, seat, piece), abs=0.02)


def holds(belief: of_mauer.Belief, seat: int, piece: Piece) -> float:
    """How likely somebody holds a piece."""
    total = sum(world.weight for world in belief.worlds)
    return sum(world.weight for world in belief.worlds if piece in world.hands[seat]) / total


def every(
    game: AnyGame, seats: int, seed: int, **options: str
) -> Iterator[tuple[Sight[Any, Any, Any], Any]]:
    """What every seat sees in a game by chance, and the setup."""
    setup = setup_of(game, seats, **options)
    for sight, _ in sights(game, setup, Uniform(game, setup, draws(seed)), seed):
        yield sight, setup.options


@pytest.mark.parametrize("seed", range(amount(1, 3, 30)))
def test_dealt_hands_agree_with_the_table(seed: int) -> None:
    """In every position of a game, also while several build the same piece (DM-17)."""
    for sight, options in every(mauer, 5, seed, rounds="2"):
        belief = Tracker(mauer, PERFECT, draws()).belief(sight, -inf)
        world = of_mauer.sample(belief, sight.view, options, draws())
        assert mauer.view(world, sight.seat) == sight.view


@pytest.mark.parametrize("seed", range(amount(2, 4, 30)))
def test_dealt_hands_agree_where_many_build_at_once(seed: int) -> None:
    """With few pieces nearly every plan is guessed, and all guessers build in turn (DM-17)."""
    building: set[int] = set()
    for sight, options in every(mauer, 4, seed, rounds="8", pieces="123"):
        belief = Tracker(mauer, PERFECT, draws()).belief(sight, -inf)
        world = of_mauer.sample(belief, sight.view, options, draws())
        assert mauer.view(world, sight.seat) == sight.view
        if sight.view.task is Task.BUILD:
            building.update(sight.view.waiting)
    assert building == set(range(4))


@pytest.mark.parametrize("seed", range(amount(1, 2, 20)))
def test_dealt_cards_agree_with_the_table(seed: int) -> None:
    """In every position of a game, also while cards lie before their players (MB-43)."""
    for sight, options in every(mauerbauer, 3, seed, board="wme/wme"):
        belief = Tracker(mauerbauer, PERFECT, draws()).belief(sight, -inf)
        world = of_mauerbauer.sample(belief, sight.view, options, draws())
        assert mauerbauer.view(world, sight.seat) == sight.view


def test_trackers_follow_as_beliefs_do() -> None:
    """As long as nothing has to be left out, a tracker that was told bit by bit is exact."""
    trackers = [Tracker(mauer, PERFECT, draws()) for _ in range(4)]
    for sight, _ in every(mauer, 4, 5, rounds="2"):
        if sight.told:
            exact = of_mauer.believe(sight)
            if len(exact.worlds) < MOST_WORLDS:
                assert trackers[sight.seat].belief(sight, inf) == exact
