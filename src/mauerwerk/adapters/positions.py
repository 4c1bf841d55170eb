"""A game under way, one seat after the other, that is copied at no cost.

A position never changes: a move leads to another one. It is played by the rules, or in a kernel: in
a record of fixed size, moved by compiled code. There the values of the rules are computed only when
somebody asks for them: for a view, or for what a seat was told. Searches do so at the nodes of
their trees, and not in their rollouts. They come to those nodes again and again, so these positions
are kept, for as long as the one is at which the search began.
"""

from random import Random
from typing import Any, Final, NamedTuple, Protocol

import numpy as np

from mauerwerk.adapters.memory import Moment, Recollection, begin, recollected, resampled
from mauerwerk.adapters.setting import Features, Setting
from mauerwerk.core.errors import SetupError
from mauerwerk.core.game import NATURE, Seat, rewards_by_rank
from mauerwerk.kernels import contract, kernel_of
from mauerwerk.kernels.play.single import OVER, REFUSED, Decision, Stepper, copies, stepper_of

WORLDS: Final = 256
"""How many imagined tables are kept for each seat that imagines them."""


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
        return self.moment.to_act[0] if self.moment.to_act else OVER

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
        return rewards_by_rank(outcome.ranks) if outcome else [0.0] * len(self._setting.seats)

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
    return moment.after(setting.game, setting.game.apply(moment.state, moment.to_act[0], action))


def features_by_rules(setting: Setting, moment: Moment, seat: Seat, *, remember: bool) -> Features:
    """What a seat sees, or also what it remembers of all that it was told."""
    told = moment.told(setting.game, seat) if remember else ()
    features = setting.encoded(remember=remember).features(moment.state, seat, told)
    return np.array(features, np.int16)


# --- In a kernel -----------------------------------------------------------------------------


def first_position(setting: Setting) -> Position:
    """A game before the first move: in its kernel, if that can play it, or by the rules."""
    try:
        stepper = None if setting.kernel is None else stepper_of(setting.game.NAME, setting.setup)
    except SetupError:  # its records have no room for such a game
        stepper = None
    if stepper is None:
        return RulesPosition(setting, begin(setting))
    return _began(Start(setting, stepper, stepper.start()))


def can_recall(setting: Setting) -> bool:
    """Whether there are observations of such games that remember."""
    return setting.kernel is not None and hasattr(kernel_of(setting.game.NAME), "memory")


class Start(NamedTuple):
    """Where a game begins: with the first move, or at a table that a seat imagines."""

    setting: Setting
    stepper: Stepper
    record: contract.Array
    imagined: Recollection | None = None
    """What everybody remembers at an imagined table."""

    def moment(self) -> Moment:
        """The same as values of the rules."""
        if self.imagined is None:
            return begin(self.setting)
        state = self.stepper.kernel.unpack(self.setting.setup, self.record[0])
        return self.imagined.moment(self.setting.game, state)


class Trail:
    """The moves that led to a position, and the moments on the way as far as they are known."""

    def __init__(self, start: Start, before: "Trail | None" = None, number: int = 0) -> None:
        """One more move, with this number, or none yet."""
        self.start: Final = start
        self._before: Final = before
        self._number: Final = number
        self._moment: Moment | None = None

    def moment(self) -> Moment:
        """Where it leads, as values of the rules."""
        later: list[Trail] = []
        trail: Trail | None = self
        moment = None
        while trail is not None and (moment := trail._moment) is None:  # noqa: SLF001 - its own kind
            later.append(trail)
            trail = trail._before  # noqa: SLF001
        for step in reversed(later):
            moment = step._moment = (  # noqa: SLF001
                self.start.moment()
                if moment is None
                else moved_by_rules(self.start.setting, moment, step._number)  # noqa: SLF001
            )
        assert moment is not None
        return moment

    def numbers(self) -> tuple[int, ...]:
        """All moves since the start."""
        numbers: list[int] = []
        trail = self
        while trail._before is not None:
            numbers.append(trail._number)
            trail = trail._before
        return tuple(reversed(numbers))


class Worlds(NamedTuple):
    """What a seat believes and remembers, and tables that it has imagined, by their records."""

    believed: contract.Array
    recollection: Recollection
    imagined: "dict[bytes, KernelPosition]"


