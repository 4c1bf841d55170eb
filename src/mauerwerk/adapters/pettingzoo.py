"""The games as PettingZoo environments: every seat is an agent, `seat_0`, `seat_1` and so on.

    env = pettingzoo.env("mauer", seats=4, rounds=2)           # one agent after the other
    env = pettingzoo.parallel_env("mauer", seats=4)            # all who are asked at once

An observation is a dictionary of `observation`, what the seat sees, and `action_mask`, what it may
do. With `remember=True` what a perfect memory knows is added to what the seat sees. `rewards` are
those of `mauerwerk.kernels.play.rewards`: by rank in the end, unless one says otherwise. A game is
played in its kernel, a batch of one, or by the rules where it has none. Players who choose together
are asked in turn, and the table does not move before the last of them has answered: none can see
what another chose.
"""

import secrets
from collections.abc import Mapping
from importlib import import_module
from random import Random
from typing import TYPE_CHECKING, Any, Final, TypeAlias, TypedDict, cast

import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from mauerwerk.adapters.setting import (
    RENDER_MODES,
    Features,
    Illegal,
    Mask,
    RenderMode,
    Setting,
    number_of,
    refuse_illegal,
    refuse_render_mode,
    setting_of,
)
from mauerwerk.core.errors import MoveError, StaleMoveError
from mauerwerk.core.game import NATURE, Seat, draw_lot
from mauerwerk.kernels.play.batch import Batch
from mauerwerk.kernels.play.rewards import Rewards

wrappers: Any = import_module("pettingzoo.utils.wrappers")

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    class AECEnv:
        """PettingZoo's class, which has no types of its own: what is used of it here."""

        agents: list[str]
        possible_agents: list[str]
        agent_selection: str
        rewards: dict[str, float]
        terminations: dict[str, bool]
        truncations: dict[str, bool]
        infos: dict[str, dict[str, Any]]
        metadata: dict[str, Any]
        agent_iter: Callable[[], Iterator[str]]
        last: Callable[[], tuple[Any, float, bool, bool, dict[str, Any]]]
        unwrapped: Any
        _cumulative_rewards: dict[str, float]
        _skip_agent_selection: str | None
        _was_dead_step: Callable[[None], None]
        _accumulate_rewards: Callable[[], None]

    class ParallelEnv:
        """PettingZoo's class, likewise."""

        agents: list[str]
        possible_agents: list[str]
        metadata: dict[str, Any]
else:
    from pettingzoo import AECEnv, ParallelEnv


Agent: TypeAlias = str


# --- One game, in a kernel or by the rules ----------------------------------------------------


class Observation(TypedDict):
    """What an agent is given."""

    observation: Features
    action_mask: Mask


class KernelTable:
    """A game in a kernel: a batch of one.

    `actions` has the answer of each seat that must act, filled in before `go_on`.
    """

    def __init__(self, setting: Setting, rewards: Rewards) -> None:
        """Lay the table; without a seed, one is drawn."""
        self._setting = setting
        self.batch: Final = Batch(
            setting.game,
            setting.setup,
            1,
            secrets.randbits(64),
            linger=True,
            remember=setting.remember,
            rewards=rewards,
        )
        self.actions: npt.NDArray[Any] = self.batch.actions[0]
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
        return self._setting.kernel.unpack(self._setting.setup, self.batch.states[0])

    @property
    def rewards(self) -> list[float]:
        """What each seat gets for the step just made."""
        rewards: list[float] = self.batch.rewards[0].tolist()
        return rewards


class RulesTable:
    """The same by the rules, for games that have no kernel."""

    def __init__(self, setting: Setting, rewards: Rewards) -> None:
        """Lay the table; without a seed, one is drawn."""
        self._setting = setting
        self._rewards: Final[Rewards] = rewards
        self.actions = np.zeros(len(setting.seats), np.int64)
        self._chance = Random()  # noqa: S311 - not a secret
        self._begin()

    def reset(self, seed: int | None) -> None:
        """Begin the first game of a seed, or the next one."""
        if seed is not None:
            self._chance = Random(seed)  # noqa: S311 - not a secret
        self._begin()

    def _begin(self) -> None:
        self._state: Any = self._setting.game.start(self._setting.setup)
        self._let_nature_move()
        self._before = self._setting.points(self._state)

    def _let_nature_move(self) -> None:
        game = self._setting.game
        while game.to_act(self._state) == (NATURE,):
            lot = draw_lot(game.odds(self._state), self._chance.randrange)
            self._state = game.apply(self._state, NATURE, lot).state

    @property
    def to_act(self) -> list[int]:
        """Which seats must answer, in their order; none once the game is over."""
        return sorted(self._setting.game.to_act(self._state))

    def mask(self, seat: int) -> Mask:
        """What a seat may do."""
        return self._setting.mask(self._state, Seat(seat))

    def features(self, seat: int) -> Features:
        """What a seat sees."""
        return self._setting.features(self._state, Seat(seat))

    def go_on(self) -> bool:
        """Move, now that all have answered; say whether the game is over."""
        self._before = self._setting.points(self._state)
        for seat in self.to_act:
            action = self._setting.actions[int(self.actions[seat])]
            self._state = self._setting.game.apply(self._state, Seat(seat), action).state
        self._let_nature_move()
        return not self.to_act

    @property
    def state(self) -> Any:  # noqa: ANN401 - the game's own kind
        """The game as the rules have it."""
        return self._state

    @property
    def rewards(self) -> list[float]:
        """What each seat gets for the step just made."""
        return self._setting.rewards(self._rewards, self._before, self._state)


