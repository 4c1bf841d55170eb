"""The example that learns from a dataset."""

import runpy
from pathlib import Path

import pytest

pytestmark = pytest.mark.kernels

EXAMPLE = Path(__file__).parents[2] / "examples" / "imitate.py"


def test_the_example_learns(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """After one pass through the sample it foresees more than chance does."""
    monkeypatch.setattr("sys.argv", ["imitate.py", str(EXAMPLE.parent / "decisions"), "1"])
    runpy.run_path(str(EXAMPLE), run_name="__main__")

    learnt, chance = (int(line.partition("%")[0]) for line in capsys.readouterr().out.splitlines())
    assert learnt > chance
