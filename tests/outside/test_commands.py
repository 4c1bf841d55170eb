"""Commands, with games of other people."""

import csv
import json
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from tests.cli.asking import refused, run
from tests.outside import goofspiel
from tests.outside.goofspiel import Goofspiel

from mauerwerk.cli import main
from mauerwerk.core.defaults import NoOptions
from mauerwerk.core.game import Setup
from mauerwerk.games import GAMES


def test_a_word_that_is_no_game_names_the_games(capsys: pytest.CaptureFixture[str]) -> None:
    said = refused(capsys, "simulate chess")

    assert "there is no game 'chess', only mauer, burgbaumeister, mauerbauer, goofspiel and" in said


@pytest.mark.process
def test_a_game_in_which_all_choose_together_is_analysed(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Every seat is weighed, not only the first."""
    file = tmp_path / "game.txt"
    file.write_text("goofspiel/1 seats=3 cards=2\n~:p1 0:1 1:2 2:1\n~:p2 0:2 1:1 2:2\n")
    found = json.loads(run(capsys, f"analyse {file} --seconds 1 --json"))

    weighed = [each for each in found["positions"] if each["choices"]]
    assert {each["seat"] for each in weighed} == {0, 1, 2}
    assert sum(found["positions"][1]["chances"]) == pytest.approx(1)


@pytest.mark.process
def test_a_study_is_a_table_too(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """With an interval for each figure, and the differences."""
    file = tmp_path / "study.csv"
    run(capsys, f"study goofspiel --games 20 --set cards=3 --luck 0 --seed 1 --csv {file}")
    rows = list(csv.DictReader(file.read_text(encoding="utf-8").splitlines()))

    assert {row["rule"] for row in rows} == {"standard", "changed", "difference"}
    assert all(float(row["mean"]) is not None for row in rows)
    assert "length" in {row["section"] for row in rows}


class Short(Goofspiel):
    """Four cards, and nothing to choose."""

    NAME = "short"
    OPTIONS: Any = NoOptions

    def begin(self, setup: Setup[Any], /) -> goofspiel.State:
        """Always the same."""
        return super().begin(Setup(setup.seats, goofspiel.Options(cards=4)))

    def choices(self, setup: Setup[Any], /) -> Sequence[goofspiel.Action]:
        """Four cards."""
        del setup
        return self.CHOICES[:4]

    def lots(self, setup: Setup[Any], /) -> Sequence[goofspiel.Action]:
        """Four prizes."""
        del setup
        return self.LOTS[:4]


def test_a_game_without_options_is_studied(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first line names none."""
    monkeypatch.setitem(GAMES, "short", Short())
    said = run(capsys, "study short --seats 2 --games 4 --luck 0 --seed 1 --jobs 1").splitlines()

    assert said[0] == "Goofspiel, 4 games of 2 seats, uniform, seed 1"


@pytest.mark.process
def test_a_match_saves_its_games_in_one_file_or_a_folder(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    match = "match goofspiel --cards 3 --bots uniform,uniform --games 4 --seed 1 --jobs 1"
    run(capsys, f"{match} --records {tmp_path}/all.txt")
    run(capsys, f"{match} --records {tmp_path}/each")

    assert (tmp_path / "all.txt").read_text().count("goofspiel/1 ") == 4
    assert len(list((tmp_path / "each").iterdir())) == 4
    assert "exists already" in refused(capsys, f"{match} --records {tmp_path}/all.txt")


@pytest.mark.process
def test_a_program_that_dies_at_the_start_shows_why(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """What it wrote to stderr comes before the one line."""
    program = tmp_path / "dies.py"
    program.write_text("raise RuntimeError('no such file: weights.bin')\n")
    match = [
        "match",
        "goofspiel",
        "--games",
        "2",
        "--bots",
        f"run:{sys.executable} {program},uniform",
    ]

    assert main(match) == 2
    assert "no such file: weights.bin" in capsys.readouterr().err


@pytest.mark.process
def test_a_match_with_a_bot_that_always_fails_is_stopped(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The exit code is not 0, however many games were asked for."""
    (tmp_path / "raising.py").write_text(
        "class Raises:\n    def act(self, sight, seconds):\n        raise RuntimeError('oh no')\n"
    )
    monkeypatch.chdir(tmp_path)
    bots = "--bots raising:Raises,uniform,uniform"
    match = f"match mauer --rounds 1 --pieces T12 {bots} --jobs 1 --games"

    assert main([*match.split(), "5000"]) == 2
    assert (
        "the bot raising:Raises always fails: it lost 10 games like this" in capsys.readouterr().err
    )
    assert main([*match.split(), "3"]) == 2
    assert "it lost 3 games like this" in capsys.readouterr().err


def test_a_new_game_is_made(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """All of its files are there, with its name; `tests/packaging` installs and plays it."""
    said = run(capsys, f"new-game harbour --folder {tmp_path}/harbour")
    run(capsys, f"new-game table --folder {tmp_path}/table")

    assert "mauerwerk check harbour" in said
    files = {
        str(each.relative_to(tmp_path / "harbour")) for each in (tmp_path / "harbour").rglob("*.*")
    }
    assert {"pyproject.toml", "README.md", "src/harbour/game.py", "tests/test_harbour.py"} <= files
    assert not any("$" in each.read_text() for each in tmp_path.rglob("*.*") if each.is_file())
    code = (tmp_path / "table/src/table/game.py").read_text()
    classes = re.findall(r"^class (\w+)", code, re.MULTILINE)
    assert len(classes) == len(set(classes)), "whatever it is called"


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        ("Harbour", "a name is 2 to 31 small letters"),
        ("mauer", "there is a game mauer already"),
        ("goofspiel", "there is a game goofspiel already"),
        ("class", "class means something to Python already"),
        ("json", "json means something to Python already"),
        ("harbour --title 'a\\b'", "without quotation marks and backslashes"),
        ("harbour --folder {here}", "exists already"),
    ],
)
def test_a_new_game_is_refused_in_one_line(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, words: str, fault: str
) -> None:
    assert fault in refused(capsys, f"new-game {words.format(here=tmp_path)}")
    assert not list(tmp_path.iterdir())
