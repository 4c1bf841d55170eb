"""One game, move by move: for tests and tools, and for adapters of sequential games.

A `SingleGame` is moved from Python. A `Stepper` moves games in records that are copied as often as
needed. For speed there is `batch`.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final, NamedTuple

import numpy as np

from mauerwerk.core.game import NATURE, AnyGame, Outcome, Seat, Setup
from mauerwerk.games import GAMES
from mauerwerk.kernels import actions_of, contract, kernel_of, pack_setup
from mauerwerk.kernels.chance import key_of
from mauerwerk.kernels.compiler import Device, functions_for, usual_device
from mauerwerk.kernels.contract import NATURE_TO_ACT, Array, Int, compiled
from mauerwerk.kernels.observation import spec_of
from mauerwerk.kernels.play import stepping
from mauerwerk.kernels.play.stepping import RESULT, first_of, write_result

SETUPS: Final = 64
"""For how many setups the pack_setup data are kept."""

OVER: Final = -2
"""Instead of the seat that acts first: the game is over."""
REFUSED: Final = -3
"""The same: the move is not allowed, and nothing changed."""


# --- What is compiled ------------------------------------------------------------------------


@compiled
def begin(setups: Array, states: Array) -> None:
    """Lay the table of the one game in `states`."""
    contract.start(setups[0], states[0])


@compiled
def look(setups: Array, states: Array, masks: Array, odds: Array, lanes: Int) -> Int:
    """The seats to act; writes the legal actions of each seat, and the weights of nature's."""
    setup, state = setups[0], states[0]
    for seat in range(masks.shape[0]):
        masks[seat, :] = 0
        for lane in range(lanes):
            contract.legal(setup, state, seat, masks[seat], lane, lanes)
    for action in range(odds.shape[0]):
        odds[action] = 0
    seats = contract.to_act(setup, state)
    if seats & NATURE_TO_ACT:
        for ticket in range(contract.count(setup, state, NATURE)):
            odds[contract.pick(setup, state, NATURE, ticket)] += 1
    return seats


@compiled
def nth_legal(setups: Array, states: Array, seat: Int, ticket: Int) -> Int:
    """The legal action with this place; -1 where there are fewer."""
    if ticket >= contract.count(setups[0], states[0], seat):
        return -1
    return contract.pick(setups[0], states[0], seat, ticket)


@compiled
def move(setups: Array, states: Array, seat: Int, action: Int) -> bool:
    """Make a move if it is allowed; whether it was."""
    if not contract.allowed(setups[0], states[0], seat, action):
        return False
    contract.apply(setups[0], states[0], seat, action)
    return True


@compiled
def suggestion(
    setups: Array, states: Array, rooms: Array, seat: Int, seed: Int, number: Int
) -> Int:
    """What rules of thumb would do."""
    return contract.greedy_action(setups[0], states[0], seat, rooms[0], seed, number, 0)


@compiled
def first_to_act(setups: Array, states: Array, mask: Array, odds: Array) -> Int:
    """The seat that acts first, or `OVER`; writes into zeros what it may do, or nature's weights.

    Seats that choose together answer one after the other.
    """
    setup, state = setups[0], states[0]
    seats = contract.to_act(setup, state)
    if not seats:
        return OVER
    seat = first_of(seats)
    if seat != NATURE:
        contract.legal(setup, state, seat, mask, 0, 1)
    else:
        for ticket in range(contract.count(setup, state, NATURE)):
            odds[contract.pick(setup, state, NATURE, ticket)] += 1
    return seat


@compiled
def advance(setups: Array, states: Array, seat: Int, action: Int, mask: Array, odds: Array) -> Int:
    """Make a move and answer as `first_to_act` does, or `REFUSED`."""
    if not contract.allowed(setups[0], states[0], seat, action):
        return REFUSED
    contract.apply(setups[0], states[0], seat, action)
    return first_to_act(setups, states, mask, odds)


@compiled
def observe_one(setups: Array, states: Array, seat: Int, features: Array) -> None:
    """Write into zeros what a seat sees."""
    contract.observe(setups[0], states[0], seat, features, 0, 1)


