"""A game as learners see it: what the table agreed on, and actions and observations as numbers.

Options are keywords, as values or as words: `setting_of("mauer", seats=4, rounds=1, first="lot")`.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, cast

import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from mauerwerk.adapters.encoding import Encoding, Features, encoding_of
from mauerwerk.core.errors import SetupError
from mauerwerk.core.game import AnyGame, Outcome, Seat, Setup, Value, rewards_by_rank, shown
from mauerwerk.core.options import YES_OR_NO, from_words, to_words
from mauerwerk.games import GAMES
from mauerwerk.kernels import has_kernel, kernel_of
from mauerwerk.kernels.play.rewards import Rewards, Scores, kind_of, rewarded

Mask = npt.NDArray[np.int8]


class Setting(NamedTuple):
    """A game, and what all players know before it begins."""

    game: AnyGame
    setup: Setup[Any]
    kernel: Any
    """The module of the game's kernel; None without one."""
    remember: bool
    """Whether observations also have what a perfect memory knows."""
    encoding: Encoding
    actions: Sequence[Any]
    """Every action by its number: players' first, then nature's."""
    choices: int
    """The number of players' actions."""
    numbers: Mapping[Any, int]
    """The number of each action."""

    def __deepcopy__(self, memo: object) -> "Setting":
        """Nothing in it changes."""
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        """By name and words: games and kernels are modules."""
        words = to_words(self.setup.options)
        return _again, (self.game.NAME, self.setup.seats, self.remember, words)

    @property
    def seats(self) -> range:
        """All seats."""
        return range(self.setup.seats)

    @property
    def width(self) -> int:
        """The number of integers in an observation."""
        return self.encoding.width

    @property
    def observation_space(self) -> spaces.Space[Features]:
        """What a seat sees: small integers, each with its own bounds.

        Gymnasium wants two different bounds. So a number that never changes has those of 0 and 1
        as well; `encoding.bounds` is exact.
        """
        lowest, highest = self.encoding.bounds
        low, high = np.where(lowest < highest, lowest, 0), np.maximum(highest, 1)
        space = spaces.Box(low.astype(np.int16), high, (self.width,), np.int16)
        return cast("spaces.Space[Features]", space)

    @property
    def state_space(self) -> spaces.Space[Any]:
        """What all seats see, side by side."""
        one: Any = self.observation_space
        low, high = (np.tile(bound, self.setup.seats) for bound in (one.low, one.high))
        return spaces.Box(low, high, (self.width * self.setup.seats,), np.int16)

    @property
    def mask_space(self) -> spaces.Space[Any]:
        """Which choices a seat has: ones and zeros."""
        return spaces.Box(0, 1, (self.choices,), np.int8)

    @property
    def action_space(self) -> spaces.Discrete[np.int64]:
        """The numbers of all players' actions."""
        return spaces.Discrete(self.choices)

    def mask(self, state: Value, seat: Seat) -> Mask:
        """What this seat may do now."""
        mask = np.zeros(self.choices, np.int8)
        for action in self.game.legal(state, seat):
            mask[self.numbers[action]] = 1
        return mask

    def features(self, state: Value, seat: Seat, told: tuple[Any, ...] = ()) -> Features:
        """What this seat sees now, and what it remembers of all that it was told."""
        return np.array(self.encoding.features(state, seat, told), np.int16)

    def points(self, state: Value) -> Sequence[int]:
        """The points of all seats so far; without a kernel only those of the outcome are known."""
        if self.kernel is not None:
            so_far: Sequence[int] = self.kernel.scored(self.game.view(state, None))
            return so_far
        outcome = self.game.outcome(state)
        return outcome.points if outcome else [0] * self.setup.seats

    def rewards(self, rewards: Rewards, before: Sequence[int], state: Value) -> list[float]:
        """What all seats get, now that the points were these before."""
        outcome = self.game.outcome(state)
        ranks = rewards_of(outcome) if outcome else [0.0] * self.setup.seats
        if rewards == "ranks":
            return ranks
        scores = Scores(
            before=np.array([before], np.int16),
            points=np.array([self.points(state)], np.int16),
            done=np.array([outcome is not None]),
            ranks=np.array([ranks], np.float32),
        )
        aim = 1 if self.kernel is None else self.kernel.AIM
        return [float(reward) for reward in rewarded(rewards, scores, aim)[0]]

    def refuse_rewards(self, rewards: Rewards) -> None:
        """Raises SetupError if there are no such rewards in this game."""
        if kind_of(rewards) and self.kernel is None:
            raise SetupError(
                f"{self.game.NAME} has no kernel, so that points count only when it ends: rewards "
                "can be ranks or a function"
            )

    def check(self, seat: Seat, number: int, state: Value) -> None:
        """Refuse a choice as the rules do, by the clause that forbids it."""
        if not 0 <= number < self.choices:
            raise ValueError(f"an action is a number below {self.choices}, not {number}")
        self.game.apply(state, seat, self.actions[number])


def setting_of(
    game: str, seats: int | None = None, *, remember: bool = False, **options: object
) -> Setting:
    """A game by its name. Raises SetupError where seats or options are not allowed.

    Without a number of seats the smallest number is taken. Observations that `remember` need a
    kernel.
    """
    if game not in GAMES:
        raise SetupError(f"there is no game {shown(game)}, only {', '.join(GAMES)}")
    played = GAMES[game]
    words = {name: word_of(value) for name, value in options.items()}
    setup = Setup(played.SEATS[0] if seats is None else seats, from_words(played.OPTIONS, words))
    played.start(setup)
    choices = played.choices(setup)
    if not choices:
        raise SetupError(f"{game} does not number its actions, so learners cannot play it")
    kernel: Any = kernel_of(game, remember=remember) if remember or has_kernel(game) else None
    actions = (*choices, *played.lots(setup))
    return Setting(
        game=played,
        setup=setup,
        kernel=kernel,
        remember=remember,
        encoding=encoding_of(played, setup, kernel, remember=remember),
        actions=actions,
        choices=len(choices),
        numbers={action: number for number, action in enumerate(actions)},
    )


def _again(game: str, seats: int, remember: bool, words: Mapping[str, str]) -> Setting:  # noqa: FBT001
    return setting_of(game, seats, remember=remember, **words)


def word_of(value: object) -> str:
    """The word for the value of an option."""
    if isinstance(value, bool):
        return next(word for word, meant in YES_OR_NO.items() if meant is value)
    return str(value)


def rewards_of(outcome: Outcome) -> list[float]:
    """The share of the others that each seat beat, less the share that beat it: from -1 to 1.

    They add up to zero. A `Batch` rewards in the same way.

    >>> rewards_of(Outcome((1, 2, 2), (5, 9, 9), "out"))
    [1.0, -0.5, -0.5]
    """
    return rewards_by_rank(outcome.ranks)


def results_of(outcome: Outcome, seat: Seat) -> dict[str, Any]:
    """How a game ended for one seat, for logs."""
    return {
        "points": outcome.points[seat],
        "rank": outcome.ranks[seat],
        "reason": outcome.reason,
    }
