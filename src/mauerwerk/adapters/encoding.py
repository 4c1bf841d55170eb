"""How what a seat knows becomes an observation: integers for learners.

A kernel has an encoding of the whole view, and another one that adds what a perfect memory knows,
as `mauerwerk.kernels.contract` describes it. For a game without a kernel there is a plain
encoding: who must act, what the seat itself may do, and how many turns have been played. That is
enough to play by, but not all that a seat knows; OpenSpiel's strings hold that for every game.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from mauerwerk.core.game import AnyGame, Seat, Setup, Value
from mauerwerk.core.sight import Sight
from mauerwerk.kernels.observation import Bounds, ObservationSpec, Part

Features = npt.NDArray[np.int16]

MOST: Final = int(np.iinfo(np.int16).max)
"""The largest number that an observation has room for."""


class PlacedPart(Value):
    """A stretch of an observation, for people; `docs/how-to` has them as tables."""

    name: str
    begin: int
    end: int
    """The first place after it."""
    largest: int
    """No number in it is ever larger at such a table."""
    meaning: str


class Encoding(NamedTuple):
    """How a game's observations are made, and what their parts mean."""

    spec: ObservationSpec
    setup: Setup[Any]
    features: Callable[[Any, Seat, tuple[Any, ...]], Sequence[int]]
    """The observation of a seat in a state of the rules, after all that it was told.

    Only one that remembers looks at what was told.
    """

    @property
    def width(self) -> int:
        """The number of integers in an observation."""
        return self.spec.width(self.setup)

    @property
    def layout(self) -> Mapping[str, slice]:
        """Where each part of an observation stands, in order and without gaps."""
        return self.spec.layout(self.setup)

    @property
    def bounds(self) -> Bounds:
        """The smallest and the largest number at each place."""
        return self.spec.bounds(self.setup)

    @property
    def parts(self) -> tuple[PlacedPart, ...]:
        """All parts of an observation, in order.

        >>> from mauerwerk.adapters.setting import setting_of
        >>> setting_of("mauer").encoding.parts[1]
        PlacedPart(name='waiting', begin=6, end=12, largest=1, meaning='who must do it')
        """
        highest, meanings = self.bounds.highest, self.spec.meanings
        return tuple(
            PlacedPart(name, place.start, place.stop, int(highest[place].max()), meanings[name])
            for name, place in self.layout.items()
        )


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

    def seen(state: Any, seat: Seat, _told: tuple[Any, ...]) -> Sequence[int]:  # noqa: ANN401
        features: Sequence[int] = kernel.features(setup, game.view(state, seat))
        return features

    def remembered(state: Any, seat: Seat, told: tuple[Any, ...]) -> Sequence[int]:  # noqa: ANN401
        sight = Sight[Any, Any, Any](seat, game.view(state, seat), told, legal=())
        features: Sequence[int] = kernel.remembered(setup, sight)
        return features

    return Encoding(kernel.OBSERVATION, setup, remembered if remember else seen)


def _plain(game: AnyGame, setup: Setup[Any]) -> Encoding:
    choices, seats = game.choices(setup), setup.seats
    spec = ObservationSpec(
        Part("waiting", seats, "who must act; seats are counted clockwise from one's own"),
        Part("legal", len(choices), "which choices one has"),
        Part("turns", 1, "complete turns", MOST),
    )

    def features(state: Any, seat: Seat, _told: tuple[Any, ...]) -> Sequence[int]:  # noqa: ANN401
        waiting, legal = game.to_act(state), set(game.legal(state, seat))
        return [
            *((seat + step) % seats in waiting for step in range(seats)),
            *(choice in legal for choice in choices),
            min(game.turn(state), MOST),
        ]

    return Encoding(spec, setup, features)
