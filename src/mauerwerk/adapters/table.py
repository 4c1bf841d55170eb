"""One game for agents that take turns: played in a kernel, or by the rules where there is none.

Those who choose together all answer before the table moves, so none can see another's choice.
"""

from abc import ABC, abstractmethod
from random import Random
from typing import Any, Final, Literal, TypeAlias, TypedDict

import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from mauerwerk.adapters.encoding import Features
from mauerwerk.adapters.setting import Mask, Setting
from mauerwerk.core.game import NATURE, Outcome, Seat, draw_lot, name_of
from mauerwerk.kernels.play.batch import Batch
from mauerwerk.kernels.play.rewards import Rewards

Agent: TypeAlias = str
RenderMode: TypeAlias = Literal["ansi", "svg"]
RENDER_MODES: Final[tuple[RenderMode, ...]] = ("ansi", "svg")


class Observation(TypedDict):
    """What an agent is given."""

    observation: Features
    action_mask: Mask


class Table(ABC):
    """One game, and what every kind of environment says about it."""

    actions: npt.NDArray[Any]
    """The answer of each seat that must act, filled in before `go_on`."""

    def __init__(self, setting: Setting, rewards: Rewards) -> None:
        """Name the agents and their spaces."""
        setting.refuse_rewards(rewards)
        self.setting = setting
        self.rewards_on_the_way: Final = rewards != "ranks"
        """Whether there can be rewards before the game is over."""
        self.agents: Final = [f"seat_{seat}" for seat in setting.seats]
        self.seat_of: Final = {agent: seat for seat, agent in enumerate(self.agents)}
        space = spaces.Dict(
            {"observation": setting.observation_space, "action_mask": setting.mask_space}
        )
        self.observation_spaces: Final = dict.fromkeys(self.agents, space)
        self.action_spaces: Final = dict.fromkeys(self.agents, setting.action_space)
        self._silent: Final = np.zeros(setting.choices, np.int8)

    @abstractmethod
    def reset(self, seed: int | None) -> None:
        """Begin the first game of a seed, or the next one."""

    @property
    @abstractmethod
    def to_act(self) -> list[int]:
        """Which seats must answer, in their order; none once the game is over."""

    @abstractmethod
    def mask(self, seat: int) -> Mask:
        """What a seat may do."""

    @abstractmethod
    def features(self, seat: int) -> Features:
        """What a seat sees."""

    @abstractmethod
    def go_on(self) -> bool:
        """Move, now that all have answered; say whether the game is over."""

    @property
    @abstractmethod
    def state(self) -> Any:  # noqa: ANN401 - the game's own kind
        """The game as the rules have it."""

    @property
    @abstractmethod
    def rewards(self) -> dict[Agent, float]:
        """What each agent gets for the step just made."""

    def observe(self, seat: int, *, to_act: bool = True) -> Observation:
        """What a seat sees now, and what it may do if it is still asked; arrays of its own."""
        mask = self.mask(seat) if to_act else self._silent
        return {"observation": self.features(seat).copy(), "action_mask": mask.copy()}

    def allows(self, seat: int, number: int) -> bool:
        """Whether a seat that is asked may do this."""
        return bool(0 <= number < self.setting.choices and self.mask(seat)[number])

    def refuse(self, seat: int, number: int) -> None:
        """Raise what the rules raise."""
        self.setting.check(Seat(seat), number, self.state)

    @property
    def outcome(self) -> Outcome:
        """How the game ended."""
        outcome = self.setting.game.outcome(self.state)
        assert outcome is not None
        return outcome

    @property
    def all_features(self) -> Features:
        """What all seats see, side by side: more than any of them may know."""
        return np.concatenate([self.features(seat) for seat in self.setting.seats])

    def rendered(self, mode: RenderMode | None) -> str | None:
        """The table as a spectator sees it."""
        game, names = self.setting.game, [name_of(Seat(seat)) for seat in self.setting.seats]
        match mode:
            case "ansi":
                return game.text(game.view(self.state, None), names)
            case "svg":
                return game.svg(game.view(self.state, None), names)
            case None:
                return None


