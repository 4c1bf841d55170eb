"""`mauerwerk analyse`: the chances as a line, the moments in sentences, JSON for programs."""

import json
import shlex
from pathlib import Path
from typing import Final

import pytest
from tests.cli.asking import refused
from tests.support.networks import drawn, saved
from tests.support.positions import setup_of

from mauerwerk.cli import main
from mauerwerk.games import mauer

LATE: Final = """mauer/1 seats=3 rounds=1 first=0 stall=2
0:T 1:4 2:- 0:>
0:- 1:- 2:-
0:- 1:- 2:-
= 0:26 1:41 2:41 stall
"""


@pytest.fixture
def record_file(tmp_path: Path) -> Path:
    """A short game, on disk."""
    path = tmp_path / "game.txt"
    path.write_text(LATE)
    return path


def test_a_bot_says_what_it_would_have_done(
    record_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Wherever a seat had a choice, by what that seat knew."""
    assert main(["analyse", str(record_file), "--bot", "greedy"]) == 0
    first, *differing = capsys.readouterr().out.splitlines()
    assert main(["analyse", str(record_file), "--bot", "greedy", "--json"]) == 0
    said = json.loads(capsys.readouterr().out)["choices"]

    other = [each for each in said if each["played"] != each["chosen"]]
    same = len(said) - len(other)
    assert first == f"greedy would have chosen the same in {same} of {len(said)} decisions"
    assert len(differing) == len(other) > 0
    assert differing[0].startswith("after ")
    assert "greedy: " in differing[0]


@pytest.mark.kernels
def test_it_tells_how_the_game_went(record_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A line for each seat, who was ahead, and what decided it."""
    assert main(["analyse", str(record_file), "--seconds", "1", "--jobs", "1"]) == 0
    out = capsys.readouterr().out
    assert "Die Mauer, 10 moves, analysed by search" in out
    assert [line.split()[1:3] for line in out.splitlines() if line.startswith("│ seat")] == [
        ["seat", str(seat)] for seat in (1, 2, 3)
    ]
    assert "100%" in out
    assert "seat 1 was ahead for good after" in out
    assert "it turns for seat 1" in out


@pytest.mark.kernels
def test_a_program_is_given_all_of_it(
    record_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every position, as JSON."""
    assert main(["analyse", str(record_file), "--seconds", "1", "--jobs", "1", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["by"] == "search"
    assert [each["at"] for each in answer["positions"]] == list(range(11))
    assert answer["positions"][-1]["chances"] == [1.0, 0.0, 0.0]


@pytest.mark.kernels
def test_a_network_guides_it_by_its_file(
    record_file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One that is for another game is refused before anything is begun."""
    three = setup_of(mauer, 3, rounds="1")
    path = saved(tmp_path / "net.safetensors", drawn(mauer, three))
    other = saved(tmp_path / "other.safetensors", drawn(mauer, three), game="breach")
    args = ["analyse", str(record_file), "--seconds", "1", "--jobs", "1", "--net"]

    assert main([*args, str(path)]) == 0
    assert "analysed by search" in capsys.readouterr().out
    assert main([*args, str(other)]) == 2
    assert "the network is for breach, not for mauer" in capsys.readouterr().err


def test_bad_input_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A record that cannot be read, a file that is none, no time to think."""
    bad = tmp_path / "bad.txt"
    bad.write_text("mauer/1 seats=3\n0:X\n")
    for args, fault in (
        ([str(bad)], "line 2: 'X' is not a move"),
        ([str(tmp_path / "none.txt")], "No such file"),
        ([str(bad), "--seconds", "0"], "--seconds"),
    ):
        assert fault in refused(capsys, shlex.join(["analyse", *args]))
