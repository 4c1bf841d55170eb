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

from importlib import import_module
from typing import TYPE_CHECKING, Any, cast

from gymnasium import spaces

from mauerwerk.adapters.encoding import Features
from mauerwerk.adapters.setting import Setting, results_of, setting_of
from mauerwerk.adapters.table import RENDER_MODES, Agent, Observation, RenderMode, table_of
from mauerwerk.core.errors import StaleMoveError
from mauerwerk.core.game import Seat
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


class raw_env(AECEnv):  # noqa: N801 - PettingZoo's name for it
    """One agent after the other, without PettingZoo's checks around it."""

    def __init__(
        self,
        game: str,
        seats: int | None = None,
        *,
        remember: bool = False,
        rewards: Rewards = "ranks",
        render_mode: RenderMode | None = None,
        **options: object,
    ) -> None:
        """Agree on a game. Raises SetupError where it cannot be played like this."""
        super().__init__()
        self.table = table_of(setting_of(game, seats, remember=remember, **options), rewards)
        self.metadata = metadata_of(self.table.setting)
        self.render_mode: RenderMode | None = render_mode
        self.possible_agents = list(self.table.agents)
        self.agents = []
        self.observation_spaces = dict(self.table.observation_spaces)
        self.action_spaces = dict(self.table.action_spaces)
        self.state_space = self.table.setting.state_space

    def observation_space(self, agent: Agent) -> spaces.Space[Any]:
        """What an agent can see."""
        return self.observation_spaces[agent]

    def action_space(self, agent: Agent) -> spaces.Space[Any]:
        """What an agent can do."""
        return self.action_spaces[agent]

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
        seat = self.table.seat_of[agent]
        waits = agent == self.agent_selection or seat in self._later
        return self.table.observe(seat, to_act=waits)

    def step(self, action: int | None) -> None:
        """The agent whose turn it is does this. Raises IllegalMoveError, and nothing changes."""
        agent = self.agent_selection
        if self.terminations[agent]:
            if action is not None:
                raise ValueError(f"the game is over: {agent} has None to do, not {action}")
            self._was_dead_step(None)
            return
        assert action is not None, "an agent that is asked must act"
        table, seat = self.table, self.table.seat_of[agent]
        if not table.allows(seat, action):
            table.refuse(seat, action)
        self._cumulative_rewards[agent] = 0.0
        table.actions[seat] = action
        if table.rewards_on_the_way:
            self.rewards = dict.fromkeys(self.agents, 0.0)
        if self._later:
            self.agent_selection = self.possible_agents[self._later.pop(0)]
            return
        over = table.go_on()
        if over or table.rewards_on_the_way:
            self.rewards = table.rewards
            self._accumulate_rewards()
        if over:
            self._end()
        else:
            self._ask()

    def _end(self) -> None:
        outcome = self.table.outcome
        self.terminations = dict.fromkeys(self.agents, True)
        self.infos = {
            agent: results_of(outcome, Seat(seat)) for agent, seat in self.table.seat_of.items()
        }
        self.agent_selection = self.agents[0]

    def state(self) -> Features:
        """What all seats see: for learners that train with more than a player may know."""
        return self.table.all_features

    def render(self) -> str | None:
        """The table as a spectator sees it, as text or as a picture."""
        return self.table.rendered(self.render_mode)

    def close(self) -> None:
        """Do nothing: no resource is held."""


class ParallelTable(ParallelEnv):
    """All who are asked act at once. An agent that is not asked has an empty mask and waits."""

    def __init__(
        self,
        game: str,
        seats: int | None = None,
        *,
        remember: bool = False,
        rewards: Rewards = "ranks",
        render_mode: RenderMode | None = None,
        **options: object,
    ) -> None:
        """Agree on a game. Raises SetupError where it cannot be played like this."""
        self.table = table_of(setting_of(game, seats, remember=remember, **options), rewards)
        self.metadata = metadata_of(self.table.setting)
        self.render_mode: RenderMode | None = render_mode
        self.possible_agents = list(self.table.agents)
        self.agents = []
        self.observation_spaces = dict(self.table.observation_spaces)
        self.action_spaces = dict(self.table.action_spaces)
        self.state_space = self.table.setting.state_space

    def observation_space(self, agent: Agent) -> spaces.Space[Any]:
        """What an agent can see."""
        return self.observation_spaces[agent]

    def action_space(self, agent: Agent) -> spaces.Space[Any]:
        """What an agent can do."""
        return self.action_spaces[agent]

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[Agent, Observation], dict[Agent, dict[str, Any]]]:
        """Begin a game: the first of a seed, or the next one."""
        del options
        self.table.reset(seed)
        self.agents = list(self.possible_agents)
        return self._seen(), {agent: {} for agent in self.agents}

    def _seen(self) -> dict[Agent, Observation]:
        return {agent: self.table.observe(seat) for agent, seat in self.table.seat_of.items()}

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
        table = self.table
        for seat in table.to_act:
            action = actions[self.possible_agents[seat]]
            if not table.allows(seat, action):
                table.refuse(seat, action)
            table.actions[seat] = action
        over = table.go_on()
        infos: dict[Agent, dict[str, Any]] = {agent: {} for agent in self.agents}
        if over:
            outcome = table.outcome
            infos = {
                agent: results_of(outcome, Seat(seat)) for agent, seat in table.seat_of.items()
            }
            self.agents = []
        never = dict.fromkeys(self.possible_agents, False)
        return self._seen(), table.rewards, dict.fromkeys(never, over), never, infos

    def state(self) -> Features:
        """What all seats see: for learners that train with more than a player may know."""
        return self.table.all_features

    def render(self) -> str | None:
        """The table as a spectator sees it, as text or as a picture."""
        return self.table.rendered(self.render_mode)

    def close(self) -> None:
        """Do nothing: no resource is held."""


def metadata_of(setting: Setting) -> dict[str, Any]:
    """What PettingZoo wants to know of an environment."""
    return {
        "name": f"{setting.game.NAME}_v{setting.game.RULES}",
        "render_modes": list(RENDER_MODES),
        "is_parallelizable": False,
    }


def env(
    game: str,
    seats: int | None = None,
    *,
    remember: bool = False,
    rewards: Rewards = "ranks",
    render_mode: RenderMode | None = None,
    **options: object,
) -> raw_env:
    """One agent after the other; using it in the wrong order is refused in PettingZoo's words."""
    table = raw_env(
        game, seats, remember=remember, rewards=rewards, render_mode=render_mode, **options
    )
    return cast("raw_env", wrappers.OrderEnforcingWrapper(table))


def parallel_env(
    game: str,
    seats: int | None = None,
    *,
    remember: bool = False,
    rewards: Rewards = "ranks",
    render_mode: RenderMode | None = None,
    **options: object,
) -> ParallelTable:
    """All agents that are asked act at once."""
    return ParallelTable(
        game, seats, remember=remember, rewards=rewards, render_mode=render_mode, **options
    )