class KernelTable(Table):
    """A game in a kernel: a batch of one."""

    def __init__(self, setting: Setting, rewards: Rewards) -> None:
        """Lay the table; without a seed, one is drawn."""
        super().__init__(setting, rewards)
        self.batch: Final = Batch(
            setting.game,
            setting.setup,
            1,
            _entropy(),
            linger=True,
            remember=setting.remember,
            rewards=rewards,
        )
        self.actions = self.batch.actions[0]
        self._masks: Final = self.batch.masks[0].view(np.int8)

    def reset(self, seed: int | None) -> None:
        """Begin the first game of a seed, or the next one."""
        if seed is None:
            self.batch.numbers += 1
        self.batch.reset(seed)

    @property
    def to_act(self) -> list[int]:
        """Which seats must answer, in their order; none once the game is over."""
        to_act: list[int] = self.batch.to_act[0].nonzero()[0].tolist()
        return to_act

    def mask(self, seat: int) -> Mask:
        """What a seat may do."""
        mask: Mask = self._masks[seat]
        return mask

    def features(self, seat: int) -> Features:
        """What a seat sees."""
        features: Features = self.batch.observations[0, seat]
        return features

    def go_on(self) -> bool:
        """Move, now that all have answered; say whether the game is over."""
        self.batch.step(checked=False)
        return bool(self.batch.done[0])

    @property
    def state(self) -> Any:  # noqa: ANN401 - the game's own kind
        """The game as the rules have it."""
        return self.setting.kernel.unpack(self.setting.setup, self.batch.states[0])

    @property
    def rewards(self) -> dict[Agent, float]:
        """What each agent gets for the step just made."""
        return dict(zip(self.agents, self.batch.rewards[0].tolist(), strict=True))


class RulesTable(Table):
    """A game by the rules, for games that have no kernel."""

    def __init__(self, setting: Setting, rewards: Rewards) -> None:
        """Lay the table; without a seed, one is drawn."""
        super().__init__(setting, rewards)
        self._rewards: Final[Rewards] = rewards
        self.actions = np.zeros(len(setting.seats), np.int64)
        self._chance = Random(_entropy())  # noqa: S311 - not a secret
        self._begin()

    def reset(self, seed: int | None) -> None:
        """Begin the first game of a seed, or the next one."""
        if seed is not None:
            self._chance = Random(seed)  # noqa: S311 - not a secret
        self._begin()

    def _begin(self) -> None:
        self._state: Any = self.setting.game.start(self.setting.setup)
        self._let_nature_move()
        self._before = self.setting.points(self._state)

    def _let_nature_move(self) -> None:
        game = self.setting.game
        while game.to_act(self._state) == (NATURE,):
            lot = draw_lot(game.odds(self._state), self._chance.randrange)
            self._state = game.apply(self._state, NATURE, lot).state

    @property
    def to_act(self) -> list[int]:
        """Which seats must answer, in their order; none once the game is over."""
        return sorted(self.setting.game.to_act(self._state))

    def mask(self, seat: int) -> Mask:
        """What a seat may do."""
        return self.setting.mask(self._state, Seat(seat))

    def features(self, seat: int) -> Features:
        """What a seat sees."""
        return self.setting.features(self._state, Seat(seat))

    def go_on(self) -> bool:
        """Move, now that all have answered; say whether the game is over."""
        self._before = self.setting.points(self._state)
        for seat in self.to_act:
            action = self.setting.actions[int(self.actions[seat])]
            self._state = self.setting.game.apply(self._state, Seat(seat), action).state
        self._let_nature_move()
        return not self.to_act

    @property
    def state(self) -> Any:  # noqa: ANN401 - the game's own kind
        """The game as the rules have it."""
        return self._state

    @property
    def rewards(self) -> dict[Agent, float]:
        """What each agent gets for the step just made."""
        rewards = self.setting.rewards(self._rewards, self._before, self._state)
        return dict(zip(self.agents, rewards, strict=True))


def table_of(setting: Setting, rewards: Rewards = "ranks") -> Table:
    """A table for this game, in its kernel if it has one."""
    return (RulesTable if setting.kernel is None else KernelTable)(setting, rewards)


def _entropy() -> int:
    return int(np.random.SeedSequence().generate_state(1, np.uint64)[0])