@compiled
def observe_all(setups: Array, states: Array, features: Array, lanes: Int) -> None:
    """Write what every seat sees."""
    for seat in range(features.shape[0]):
        features[seat, :] = 0
        for lane in range(lanes):
            contract.observe(setups[0], states[0], seat, features[seat], lane, lanes)


@compiled
def result_of(setups: Array, states: Array, results: Array) -> None:
    """Write down how the game ended, or how many turns it has taken so far."""
    if contract.to_act(setups[0], states[0]):
        results[0].turns = contract.turn(setups[0], states[0])
    else:
        write_result(setups[0], states[0], 0, results[0])


# --- One game --------------------------------------------------------------------------------


class SingleGame:
    """One game. Actions are numbers; `values` says what they mean."""

    def __init__(
        self,
        game: AnyGame,
        setup: Setup[Any],
        *,
        lanes: int = 1,
        remember: bool = False,
        device: Device | None = None,
    ) -> None:
        """Lay the table; this many lanes look at it, as those of a GPU would.

        A game that remembers cannot be set to a state, which has no history.
        """
        self.setup = setup
        self.lanes = lanes
        functions = functions_for(game.NAME, device or usual_device(), remember=remember)
        self.kernel: Any = functions.kernel
        self.values = actions_of(game, setup)
        self.packed_setup = pack_setup(game, setup)
        self.record = np.zeros(1, self.kernel.STATE)
        self._masks = np.zeros((setup.seats, len(self.values)), np.uint8)
        self._odds = np.zeros(len(self.values), np.uint32)
        width = spec_of(game, remember=remember).width(setup)
        self._features = np.zeros((setup.seats, width), np.int16)
        self._result = np.zeros(1, RESULT)
        self._look = functions.entry(look)
        self._move = functions.entry(move)
        self._pick = functions.entry(nth_legal)
        self._observe = functions.entry(observe_all)
        self._result_of = functions.entry(result_of)
        functions.entry(begin)(self.packed_setup, self.record)
        self._to_act = self._seen()

    @property
    def state(self) -> Any:  # noqa: ANN401 - the game's own kind
        """The state as a value of the rules; play continues from a state that is set."""
        return self.kernel.unpack(self.setup, self.record[0])

    @state.setter
    def state(self, state: Any) -> None:  # noqa: ANN401
        self.kernel.pack(self.setup, state, self.record[0])
        self._to_act = self._seen()

    @property
    def to_act(self) -> tuple[Seat, ...]:
        """Who must move."""
        if self._to_act & NATURE_TO_ACT:
            return (NATURE,)
        return tuple(Seat(seat) for seat in range(self.setup.seats) if self._to_act >> seat & 1)

    def legal(self, seat: Seat) -> list[int]:
        """What this seat may do."""
        row = self._odds if seat == NATURE else self._masks[seat]
        return row.nonzero()[0].tolist()

    @property
    def all_legal(self) -> list[list[int]]:
        """What all seats may do: pairs of a seat and a number, in order."""
        return np.argwhere(self._masks).tolist()

    @property
    def odds(self) -> Mapping[int, int]:
        """Nature's actions with their weights."""
        return {number: int(self._odds[number]) for number in self.legal(NATURE)}

    def pick(self, seat: Seat, ticket: int) -> int:
        """The legal action of this place, as a policy draws it; -1 where there are fewer."""
        return int(self._pick(self.packed_setup, self.record, seat, ticket))

    def apply(self, seat: Seat, number: int) -> bool:
        """Make a move; False, and nothing changes, if it is not allowed."""
        done = self._move(self.packed_setup, self.record, seat, number)
        self._to_act = self._seen()
        return bool(done)

    @property
    def outcome(self) -> Outcome | None:
        """How it ended, if it has."""
        if self._to_act:
            return None
        self._result_of(self.packed_setup, self.record, self._result)
        seats, result = self.setup.seats, self._result[0]
        return Outcome(
            ranks=tuple(result["ranks"].tolist()[:seats]),
            points=tuple(result["points"].tolist()[:seats]),
            reason=self.kernel.REASONS[result["reason"]],
        )

    @property
    def turn(self) -> int:
        """The number of complete turns so far."""
        self._result_of(self.packed_setup, self.record, self._result)
        return int(self._result[0]["turns"])

    @property
    def features(self) -> Array:
        """What every seat sees, as learners read it; the same array each time."""
        self._observe(self.packed_setup, self.record, self._features, self.lanes)
        return self._features

    def _seen(self) -> int:
        look = self._look(self.packed_setup, self.record, self._masks, self._odds, self.lanes)
        return int(look)