def table_of(setting: Setting, rewards: Rewards = "ranks") -> KernelTable | RulesTable:
    """A table for this game, in its kernel if it has one."""
    setting.refuse_rewards(rewards)
    return (RulesTable if setting.kernel is None else KernelTable)(setting, rewards)


# --- Environments ----------------------------------------------------------------------------


class _Seated:
    """What both kinds of environments say about their table."""

    agents: list[str]
    possible_agents: list[str]

    def __init__(  # noqa: PLR0913 - a table is agreed on by keywords
        self,
        game: str,
        seats: int | None = None,
        *,
        remember: bool = False,
        rewards: Rewards = "ranks",
        render_mode: RenderMode | None = None,
        illegal: Illegal = "raise",
        **options: object,
    ) -> None:
        """Agree on a game. Raises SetupError where it cannot be played like this.

        An `illegal` action raises what the rules raise, or loses: the game is over, with -1 for the
        agent that did it and 0 for the others.
        """
        refuse_illegal(illegal)
        refuse_render_mode(render_mode)
        self._illegal: Final = illegal
        self.setting: Final = setting_of(game, seats, remember=remember, **options)
        setting = self.setting
        self.table = table_of(setting, rewards)
        self.metadata: dict[str, Any] = {
            "name": f"{setting.game.NAME}_v{setting.game.RULES}",
            "render_modes": list(RENDER_MODES),
            "is_parallelizable": False,
        }
        self.render_mode: RenderMode | None = render_mode
        self.possible_agents = [f"seat_{seat}" for seat in setting.seats]
        self.agents = []
        self._seat_of: Final = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._on_the_way: Final = rewards != "ranks"
        """Whether there can be rewards before the game is over."""
        space = {"observation": setting.observation_space, "action_mask": setting.mask_space}
        self.observation_spaces = dict.fromkeys(self.possible_agents, spaces.Dict(space))
        self.action_spaces = dict.fromkeys(self.possible_agents, setting.action_space)
        self.state_space = setting.state_space

    def observation_space(self, agent: Agent) -> spaces.Space[Any]:
        """What an agent can see."""
        return self.observation_spaces[agent]

    def action_space(self, agent: Agent) -> spaces.Space[Any]:
        """What an agent can do."""
        return self.action_spaces[agent]

    def state(self) -> Features:
        """What all seats see: for learners that train with more than a player may know."""
        return np.concatenate([self.table.features(seat) for seat in self.setting.seats])

    def render(self) -> str | None:
        """The table as a spectator sees it, as text or as a picture."""
        return self.setting.render(self.table.state, None, self.render_mode)

    def close(self) -> None:
        """Do nothing: no resource is held."""

    def _seen_by(self, seat: int, *, asked: bool = True) -> Observation:
        """What a seat sees now, and what it may do if it is still asked; arrays of its own."""
        mask = self.table.mask(seat).copy() if asked else np.zeros(self.setting.choices, np.int8)
        return {"observation": self.table.features(seat).copy(), "action_mask": mask}

    def _answer(self, seat: int, number: int) -> None:
        """Fill in what a seat that is asked does. Raises what the rules raise, by their clause."""
        if not (0 <= number < self.setting.choices and self.table.mask(seat)[number]):
            self.setting.check(Seat(seat), number, self.table.state)
        self.table.actions[seat] = number

    def _loses(self, seat: int, number: int) -> str:
        """Answer for a seat; why the action loses the game, where it does, and else nothing."""
        try:
            self._answer(seat, number)
        except (MoveError, ValueError) as fault:
            if self._illegal == "raise":
                raise
            return str(fault)
        return ""

    def _lost(self, faults: Mapping[int, str]) -> dict[Agent, float]:
        """What all get if these seats lost by an illegal action."""
        return {agent: -float(seat in faults) for agent, seat in self._seat_of.items()}

    def _rewards(self) -> dict[Agent, float]:
        return dict(zip(self.possible_agents, self.table.rewards, strict=True))

    def _results(self) -> dict[Agent, dict[str, Any]]:
        state, results = self.table.state, self.setting.results
        return {agent: results(state, Seat(seat)) for agent, seat in self._seat_of.items()}


