"""What a learner of Mauerbauer is shown that remembers cards and shuffles (MB-8, MB-46)."""

import random
from collections import Counter
from typing import Any

from tests.support.amounts import amount

from mauerwerk.core.game import NATURE, Observer, Seat, Setup
from mauerwerk.games import mauerbauer
from mauerwerk.games.mauerbauer import beliefs
from mauerwerk.games.mauerbauer.beliefs import Belief
from mauerwerk.games.mauerbauer.guild import KINDS
from mauerwerk.games.mauerbauer.values import Options, deck_of
from mauerwerk.kernels import kernel_of
from mauerwerk.kernels.play.single import SingleGame

KERNEL: Any = kernel_of("mauerbauer", remember=True)
TWO = Setup(2, Options())
GAMES = amount(2, 2, 60)
MOST_HYPOTHESES = 200


def part(setup: Setup[Options], numbers: list[int], name: str) -> list[int]:
    """A part of an observation."""
    place: slice = KERNEL.OBSERVATION.layout(setup)[name]
    return numbers[place]


def test_at_first_all_cards_are_fresh() -> None:
    """Six were dealt to each; one sees one's own (MB-8)."""
    game = SingleGame(mauerbauer, TWO, remember=True)
    while game.to_act == (NATURE,):
        game.apply(NATURE, game.pick(NATURE, 0))

    for numbers in game.features.tolist():
        unseen = part(TWO, numbers, "unseen")
        assert sum(unseen) == 60 - 6
        assert unseen == part(TWO, numbers, "fresh_least") == part(TWO, numbers, "fresh_most")
        assert part(TWO, numbers, "held_least") == part(TWO, numbers, "held_most") == [0, 6, 0, 0]
        assert part(TWO, numbers, "drew") == [1, 1, 0, 0]
        assert not any(part(TWO, numbers, "played"))


def compare_with_beliefs(setup: Setup[Options], numbers: list[int], belief: Belief) -> bool:
    """Beliefs are within the bounds, and equal to them where these are; whether all are."""
    first = belief.hypotheses[0]
    unseen = Counter(card for shift in first.shifts for card in shift.cards)
    assert part(setup, numbers, "unseen") == [unseen[card] for card in KINDS]
    clockwise = [((belief.seat or 0) + step) % setup.seats for step in range(setup.seats)]
    present = [each.shifts[-1] for each in belief.hypotheses]
    fresh = [[shift.cards.count(card) for shift in present] for card in KINDS]
    held = [[shift.slots[seat] for shift in present] for seat in clockwise]
    certain = True
    for name, numbers_of in (("fresh", fresh), ("held", held)):
        least, most = part(setup, numbers, f"{name}_least"), part(setup, numbers, f"{name}_most")
        for low, high, believed in zip(least, most, numbers_of, strict=False):
            assert low <= min(believed) <= max(believed) <= high
            certain &= low == high
    return certain


def test_bounds_agree_with_beliefs() -> None:
    """In random games with shuffles; where the bounds meet, beliefs are certain too (MB-46)."""
    draw = random.Random(5).randrange
    certain = Counter[bool]()
    for _ in range(GAMES):
        setup = KERNEL.random_setup(draw)
        observer = Observer(mauerbauer, Seat(0))
        belief = beliefs.begin(setup.seats, Seat(0), deck_of(setup.options))
        state: Any = mauerbauer.start(setup)
        while asked := mauerbauer.to_act(state):
            seat = asked[0]
            choices = [*mauerbauer.odds(state)] if seat == NATURE else mauerbauer.legal(state, seat)
            step = mauerbauer.apply(state, seat, choices[draw(len(choices))])
            state = step.state
            belief = beliefs.after(belief, observer.follow(step))
            if len(belief.hypotheses) > MOST_HYPOTHESES or not mauerbauer.to_act(state):
                break
            if draw(4) == 0:
                numbers = list(KERNEL.remembered(setup, observer.sight(state)))
                certain[compare_with_beliefs(setup, numbers, belief)] += 1

    assert certain[True]
    assert certain[False]
