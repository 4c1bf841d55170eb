"""The games as PettingZoo environments: every seat is an agent, `seat_0`, `seat_1` and so on.

    env = pettingzoo.env("mauer", seats=4, rounds=2)           # one agent after the other
    env = pettingzoo.parallel_env("mauer", seats=4)            # all who are asked at once

An observation is a dictionary of `observation`, what the seat sees, and `action_mask`, what it may
do. A game is played in a kernel, a batch of one. Who choose together are asked in turn, and the
table does not move before the last of them has answered: none can see what another chose.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias, TypedDict, cast

import numpy as np
from gymnasium import spaces

from mauerwerk.adapters.setting import Features, Mask, Setting, results_of, setting_of
from mauerwerk.core.game import Outcome, Seat, StaleMoveError, name_of
from mauerwerk.kernels.play.batch import Batch

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
        """Likewise."""

        agents: list[str]
        possible_agents: list[str]
        metadata: dict[str, Any]
else:
    from pettingzoo import AECEnv, ParallelEnv

Agent: TypeAlias = str
RenderMode: TypeAlias = Literal["ansi", "svg"]
RENDER_MODES: Final = ("ansi", "svg")


class Observation(TypedDict):
    """What an agent is given."""

    observation: Features
    action_mask: Mask


class Table:
    """One game in a kernel, and what both kinds of environment say about it."""

    def __init__(self, setting: Setting) -> None:
        """Lay the table; a seed that nobody gave is drawn."""
        self.setting = setting
        self.agents: Final = [f"seat_{seat}" for seat in setting.seats]
        self.seat_of: Final = {agent: seat for seat, agent in enumerate(self.agents)}
        space = spaces.Dict(
            {"observation": setting.observation_space, "action_mask": setting.mask_space}
        )
        self.observation_spaces: Final = dict.fromkeys(self.agents, space)
        self.action_spaces: Final = dict.fromkeys(self.agents, setting.action_space)
        entropy = int(np.random.SeedSequence().generate_state(1, np.uint64)[0])
        self.batch: Final = Batch(setting.game, setting.setup, 1, entropy, linger=True)
        self.actions: Final = self.batch.actions[0]
        self._masks: Final = self.batch.masks[0, :, : setting.choices].view(np.int8)
        self._features: Final = self.batch.observations[0]
        self._silent: Final = np.zeros(setting.choices, np.int8)

    def reset(self, seed: int | None) -> None:
        """Begin the first game of a seed, or the next one."""
        if seed is None:
            self.batch.numbers += 1
        self.batch.reset(seed)

    @property
    def asked(self) -> list[int]:
        """Which seats must answer, in their order; nobody once the game is over."""
        asked: list[int] = self.batch.to_act[0].nonzero()[0].tolist()
        return asked

    def observe(self, seat: int, *, asked: bool = True) -> Observation:
        """What a seat sees now, and what it may do if it is still asked; arrays of its own."""
        mask = self._masks[seat] if asked else self._silent
        return {"observation": self._features[seat].copy(), "action_mask": mask.copy()}

    def allows(self, seat: int, number: int) -> bool:
        """Whether a seat that is asked may do this."""
        return bool(0 <= number < self.setting.choices and self._masks[seat, number])

    def refuse(self, seat: int, number: int) -> None:
        """Raise what the rules raise."""
        self.setting.check(Seat(seat), number, self.state)

    def go_on(self) -> bool:
        """Everybody has answered: move, and say whether the game is over."""
        self.batch.step(checked=False)
        return bool(self.batch.done[0])

    @property
    def state(self) -> Any:  # noqa: ANN401 - the game's own kind
        """The game as the rules have it."""
        return self.setting.kernel.unpack(self.setting.setup, self.batch.states[0])

    @property
    def outcome(self) -> Outcome:
        """How the game ended."""
        outcome = self.setting.game.outcome(self.state)
        assert outcome is not None
        return outcome

    @property
    def rewards(self) -> dict[Agent, float]:
        """What everybody gets for the step just made."""
        return dict(zip(self.agents, self.batch.rewards[0].tolist(), strict=True))

    @property
    def all_features(self) -> Features:
        """What all seats see, side by side: more than any of them may know."""
        features: Features = self._features.reshape(-1).copy()
        return features

    def rendered(self, mode: RenderMode | None) -> str | None:
        """The table as a spectator sees it."""
        game, names = self.setting.game, [name_of(Seat(seat)) for seat in self.setting.seats]
        match mode:
            case "ansi":
                return game.text(game.view(self.state, None), names)
            case "svg":
                return game.svg(game.view(self.state, None), (), names)
            case None:
                return None


class raw_env(AECEnv):  # noqa: N801 - PettingZoo's name for it
    """One agent after the other, without PettingZoo's checks around it."""

    def __init__(
        self,
        game: str,
        seats: int | None = None,
        *,
        render_mode: RenderMode | None = None,
        **options: object,
    ) -> None:
        """Agree on a game. Raises SetupError where it cannot be played like this."""
        super().__init__()
        self.table = Table(setting_of(game, seats, **options))
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
        """Whose turn it is, and who has to answer after them before the table moves."""
        first, *self._later = self.table.asked
        self.agent_selection = self.possible_agents[first]

    def observe(self, agent: Agent) -> Observation:
        """What an agent sees; it has choices only while it is its turn, or will be."""
        seat = self.table.seat_of[agent]
        waits = agent == self.agent_selection or seat in self._later
        return self.table.observe(seat, asked=waits)

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
        if self._later:
            self.agent_selection = self.possible_agents[self._later.pop(0)]
        elif table.go_on():
            self._end()
        else:
            self._ask()

    def _end(self) -> None:
        outcome = self.table.outcome
        self.rewards = self.table.rewards
        self._accumulate_rewards()
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
        """There is nothing to put away."""


class ParallelTable(ParallelEnv):
    """All who are asked act at once. Whoever is not asked has an empty mask and just waits."""

    def __init__(
        self,
        game: str,
        seats: int | None = None,
        *,
        render_mode: RenderMode | None = None,
        **options: object,
    ) -> None:
        """Agree on a game. Raises SetupError where it cannot be played like this."""
        self.table = Table(setting_of(game, seats, **options))
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
        """Whoever is asked does this. Raises IllegalMoveError, and nothing changes."""
        if not self.agents:
            raise StaleMoveError("the game is over: begin the next one with reset()")
        table = self.table
        for seat in table.asked:
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
        """There is nothing to put away."""


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
    render_mode: RenderMode | None = None,
    **options: object,
) -> raw_env:
    """One agent after the other; using it in the wrong order is refused in PettingZoo's words."""
    table = raw_env(game, seats, render_mode=render_mode, **options)
    return cast("raw_env", wrappers.OrderEnforcingWrapper(table))


def parallel_env(
    game: str,
    seats: int | None = None,
    *,
    render_mode: RenderMode | None = None,
    **options: object,
) -> ParallelTable:
    """All who are asked at once."""
    return ParallelTable(game, seats, render_mode=render_mode, **options)
