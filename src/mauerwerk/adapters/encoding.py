"""How what a seat knows becomes an observation: integers for learners.

A kernel has an encoding of the whole view, and another one that adds what a perfect memory knows,
as `mauerwerk.kernels.contract.memory` describes it. For a game without a kernel there is a plain
encoding: who must act, what the seat itself may do, and how many turns have been played. That is
enough to play by, but not all that a seat knows; OpenSpiel's strings hold that for every game.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from mauerwerk.core.game import AnyGame, Seat, Setup
from mauerwerk.core.sight import Sight
from mauerwerk.kernels.bounds import Bounds, bounds_of

Features = npt.NDArray[np.int16]

MOST: Final = int(np.iinfo(np.int16).max)
"""The largest number that an observation has room for."""

PLAIN: Final = {
    "waiting": "who must act; seats are counted clockwise from one's own",
    "legal": "which choices one has",
    "turns": "complete turns",
}
"""What the parts of a plain encoding say."""


class Encoding(NamedTuple):
    """How a game's observations are made, and what their parts mean."""

    layout: Mapping[str, slice]
    """Where each part of an observation stands, in order and without gaps."""
    meanings: Mapping[str, str]
    """What each part says."""
    bounds: Bounds
    """The smallest and the largest number at each place."""
    features: Callable[[Any, Seat, tuple[Any, ...]], Sequence[int]]
    """The observation of a seat in a state of the rules, after all that it was told.

    Only one that remembers looks at what was told.
    """

    @property
    def width(self) -> int:
        """The number of integers in an observation."""
        width: int = max(place.stop for place in self.layout.values())
        return width


def encoding_of(
    game: AnyGame,
    setup: Setup[Any],
    kernel: Any,  # noqa: ANN401 - a module
    *,
    remember: bool,
) -> Encoding:
    """The encoding that a kernel brings, or without one the plain encoding."""
    if kernel is None:
        return _plain(game, setup)
    return _remembering(game, setup, kernel) if remember else _of_kernel(game, setup, kernel)


def _of_kernel(game: AnyGame, setup: Setup[Any], kernel: Any) -> Encoding:  # noqa: ANN401
    def features(state: Any, seat: Seat, _told: tuple[Any, ...]) -> Sequence[int]:  # noqa: ANN401
        seen: Sequence[int] = kernel.features(setup, game.view(state, seat))
        return seen

    return Encoding(kernel.layout(setup), kernel.MEANINGS, bounds_of(game, setup), features)


def _remembering(game: AnyGame, setup: Setup[Any], kernel: Any) -> Encoding:  # noqa: ANN401
    def features(state: Any, seat: Seat, told: tuple[Any, ...]) -> Sequence[int]:  # noqa: ANN401
        sight = Sight[Any, Any, Any](seat, game.view(state, seat), told, legal=())
        known: Sequence[int] = kernel.remembered(setup, sight)
        return known

    bounds = bounds_of(game, setup, remember=True)
    return Encoding(kernel.layout(setup), kernel.MEANINGS, bounds, features)


def _plain(game: AnyGame, setup: Setup[Any]) -> Encoding:
    choices, seats = game.choices(setup), setup.seats
    ends = np.cumsum([0, seats, len(choices), 1]).tolist()
    layout = {part: slice(*ends[place : place + 2]) for place, part in enumerate(PLAIN)}

    def features(state: Any, seat: Seat, _told: tuple[Any, ...]) -> Sequence[int]:  # noqa: ANN401
        waiting, legal = game.to_act(state), set(game.legal(state, seat))
        return [
            *((seat + step) % seats in waiting for step in range(seats)),
            *(choice in legal for choice in choices),
            min(game.turn(state), MOST),
        ]

    highest = np.ones(ends[-1], np.int16)
    highest[layout["turns"]] = MOST
    return Encoding(layout, PLAIN, Bounds(np.zeros_like(highest), highest), features)
