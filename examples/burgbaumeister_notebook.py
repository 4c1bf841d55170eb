"""Burgbaumeister in a notebook: one seat against bots, and the value of a good memory.

Each `# %%` begins a cell, in editors and in Jupyter (with jupytext). It also runs as a script.
"""

# ruff: noqa: T201 - a notebook prints its results
# pyright: basic, reportUnusedExpression=false, reportMissingTypeStubs=false

# %% One seat, through Gymnasium
import gymnasium
import numpy as np

import mauerwerk.adapters.gymnasium
from mauerwerk.adapters.notebook import Picture

NAME = "mauerwerk.adapters.gymnasium:mauerwerk/burgbaumeister-v1"
env = gymnasium.make(NAME, seats=2, bots="uniform", variant=True, render_mode="svg")
layout = mauerwerk.adapters.gymnasium.SeatEnv("burgbaumeister", seats=2, variant=True).layout


ADD, LEAVE = 45, 47
"""The numbers of two actions; the numbers before them turn the card at each place."""
BIG = 8
"""Larger steps from one number of a wall to the next are not worth taking."""


# %% A player who remembers which number lies where
class Rememberer:
    """Turns the card that is the best next step, or else a new card; adds cards in small steps."""

    def __init__(self) -> None:
        """Start without any knowledge."""
        self.known: dict[int, int] = {}

    def act(self, seen: np.ndarray, mask: np.ndarray) -> int:
        """Return one of the actions that the mask allows."""
        allowed = set(mask.nonzero()[0].tolist())
        turned, number = seen[layout["turned"]], seen[layout["number"]]
        wall = seen[layout["walls"]][:ADD].nonzero()[0]
        top = int(wall[-1]) if len(wall) else -1
        if number.any():
            place, face = int(turned.argmax()), int(number.argmax())
            self.known[place] = face
            return ADD if ADD in allowed and face - top <= BIG else max(allowed & {ADD, LEAVE})
        if not allowed <= set(range(ADD)):
            return min(allowed)
        steps = {place: face - top for place, face in self.known.items() if place in allowed}
        good = [place for place, step in steps.items() if 0 < step <= BIG]
        new = sorted(allowed - set(self.known))
        return min(good, key=steps.__getitem__) if good else (new or sorted(allowed))[0]


# %% A game
player = Rememberer()
seen, info = env.reset(seed=1)
over = False
while not over:
    seen, reward, over, _, info = env.step(player.act(seen, info["action_mask"]))
print(f"rank {info['rank']} with {info['points']} points ({info['reason']})")
Picture(str(env.render()))

# %% Many games: how often it beats a random player
won = 0
for seed in range(20):
    player = Rememberer()
    seen, info = env.reset(seed=seed)
    over = False
    while not over:
        seen, reward, over, _, info = env.step(player.act(seen, info["action_mask"]))
    won += info["rank"] == 1
print(f"{won} of 20 games won")
