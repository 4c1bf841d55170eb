"""A player that learns against bots: MaskablePPO of Stable-Baselines3-contrib.

    pip install 'mauerwerk[adapters,lab]' sb3-contrib
    python examples/train_sb3.py mauer --seats 3 --set rounds=1 --steps 100000

One seat learns, and bots have the others. The masks come from `action_masks`, and the bounds of the
space scale what the seat sees to numbers between 0 and 1.

Seen on one busy core: first in 32% (28% to 37%) of the games before, and after 100,000 decisions,
which took 35 s, in 77% (73% to 81%).
"""

import argparse
import sys
from functools import partial
from importlib import import_module
from time import perf_counter
from typing import Any, Final

import gymnasium
import numpy as np
from gymnasium.wrappers import TransformObservation

from mauerwerk.adapters.gymnasium import SeatEnv
from mauerwerk.lab.intervals import Estimate, share_of

sb3: Any = import_module("stable_baselines3.common.vec_env")
contrib: Any = import_module("sb3_contrib")
torch: Any = import_module("torch")

AT_ONCE: Final = 8
"""Games that are played in turns."""
GAMES: Final = 400
"""Games that are played to see how strong it is."""


def environment(words: argparse.Namespace) -> Any:  # noqa: ANN401 - wrapped by Gymnasium
    """One seat of a game, with what it sees between 0 and 1."""
    options = dict(each.split("=", 1) for each in words.option)
    env = SeatEnv(words.game, words.seats, bots=words.bots, rewards=words.rewards, **options)
    bounds: Any = env.observation_space
    highest: Any = bounds.high.astype(np.float32)
    space = gymnasium.spaces.Box(0, 1, highest.shape, np.float32)
    return TransformObservation(env, partial(np.multiply, 1 / highest), space)


def strength(model: Any, words: argparse.Namespace) -> Estimate:  # noqa: ANN401 - of SB3
    """How often it is first, alone or with others."""
    env = environment(words)
    won: list[float] = []
    for seed in range(words.games):
        seen, info = env.reset(seed=10_000 + seed)
        over = False
        while not over:
            action, _ = model.predict(seen, action_masks=info["action_mask"], deterministic=True)
            seen, _, over, _, info = env.step(action)
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
    parser.add_argument("--steps", type=int, default=100_000)
    parser.add_argument("--games", type=int, default=GAMES, help="to measure its strength")
    parser.add_argument("--save")
    words = parser.parse_args(given)
    torch.set_num_threads(1)
    model = contrib.MaskablePPO(
        "MlpPolicy",
        sb3.DummyVecEnv([lambda: environment(words)] * AT_ONCE),
        n_steps=256,
        batch_size=512,
        n_epochs=4,
        gamma=1.0,
        ent_coef=0.01,
        learning_rate=1e-3,
        policy_kwargs={"net_arch": [128, 128]},
        seed=1,
    )
    before, began = strength(model, words), perf_counter()
    model.learn(words.steps)
    seconds = perf_counter() - began
    sys.stdout.write(
        f"first in {said(before)} of the games; after {words.steps:,} decisions, {seconds:.0f} s, "
        f"{words.steps / seconds:,.0f} a second, in {said(strength(model, words))}\n"
    )
    if words.save:
        model.save(words.save)


if __name__ == "__main__":
    main()
