"""Die Mauer: what a seat cannot see, filled in by the kernel just as beliefs would."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from mauerwerk.core.game import Observer, Seat, Setup
from mauerwerk.games import mauer
from mauerwerk.games.mauer import beliefs, numbering
from mauerwerk.games.mauer.values import Planning
from mauerwerk.kernels import kernel_of
from mauerwerk.kernels.mauer import rules
from mauerwerk.kernels.search import worlds as search

kernel: Any = kernel_of("mauer")

WATCHER = Seat(2)
GIFT = "0:- 1:- 2:4 3:4 1:*T"
"""Seat 1 gives seat 0 its tower; the others do not see which piece it was."""


def seen_by(seat: Seat, words: str) -> tuple[Any, Any, Setup[Any]]:
    """The state after these moves, and what the seat believes."""
    setup = Setup(4, mauer.Options())
    watch = Observer(mauer, seat)
    state: Any = mauer.start(setup)
    for word in words.split():
        who, _, what = word.partition(":")
        step = mauer.apply(state, Seat(int(who)), mauer.parse(what))
        watch.follow(step)
        state = step.state
    return state, beliefs.believe(watch.sight(state)), setup


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


@pytest.mark.rule("DM-5", "DM-19")
@pytest.mark.parametrize(
    "words",
    [
        GIFT,
        f"{GIFT}  1:C 3:-",
        f"{GIFT}  0:1 2:4",
        f"{GIFT}  0:6 1:2 2:2 3:T 2:>  3:4 0:-",
    ],
)
def test_worlds_have_the_chances_that_beliefs_give_them(
    words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Hands by weight and anything in a closed fist, to the last fraction (DM-5, DM-19)."""
    state, belief, setup = seen_by(WATCHER, words)
    packed_setup, believed = kernel.pack_setup(setup), kernel.pack_belief(setup, belief)

    def by_beliefs(lots: Lots) -> Any:  # noqa: ANN401
        view = mauer.view(state, WATCHER)
        return beliefs.sample(belief, view, setup.options, lambda n: lots.draw(even(n)))

    def by_kernel(lots: Lots) -> Any:  # noqa: ANN401
        total = sum(world.weight for world in belief.worlds)
        shares = [Fraction(world.weight, total) for world in belief.worlds]

        def by_weight(*_given: object) -> int:
            return lots.draw(shares)

        def below(_seed: int, _number: int, _draw: int, bound: int) -> int:
            return lots.draw(even(int(bound)))

        monkeypatch.setattr(rules, "by_weight", by_weight)
        monkeypatch.setattr(rules, "below", below)
        states = search.packed(mauer, setup, state).view(np.recarray)
        kernel.fill(packed_setup.view(np.recarray)[0], states[0], WATCHER, believed, 0, 0)
        return kernel.unpack(setup, states[0])

    assert all_ways(by_kernel) == all_ways(by_beliefs)


@pytest.mark.rule("DM-5", "DM-19")
def test_worlds_look_to_the_seat_as_the_table_does() -> None:
    """Compiled, in a thousand worlds; every possibility occurs."""
    state, belief, setup = seen_by(WATCHER, f"{GIFT}  1:C 2:6 3:-")

    states = search.determinize(mauer, setup, state, WATCHER, belief, worlds=1_000, seed=1)
    worlds: list[Any] = [kernel.unpack(setup, each) for each in states]

    assert {mauer.view(world, WATCHER) for world in worlds} == {mauer.view(state, WATCHER)}
    assert {world.table.hands for world in worlds} == set(beliefs.possible(belief))
    assert len({world.fists[3] for world in worlds}) == 8
    assert {world.fists[2] for world in worlds} == {state.fists[2]}


@pytest.mark.rule("DM-5", "DM-19")
def test_worlds_do_not_depend_on_what_the_seat_cannot_see() -> None:
    """From any state that looks the same to the seat come the same worlds."""
    state, belief, setup = seen_by(WATCHER, f"{GIFT}  1:C 3:-")
    other, same_belief, _ = seen_by(WATCHER, f"{GIFT.replace('*T', '*6')}  1:T 3:4")
    assert belief == same_belief
    assert state != other

    one, two = (
        search.determinize(mauer, setup, each, WATCHER, belief, worlds=50, seed=9).tobytes()
        for each in (state, other)
    )

    assert one == two


def test_source_and_compiled_code_fill_alike() -> None:
    """The chances were counted with the source; compiled, it does the same."""
    state, belief, setup = seen_by(WATCHER, f"{GIFT}  1:C 3:-")
    packed_setup, believed = kernel.pack_setup(setup), kernel.pack_belief(setup, belief)
    compiled = search.determinize(mauer, setup, state, WATCHER, belief, worlds=40, seed=4)

    by_source = search.packed(mauer, setup, state, 40).view(np.recarray)
    for number in range(40):
        kernel.fill(
            packed_setup.view(np.recarray)[0],
            by_source[number],
            WATCHER,
            believed,
            np.uint64(4),
            number,
        )

    assert by_source.tobytes() == compiled.tobytes()


def test_worlds_can_be_played_out() -> None:
    """A move in each, then chance to the end; what it cost is what was held (DM-24)."""
    state, belief, setup = seen_by(WATCHER, GIFT)
    states = search.determinize(mauer, setup, state, WATCHER, belief, worlds=100, seed=1)

    search.move(mauer, setup, states, Seat(2), numbering.number(mauer.parse("6")))
    assert all(
        isinstance(world := kernel.unpack(setup, each), Planning)
        and world.fists[2] == mauer.parse("6")
        for each in states
    )
    played = search.finish(mauer, setup, states, seed=2)

    outcomes = [mauer.outcome(kernel.unpack(setup, each)) for each in states]
    assert [outcome and list(outcome.points) for outcome in outcomes] == played.points.tolist()
    with pytest.raises(ValueError, match="seat 2 may not do 6"):
        search.move(mauer, setup, states, Seat(2), 6)
