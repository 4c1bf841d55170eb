"""A game as learners see it: what the table agreed on, and actions and observations as numbers.

Options are keywords, as values or as words: `setting_of("mauer", seats=4, rounds=1, first="lot")`.

What learners see is described by the game itself, as `Game.observation`, or by its kernel, as
`mauerwerk.kernels.contract` says; a kernel may add what a perfect memory knows. Where neither does,
there is a plain encoding: who must act, what the seat itself may do, and how many turns have been
played. That is enough to play by, but not all that a seat knows; OpenSpiel's strings hold that for
every game.
"""

import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Literal, NamedTuple, TypeAlias, cast

import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from mauerwerk.core.errors import SetupError
from mauerwerk.core.game import (
    AnyGame,
    Outcome,
    Seat,
    Setup,
    Sight,
    Value,
    after_forfeits,
    name_of,
    rewards_by_rank,
    shown,
)
from mauerwerk.core.observation import Bounds, ObservationSpec, Part
from mauerwerk.core.options import YES_OR_NO, from_words, to_words
from mauerwerk.games import GAMES
from mauerwerk.kernels import has_kernel, kernel_of
from mauerwerk.kernels.play.rewards import Rewards, Scores, kind_of, rewarded

Features = npt.NDArray[np.int16]
Mask = npt.NDArray[np.int8]
RenderMode: TypeAlias = Literal["ansi", "svg"]
RENDER_MODES: Final[tuple[RenderMode, ...]] = ("ansi", "svg")
MOST: Final = int(np.iinfo(np.int16).max)
"""The largest number that an observation has room for."""


Illegal: TypeAlias = Literal["raise", "lose"]
ILLEGAL: Final[tuple[Illegal, ...]] = ("raise", "lose")
"""What an illegal action does: it raises what the rules raise, or loses the game."""


def refuse_illegal(illegal: str) -> None:
    """Raises SetupError where this is none of `ILLEGAL`."""
    if illegal not in ILLEGAL:
        raise SetupError(f"illegal can be {' or '.join(ILLEGAL)}, not {shown(illegal)}")


def refuse_render_mode(mode: str | None) -> None:
    """Raises SetupError where this is none of `RENDER_MODES`; None draws nothing."""
    if mode is not None and mode not in RENDER_MODES:
        raise SetupError(f"render_mode can be {' or '.join(RENDER_MODES)}, not {shown(mode)}")


class PlacedPart(Value):
    """A stretch of an observation, for people; `docs/how-to` has them as tables."""

    name: str
    begin: int
    end: int
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

        >>> setting_of("mauer").encoding.parts[1]
        PlacedPart(name='waiting', begin=6, end=12, largest=1, meaning='who must do it')
        """
        highest, meanings = self.bounds.highest, self.spec.meanings
        return tuple(
            PlacedPart(
                name, place.start, place.stop, max(highest[place], default=0), meanings[name]
            )
            for name, place in self.layout.items()
        )


def encoding_of(
    game: AnyGame,
    setup: Setup[Any],
    kernel: Any,  # noqa: ANN401 - a module
    *,
    remember: bool,
) -> Encoding:
    """The encoding that the game or its kernel brings, or without one the plain encoding."""
    if kernel is None and game.observation is None:
        return _plain(game, setup)
    described = game.observation
    spec, of_view = (
        (described.spec, described.row) if kernel is None else (kernel.OBSERVATION, kernel.features)
    )

    def features(state: Any, seat: Seat, told: tuple[Any, ...]) -> Sequence[int]:  # noqa: ANN401
        view = game.view(state, seat)
        row: Sequence[int] = (
            kernel.remembered(setup, Sight[Any, Any, Any](seat, view, told, legal=()))
            if remember and kernel is not None
            else of_view(setup, view)
        )
        return row

    return Encoding(spec, setup, features)


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
    numbers: Mapping[Any, int]

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
        return self.encoding.spec.width(self.setup)

    def encoded(self, *, remember: bool) -> Encoding:
        """The encoding with or without what a perfect memory knows."""
        if remember == self.remember:
            return self.encoding
        kernel = kernel_of(self.game.NAME, remember=remember)
        return encoding_of(self.game, self.setup, kernel, remember=remember)

    @property
    def observation_space(self) -> spaces.Space[Features]:
        """What a seat sees: small integers, each with its own bounds.

        Gymnasium wants two different bounds. So a number that never changes has those of 0 and 1
        as well; `encoding.bounds` is exact.
        """
        lowest, highest = (np.array(each, np.int16) for each in self.encoding.bounds)
        low, high = np.where(lowest < highest, lowest, 0), np.maximum(highest, 1)
        space = spaces.Box(low.astype(np.int16), high, (self.width,), np.int16)
        return cast("spaces.Space[Features]", space)

    @property
    def state_space(self) -> spaces.Space[Any]:
        """What all seats see, side by side."""
        one: Any = self.observation_space
        low, high = (np.tile(bound, self.setup.seats) for bound in (one.low, one.high))
        return spaces.Box(low, high, low.shape, np.int16)

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
        """The points of all seats so far; those of the outcome where a view shows none."""
        if so_far := self.game.scores(self.game.view(state, None)):
            return so_far
        outcome = self.game.outcome(state)
        return outcome.scores if outcome else [0] * self.setup.seats

    def rewards(
        self,
        rewards: Rewards,
        before: Sequence[int],
        state: Value,
        lost: Sequence[Seat] = (),
    ) -> list[float]:
        """What all seats get, now that the points were these before and these seats have failed."""
        outcome = self._outcome(state, lost)
        ranks = rewards_by_rank(outcome.ranks) if outcome else [0.0] * self.setup.seats
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

    def results(self, state: Value, seat: Seat, lost: Sequence[Seat] = ()) -> dict[str, Any]:
        """How a game that is over ended for one seat, for logs."""
        outcome = self._outcome(state, lost)
        assert outcome is not None
        points, rank = outcome.scores[seat], outcome.ranks[seat]
        return {"points": points, "rank": rank, "reason": outcome.reason}

    def _outcome(self, state: Value, lost: Sequence[Seat]) -> Outcome | None:
        outcome = self.game.outcome(state)
        return outcome and after_forfeits(outcome, lost)

    def refuse_rewards(self, rewards: Rewards) -> None:
        """Raises SetupError if there are no such rewards in this game."""
        shows = self.game.scores(self.game.view(self.game.start(self.setup), None))
        if kind_of(rewards) and self.kernel is None and not shows:
            raise SetupError(
                f"{self.game.NAME} shows no points before it ends (`scores`): rewards can be ranks "
                "or a function"
            )

    def render(self, state: Value, viewer: Seat | None, mode: str | None) -> str | None:
        """The table as a seat or a spectator sees it, as text or as a picture."""
        names, view = [name_of(Seat(seat)) for seat in self.seats], self.game.view(state, viewer)
        match mode:
            case "ansi":
                return self.game.text(view, names)
            case "svg":
                return self.game.svg(view, names)
            case _:
                return None

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


def number_of(action: Any) -> int:  # noqa: ANN401 - what no type allows
    """The number of an action. Raises ValueError where it is no whole number."""
    try:
        return operator.index(action)
    except TypeError:
        raise ValueError(f"actions are whole numbers, not {action!r}") from None


def _again(game: str, seats: int, remember: bool, words: Mapping[str, str]) -> Setting:  # noqa: FBT001
    return setting_of(game, seats, remember=remember, **words)


def word_of(value: object) -> str:
    """The word for the value of an option."""
    if isinstance(value, bool):
        return next(word for word, meant in YES_OR_NO.items() if meant is value)
    return str(value)
