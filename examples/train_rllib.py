"""A player that learns against bots: PPO of RLlib, with its own module for masks.

    pip install 'mauerwerk[adapters,lab]' 'ray[rllib]' torch
    python examples/train_rllib.py mauer --seats 3 --set rounds=1 --iterations 20

One seat learns, and bots have the others. RLlib's `ActionMaskingTorchRLModule` wants observations
and mask in one dictionary; `Masked` makes it, and scales what the seat sees by the bounds of the
space to numbers between 0 and 1.

Seen on one busy core: first in 33% (29% to 38%) of the games before, and after 32,000 decisions,
which took 180 s, in 70% (65% to 74%).
"""

import argparse
import sys
from importlib import import_module
from time import perf_counter
from typing import Any, Final

import gymnasium
import numpy as np

from mauerwerk.adapters.gymnasium import SeatEnv
from mauerwerk.lab.intervals import Estimate, share_of

ppo: Any = import_module("ray.rllib.algorithms.ppo")
modules: Any = import_module("ray.rllib.core.rl_module.rl_module")
masking: Any = import_module("ray.rllib.examples.rl_modules.classes.action_masking_rlm")
torch: Any = import_module("torch")

DECISIONS: Final = 4_000
"""Decisions between two updates."""


class Masked(gymnasium.ObservationWrapper[Any, Any, Any]):
    """What the seat sees, between 0 and 1, and what it may do."""

    def __init__(self, config: dict[str, Any]) -> None:
        """The keywords of `SeatEnv`, as RLlib passes them on."""
        env = SeatEnv(**config)
        super().__init__(env)
        bounds: Any = env.observation_space
        actions: Any = env.action_space
        self._highest = bounds.high.astype(np.float32)
        self._masks = env.action_masks
        seen = gymnasium.spaces.Box(0, 1, self._highest.shape, np.float32)
        mask = gymnasium.spaces.Box(0, 1, (int(actions.n),), np.float32)
        self.observation_space = gymnasium.spaces.Dict({"observations": seen, "action_mask": mask})

    def observation(self, observation: Any) -> dict[str, Any]:  # noqa: ANN401 - an array
        """Both, as RLlib names them."""
        return {
            "observations": observation / self._highest,
            "action_mask": self._masks().astype(np.float32),
        }


def strength(module: Any, config: dict[str, Any], games: int) -> Estimate:  # noqa: ANN401 - RLlib's
    """How often it is first, alone or with others, with its likeliest actions."""
    env, won = Masked(config), list[float]()
    for seed in range(games):
        seen, info = env.reset(seed=10_000 + seed)
        over = False
        while not over:
            batch = {"obs": {part: torch.tensor(seen[part])[None] for part in seen}}
            with torch.no_grad():
                logits = module.forward_inference(batch)["action_dist_inputs"]
            seen, _, over, _, info = env.step(np.int64(int(logits.argmax())))
        won.append(float(info["rank"] == 1))
    return share_of(won, len(won))


def said(share: Estimate) -> str:
    """A share and its interval."""
    return f"{share.mean:.0%} ({share.low:.0%} to {share.high:.0%})"


def main(given: list[str] | None = None) -> None:
    """Learn, and print how strong it was before and is afterwards."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("game")
    parser.add_argument("--seats", type=int)
    parser.add_argument("--set", dest="option", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--bots", default="uniform", help="who has the other seats")
    parser.add_argument("--rewards", default="ranks", help="ranks, points or lead")
    parser.add_argument("--iterations", type=int, default=20, help=f"of {DECISIONS:,} decisions")
    parser.add_argument("--games", type=int, default=400, help="to measure its strength")
    words = parser.parse_args(given)
    table = {"game": words.game, "seats": words.seats, "bots": words.bots}
    table |= {"rewards": words.rewards, **dict(each.split("=", 1) for each in words.option)}
    spec = modules.RLModuleSpec(
        module_class=masking.ActionMaskingTorchRLModule,
        model_config={"fcnet_hiddens": [128, 128], "fcnet_activation": "tanh"},
    )
    learner = (
        ppo.PPOConfig()
        .environment(Masked, env_config=table)
        .env_runners(num_env_runners=0, num_envs_per_env_runner=8)  # in this process
        .rl_module(rl_module_spec=spec)
        .training(
            gamma=1.0,
            lr=1e-3,
            entropy_coeff=0.01,
            train_batch_size=DECISIONS,
            minibatch_size=500,
            num_epochs=6,
        )
        .debugging(seed=1, log_level="ERROR")
        .build_algo()
    )
    before, began = strength(learner.get_module(), table, words.games), perf_counter()
    for _ in range(words.iterations):
        learner.train()
    seconds, decisions = perf_counter() - began, words.iterations * DECISIONS
    after = strength(learner.get_module(), table, words.games)
    sys.stdout.write(
        f"first in {said(before)} of the games; after {decisions:,} decisions, {seconds:.0f} s, "
        f"{decisions / seconds:,.0f} a second, in {said(after)}\n"
    )
    learner.stop()


if __name__ == "__main__":
    main()
