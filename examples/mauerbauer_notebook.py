"""Mauerbauer in a notebook: a board, a batch of games, and the advantage of the first turn.

Each `# %%` begins a cell, in editors and in Jupyter (with jupytext). It also runs as a script.
"""

# ruff: noqa: T201 - a notebook prints its results
# pyright: basic, reportUnusedExpression=false, reportMissingTypeStubs=false

# %% A board
import numpy as np

from mauerwerk.adapters import pettingzoo
from mauerwerk.adapters.gymnasium import SeatsVectorEnv
from mauerwerk.adapters.notebook import Picture, show
from mauerwerk.core.game import Setup
from mauerwerk.games import mauerbauer

state = mauerbauer.start(Setup(2, mauerbauer.Options(board="small", first=0)))
show(state, names=["Ann", "Ben"])

# %% A random game, one agent after the other
env = pettingzoo.env("mauerbauer", seats=2, board="small", first=0, render_mode="svg")
env.reset(seed=3)
for agent in env.agent_iter():
    seen, reward, over, _, info = env.last()
    action = None if over else env.action_space(agent).sample(seen["action_mask"])
    env.step(action)
picture = Picture(str(env.render()))
picture  # noqa: B018 - the last line of a cell is what a notebook shows

# %% A thousand games at once: does it help to begin?
GAMES = 1_000
envs = SeatsVectorEnv("mauerbauer", num_envs=2 * 256, seats=2, board="small", first=0)
envs.reset(seed=1)
won = np.zeros(2)
while won.sum() < GAMES:
    rewards = envs.step(envs.choose())[1]
    won += (rewards.reshape(-1, 2) > 0).sum(axis=0)
first, second = (won / won.sum()).round(2)
print(f"in random play the first builder wins {first:.0%}, the second {second:.0%}")