class raw_env(_Seated, AECEnv):  # noqa: N801 - PettingZoo's name for it
    """One agent after the other, without PettingZoo's checks around it."""

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game: the first of a seed, or the next one."""
        del options
        self.table.reset(seed)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None
        self._ask()

    def _ask(self) -> None:
        """Note whose turn it is, and who else has to answer before the table moves."""
        first, *self._later = self.table.to_act
        self.agent_selection = self.possible_agents[first]

    def observe(self, agent: Agent) -> Observation:
        """What an agent sees; it has choices only while it is its turn, or will be."""
        seat = self._seat_of[agent]
        waits = agent == self.agent_selection or seat in self._later
        return self._seen_by(seat, asked=waits)

    def step(self, action: int | None) -> None:
        """The agent whose turn it is does this. Raises IllegalMoveError, and nothing changes."""
        agent = self.agent_selection
        if self.terminations[agent]:
            if action is not None:
                raise ValueError(f"the game is over: {agent} has None to do, not {action}")
            self._was_dead_step(None)
            return
        fault = self._loses(self._seat_of[agent], number_of(action))
        self._cumulative_rewards[agent] = 0.0
        if fault:
            self.rewards = self._lost({self._seat_of[agent]: fault})
            self._accumulate_rewards()
            self.terminations = dict.fromkeys(self.agents, True)
            self.infos[agent] = {"illegal": fault}
            self.agent_selection = self.agents[0]
            return
        if self._on_the_way:
            self.rewards = dict.fromkeys(self.agents, 0.0)
        if self._later:
            self.agent_selection = self.possible_agents[self._later.pop(0)]
            return
        over = self.table.go_on()
        if over or self._on_the_way:
            self.rewards = self._rewards()
            self._accumulate_rewards()
        if not over:
            self._ask()
            return
        self.terminations = dict.fromkeys(self.agents, True)
        self.infos = self._results()
        self.agent_selection = self.agents[0]


class ParallelTable(_Seated, ParallelEnv):
    """All who are asked act at once. An agent that is not asked has an empty mask and waits."""

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[Agent, Observation], dict[Agent, dict[str, Any]]]:
        """Begin a game: the first of a seed, or the next one."""
        del options
        self.table.reset(seed)
        self.agents = list(self.possible_agents)
        return self._seen(), {agent: {} for agent in self.agents}

    def _seen(self) -> dict[Agent, Observation]:
        return {agent: self._seen_by(seat) for agent, seat in self._seat_of.items()}

    def step(
        self, actions: dict[Agent, int]
    ) -> tuple[
        dict[Agent, Observation],
        dict[Agent, float],
        dict[Agent, bool],
        dict[Agent, bool],
        dict[Agent, dict[str, Any]],
    ]:
        """The agents that are asked do this. Raises IllegalMoveError, and nothing changes."""
        if not self.agents:
            raise StaleMoveError("the game is over: begin the next one with reset()")
        faults = {
            seat: fault
            for seat in self.table.to_act
            if (fault := self._loses(seat, number_of(actions[self.possible_agents[seat]])))
        }
        never = dict.fromkeys(self.possible_agents, False)
        if faults:
            self.agents = []
            told = {
                agent: {"illegal": faults[seat]} if seat in faults else {}
                for agent, seat in self._seat_of.items()
            }
            return self._seen(), self._lost(faults), dict.fromkeys(never, True), never, told
        over = self.table.go_on()
        infos: dict[Agent, dict[str, Any]] = {agent: {} for agent in self.agents}
        if over:
            infos = self._results()
            self.agents = []
        return self._seen(), self._rewards(), dict.fromkeys(never, over), never, infos


def env(game: str, seats: int | None = None, **given: Any) -> raw_env:  # noqa: ANN401 - as there
    """One agent after the other; using it in the wrong order is refused in PettingZoo's words."""
    return cast("raw_env", wrappers.OrderEnforcingWrapper(raw_env(game, seats, **given)))


parallel_env = ParallelTable
"""All agents that are asked act at once."""
