"""Die Mauer in a notebook: a table that draws itself, and a miniature solved by CFR.

Each `# %%` begins a cell, in editors and in Jupyter (with jupytext). It also runs as a script.
"""

# ruff: noqa: T201 - a notebook prints its results
# pyright: basic, reportUnusedExpression=false, reportMissingTypeStubs=false

# %% A table, as the third seat sees it
from open_spiel.python.algorithms import cfr, exploitability

from mauerwerk.adapters import openspiel
from mauerwerk.adapters.notebook import show
from mauerwerk.core import record
from mauerwerk.core.game import Seat, name_of
from mauerwerk.games import GAMES, mauer

game = record.read(
    """
    mauer/1 seats=3 rounds=1
    0:4 1:4 2:T 1:>
    0:- 1:- 2:6 0:*T
    """,
    GAMES,
)
picture = show(game, seat=2, names=["Ann", "Ben", "Cleo"])
picture  # noqa: B018 - the last line of a cell is what a notebook shows

# %% What this seat and the receiver were told about the gift
steps = [step for _, step in record.replay(mauer, game)]
gift = steps[-1].events[0]
for seat in (Seat(2), Seat(1)):
    told = mauer.seen(gift, seat)
    assert told is not None
    print(f"{name_of(seat)}:", mauer.tell(told, ["Ann", "Ben", "Cleo"]))

# %% A miniature: each player has a tower and a gate, and two idle turns end a round
miniature = openspiel.load("mauer", seats=3, rounds=1, pieces="TC", stall=2)
solver = cfr.CFRSolver(miniature)
gain = [exploitability.nash_conv(miniature, solver.average_policy())]
for _ in range(10):
    solver.evaluate_and_update_policy()
gain.append(exploitability.nash_conv(miniature, solver.average_policy()))
print(f"what players could still gain: {gain[0]:.3f}, after ten iterations of CFR {gain[1]:.3f}")

# %% The first decision: the master builder's plan
start = miniature.new_initial_state()
plans = solver.average_policy().action_probabilities(start)
for number, chance in plans.items():
    print(f"{start.action_to_string(0, number)}  {chance:.2f}")
