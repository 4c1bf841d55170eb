"""`mauerwerk study`: what a designer asks, by people and by programs."""

import json
import sys
from importlib import resources
from pathlib import Path
from typing import Any

import click
import pytest
from tests.cli.asking import interrupted, refused, run
from tests.support.amounts import amount

from mauerwerk.cli.per_game import option_word, titles
from mauerwerk.games import GAMES

STUDY = "study mauer --bots greedy --seats 3 --games 8 --rounds 1 --luck 3 --seed 1 --jobs 1"


def answer(capsys: pytest.CaptureFixture[str], command: str) -> dict[str, Any]:
    """What it says to a program."""
    said: dict[str, Any] = json.loads(run(capsys, f"{command} --json"))
    return said


@pytest.mark.kernels
def test_a_study_answers_with_tables(capsys: pytest.CaptureFixture[str]) -> None:
    """Seats, length, endings, points, clauses, and what decides; an interval with each."""
    out = run(capsys, STUDY)
    assert "Die Mauer, 8 games of 3 seats, greedy" in out
    for title in ("Seats", "Length", "How close it was", "How often each clause applies"):
        assert f"\n{title}:" in out
    assert "What decides, in 9 games:" in out
    assert "±" in out


@pytest.mark.kernels
def test_a_study_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    """Figures with intervals, and all counts."""
    said = answer(capsys, STUDY)
    assert (said["game"], said["confidence"], said["stopped"]) == ("mauer", 0.95, False)
    (study,) = said["studies"]
    assert study["games"] == 8
    assert study["study"]["options"]["rounds"] == "1"
    wins = [said["answers"]["seats"][f"seat {seat}"]["wins"]["values"][0] for seat in (1, 2, 3)]
    assert sum(each["mean"] for each in wins) == pytest.approx(1)
    assert all(each["low"] <= each["mean"] <= each["high"] for each in wins)
    assert said["counts"][0]["games"] == 8


