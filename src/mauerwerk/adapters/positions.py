"""A game under way, one seat after the other, that is copied at no cost.

A position never changes: a move leads to another one. It is played by the rules, or in a kernel: in
a record of fixed size, moved by compiled code. There the values of the rules are computed only when
somebody asks for them: for a view, or for what a seat was told. Searches do so at the nodes of
their trees, and not in their rollouts. They come to those nodes again and again, so these positions
are kept, for as long as the one is at which the search began.

The state by the rules, and what each viewer was told, is a `Moment`. It never changes either; the
next one refers back to it. What a viewer was told, and believes, is computed on demand and kept, so
that merely playing on does not pay for it.
"""

from collections.abc import Callable
from random import Random
from typing import Any, Final, NamedTuple, TypeAlias

import msgspec
import numpy as np

from mauerwerk.adapters.setting import Features, Setting
from mauerwerk.core.errors import SetupError
from mauerwerk.core.game import NATURE, AnyGame, Seat, Sight, Step, rewards_by_rank
from mauerwerk.kernels import contract, kernel_of
from mauerwerk.kernels.play.single import OVER, REFUSED, Decision, Stepper, copies, stepper_of

WORLDS: Final = 256
"""How many imagined tables are kept for each seat that imagines them."""
Viewer = Seat | None


class Moment:
    """A state of the rules, who is asked, and all events that led there."""

    __slots__ = ("before", "beliefs", "events", "memory", "state", "texts", "to_act")

    def __init__(
        self,
        state: Any,  # noqa: ANN401 - the game's own kind
        to_act: tuple[Seat, ...],
        events: tuple[Any, ...] = (),
        before: "Moment | None" = None,
        memory: dict[Viewer, tuple[Any, ...]] | None = None,
    ) -> None:
        """A moment after another one, or a first one with what each viewer remembers."""
        self.state = state
        self.to_act = to_act
        self.events = events
        self.before = before
        self.memory = memory or {}
        self.texts: dict[Viewer, str] = {}
        self.beliefs: dict[Seat, Any] = {}

    def after(self, game: AnyGame, step: Step[Any, Any]) -> "Moment":
        """The moment to which a step leads."""
        return Moment(step.state, game.to_act(step.state), step.events, self)

    def told(self, game: AnyGame, viewer: Viewer) -> tuple[Any, ...]:
        """Every event since the start, less what this viewer could not notice."""
        moment, later = self._since(lambda each: viewer in each.memory)
        memory = moment.memory.get(viewer, ())
        return (*memory, *(event for each in later for event in each.noticed(game, viewer)))

    def told_text(self, game: AnyGame, viewer: Viewer) -> str:
        """The same as JSON, a line for each event."""
        moment, later = self._since(lambda each: viewer in each.texts)
        if viewer not in moment.texts:
            moment.texts[viewer] = _lines(moment.told(game, viewer))
        text = moment.texts[viewer]
        for each in later:
            text += _lines(each.noticed(game, viewer))
            each.texts[viewer] = text
        return text

    def belief(self, game: AnyGame, seat: Seat) -> Any:  # noqa: ANN401 - of the game's own kind
        """What this seat can infer, step by step as it was told."""
        beliefs = _beliefs_of(game)
        moment, later = self._since(lambda each: seat in each.beliefs)
        if seat not in moment.beliefs:
            moment.beliefs[seat] = beliefs.believe(moment.sight(game, seat))
        belief = moment.beliefs[seat]
        for each in later:
            belief = beliefs.after(belief, each.noticed(game, seat))
            each.beliefs[seat] = belief
        return belief

    def sight(self, game: AnyGame, seat: Seat) -> Sight[Any, Any, Any]:
        """All that this seat knows."""
        legal = tuple(game.legal(self.state, seat))
        return Sight(seat, game.view(self.state, seat), self.told(game, seat), legal)

    def noticed(self, game: AnyGame, viewer: Viewer) -> tuple[Any, ...]:
        """What of the last step this viewer was told."""
        seen = (game.seen(event, viewer) for event in self.events)
        return tuple(event for event in seen if event is not None)

    def _since(self, known: Callable[["Moment"], bool]) -> tuple["Moment", list["Moment"]]:
        later: list[Moment] = []
        moment = self
        while moment.before is not None and not known(moment):
            later.append(moment)
            moment = moment.before
        return moment, later[::-1]

    def __copy__(self) -> "Moment":
        return self

    def __deepcopy__(self, memo: object) -> "Moment":
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        """Flatten the chain, which pickle would otherwise follow by recursion."""
        first, later = self._since(lambda _: False)
        steps = tuple((moment.state, moment.to_act, moment.events) for moment in later)
        return _rebuilt, ((first.state, first.to_act), first.memory, steps)


def _rebuilt(
    first: tuple[Any, tuple[Seat, ...]],
    memory: dict[Viewer, tuple[Any, ...]],
    steps: tuple[tuple[Any, tuple[Seat, ...], tuple[Any, ...]], ...],
) -> Moment:
    moment = Moment(*first, memory=memory)
    for step in steps:
        moment = Moment(*step, moment)
    return moment


def _lines(events: tuple[Any, ...]) -> str:
    return "".join(f"{msgspec.json.encode(event).decode()}\n" for event in events)


