"""A game under way, one seat after the other, that is copied at no cost.

A position never changes: a move leads to another one. This module plays by the rules;
`kernel_positions` does the same in a kernel.
"""

from random import Random
from typing import Any, Final, NamedTuple, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from mauerwerk.adapters.encoding import encoding_of
from mauerwerk.adapters.memory import Moment, resampled
from mauerwerk.adapters.setting import Setting, rewards_of
from mauerwerk.core.game import NATURE, Seat
from mauerwerk.kernels import kernel_of
from mauerwerk.kernels.play.single import OVER

Features: TypeAlias = npt.NDArray[np.int16]


class TextKey(NamedTuple):
    """Which text an observer wrote about a position."""

    player: Seat
    recall: bool
    public: bool
    private: bool


class Position(Protocol):
    """A game under way, as an adapter for sequential games needs it."""

    @property
    def texts(self) -> dict[TextKey, str]:
        """What observers have written about it."""
        ...

    @property
    def mover(self) -> int:
        """A seat, `NATURE` or `OVER`; of those who choose together, the first."""
        ...

    @property
    def moment(self) -> Moment:
        """The same as values of the rules, and what led there."""
        ...

    def legal(self, seat: Seat, /) -> list[int]:
        """The numbers of all that a seat may do."""
        ...

    def odds(self) -> list[tuple[int, int]]:
        """Nature's numbers, which come after those of the players, with their weights."""
        ...

    def after(self, number: int, /) -> "Position":
        """The position after a move of the mover. Raises IllegalMoveError."""
        ...

    def returns(self) -> list[float]:
        """What each seat has won; nothing before the end."""
        ...

    def features(self, seat: Seat, /, *, remember: bool) -> Features:
        """What a seat sees, or also what it remembers."""
        ...

    def resampled(self, seat: Seat, seed: int, /) -> "Position":
        """A position that this seat cannot tell from this one, by the chances of its belief."""
        ...

    def played_out(self, times: int, seed: int, /) -> list[float]:
        """What each seat wins on average if all choose uniformly from here on."""
        ...


class RulesPosition:
    """A game by the rules."""

    def __init__(self, setting: Setting, moment: Moment) -> None:
        """At this moment."""
        self._setting = setting
        self.moment: Final = moment
        self.texts: Final[dict[TextKey, str]] = {}

    @property
    def mover(self) -> int:
        """The one that moves."""
        return self.moment.asked[0] if self.moment.asked else OVER

    def legal(self, seat: Seat, /) -> list[int]:
        """The numbers of all that a seat may do."""
        return legal_by_rules(self._setting, self.moment, seat)

    def odds(self) -> list[tuple[int, int]]:
        """Nature's numbers with their weights."""
        odds = self._setting.game.odds(self.moment.state)
        return sorted((self._setting.numbers[lot], weight) for lot, weight in odds.items())

    def after(self, number: int, /) -> "RulesPosition":
        """The position after a move."""
        moment = moved_by_rules(self._setting, self.moment, number)
        return RulesPosition(self._setting, moment)

    def returns(self) -> list[float]:
        """What each seat has won."""
        outcome = self._setting.game.outcome(self.moment.state)
        return rewards_of(outcome) if outcome else [0.0] * len(self._setting.seats)

    def features(self, seat: Seat, /, *, remember: bool) -> Features:
        """What a seat sees or remembers."""
        return features_by_rules(self._setting, self.moment, seat, remember=remember)

    def resampled(self, seat: Seat, seed: int, /) -> "RulesPosition":
        """A position as it may be for this seat."""
        draw = Random(seed).randrange  # noqa: S311 - not a secret
        return RulesPosition(self._setting, resampled(self._setting, self.moment, seat, draw))

    def played_out(self, times: int, seed: int, /) -> list[float]:
        """What each seat wins on average."""
        chance = Random(seed)  # noqa: S311 - as above
        total = np.zeros(len(self._setting.seats))
        for _ in range(times):
            total += self._end(chance).returns()
        mean: list[float] = (total / times).tolist()
        return mean

    def _end(self, chance: Random) -> "RulesPosition":
        position = self
        while (mover := position.mover) != OVER:
            if mover == NATURE:
                numbers, weights = zip(*position.odds(), strict=True)
                position = position.after(chance.choices(numbers, weights)[0])
            else:
                position = position.after(chance.choice(position.legal(Seat(mover))))
        return position

    def __deepcopy__(self, memo: object) -> "RulesPosition":
        """It never changes."""
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        """Without texts."""
        return RulesPosition, (self._setting, self.moment)


# --- By the rules ----------------------------------------------------------------------------


def legal_by_rules(setting: Setting, moment: Moment, seat: Seat) -> list[int]:
    """The numbers of all that a seat may do."""
    legal = setting.game.legal(moment.state, seat)
    return sorted(setting.numbers[action] for action in legal)


def moved_by_rules(setting: Setting, moment: Moment, number: int) -> Moment:
    """The moment after a move of the player who is asked first. Raises IllegalMoveError."""
    if not 0 <= number < len(setting.actions):
        raise ValueError(f"an action is a number below {len(setting.actions)}, not {number}")
    action = setting.actions[number]
    return moment.after(setting.game, setting.game.apply(moment.state, moment.asked[0], action))


def features_by_rules(setting: Setting, moment: Moment, seat: Seat, *, remember: bool) -> Features:
    """What a seat sees, or also what it remembers of all that it was told."""
    encoding = setting.encoding
    if remember != setting.remember:
        kernel = kernel_of(setting.game.NAME, remember=remember)
        encoding = encoding_of(setting.game, setting.setup, kernel, remember=remember)
    told = moment.told(setting.game, seat) if remember else ()
    return np.array(encoding.features(moment.state, seat, told), np.int16)
