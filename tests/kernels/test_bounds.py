"""No number of an observation leaves its bounds, and chance players reach most of them."""

import random
from typing import Any, Final

import numpy as np
import pytest
from tests.support.amounts import amount

from mauerwerk.core.game import Setup
from mauerwerk.core.observation import Bounds
from mauerwerk.core.options import from_words
from mauerwerk.games import GAMES
from mauerwerk.kernels import KERNELS, kernel_of
from mauerwerk.kernels.observation import spec_of
from mauerwerk.kernels.play.batch import Batch
from mauerwerk.kernels.play.single import SingleGame

GAMES_OF_EACH: Final = amount(4, 6, 400)
STEPS: Final = amount(300, 600, 5000)

REACHED: Final = {
    "mauer": {"waiting", "master", "left", "right", "wall", "piece", "rounds", "scored"},
    "burgbaumeister": {"player", "pictures", "layout", "depot", "number", "spell"},
    "mauerbauer": {"waiting", "builder", "die", "dice", "walls_left", "towers_left", "discard"},
}
"""Parts whose largest numbers occur at every place within a few hundred games of chance.

Of the others some do not: to have a hand of 26 pieces or a game of 90 turns takes intention.
"""


def refuse(features: Any, bounds: Bounds, layout: dict[str, slice]) -> None:  # noqa: ANN401
    """Name the part that has a number outside its bounds."""
    outside = (features < bounds.lowest) | (features > bounds.highest)
    assert not outside.any(), [part for part, at in layout.items() if outside[..., at].any()]


@pytest.mark.parametrize("remember", [False, True])
@pytest.mark.parametrize("name", KERNELS)
def test_whole_games_stay_within_their_bounds(name: str, remember: bool) -> None:  # noqa: FBT001
    """With any number of seats and any options, before nature's moves too."""
    game, kernel = GAMES[name], kernel_of(name, remember=remember)
    draw = random.Random(f"bounds of {name}").randrange
    for _ in range(GAMES_OF_EACH):
        setup = kernel.random_setup(draw)
        spec = spec_of(game, remember=remember)
        bounds, layout = spec.bounds(setup), dict(spec.layout(setup))
        position = SingleGame(game, setup, remember=remember)
        while seats := position.to_act:
            refuse(position.features, bounds, layout)
            seat = seats[draw(len(seats))]
            legal = position.legal(seat)
            position.apply(seat, legal[draw(len(legal))])
        refuse(position.features, bounds, layout)


@pytest.mark.parametrize(
    ("name", "seats", "words"),
    [
        ("mauer", 4, {"rounds": "2"}),
        ("burgbaumeister", 3, {"variant": "yes", "memory_aid": "yes", "depot": "chaotic"}),
        ("mauerbauer", 2, {"board": "small", "early": "yes"}),
    ],
)
def test_bounds_are_no_wider_than_they_must_be(
    name: str, seats: int, words: dict[str, str]
) -> None:
    """The largest number is reached, and so is the smallest, in many games of chance."""
    game = GAMES[name]
    setup = Setup(seats, from_words(game.OPTIONS, words))
    bounds, batch = spec_of(game).bounds(setup), Batch(game, setup, 64, seed=1, linger=True)
    highest, lowest = np.zeros(len(bounds.highest), np.int16), np.array(bounds.highest, np.int16)
    for _ in range(STEPS):
        batch.choose()
        batch.step(checked=False)
        highest = np.maximum(highest, batch.observations.max(axis=(0, 1)))
        lowest = np.minimum(lowest, batch.observations.min(axis=(0, 1)))

    refuse(highest, bounds, dict(batch.layout))
    refuse(lowest, bounds, dict(batch.layout))
    for part in REACHED[name]:
        place = batch.layout[part]
        assert highest[place].tolist() == list(bounds.highest[place]), part
    for each in spec_of(game).parts:
        if each.fixed:
            place = batch.layout[each.name]
            assert lowest[place].tolist() == list(bounds.lowest[place]), each.name


def test_the_bounds_of_die_mauer_are_those_of_the_table() -> None:
    """Three seats, one round, no gate, a short stall: what cannot be has 0 (DM-1, DM-24, DM-27)."""
    game = GAMES["mauer"]
    setup = Setup(3, from_words(game.OPTIONS, {"pieces": "T12346", "rounds": "1", "stall": "5"}))
    layout = spec_of(game).layout(setup)

    def highest(part: str) -> list[int]:
        return list(spec_of(game).bounds(setup).highest[layout[part]])

    assert highest("idle") == [5]
    assert highest("rounds") == [1]
    assert highest("waiting") == [1, 1, 1, 0, 0, 0]
    assert highest("hand") == [3, 0, 3, 3, 3, 3, 3]
    assert highest("counts") == [3 * 6 - 1] * 3 + [0] * 3
    assert highest("totals") == [3 * (15 + 1 + 2 + 3 + 4 + 6) - 1] * 3 + [0] * 3


def test_the_best_nine_cards_are_worth_26_points() -> None:
    """King, queen, three couples and a card with two ravens (BB-20 to BB-23)."""
    game = GAMES["burgbaumeister"]
    for variant, points in (("no", 9), ("yes", 9 + 3 + 3 + 3 * 3 + 2)):
        setup = Setup(2, from_words(game.OPTIONS, {"variant": variant}))
        place = spec_of(game).layout(setup)["points"]

        assert spec_of(game).bounds(setup).highest[place] == (points, points, 0, 0)