def _beliefs_of(game: AnyGame) -> Any:  # noqa: ANN401 - a module
    """What players of this game can infer. Raises NotImplementedError where it brings nothing."""
    if game.beliefs is None:
        raise NotImplementedError(f"{game.NAME} has no beliefs, so nothing hidden can be sampled")
    return game.beliefs


def begin(setting: Setting) -> Moment:
    """A game before the first move."""
    state = setting.game.start(setting.setup)
    return Moment(state, setting.game.to_act(state))


class Recollection(NamedTuple):
    """What everybody remembers at a table that one seat imagines, and the same as text."""

    memory: dict[Viewer, tuple[Any, ...]]
    texts: dict[Viewer, str]

    def moment(self, game: AnyGame, state: Any) -> Moment:  # noqa: ANN401 - the game's own kind
        """A moment without a history."""
        moment = Moment(state, game.to_act(state), memory=self.memory)
        moment.texts.update(self.texts)
        return moment

    def __reduce__(self) -> tuple[Any, ...]:
        """Texts can be written again."""
        return Recollection, (self.memory, {})


def recollected(setting: Setting, moment: Moment, seat: Seat) -> Recollection:
    """What this seat was told; the others remember what a spectator was told."""
    game = setting.game
    viewers: tuple[Viewer, ...] = (*map(Seat, setting.seats), None)
    memory = dict.fromkeys(viewers, moment.told(game, None))
    texts = dict.fromkeys(viewers, moment.told_text(game, None))
    memory[seat], texts[seat] = moment.told(game, seat), moment.told_text(game, seat)
    return Recollection(memory, texts)


# --- Positions by the rules ------------------------------------------------------------------


class TextKey(NamedTuple):
    """Which text an observer wrote about a position."""

    player: Seat
    recall: bool
    public: bool
    private: bool


class RulesPosition:
    """A game by the rules, as an adapter for sequential games needs it."""

    def __init__(self, setting: Setting, moment: Moment) -> None:
        self._setting = setting
        self.moment: Final = moment
        self.texts: Final[dict[TextKey, str]] = {}

    @property
    def mover(self) -> int:
        """A seat, `NATURE` or `OVER`; of those who choose together, the first."""
        return self.moment.to_act[0] if self.moment.to_act else OVER

    def legal(self, seat: Seat, /) -> list[int]:
        """The numbers of all that a seat may do."""
        legal = self._setting.game.legal(self.moment.state, seat)
        return sorted(self._setting.numbers[action] for action in legal)

    def odds(self) -> list[tuple[int, int]]:
        """Nature's numbers, which come after those of the players, with their weights."""
        odds = self._setting.game.odds(self.moment.state)
        return sorted((self._setting.numbers[lot], weight) for lot, weight in odds.items())

    def after(self, number: int, /) -> "RulesPosition":
        """The position after a move of the mover. Raises IllegalMoveError."""
        setting, moment = self._setting, self.moment
        if not 0 <= number < len(setting.actions):
            raise ValueError(f"an action is a number below {len(setting.actions)}, not {number}")
        step = setting.game.apply(moment.state, moment.to_act[0], setting.actions[number])
        return RulesPosition(setting, moment.after(setting.game, step))

    def returns(self) -> list[float]:
        """What each seat has won; nothing before the end."""
        outcome = self._setting.game.outcome(self.moment.state)
        return rewards_by_rank(outcome.ranks) if outcome else [0.0] * len(self._setting.seats)

    def features(self, seat: Seat, /, *, remember: bool) -> Features:
        """What a seat sees, or also what it remembers."""
        told = self.moment.told(self._setting.game, seat) if remember else ()
        features = self._setting.encoded(remember=remember).features
        return np.array(features(self.moment.state, seat, told), np.int16)

    def resampled(self, seat: Seat, seed: int, /) -> "RulesPosition":
        """A position that this seat cannot tell from this one, by the chances of its belief.

        The seat remembers what it was told; the others, what a spectator was.
        """
        setting, moment, game = self._setting, self.moment, self._setting.game
        draw = Random(seed).randrange  # noqa: S311 - not a secret
        belief, view = moment.belief(game, seat), game.view(moment.state, seat)
        state = _beliefs_of(game).sample(belief, view, setting.setup.options, draw)
        return RulesPosition(setting, recollected(setting, moment, seat).moment(game, state))

    def played_out(self, times: int, seed: int, /) -> list[float]:
        """What each seat wins on average if all choose uniformly from here on."""
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


# --- In a kernel -----------------------------------------------------------------------------


def first_position(setting: Setting) -> "Position":
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
                else RulesPosition(self.start.setting, moment).after(step._number).moment  # noqa: SLF001
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
    """The same in a kernel."""

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

    def _by_rules(self) -> RulesPosition:
        return RulesPosition(self._trail.start.setting, self.moment)

    def legal(self, seat: Seat, /) -> list[int]:
        """The numbers of all that a seat may do."""
        if seat == self.mover:
            return self._look.numbers.copy()
        return self._by_rules().legal(seat)

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
            self._by_rules().after(number)  # which says why
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
        _, stepper, _, imagined = self._trail.start
        if remember and imagined is not None:
            return self._by_rules().features(seat, remember=True)
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


Position: TypeAlias = RulesPosition | KernelPosition


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