# --- Games in records ------------------------------------------------------------------------


class Decision(NamedTuple):
    """The seat that moves, and what it may do."""

    mover: int
    numbers: list[int]
    weights: list[int]
    """Of nature alone, in the order of its numbers."""


class Stepper:
    """The compiled functions that move games of one setup, one seat after the other.

    Where a kernel has observations that remember, records hold what they need.
    """

    def __init__(self, game: str, setup: Setup[Any], device: Device | None = None) -> None:
        """Find them. Raises SetupError where the kernel cannot play such a game."""
        played = GAMES[game]
        self._packed_setup = pack_setup(played, setup)
        self._seats = setup.seats
        remembers = hasattr(kernel_of(game), "memory")
        functions = functions_for(game, device or usual_device(), remember=remembers)
        self.kernel: Final[Any] = functions.kernel
        self._size = len(actions_of(played, setup))
        self._width = spec_of(played, remember=remembers).width(setup)
        self._begin = functions.entry(begin)
        self._first_to_act = functions.entry(first_to_act)
        self._advance = functions.entry(advance)
        self._observe = functions.entry(observe_one)
        self._determinize = functions.entry(stepping.determinize)
        self._finish = functions.entry(stepping.finish)

    def start(self) -> Array:
        """The record of a game that begins."""
        record = np.zeros(1, self.kernel.STATE)
        self._begin(self._packed_setup, record)
        return record

    def decision(self, record: Array) -> Decision:
        """The seat that moves in this record, and what it may do."""
        mask, odds = self._room()
        return _decision(self._first_to_act(self._packed_setup, record, mask, odds), mask, odds)

    def move(self, record: Array, seat: int, number: int) -> Decision:
        """The same after a move, which is made there; the mover is `REFUSED` if it is illegal."""
        mask, odds = self._room()
        return _decision(
            self._advance(self._packed_setup, record, seat, number, mask, odds), mask, odds
        )

    def features(self, record: Array, seat: int) -> Array:
        """What a seat sees, and after that what it remembers, if the kernel does."""
        features = np.zeros(self._width, np.int16)
        self._observe(self._packed_setup, record, seat, features)
        return features

    def determinize(self, record: Array, seat: int, believed: Array, seed: int) -> None:
        """Overwrite what a seat cannot see with a sample; `believed` is what the kernel made."""
        self._determinize(self._packed_setup, record, seat, believed, key_of(seed), 0)

    def ranks(self, records: Array, seed: int = 0) -> list[list[int]]:
        """The ranks in games that are over; others are played out there by uniform chance."""
        results = np.zeros(len(records), RESULT)
        self._finish(self._packed_setup, records, results, key_of(seed), 0)
        ranks: list[list[int]] = results["ranks"][:, : self._seats].tolist()
        return ranks

    def _room(self) -> tuple[Array, Array]:
        """For each call its own: several threads may play, and compiled code holds no lock."""
        return np.zeros(self._size, np.uint8), np.zeros(self._size, np.uint32)


def _decision(mover: int, mask: Array, odds: Array) -> Decision:
    if mover != NATURE:
        return Decision(int(mover), mask.nonzero()[0].tolist(), [])
    numbers = odds.nonzero()[0]
    return Decision(NATURE, numbers.tolist(), odds[numbers].tolist())


def copies(record: Array, times: int = 1) -> Array:
    """So many copies of a record, byte by byte; NumPy would copy it field by field."""
    return np.frombuffer(bytearray(record.tobytes() * times), record.dtype)


@lru_cache(maxsize=SETUPS)
def stepper_of(game: str, setup: Setup[Any]) -> Stepper:
    """The one stepper of a setup."""
    return Stepper(game, setup)
