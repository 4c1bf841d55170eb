"""`mauerwerk ladder`: bots rated, in a file that can be played on."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.cli.asking import refused, run

LADDER = "ladder mauer --seats 3 --rounds 1 --jobs 1 --seed 1 --games 6"
THREE = "--bots uniform,uniform:2s,uniform:3s"
FOUR = f"{THREE},uniform:4s"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the command is run."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def report(capsys: pytest.CaptureFixture[str], command: str) -> dict[str, Any]:
    """What it says to a program, less what depends on the clock."""
    answer: dict[str, Any] = json.loads(run(capsys, f"{command} --json"))
    for bot in answer["standings"]["bots"]:
        del bot["thinking"]
    return answer


def test_ladder_rates_bots(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    """A table of ratings, one of who beat whom; results beside, where they can be played on."""
    out = run(capsys, f"{LADDER} {THREE}")
    assert "Die Mauer, 3 seats, 6 games, seed 1" in out
    assert "rating" in out
    assert "Who finished before whom" in out
    assert "results: ladder-mauer.jsonl" in out
    assert len((folder / "ladder-mauer.jsonl").read_text().splitlines()) == 7


def test_ladder_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    """Ratings with intervals, the strongest first, and the standings they come from."""
    answer = report(capsys, f"{LADDER} {FOUR}")
    rated = [each["rating"] for each in answer["ratings"]]
    assert {each["bot"] for each in answer["ratings"]} == set(FOUR.split()[1].split(","))
    assert [each["mean"] for each in rated] == sorted((e["mean"] for e in rated), reverse=True)
    assert all(each["low"] < each["mean"] < each["high"] for each in rated)
    assert len(answer["standings"]["ahead"]) == 12
    assert min(each["games"] for each in answer["standings"]["ahead"]) >= 6
    assert answer["results"] == "ladder-mauer.jsonl"


@pytest.mark.process
def test_a_ladder_goes_on_where_it_was_cut(
    capsys: pytest.CaptureFixture[str], folder: Path
) -> None:
    """The ratings are those of a ladder that was never cut, to the last digit."""
    expected = report(capsys, f"{LADDER} {FOUR} --results whole.jsonl")
    written = (folder / "whole.jsonl").read_bytes()
    (folder / "cut.jsonl").write_bytes(written[: len(written) // 2])
    resumed = report(capsys, f"{LADDER.replace('--seed 1', '')} {FOUR} --results cut.jsonl")
    at_once = report(
        capsys, f"{LADDER.replace('--jobs 1', '--jobs 2')} {FOUR} --results other.jsonl"
    )
    for answer in (resumed, at_once):
        assert answer["ratings"] == expected["ratings"]
        assert answer["standings"] == expected["standings"]


def test_a_ladder_takes_more_games_and_more_bots(
    capsys: pytest.CaptureFixture[str], folder: Path
) -> None:
    """What was played stays, and is rated with the rest."""
    file = folder / "ladder-mauer.jsonl"
    run(capsys, f"{LADDER} {THREE}")
    first = file.read_bytes()
    run(capsys, f"{LADDER.replace('--games 6', '--games 9')} {THREE}")
    second = file.read_bytes()
    run(capsys, f"{LADDER} --bots uniform,uniform:4s")
    assert second.startswith(first)
    assert file.read_bytes().startswith(second)
    answer = report(capsys, f"{LADDER} {THREE} --games 0")
    assert {each["bot"] for each in answer["ratings"]} == set(FOUR.split()[1].split(","))
    assert answer["standings"]["games"] == len(file.read_text().splitlines()) - 1


BAD = [
    ("ladder mauer --bots uniform", "two bots at least"),
    ("ladder mauer --bots uniform,clever", "there is no bot 'clever'"),
    ("ladder mauer --bots uniform,uniform:2s --report a.png", "ends in .html"),
    ("ladder mauer --bots uniform,uniform:2s --report none/a.html", "there is no folder none"),
    ("ladder mauer --bots uniform,uniform:2s --results diary.txt", "no file of results"),
    ("ladder mauer --bots uniform,uniform:2s --games 0", "holds no games to rate"),
    ("ladder mauer --bots uniform,uniform:2s --games -1", "-1 is not in the range"),
    ("ladder mauer --bots uniform,uniform:2s --stall off", "need not end"),
]


@pytest.mark.parametrize(("command", "fault"), BAD)
def test_bad_input_gets_one_clear_line(
    capsys: pytest.CaptureFixture[str], folder: Path, command: str, fault: str
) -> None:
    """On stderr, with exit code 2, and nothing changed."""
    (folder / "diary.txt").write_text("Dear diary", encoding="utf-8")
    assert fault in refused(capsys, command)
    assert [path.name for path in folder.iterdir()] == ["diary.txt"]


def test_results_of_another_ladder_are_left_alone(
    capsys: pytest.CaptureFixture[str], folder: Path
) -> None:
    """What differs is named."""
    run(capsys, f"{LADDER} {THREE}")
    before = (folder / "ladder-mauer.jsonl").read_bytes()
    assert refused(capsys, f"{LADDER} {THREE} --rounds 2") == (
        "mauerwerk: ladder-mauer.jsonl holds a contest with rounds='1', not '2'\n"
    )
    assert (folder / "ladder-mauer.jsonl").read_bytes() == before


def test_without_the_extra_there_is_a_clear_answer(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, folder: Path
) -> None:
    """Before anything is played."""
    monkeypatch.setitem(sys.modules, "openskill.models", None)
    monkeypatch.delitem(sys.modules, "mauerwerk.lab.match.ratings", raising=False)
    monkeypatch.delitem(sys.modules, "mauerwerk.cli.match", raising=False)
    assert "pip install 'mauerwerk[kernels]'" in refused(capsys, f"{LADDER} {THREE}")
    assert list(folder.iterdir()) == []


def test_help_shows_an_example(capsys: pytest.CaptureFixture[str]) -> None:
    """With the game one asked about."""
    assert "Example: mauerwerk ladder burgbaumeister --bots" in run(
        capsys, "ladder burgbaumeister --help"
    )
