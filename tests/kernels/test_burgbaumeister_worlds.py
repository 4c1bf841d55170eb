"""Burgbaumeister: what a seat cannot see, filled in by the kernel just as beliefs would."""

from collections.abc import Iterator
from fractions import Fraction
from random import Random
from typing import Any, NamedTuple

import numpy as np
import pytest
from tests.support.amounts import amount

from mauerwerk.core.beliefs import ABSENT, PERFECT, Memory
from mauerwerk.core.game import NATURE, Seat, Setup, draw_lot
from mauerwerk.games import burgbaumeister as bb
from mauerwerk.games.burgbaumeister.beliefs import Belief, after, begin, numbers_at, recall, sample
from mauerwerk.games.burgbaumeister.numbering import number
from mauerwerk.games.burgbaumeister.values import Show, Turn, Turning
from mauerwerk.kernels import kernel_of
from mauerwerk.kernels.play.single import SingleGame
from mauerwerk.kernels.search.worlds import determinize, finish, packed

kernel: Any = kernel_of("burgbaumeister")

WATCHER = Seat(1)
MEMORIES = [PERFECT, Memory(), Memory(900, 700), ABSENT]


class Moment(NamedTuple):
    """A position of a game, and what can be known of it."""

    state: bb.State
    belief: Belief


def moments(setup: Setup[bb.Options], seed: int) -> Iterator[Moment]:
    """The positions of a game by chance."""
    draw = Random(seed).randrange
    state, belief = bb.start(setup), begin(setup.options.cards)
    while seats := bb.to_act(state):
        yield Moment(state, belief)
        legal = bb.legal(state, seats[0])
        nature = seats[0] == NATURE
        action = draw_lot(bb.odds(state), draw) if nature else legal[draw(len(legal))]
        step = bb.apply(state, seats[0], action)
        state, belief = step.state, after(belief, step.events)
    yield Moment(state, belief)


def world_of(setup: Setup[bb.Options], state: bb.State, belief: Belief) -> Any:  # noqa: ANN401
    """The one world of this belief, as the kernel fills it in."""
    return determinize(bb, setup, state, WATCHER, belief, worlds=1, seed=1)


def options_of(seed: int) -> Setup[bb.Options]:
    """A setup by chance."""
    setup: Setup[bb.Options] = kernel.random_setup(Random(seed).randrange)
    return setup


@pytest.mark.rule("BB-9")
@pytest.mark.parametrize("memory", MEMORIES, ids=["perfect", "usual", "weak", "absent"])
def test_the_kernel_imagines_what_beliefs_would(memory: Memory) -> None:
    """To the byte, for every memory, with the aid and without it (BB-9)."""
    for seed in range(amount(4, 4, 60)):
        setup = options_of(seed)
        for state, belief in list(moments(setup, seed))[::9]:
            recalled = recall(belief, memory, Random(seed).randrange)
            view = bb.view(state, WATCHER)
            expected = sample(recalled, view, setup.options, Random(0).randrange)

            world = world_of(setup, state, recalled)

            assert world.tobytes() == packed(bb, setup, expected).tobytes()
            assert kernel.unpack(setup, world[0]) == expected


@pytest.mark.rule("BB-9")
def test_what_nobody_remembers_does_not_matter() -> None:
    """Two tables that look alike now lead to the same worlds, whatever was turned there (BB-9)."""
    setup = Setup(3, bb.Options(variant=True))
    state, belief = list(moments(setup, 5))[150]
    assert isinstance(state, Turning)
    forgotten = recall(belief, ABSENT, Random(0).randrange)
    other = sample(forgotten, bb.view(state, WATCHER), setup.options, Random(0).randrange)
    assert other != state

    assert (
        world_of(setup, other, forgotten).tobytes() == world_of(setup, state, forgotten).tobytes()
    )


@pytest.mark.rule("BB-9")
@pytest.mark.parametrize("memory", MEMORIES, ids=["perfect", "usual", "weak", "absent"])
def test_nature_deals_by_just_the_chances_of_the_belief(memory: Memory) -> None:
    """Of every card that lies in the depot, exactly (BB-9)."""
    setup = Setup(4, bb.Options(variant=True))
    turnings = [each for each in moments(setup, 3) if isinstance(each.state, Turning)]
    for state, belief in turnings[:: len(turnings) // 5]:
        assert isinstance(state, Turning)
        recalled = recall(belief, memory, Random(2).randrange)
        world = kernel.unpack(setup, world_of(setup, state, recalled)[0])
        for place in state.table.depot:
            position = SingleGame(bb, setup)
            position.state = world
            position.apply(state.table.player, number(Turn(place)))
            whole = sum(position.odds.values())
            dealt = {
                shown.number: Fraction(weight, whole)
                for shown, weight in ((position.values[n], w) for n, w in position.odds.items())
                if isinstance(shown, Show)
            }

            assert dealt == numbers_at(recalled, place)


def test_worlds_are_played_out_from_where_they_are() -> None:
    """All begin alike; chance deals what nobody knows, and each comes to an end of its own."""
    setup = Setup(2, bb.Options(variant=True))
    state, belief = list(moments(setup, 1))[60]
    worlds = determinize(bb, setup, state, WATCHER, belief, worlds=50, seed=1)
    assert len(np.unique(worlds)) == 1

    ended = finish(bb, setup, worlds, seed=4)

    assert len(np.unique(worlds)) > 40
    assert (ended.turns > bb.turn(state)).all()
