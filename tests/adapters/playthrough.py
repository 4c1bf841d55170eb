"""Write the golden playthrough anew: `python tests/adapters/playthrough.py`.

The commit must say what changes for users of OpenSpiel, and why.
"""

from importlib import import_module
from pathlib import Path
from typing import Any, Final

from mauerwerk.adapters import openspiel

playthrough: Any = import_module("open_spiel.python.algorithms.generate_playthrough").playthrough

GOLDEN: Final = Path(__file__).with_suffix(".txt")

if __name__ == "__main__":
    game = openspiel.load("mauer", seats=3, rounds=1, first="lot", stall=2, pieces="TC1")
    GOLDEN.write_text(playthrough(str(game), None, seed=6), encoding="utf-8")
