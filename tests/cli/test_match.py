"""`mauerwerk match`: bots compared, by people and by programs."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.cli.asking import interrupted, refused, run
from tests.support.amounts import amount

from mauerwerk.core import record
from mauerwerk.games import GAMES

MATCH = "match mauer --bots uniform,uniform,uniform:2s --games 6 --rounds 1 --seed 1 --jobs 1"


def report(capsys: pytest.CaptureFixture[str], command: str) -> dict[str, Any]:
    """What it says to a program, less what depends on the clock."""
    answer: dict[str, Any] = json.loads(run(capsys, f"{command} --json"))
    for bot in answer["standings"]["bots"]:
        thinking = bot.pop("thinking")
        assert thinking["decisions"] > 0
        assert thinking["median"] <= thinking["percentile_99"] <= thinking["longest"]
    return answer


def test_match_compares_bots(capsys: pytest.CaptureFixture[str]) -> None:
    """Wins, ranks and points with intervals; lengths, endings and times."""
    out = run(capsys, MATCH)
    assert "Die Mauer, 6 games in 2 rotations, seed 1" in out
    assert "equals would win 33.3% each" in out
    assert "uniform:2s" in out
    assert "ended by: " in out
    assert "late: more than 50 ms after their time" in out


def test_match_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    """All that a table of figures needs."""
    answer = report(capsys, MATCH.replace("--games 6", "--games 12"))
    standings = answer["standings"]
    assert answer["game"] == "mauer"
    assert answer["setup"]["seats"] == 3
    assert [bot["seconds"] for bot in answer["bots"]] == [1, 1, 2]
    assert (answer["asked"], answer["stopped"], answer["confidence"]) == (12, False, 0.95)
    assert (standings["games"], standings["rotations"]) == (12, 4)
    wins = {bot["bot"]: bot["wins"] for bot in standings["bots"]}
    assert 2 * wins["uniform"]["mean"] + wins["uniform:2s"]["mean"] == pytest.approx(1)
    for bot in standings["bots"]:
        for figure in ("wins", "rank", "points"):
            assert bot[figure]["low"] <= bot[figure]["mean"] <= bot[figure]["high"]
    assert {(each["bot"], each["other"]) for each in standings["ahead"]} == {
        ("uniform", "uniform:2s"),
        ("uniform:2s", "uniform"),
    }


@pytest.mark.process
def test_the_same_seed_gives_the_same_match(capsys: pytest.CaptureFixture[str]) -> None:
    """However many processes play it, in whatever order the bots are named; another does not."""
    once = report(capsys, MATCH)
    again = report(capsys, MATCH.replace("uniform,uniform:2s", "uniform:2s,uniform"))
    at_once = report(capsys, MATCH.replace("--jobs 1", "--jobs 2"))
    other = report(capsys, MATCH.replace("--seed 1", "--seed 2"))
    assert once == again
    assert once["standings"] == at_once["standings"] != other["standings"]


def test_games_are_rounded_up_to_whole_rotations(capsys: pytest.CaptureFixture[str]) -> None:
    """So that every bot sits everywhere as often."""
    assert report(capsys, MATCH.replace("--games 6", "--games 4"))["standings"]["games"] == 6


def test_one_bot_can_take_all_seats(capsys: pytest.CaptureFixture[str]) -> None:
    """Then there is nothing to compare but the seats."""
    answer = report(capsys, "match mauer --bots uniform --seats 4 --games 8 --rounds 1 --jobs 1")
    [bot] = answer["standings"]["bots"]
    assert bot["wins"]["mean"] == pytest.approx(0.25)
    assert sum(seat["mean"] for seat in answer["standings"]["seats"]) == pytest.approx(1)


def test_records_are_kept_if_asked(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """A file a game, that replays and says who sat where."""
    run(capsys, f"{MATCH} --records {tmp_path / 'games'}")
    files = sorted((tmp_path / "games").iterdir())
    assert [file.name for file in files] == [
        f"mauer-{rotation:06}-{turn}.txt" for rotation in range(2) for turn in range(3)
    ]
    for file in files:
        paper = file.read_text(encoding="utf-8")
        assert paper.startswith("# seat 1 uniform")
        assert record.read(paper, GAMES).setup.seats == 3


def test_a_match_goes_on_where_its_results_stop(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Cut in the middle of a line, it ends as if it had never been cut; no seed need be named."""
    whole, cut = tmp_path / "whole.jsonl", tmp_path / "cut.jsonl"
    expected = report(capsys, f"{MATCH} --results {whole}")
    written = whole.read_bytes()
    cut.write_bytes(written[: len(written) * 2 // 3])
    resumed = report(capsys, f"{MATCH.replace('--seed 1', '')} --results {cut}")
    assert resumed == expected
    kept = [json.loads(line)["fixture"] for line in cut.read_text().splitlines()[1:]]
    assert kept == [json.loads(line)["fixture"] for line in whole.read_text().splitlines()[1:]]


def test_a_match_can_be_made_longer(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Only what is new is played."""
    file = tmp_path / "results.jsonl"
    run(capsys, f"{MATCH} --results {file}")
    before = file.read_bytes()
    longer = report(capsys, f"{MATCH.replace('--games 6', '--games 9')} --results {file}")
    assert longer["standings"]["games"] == 9
    assert file.read_bytes().startswith(before)
    assert len(file.read_text().splitlines()) == 10


def test_records_go_on_with_the_results(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """In the same folder; in another one the games played before would be missing."""
    kept = f"--results {tmp_path / 'results.jsonl'} --records"
    run(capsys, f"{MATCH} {kept} {tmp_path / 'games'}")
    before = {file: file.read_bytes() for file in (tmp_path / "games").iterdir()}
    longer = MATCH.replace("--games 6", "--games 9")
    assert "new lacks the records of 6 games that the results hold" in refused(
        capsys, f"{longer} {kept} {tmp_path / 'new'}"
    )
    assert not (tmp_path / "new").exists()
    run(capsys, f"{longer} {kept} {tmp_path / 'games'}")

    assert len(list((tmp_path / "games").iterdir())) == 9
    assert all(file.read_bytes() == content for file, content in before.items())


@pytest.mark.process
def test_ctrl_c_reports_what_was_played(tmp_path: Path) -> None:
    """Whole rotations so far, exit code 130, and no process is left behind."""
    file = tmp_path / "results.jsonl"
    options = f"--games 1000000 --rounds 1 --jobs 2 --json --results {file}"
    command = f"match mauer --bots uniform,uniform,uniform:2s {options}"
    answer = interrupted(command, file, lines=30)
    assert answer["stopped"] is True
    assert 0 < answer["standings"]["games"] < answer["asked"]
    assert answer["standings"]["games"] % 3 == 0


BAD = [
    ("match mauer", "Missing option '--bots'"),
    ("match chess --bots uniform", "there is no game 'chess', only mauer"),
    ("match mauer --bots uniform,clever,uniform", "there is no bot 'clever'"),
    ("match mauer --bots uniform,uniform", "mauer is for 3 to 6 seats, not 2"),
    ("match mauer --bots uniform,uniform,uniform --seats 4", "one for each of 4 seats"),
    ("match mauer --bots uniform:0s --seats 3", "a time like 0.2s"),
    ("match mauer --bots uniform --seats 3 --games 0", "0 is not in the range"),
    ("match mauer --bots uniform --seats 3 --jobs 0", "0 is not in the range"),
    ("match mauer --bots uniform --seats 3 --stall off --records {new}", "need not end"),
    ("match mauer --bots uniform --seats 3 --rounds 11", "option rounds can be 1 to 10"),
    ("match mauer --bots uniform --seats 3 --records {full}", "is not empty"),
    ("match mauer --bots uniform --seats 3 --results {full}/diary.txt", "no file of results"),
    ("match mauer --bots uniform --seats 3 --results {new}/a.jsonl", "there is no folder"),
    ("match mauer --bots uniform --seats 3 --results {full}", "is a directory"),
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


def test_a_bot_that_cannot_think_as_it_should_is_called_so(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """In tables and in JSON."""
    monkeypatch.setattr("mauerwerk.bots.can_run", lambda *_: False)
    command = MATCH.replace("uniform:2s", "master").replace("--games 6", "--games 3")
    label = "master (rules of thumb: kernels are not installed)"

    assert label in report(capsys, command)["standings"]["bots"][0].values()
    assert "master (rules of" in run(capsys, command)


def test_who_lacks_an_extra_is_refused_before_anything_is_written(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """One line that says what is missing."""
    monkeypatch.setattr("mauerwerk.bots.can_search", lambda: False)
    command = f"{MATCH} --records {tmp_path / 'games'} --results {tmp_path / 'results.jsonl'}"
    assert "pip install 'mauerwerk[kernels]'" in refused(
        capsys, command.replace("uniform:2s", "search:2s")
    )
    assert list(tmp_path.iterdir()) == []


PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "compare-bots.md"


JOBS = amount("--jobs 1", "--jobs 1", "")


@pytest.mark.process
def test_the_commands_of_the_page_run(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In their order, as they stand there; the second ladder plays what the first did not.

    In one process, except in a night.
    """
    monkeypatch.chdir(tmp_path)
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    commands = [line.removeprefix("$ mauerwerk ") for line in lines if line.startswith("$ ")]
    printed = [run(capsys, f"{command} {JOBS}") for command in commands]
    assert len(printed) == 3
    assert "Die Mauer, 40 games in 10 rotations, seed 1" in printed[0]
    assert "Die Mauer, 3 seats, 12 games, seed 1" in printed[1]
    assert "Die Mauer, 3 seats, 24 games, seed 1" in printed[2]
    assert {path.name for path in tmp_path.iterdir()} == {"ladder-mauer.jsonl", "ladder.html"}


def test_help_shows_an_example(capsys: pytest.CaptureFixture[str]) -> None:
    """With the game one asked about."""
    assert "Example: mauerwerk match mauerbauer --bots" in run(capsys, "match mauerbauer --help")
    assert "[default: one per bot]" in " ".join(run(capsys, "match mauer --help").split())
