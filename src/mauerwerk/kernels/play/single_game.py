"""One game in a kernel, moved from Python: for tests and tools. For speed there is `batch`."""

from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from mauerwerk.core.game import NATURE, AnyGame, Outcome, Seat, Setup
from mauerwerk.kernels.compiler import compiler_for
from mauerwerk.kernels.contract import NATURE_TO_ACT, Array
from mauerwerk.kernels.results import RESULT, prepared, width_of

SINGLE: Final = "mauerwerk.kernels.play.single"


class SingleGame:
    """One game. Actions are numbers; `values` says what they mean."""

    def __init__(
        self, game: AnyGame, setup: Setup[Any], *, lanes: int = 1, remember: bool = False
    ) -> None:
        """Lay the table; this many lanes look at it, as those of a GPU would.

        A game that remembers cannot be set to a state, which has no history.
        """
        self.setup = setup
        self.lanes = lanes
        compiler = compiler_for(game.NAME, "cpu", remember=remember)
        self.kernel: Any = compiler.kernel
        self.values = tuple(self.kernel.actions(setup))
        self.agreed = prepared(game, setup)
        self.record = np.zeros(1, self.kernel.STATE)
        self._masks = np.zeros((setup.seats, len(self.values)), np.uint8)
        self._odds = np.zeros(len(self.values), np.uint32)
        width = width_of(game, setup, remember=remember)
        self._features = np.zeros((setup.seats, width), np.int16)
        self._result = np.zeros(1, RESULT)
        self._look = compiler.entry(SINGLE, "look")
        self._move = compiler.entry(SINGLE, "move")
        self._pick = compiler.entry(SINGLE, "pick_of")
        self._observe = compiler.entry(SINGLE, "observe_all")
        self._result_of = compiler.entry(SINGLE, "result_of")
        compiler.entry(SINGLE, "begin")(self.agreed, self.record)
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
        return int(self._pick(self.agreed, self.record, seat, ticket))

    def apply(self, seat: Seat, number: int) -> bool:
        """Make a move; False, and nothing changes, if it is not allowed."""
        done = self._move(self.agreed, self.record, seat, number)
        self._to_act = self._seen()
        return bool(done)

    @property
    def outcome(self) -> Outcome | None:
        """How it ended, if it has."""
        if self._to_act:
            return None
        self._result_of(self.agreed, self.record, self._result)
        seats, result = self.setup.seats, self._result[0]
        return Outcome(
            ranks=tuple(result["ranks"].tolist()[:seats]),
            points=tuple(result["points"].tolist()[:seats]),
            reason=self.kernel.REASONS[result["reason"]],
        )

    @property
    def turn(self) -> int:
        """The number of complete turns so far."""
        self._result_of(self.agreed, self.record, self._result)
        return int(self._result[0]["turns"])

    @property
    def features(self) -> Array:
        """What every seat sees, as learners read it; the same array each time."""
        self._observe(self.agreed, self.record, self._features, self.lanes)
        return self._features

    def _seen(self) -> int:
        look = self._look(self.agreed, self.record, self._masks, self._odds, self.lanes)
        return int(look)
