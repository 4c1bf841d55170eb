"""The example in which OpenSpiel's learners learn a miniature, where PyTorch is installed."""

import runpy
from pathlib import Path
from typing import Any

import pytest

from mauerwerk.adapters import openspiel

torch: Any = pytest.importorskip("torch")
pytest.importorskip("tree", reason="OpenSpiel's learners need dm-tree")

EXAMPLE = Path(__file__).parents[2] / "examples" / "openspiel_learners.py"
SMALLEST: dict[str, Any] = {"seats": 3, "rounds": 1, "pieces": "TC", "stall": 1}


@pytest.mark.parametrize(("learner", "amount"), [("deep_cfr", 1), ("nfsp", 20)])
def test_a_learner_of_openspiel_learns_from_tensors(learner: str, amount: int) -> None:
    """It plays, learns and has a policy whose NashConv can be computed."""
    torch.set_num_threads(1)
    example = runpy.run_path(str(EXAMPLE))

    assert 0 <= example[learner](openspiel.load("mauer", **SMALLEST), amount) < 6
