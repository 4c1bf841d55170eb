"""Learn from a dataset with NumPy alone: a linear policy that imitates the players in it.

    python examples/imitate.py [DIR] [PASSES]

Without a folder it reads the sample beside this file: 60 games of greedy players, each decision
with what a search expects of every action. `mauerwerk dataset --help` says how to make a larger
one; for PyTorch there is `Dataset.for_torch`.
"""

# ruff: noqa: T201 - a program for a terminal prints its results

import sys
from pathlib import Path
from typing import Any

import numpy as np

from mauerwerk.lab.dataset.reading import Dataset, Rows

SAMPLE = Path(__file__).parent / "decisions"
RATE = 1.0


def main() -> None:
    """Learn from all files but the last, and test on that one."""
    dataset = Dataset(sys.argv[1] if len(sys.argv) > 1 else SAMPLE)
    passes = int(sys.argv[2]) if len(sys.argv) > 2 else 10  # noqa: PLR2004
    *known, unknown = dataset.files
    highest = np.array(dataset.description.observation.tops, np.float32)
    weights = np.zeros((len(highest), len(dataset.actions)), np.float32)

    def probabilities(rows: Rows) -> Any:  # noqa: ANN401 - an array
        """How likely each action is; what is illegal is not chosen."""
        logits = np.where(rows.masks, rows.observations / highest @ weights, -np.inf)
        odds = np.exp(logits - logits.max(axis=1, keepdims=True))
        return odds / odds.sum(axis=1, keepdims=True)

    for number in range(passes):
        for rows in dataset.batches(128, shuffle=number, files=known):
            error = probabilities(rows)
            error[np.arange(len(error)), rows.actions] -= 1
            weights -= RATE / len(error) * (rows.observations / highest).T @ error
    right = chance = decisions = 0.0
    for rows in dataset.batches(files=[unknown]):
        right += (probabilities(rows).argmax(axis=1) == rows.actions).sum()
        chance += (1 / rows.masks.sum(axis=1)).sum()
        decisions += len(rows.actions)
    print(f"{right / decisions:.0%} of {decisions:.0f} decisions foreseen")
    print(f"{chance / decisions:.0%} by chance")


if __name__ == "__main__":
    main()
