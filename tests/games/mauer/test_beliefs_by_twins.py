"""What a seat can work out in Die Mauer, against brute force and over many games.

The brute force knows nothing of hands or gifts: it keeps every state that looks to a viewer as the
table does, with the chance that players who choose evenly among their legal actions lead to it.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator
from fractions import Fraction
from math import prod
from random import Random
from typing import NamedTuple

import pytest
from tests.support.amounts import amount

from mauerwerk.core.game import Observer, Seat, Setup, Sight, Step
from mauerwerk.games import mauer
from mauerwerk.games.mauer.beliefs import (
    Belief,
    Hands,
    World,
    after,
    begin,
    believe,
    possible,
    sample,
)
from mauerwerk.games.mauer.events import Event, NobodyBuilds, View
from mauerwerk.games.mauer.values import (
    Action,
    Drawing,
    Options,
    Piece,
    Plan,
    Planning,
    State,
    Table,
)

SPECTATOR = None


def viewers(seats: int) -> tuple[Seat | None, ...]:
    return (SPECTATOR, *map(Seat, range(seats)))


class Moment(NamedTuple):
    """A move of a random game, and where it led."""

    actor: Seat
    action: Action
    step: Step[State, Event]

    def told(self, viewer: Seat | None) -> tuple[Event, ...]:
        """What this viewer notices of it."""
        return noticed(self.step, viewer)


def noticed(step: Step[State, Event], viewer: Seat | None) -> tuple[Event, ...]:
    seen = (mauer.seen(event, viewer) for event in step.events)
    return tuple(event for event in seen if event is not None)


def random_game(state: State, seed: int, empty: float = 0.0) -> Iterator[Moment]:
    """Any legal moves, fists closing in any order, with this much liking for the empty fist."""
    chance = Random(seed)
    while asked := mauer.to_act(state):
        actor = chance.choice(asked)
        choices = mauer.legal(state, actor)
        willing = isinstance(state, Planning) and chance.random() < empty
        action = choices[-1] if willing else chance.choice(choices)
        step = mauer.apply(state, actor, action)
        yield Moment(actor, action, step)
        state = step.state


def true_hands(state: State) -> Hands:
    assert not isinstance(state, Drawing)
    return state.table.hands


# --- Brute force -----------------------------------------------------------------------------

Twins = dict[State, Fraction]


def followed(twins: Twins, viewer: Seat | None, moment: Moment, *, unfold: bool = True) -> Twins:
    """Every state in which a move of this actor looks to the viewer as the real one did.

    Unless they are to unfold, plans are as they were made. That is foresight as long as fists are
    closed, and right again once they are open.
    """
    alike: Twins = defaultdict(Fraction)
    for state, chance in twins.items():
        choices = mauer.legal(state, moment.actor)
        for action in choices:
            if not unfold and isinstance(action, Plan) and action != moment.action:
                continue
            step = mauer.apply(state, moment.actor, action)
            if noticed(step, viewer) == moment.told(viewer):
                alike[step.state] += chance / len(choices)
    return alike


def evened(twins: Twins) -> Twins:
    """The same with chances that sum to 1."""
    total = sum(twins.values())
    return {state: chance / total for state, chance in twins.items()}


def hands_of(twins: Twins) -> dict[Hands, Fraction]:
    chances: dict[Hands, Fraction] = defaultdict(Fraction)
    for state, chance in evened(twins).items():
        chances[true_hands(state)] += chance
    return chances


def chances_of(belief: Belief) -> dict[Hands, Fraction]:
    total = sum(world.weight for world in belief.worlds)
    return {world.hands: Fraction(world.weight, total) for world in belief.worlds}


def every_sample(belief: Belief, view: View, options: Options) -> Twins:
    """All that chance can lead to, exactly: each draw is answered in every way."""
    states: Twins = defaultdict(Fraction)
    answers: list[int] = []
    while True:
        bounds: list[int] = []

        def draw(bound: int, bounds: list[int] = bounds) -> int:
            bounds.append(bound)
            if len(bounds) > len(answers):
                answers.append(0)
            return answers[len(bounds) - 1]

        state = sample(belief, view, options, draw)
        states[state] += Fraction(1, prod(bounds))
        while answers and answers[-1] == bounds[len(answers) - 1] - 1:
            answers.pop()
        if not answers:
            return states
        answers[-1] += 1


@pytest.mark.rule("DM-2", "DM-5", "DM-19")
@pytest.mark.parametrize(
    ("viewer", "seed"),
    [
        pytest.param(SPECTATOR, 0, marks=pytest.mark.thorough),
        pytest.param(SPECTATOR, 1, marks=pytest.mark.slow),
        *((Seat(seed % 3), seed) for seed in range(amount(6, 6, 12))),
    ],
)
def test_a_belief_is_all_states_that_look_alike(viewer: Seat | None, seed: int) -> None:
    """Hands, weights and samples are those of all twin states, after every move (DM-2, DM-19)."""
    options = Options(rounds=2, first="lot", stall=5)
    state, belief = mauer.start(Setup(3, options)), begin(3)
    twins: Twins = {state: Fraction(1)}
    samples = 0
    for moment in random_game(state, seed, empty=0.5):
        twins = followed(twins, viewer, moment)
        belief = after(belief, moment.told(viewer))
        view = mauer.view(moment.step.state, viewer)

        assert chances_of(belief) == hands_of(twins)
        if len(twins) * sum(world.weight for world in belief.worlds) <= 200:
            assert every_sample(belief, view, options) == evened(twins)
            samples += 1
    assert samples > 30


@pytest.mark.thorough
@pytest.mark.rule("DM-18", "DM-19", "DM-26")
def test_a_belief_is_all_states_that_look_alike_late_in_a_round() -> None:
    """With few pieces left and no room for tower and gate, too (DM-18, DM-26)."""
    ruled_out: Counter[str] = Counter()
    for seed in range(amount(300, 300, 3000)):
        state, belief = late(few_pieces(Random(seed)))
        twins: Twins = {state: Fraction(1)}
        for moment in random_game(state, seed, empty=0.3):
            twins = followed(twins, SPECTATOR, moment)
            before, belief = belief, after(belief, moment.told(SPECTATOR))

            assert chances_of(belief) == hands_of(twins)
            if len(belief.worlds) < len(before.worlds):
                ruled_out[type(moment.step.state).__name__] += 1
                ruled_out.update(e.clause for e in moment.step.events if type(e) is NobodyBuilds)
    assert ruled_out["Choosing"] > 2
    assert ruled_out["DM-18"] > 2


def late(held: Hands) -> tuple[State, Belief]:
    """The wall is a tower, everybody knows these hands, and seat 0 is the master builder."""
    wall = (Piece.TOWER,)
    table = Table(Options(rounds=1), Seat(0), wall, held, idle=0, turns=30, scores=())
    return Planning(table, (None,) * len(held)), Belief(wall, (World(held, 1),))


def few_pieces(deal: Random) -> Hands:
    """One seat has two 6s; the other two hold only tower, gate and perhaps a 4."""
    tower, gate, four = Piece.TOWER, Piece.GATE, Piece.WALL_4
    one, two = deal.choices([(tower, gate), (tower, gate, four), (gate, four)], k=2)
    return (one, two, (Piece.WALL_6, Piece.WALL_6))


@pytest.mark.rule("DM-2", "DM-19")
@pytest.mark.parametrize("seats", [4, 6])
def test_a_belief_is_right_at_bigger_tables(seats: int) -> None:
    """Whenever all fists are open, hands and weights are those of all twins (DM-19)."""
    start = mauer.start(Setup(seats, Options(rounds=1, stall=8)))
    compared = 0
    for seed, viewer in enumerate(viewers(seats)):
        twins: Twins = {start: Fraction(1)}
        belief = begin(seats)
        for moment in random_game(start, seed, empty=0.3):
            twins = followed(twins, viewer, moment, unfold=False)
            belief = after(belief, moment.told(viewer))
            if not isinstance(moment.action, Plan):
                assert chances_of(belief) == hands_of(twins)
                compared += len(belief.worlds) > 1
    assert compared > 50


# --- Many games ------------------------------------------------------------------------------


@pytest.mark.rule("DM-2", "DM-19")
@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_the_true_hands_are_always_possible(seats: int) -> None:
    """No viewer ever rules out the truth, and every seat knows its own hand (DM-2)."""
    positions, games = 0, amount(4, 6, 100)
    for seed in range(games):
        state = mauer.start(Setup(seats, Options(rounds=1)))
        beliefs = dict.fromkeys(viewers(seats), begin(seats))
        for moment in random_game(state, seed, empty=0.25):
            held = true_hands(moment.step.state)
            for viewer, belief in beliefs.items():
                beliefs[viewer] = after(belief, moment.told(viewer))
                worlds = possible(beliefs[viewer])
                assert held in worlds
                assert viewer is None or {hands[viewer] for hands in worlds} == {held[viewer]}
                positions += 1
    assert positions > 150 * games


def test_a_sight_tells_as_much_as_following_the_game() -> None:
    """Memory is in the events told: a bot that begins late believes the same."""
    watch, belief = Observer(mauer, Seat(2)), begin(3)
    for moment in random_game(mauer.start(Setup(3, Options(rounds=1))), seed=5, empty=0.4):
        belief = after(belief, watch.follow(moment.step))
        sight: Sight[Action, Event, View] = watch.sight(moment.step.state)

        assert believe(sight) == belief


@pytest.mark.rule("DM-2", "DM-5", "DM-19")
@pytest.mark.parametrize("seats", [3, 5])
def test_a_sample_looks_like_the_table_and_can_be_played_on(seats: int) -> None:
    """A viewer cannot tell it from the truth, and the game goes on from it to its end."""
    chance = Random(seats)
    options = Options(rounds=1, first="lot", stall=4)
    for viewer in viewers(seats):
        state, belief = mauer.start(Setup(seats, options)), begin(seats)
        for moment in random_game(state, seed=seats, empty=0.3):
            belief = after(belief, moment.told(viewer))
            view = mauer.view(moment.step.state, viewer)
            sampled = sample(belief, view, options, chance.randrange)

            assert mauer.view(sampled, viewer) == view
            assert type(sampled) is type(moment.step.state)
            if chance.random() < 0.05:
                for later in random_game(sampled, seed=seats):
                    sampled = later.step.state
                assert mauer.outcome(sampled) is not None