class KernelPosition:
    """A game in a kernel."""

    def __init__(self, trail: Trail, record: contract.Array, look: Decision, *, kept: bool) -> None:
        """In this record, which nobody changes; positions after one that is kept may be kept."""
        self._trail: Final = trail
        self._record: Final = record
        self._look: Final = look
        self._kept: Final = kept
        self._later: Final[dict[int, KernelPosition]] = {}
        self._worlds: Final[dict[Seat, Worlds]] = {}
        self.mover: Final = look.mover
        self.texts: Final[dict[TextKey, str]] = {}

    @property
    def moment(self) -> Moment:
        """The same as values of the rules, and what led there."""
        return self._trail.moment()

    def legal(self, seat: Seat, /) -> list[int]:
        """The numbers of all that a seat may do."""
        if seat == self.mover:
            return self._look.numbers.copy()
        return legal_by_rules(self._trail.start.setting, self.moment, seat)

    def odds(self) -> list[tuple[int, int]]:
        """Nature's numbers with their weights."""
        _, numbers, weights = self._look
        return [*zip(numbers, weights, strict=True)] if weights else []

    def after(self, number: int, /) -> "KernelPosition":
        """The position after a move; it is kept if somebody looked at this one."""
        if number in self._later:
            return self._later[number]
        start, record = self._trail.start, copies(self._record)
        look = start.stepper.move(record, self.mover, number)
        if look.mover == REFUSED:
            moved_by_rules(start.setting, self.moment, number)  # which says why
            raise AssertionError(f"the kernel refuses {number}, which the rules allow")
        kept = self._kept and (self.mover == NATURE or bool(self.texts))
        position = KernelPosition(Trail(start, self._trail, number), record, look, kept=kept)
        if kept:
            self._later[number] = position
        return position

    def returns(self) -> list[float]:
        """What each seat has won."""
        setting, stepper, *_ = self._trail.start
        if self.mover != OVER:
            return [0.0] * setting.setup.seats
        return rewards_by_rank(*stepper.ranks(self._record))

    def features(self, seat: Seat, /, *, remember: bool) -> Features:
        """What a seat sees or remembers.

        The record of an imagined table remembers what happened at the real one, so that there the
        rules say what a seat remembers.
        """
        setting, stepper, _, imagined = self._trail.start
        if remember and imagined is not None:
            return features_by_rules(setting, self.moment, seat, remember=True)
        features: Features = stepper.features(self._record, seat)
        return features

    def resampled(self, seat: Seat, seed: int, /) -> "KernelPosition":
        """A position as it may be for this seat, whose texts about it stay the same."""
        setting, stepper, *_ = self._trail.start
        if seat not in self._worlds:
            belief = self.moment.belief(setting.game, seat)
            believed = stepper.kernel.pack_belief(setting.setup, belief)
            self._worlds[seat] = Worlds(believed, recollected(setting, self.moment, seat), {})
        believed, recollection, imagined = self._worlds[seat]
        record = copies(self._record)
        stepper.determinize(record, seat, believed, seed)
        known = imagined.get(key := record.tobytes())
        position = known or _began(Start(setting, stepper, record, recollection))
        position.texts.update({key: text for key, text in self.texts.items() if key.player == seat})
        if known is None and len(imagined) < WORLDS:
            imagined[key] = position
        return position

    def played_out(self, times: int, seed: int, /) -> list[float]:
        """What each seat wins on average."""
        ranks = self._trail.start.stepper.ranks(copies(self._record, times), seed)
        return [sum(each) / times for each in zip(*map(rewards_by_rank, ranks), strict=True)]

    def __deepcopy__(self, memo: object) -> "KernelPosition":
        """It never changes."""
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        """Where it began, and the numbers of all moves since."""
        setting, _, record, imagined = self._trail.start
        first = None if imagined is None else (record, imagined)
        return _replayed, (setting, first, self._trail.numbers())


def _began(start: Start) -> KernelPosition:
    look, kept = start.stepper.decision(start.record), start.imagined is not None
    return KernelPosition(Trail(start), start.record, look, kept=kept)


def _replayed(
    setting: Setting, first: tuple[contract.Array, Recollection] | None, numbers: tuple[int, ...]
) -> Position:
    position = first_position(setting)
    if first is not None:
        position = _began(Start(setting, stepper_of(setting.game.NAME, setting.setup), *first))
    for number in numbers:
        position = position.after(number)
    return position
