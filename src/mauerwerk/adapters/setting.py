"""A game as learners meet it: what the table agreed on, and its actions and sights as numbers.

Options are keywords, as values or as words: `setting_of("mauer", seats=4, rounds=1, first="lot")`.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple, cast

import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from mauerwerk.core.game import AnyGame, Outcome, Seat, Setup, SetupError, Value, shown
from mauerwerk.core.options import YES_OR_NO, from_words, to_words
from mauerwerk.games import GAMES, burgbaumeister, mauer, mauerbauer
from mauerwerk.games.burgbaumeister.values import CARDS, MOST_IDLE_TURNS, Show
from mauerwerk.games.mauer.values import Appoint as AppointMaster
from mauerwerk.games.mauerbauer.board import board_of
from mauerwerk.games.mauerbauer.guild import DECK
from mauerwerk.games.mauerbauer.values import Appoint as AppointBuilder
from mauerwerk.kernels import kernel_of
from mauerwerk.kernels.results import width_of

Features = npt.NDArray[np.int16]
Mask = npt.NDArray[np.int8]

NATURE_BEGINS: Final[Mapping[str, type[Value]]] = {
    mauer.NAME: AppointMaster,
    burgbaumeister.NAME: Show,
    mauerbauer.NAME: AppointBuilder,
}
"""The kind of action with which nature's numbers begin; all before it are players'."""


def _longest_mauer(setup: Setup[Any]) -> int:
    """In a round every piece can be built once, after as many idle turns as are allowed (DM-27).

    In a turn everybody plans; one chooses or gives, and everybody builds.
    """
    options, seats = setup.options, setup.seats
    turns = (seats * len(options.pieces) + 1) * int(options.stall)
    return int(options.rounds) * turns * (2 * seats + 1)


def _longest_burgbaumeister(_setup: Setup[Any]) -> int:
    """Every card can be added once, after as many idle turns as are allowed (BB-12).

    In a turn a card is turned, decided upon and perhaps fired.
    """
    return (len(CARDS) + 1) * MOST_IDLE_TURNS * 3


def _longest_mauerbauer(setup: Setup[Any]) -> int:
    """Every turn builds on a line without a wall (MB-11), and on none a second time.

    A wall that returns to the supply leaves a line inside a closed city (MB-35, MB-41), on which
    nobody builds again (MB-12). In a turn towers and houses are placed, and the wall closes one
    city at most (MB-32); a last scoring can follow (MB-72). In each of these two scorings everybody
    can at most lay down, and then swap, all cards there are, and be done with it.
    """
    lines = len(board_of(setup.options.board).lines)
    return lines * (10 + 4 * (len(DECK) + 2 * setup.seats))


LONGEST: Final[Mapping[str, Callable[[Setup[Any]], int]]] = {
    mauer.NAME: _longest_mauer,
    burgbaumeister.NAME: _longest_burgbaumeister,
    mauerbauer.NAME: _longest_mauerbauer,
}
"""A bound for the players' choices in a game, by its name."""

MOST: Final = int(np.iinfo(np.int16).max)


class Setting(NamedTuple):
    """A game, and what everybody knows before it begins."""

    game: AnyGame
    setup: Setup[Any]
    kernel: Any
    actions: Sequence[Any]
    """Every action by its number: players' first, then nature's."""
    choices: int
    """How many of them are players'."""
    numbers: Mapping[Any, int]
    """The number of every action."""
    width: int
    """How many integers an observation has."""

    def __deepcopy__(self, memo: object) -> "Setting":
        """Nothing in it changes."""
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        """By name and words: games and kernels are modules."""
        return _again, (self.game.NAME, self.setup.seats, to_words(self.setup.options))

    @property
    def seats(self) -> range:
        """All seats."""
        return range(self.setup.seats)

    @property
    def observation_space(self) -> spaces.Space[Features]:
        """What a seat sees: small integers, never negative."""
        return cast("spaces.Space[Features]", spaces.Box(0, MOST, (self.width,), np.int16))

    @property
    def state_space(self) -> spaces.Space[Any]:
        """What all seats see, side by side."""
        return spaces.Box(0, MOST, (self.width * self.setup.seats,), np.int16)

    @property
    def mask_space(self) -> spaces.Space[Any]:
        """Which choices a seat has: ones and zeros."""
        return spaces.Box(0, 1, (self.choices,), np.int8)

    @property
    def action_space(self) -> spaces.Discrete[np.int64]:
        """The numbers of all that a player can ever choose."""
        return spaces.Discrete(self.choices)

    @property
    def longest(self) -> int:
        """So many choices of players no game has that must end: a bound, not a guess."""
        return LONGEST[self.game.NAME](self.setup)

    def features(self, view: Value) -> Features:
        """A view as learners read it."""
        return np.array(self.kernel.features(self.setup, view), np.int16)

    def check(self, seat: Seat, number: int, state: Value) -> None:
        """Refuse a choice as the rules do, by the clause that forbids it."""
        if not 0 <= number < self.choices:
            raise ValueError(f"an action is a number below {self.choices}, not {number}")
        self.game.apply(state, seat, self.actions[number])


def setting_of(game: str, seats: int | None = None, **options: object) -> Setting:
    """A game by its name. Raises SetupError where seats or options are not allowed.

    Without a number of seats as few play as can.
    """
    if game not in GAMES:
        raise SetupError(f"there is no game {shown(game)}, only {', '.join(GAMES)}")
    played = GAMES[game]
    words = {name: word_of(value) for name, value in options.items()}
    setup = Setup(played.SEATS[0] if seats is None else seats, from_words(played.OPTIONS, words))
    played.start(setup)
    kernel: Any = kernel_of(game)
    actions = tuple(kernel.actions(setup))
    begins = NATURE_BEGINS[game]
    choices = next(number for number, each in enumerate(actions) if isinstance(each, begins))
    numbers = {action: number for number, action in enumerate(actions)}
    return Setting(played, setup, kernel, actions, choices, numbers, width_of(played, setup))


def _again(game: str, seats: int, words: Mapping[str, str]) -> Setting:
    return setting_of(game, seats, **words)


def word_of(value: object) -> str:
    """The word for the value of an option."""
    if isinstance(value, bool):
        return next(word for word, meant in YES_OR_NO.items() if meant is value)
    return str(value)


def rewards_of(outcome: Outcome) -> list[float]:
    """The share of the others that each seat beat, less the share that beat it: from -1 to 1.

    They add up to nothing. A `Batch` rewards alike.

    >>> rewards_of(Outcome((1, 2, 2), (5, 9, 9), "out"))
    [1.0, -0.5, -0.5]
    """
    ranks = outcome.ranks
    return [sum((rank > own) - (rank < own) for rank in ranks) / (len(ranks) - 1) for own in ranks]


def results_of(outcome: Outcome, seat: Seat) -> dict[str, Any]:
    """How a game ended for one seat, for whoever logs it."""
    return {
        "points": outcome.points[seat],
        "rank": outcome.ranks[seat],
        "reason": outcome.reason,
    }
