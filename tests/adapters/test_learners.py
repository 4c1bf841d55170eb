"""Other people's learners on our environments: their own checkers, and a short training run.

None of these libraries is needed by `make test`; each test is skipped where its library is missing.
RLlib wants another version of Gymnasium than the others, so that it has an environment of its own:

    pip install 'mauerwerk[adapters,lab,train]' pytest sb3-contrib torchrl
    pip install 'mauerwerk[kernels,lab]' pytest pettingzoo torch 'ray[rllib]'
    pytest --tier thorough tests/adapters/test_learners.py
"""

import importlib.util
import re
import sys
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest
from tests.adapters.settings import each_setting

from mauerwerk.adapters import pettingzoo
from mauerwerk.adapters.gymnasium import SeatEnv
from mauerwerk.adapters.setting import setting_of

pytestmark = [
    pytest.mark.thorough,
    pytest.mark.filterwarnings("ignore"),  # theirs, of their own dependencies
]

EXAMPLES: Final = Path(__file__).parents[2] / "examples"
SHORT: Final = ["mauer", "--seats", "3", "--set", "rounds=1"]


def example(name: str) -> Any:  # noqa: ANN401 - a module
    """An example as a module."""
    made = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    assert made
    assert made.loader
    module = importlib.util.module_from_spec(made)
    sys.modules[name] = module
    made.loader.exec_module(module)
    return module


def shares(said: str) -> list[int]:
    """The shares of games that an example printed, in per cent."""
    return [int(share) for share in re.findall(r"in (\d+)%", said)]


@each_setting
def test_stable_baselines_accepts_one_seat(game: str, options: dict[str, Any]) -> None:
    """Its `check_env` takes any action, so that an illegal one must lose."""
    pytest.importorskip("stable_baselines3")
    checker: Any = import_module("stable_baselines3.common.env_checker")

    checker.check_env(SeatEnv(game, illegal="lose", **options))


def test_maskable_ppo_learns(capsys: pytest.CaptureFixture[str]) -> None:
    """Against chance, in half a minute, to be first in far more than a third of the games."""
    pytest.importorskip("sb3_contrib")

    example("train_sb3").main([*SHORT, "--steps", "40000", "--games", "200"])

    before, after = shares(capsys.readouterr().out)
    assert after > before + 15


@each_setting
def test_torchrl_accepts_agents_in_turn(game: str, options: dict[str, Any]) -> None:
    """`check_env_specs` passes.

    It draws an action for everybody, so that it cannot do with agents at once, most of whom have
    nothing to do.
    """
    pytest.importorskip("torchrl")
    envs: Any = import_module("torchrl.envs")
    alone = envs.MarlGroupMapType.ONE_GROUP_PER_AGENT
    env = envs.PettingZooWrapper(pettingzoo.env(game, **options), use_mask=True, group_map=alone)

    import_module("torchrl.envs.utils").check_env_specs(env)


@each_setting
def test_torchrl_accepts_a_batch(game: str, options: dict[str, Any]) -> None:
    """As the example wraps it."""
    pytest.importorskip("torchrl")
    envs: Any = import_module("torchrl.envs")
    tables = example("train_torchrl").Tables(setting_of(game, **options), 4, seed=1)

    import_module("torchrl.envs.utils").check_env_specs(
        envs.TransformedEnv(tables, envs.ActionMask())
    )


def test_torchrl_learns(capsys: pytest.CaptureFixture[str]) -> None:
    """Against chance, in ten seconds."""
    pytest.importorskip("torchrl")

    example("train_torchrl").main([*SHORT, "--updates", "25", "--games", "400"])

    before, after = shares(capsys.readouterr().out)
    assert after > before + 15


@each_setting
def test_rllib_accepts_agents_at_once(game: str, options: dict[str, Any]) -> None:
    """Its checker takes any action, so that an illegal one becomes a legal one here."""
    pytest.importorskip("ray.rllib")
    wrappers: Any = import_module("ray.rllib.env.wrappers.pettingzoo_env")
    checks: Any = import_module("ray.rllib.utils.pre_checks.env")

    class Lenient(pettingzoo.ParallelTable):
        """Agents that do not look at their masks."""

        def step(self, actions: dict[str, Any]) -> Any:  # noqa: ANN401 - as above
            """Take the first legal action instead."""
            masks = {agent: self.table.mask(self._seat_of[agent]) for agent in self.agents}
            legal = {agent: mask.argmax() for agent, mask in masks.items()}
            kept = {agent: mask[actions[agent]] for agent, mask in masks.items()}
            return super().step(
                {agent: int(actions[agent] if kept[agent] else legal[agent]) for agent in masks}
            )

    checks.check_multiagent_environments(wrappers.ParallelPettingZooEnv(Lenient(game, **options)))


def test_rllib_learns(capsys: pytest.CaptureFixture[str]) -> None:
    """Against chance, in minutes."""
    pytest.importorskip("ray.rllib")

    example("train_rllib").main([*SHORT, "--iterations", "4", "--games", "200"])

    before, after = shares(capsys.readouterr().out)
    assert after > before + 10


@each_setting
def test_pufferlib_accepts_one_seat(game: str, options: dict[str, Any]) -> None:
    """Its emulation shows the same observations, and its vector steps them."""
    pytest.importorskip("pufferlib")
    emulation: Any = import_module("pufferlib.emulation")
    vector: Any = import_module("pufferlib.vector")

    def make(buf: Any = None, seed: int = 0) -> Any:  # noqa: ANN401 - PufferLib's
        env = SeatEnv(game, illegal="lose", **options)
        return emulation.GymnasiumPufferEnv(env=env, buf=buf, seed=seed)

    envs = vector.make(make, num_envs=4, backend=vector.Serial)
    seen, _ = envs.reset(seed=1)
    assert seen.shape == (4, setting_of(game, **options).width)
    assert np.array_equal(seen[0], SeatEnv(game, **options).reset(seed=1)[0])
    for _ in range(20):
        envs.step(envs.action_space.sample())
    envs.close()