def test_a_report_needs_an_extra(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One line says which, before anything is played."""
    monkeypatch.setitem(sys.modules, "jinja2", None)
    monkeypatch.delitem(sys.modules, "mauerwerk.lab.study.report", raising=False)
    said = refused(capsys, f"{STUDY} --report {tmp_path}/study.html --results {tmp_path}/study")
    assert said == "mauerwerk: this needs jinja2: pip install 'mauerwerk[kernels]'\n"
    assert not list(tmp_path.iterdir())


@pytest.mark.kernels
def test_uniform_games_are_the_kernels(capsys: pytest.CaptureFixture[str]) -> None:
    """Thousands are played at once, and compare with another rule."""
    said = answer(capsys, "study mauer --set stall=3 --games 3000 --luck 0 --seed 1 --jobs 1")
    printed, changed = said["studies"]
    assert printed["study"]["compiled"]
    assert (printed["games"], changed["games"]) == (3000, 3000)
    stalls = said["answers"]["endings"]["Nothing was built for too long"]["games"]["values"]
    assert stalls[0]["mean"] < 0.01 < stalls[1]["low"]


@pytest.mark.kernels
@pytest.mark.slow
def test_a_changed_rule_stands_beside_the_printed_one(capsys: pytest.CaptureFixture[str]) -> None:
    """What differs most comes first; alone, it is studied for itself."""
    out = run(capsys, f"{STUDY} --set rounds=3 --set first=1")
    assert "Die Mauer by standard rules, 8 games of 3 seats, greedy, rounds=1, first=0" in out
    assert "Die Mauer as changed, 8 games of 3 seats, greedy, rounds=3, first=1" in out
    assert out.index("What differs most:") < out.index("Seats:")
    assert "by chance alone at most about" in out
    alone = answer(capsys, f"{STUDY} --set rounds=3 --alone")
    assert [each["study"]["options"]["rounds"] for each in alone["studies"]] == ["3"]


@pytest.mark.thorough
def test_seats_can_be_changed_too(capsys: pytest.CaptureFixture[str]) -> None:
    """Like any rule."""
    said = answer(capsys, f"{STUDY} --set seats=4")
    assert [each["study"]["seats"] for each in said["studies"]] == [3, 4]


@pytest.mark.kernels
@pytest.mark.slow
def test_a_board_of_ones_own_is_a_change(capsys: pytest.CaptureFixture[str]) -> None:
    """It is compared with the printed one, by name or as a file; so are pictures."""
    options = "--bots greedy --seats 2 --games 2 --luck 0 --seed 1 --jobs 1"
    said = answer(capsys, f"study mauerbauer --board small {options}")
    assert [each["study"]["options"]["board"] for each in said["studies"]] == ["default", "small"]
    pictures = "3r,11rr,19r,31rr,45r,5d,27d,42d,7n,22n,40n,10t,20t,29t,38t,13c,25c,36c,17w,33k,44q"
    command = f"study burgbaumeister --variant yes --pictures {pictures} {options}"
    said = answer(capsys, command)
    assert [each["study"]["options"]["variant"] for each in said["studies"]] == ["yes", "yes"]
    assert "44, the king → 44, the queen" in said["answers"]["numbers"]


@pytest.mark.kernels
@pytest.mark.process
def test_processes_do_not_matter(capsys: pytest.CaptureFixture[str]) -> None:
    """Two find what one does; another seed does not."""
    once = answer(capsys, STUDY)
    assert answer(capsys, STUDY.replace("--jobs 1", "--jobs 2")) == once
    assert answer(capsys, STUDY.replace("--seed 1", "--seed 2"))["answers"] != once["answers"]


@pytest.mark.kernels
def test_a_study_goes_on_where_its_file_stops(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Cut in the middle of a line, it ends as if it had never been cut; no seed need be named."""
    whole, cut = tmp_path / "whole.jsonl", tmp_path / "cut.jsonl"
    expected = answer(capsys, f"{STUDY} --results {whole}")
    written = whole.read_bytes()
    cut.write_bytes(written[: len(written) * 2 // 3])
    assert answer(capsys, f"{STUDY.replace('--seed 1', '')} --results {cut}") == expected
    assert sorted(cut.read_bytes().splitlines()) == sorted(written.splitlines())
    longer = answer(capsys, f"{STUDY.replace('--games 8', '--games 12')} --results {cut}")
    assert longer["studies"][0]["games"] == 12
    assert cut.read_bytes().startswith(written[:200])


@pytest.mark.kernels
def test_a_report_is_written(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """One file, in addition to the tables."""
    path = tmp_path / "study.html"
    out = run(capsys, f"{STUDY} --report {path} --language de")
    assert "\nSeats:" in out
    assert path.read_text(encoding="utf-8").startswith('<!doctype html>\n<html lang="de">')


@pytest.mark.kernels
@pytest.mark.process
def test_ctrl_c_reports_what_was_counted(tmp_path: Path) -> None:
    """All whole batches so far, exit code 130, and no process is left behind."""
    file = tmp_path / "study.jsonl"
    options = f"--games 1000000 --rounds 1 --seats 3 --jobs 2 --luck 20 --json --results {file}"
    command = f"study mauer --bots greedy {options}"
    said = interrupted(command, file, lines=6)
    assert said["stopped"] is True
    assert 0 < said["studies"][0]["games"] < 1000000


BAD = [
    ("study chess", "there is no game 'chess'"),
    ("study mauer --bots clever", "there is no bot 'clever'"),
    ("study mauer --bots uniform,greedy", "4 seats need as many bots, not 2"),
    ("study mauer --games 1", "1 is not in the range"),
    ("study mauer --set stall", "a change is an option and its value like stall=6"),
    ("study mauer --set speed=6", "there is no option 'speed'"),
    ("study mauer --set stall=0", "option stall can be 1 to 1000 or off, not 0"),
    ("study mauer --set stall=off", "need not end"),
    ("study mauer --set stall=24", "the changed rule is the standard one"),
    ("study mauer --set seats=7", "mauer is for 3 to 6 seats, not 7"),
    ("study mauer --set seats=many", "seats can be 3 to 6, not 'many'"),
    ("study mauer --bots greedy:memory=perfect", "there is nothing to remember in mauer"),
    ("study burgbaumeister --bots uniform:memory=perfect", "uniform has no memory of its own"),
    ("study burgbaumeister --bots greedy:memory=elephant", "a memory is absent, apprentice"),
    ("study mauer --results {full}/diary.txt", "is no file of a study"),
    ("study mauer --results {new}/a.jsonl", "there is no folder"),
    ("study mauer --report {new}/a.html", "there is no folder"),
    ("study mauer --report {full}", "is a directory"),
    ("study mauer --language en --language la", "'la' is not one of"),
]


@pytest.mark.parametrize(("command", "fault"), BAD)
def test_bad_input_gets_one_clear_line(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, command: str, fault: str
) -> None:
    """On stderr, with exit code 2, and nothing changed."""
    (tmp_path / "diary.txt").write_text("Dear diary", encoding="utf-8")
    assert fault in refused(capsys, command.format(full=tmp_path, new=tmp_path / "new"))
    assert [path.name for path in tmp_path.iterdir()] == ["diary.txt"]
    assert (tmp_path / "diary.txt").read_text(encoding="utf-8") == "Dear diary"


def test_help_shows_an_example(capsys: pytest.CaptureFixture[str]) -> None:
    """With the game one asked about."""
    assert "Example: mauerwerk study mauerbauer --bots" in run(capsys, "study mauerbauer --help")


PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "study-a-rule.md"


SHORTER = amount("--luck 1 --games 8", "--luck 1 --games 8", "--luck 3")


@pytest.mark.slow
@pytest.mark.kernels
def test_the_commands_of_the_page_run(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As they stand there, but for a shorter look at luck, and fewer games except in a night."""
    monkeypatch.chdir(tmp_path)
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    commands = [line.removeprefix("$ mauerwerk ") for line in lines if line.startswith("$ ")]
    printed = [run(capsys, f"{command} {SHORTER} --jobs 1") for command in commands]
    assert len(printed) == 6
    many, some = amount((8, 8), (8, 8), (20000, 40))
    assert f"Die Mauer, {many} games of 4 seats, uniform" in printed[0]
    assert f"Die Mauer as changed, {many} games of 4 seats, uniform" in printed[1]
    assert any(f"Die Mauer as changed, {some} games of 3 seats, greedy" in each for each in printed)
    assert {path.name for path in tmp_path.iterdir()} >= {"stall.html", "walls.html"}


def test_a_file_is_called_by_its_title(tmp_path: Path) -> None:
    """The word that is made from it holds what is played on, and no title."""
    file = tmp_path / "island.toml"
    small = resources.files("mauerwerk.games.mauerbauer").joinpath("boards", "small.toml")
    file.write_text(small.read_text("utf-8").replace("The island", "My own"), "utf-8")
    with click.Context(click.Command("study")):
        word = option_word(GAMES["mauerbauer"], "board", str(file))
        assert titles() == {word: "My own"}
    assert "My own" not in word
    assert titles() == {}


@pytest.mark.kernels
def test_a_range_of_values_is_a_sweep(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """A row for each value, what changes most, and a report with curves in three languages."""
    page = tmp_path / "sweep.html"
    command = "study mauer --rounds 1 --set penalties.T=10..20/5 --games 400 --seed 1 --jobs 1"

    out = run(capsys, f"{command} --report {page}")
    said = answer(capsys, command)

    assert "penalties.T from 10 to 20, rounds=1, 400 games each of 4 seats" in out
    assert all(f"\u2502 {value} " in out for value in (10, 15, 20))
    assert "What changes most:" in out
    assert [len(curve["values"]) for curve in said["curves"][:2]] == [3, 3]
    text = page.read_text(encoding="utf-8")
    assert text.count("<polyline") == 3 * len(said["curves"])
    assert "Strafpunkte T: 10\N{EN DASH}20" in text
    assert "<mark>" in text


@pytest.mark.kernels
def test_a_sweep_of_seats_names_no_other_number_of_seats(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    page = tmp_path / "sweep.html"
    command = "study mauer --seats 3 --set seats=3..4 --games 4 --luck 0 --seed 1 --jobs 1"

    out = run(capsys, f"{command} --report {page}")

    assert out.startswith("Die Mauer, seats from 3 to 4, 4 games each, uniform, seed 1\n")
    assert "4 games; 3\N{EN DASH}4 seats; played by" in page.read_text(encoding="utf-8")


@pytest.mark.kernels
def test_a_question_is_answered_in_the_first_line(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """It stands in the report, in what programs read, and is the same with two processes."""
    page = tmp_path / "study.html"
    command = "study mauer --until begin --seed 1 --games 20000"

    first, *_ = run(capsys, f"{command} --jobs 1 --report {page}").splitlines()

    assert first.startswith("Beginning helps: the player who begins wins 27")
    assert first in page.read_text(encoding="utf-8")
    assert run(capsys, f"{command} --jobs 2").splitlines()[0] == first
    assert answer(capsys, f"{command} --jobs 1")["question"]["said"] == first


@pytest.mark.kernels
def test_a_report_marks_what_was_changed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Also what was printed instead."""
    page = tmp_path / "study.html"
    run(
        capsys,
        f"study mauerbauer --seats 2 --set walls=20 --games 40 --luck 0 --seed 1 --report {page}",
    )

    assert "<mark>walls: 20 (standard: 33)</mark>" in page.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("more", "fault"),
    [
        ("--set walls=40..28", "a range has 2 to 60 values like walls=28..40"),
        ("--set walls=1..99", "a range has 2 to 60 values like walls=28..40"),
        ("--set walls=28..30 --set hand=5..6", "one option at a time can take a range"),
        ("--set walls=28..30 --until begin", "a sweep has many answers"),
        ("--set walls=0..3", "option walls can be 1 to 100, not 0"),
        ("--set points.castle=3", "option points has numbers for"),
        ("--set walls.x=3", "option walls is one value, without 'x'"),
        ("--until length", "length is compared with nothing"),
        ("--until luck", "there is no question 'luck'"),
    ],
)
def test_what_cannot_be_swept_or_asked_is_refused(
    capsys: pytest.CaptureFixture[str], more: str, fault: str
) -> None:
    """In one line, before anything is played."""
    assert fault in refused(capsys, f"study mauerbauer {more}").replace("\n", " ")


@pytest.mark.parametrize(
    ("more", "option", "needs"),
    [
        ("--set cannons=no", "cannons", "variant=yes"),
        ("--set wall=5 --set cannons=no --alone", "cannons", "variant=yes"),
        ("--variant yes --set variant=no --set king=no", "king", "variant=yes"),
        ("--stall no --set idle=5..9", "idle", "stall=yes"),
    ],
)
def test_an_option_that_changes_nothing_here_is_refused(
    capsys: pytest.CaptureFixture[str], more: str, option: str, needs: str
) -> None:
    """Else a rule would be compared with itself."""
    said = refused(capsys, f"study burgbaumeister --seats 2 {more}").replace("\n", " ")

    assert f"{option} changes nothing here: it counts only with {needs}" in said


@pytest.mark.kernels
def test_a_change_without_effect_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    """Uniform bots look at nothing, so they do not use a memory aid either."""
    game = "study burgbaumeister --bots uniform --seats 2 --games 20 --luck 0 --jobs 1"

    assert "made no difference" in run(capsys, f"{game} --set memory-aid=yes")
    assert "made no difference" not in run(capsys, f"{game} --set wall=5")
