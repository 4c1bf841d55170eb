"""The fourth game as commands play it, and what they say where something is missing."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from tests.cli.asking import refused, run

from mauerwerk.bots.spec import NAMES, names_for
from mauerwerk.cli import commands
from mauerwerk.core import record
from mauerwerk.games import GAMES


def test_it_is_listed(capsys: pytest.CaptureFixture[str]) -> None:
    """With its options."""
    said = run(capsys, "games")

    assert "breach: The Breach, 3 to 5 seats, revision 1 of the rules" in said
    assert "--rounds      rounds in a game (BR-5): 1 to 9; default 3" in said
    assert "breach" in run(capsys, "simulate --help")


def test_it_is_played_at_a_terminal(tmp_path: Path) -> None:
    """A person answers in words, sees the table as text, and keeps a record."""
    file = tmp_path / "game.txt"
    command = ["tui", "breach", "--seats", "3", "--rounds", "2", "--seed", "1"]
    answers = "?\n=\n7\nx\n2\n1\n"

    told = CliRunner().invoke(commands, [*command, "--record", str(file)], input=answers)

    assert told.exit_code == 0, told.output
    for said in (
        "The Breach, 3 players.",
        "How many stones?",
        "hold 2 stones",
        "'7' is not a move: a hand is 0 to 6, a breach w1 to w3",
        "'x' is not a move",
        "The game is over (rounds).",
    ):
        assert said in told.output
    kept = record.read(file.read_text(encoding="utf-8"), GAMES)
    assert [move.word for move in kept.moves if move.seat == 0] == ["2", "1"]


def test_a_forbidden_answer_names_the_clause() -> None:
    """The rules say why not (BR-2)."""
    told = CliRunner().invoke(
        commands, ["tui", "breach", "--seats", "3", "--seed", "1"], input="6\n6\n0\n0\n"
    )

    assert "Not now: every player closes one hand, around no more stones" in told.output


def test_a_record_is_replayed(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """`mauerwerk replay` draws each position as text."""
    file = tmp_path / "game.txt"
    file.write_text("breach/1 seats=3 rounds=1\n~:w2 0:1 1:3 2:1\n", encoding="utf-8")

    assert "The Breach, 1/1" in run(capsys, f"replay {file}")


def test_it_is_simulated_by_the_rules(capsys: pytest.CaptureFixture[str]) -> None:
    """There is no kernel, and none is needed."""
    summary = json.loads(run(capsys, "simulate breach --games 50 --seed 1 --json"))["summary"]

    assert summary["games"] == 50
    assert sum(seat["wins"]["mean"] for seat in summary["seats"]) == pytest.approx(1)


@pytest.mark.parametrize(
    "command",
    [
        "simulate breach --engine cpu",
        "simulate breach --bots search",
        "match breach --bots search,uniform,uniform --games 3 --results {folder}/results",
        "tui breach --seats 3 --bots search",
    ],
)
def test_what_needs_a_kernel_says_so(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, command: str
) -> None:
    """One line, and exit code 2."""
    assert "no kernel for breach" in refused(capsys, command.format(folder=tmp_path))


def test_bots_without_rules_of_thumb_say_so(capsys: pytest.CaptureFixture[str]) -> None:
    """They play any legal move, and a line on stderr tells."""
    said = CliRunner().invoke(commands, ["simulate", "breach", "--bots", "greedy", "--games", "1"])

    assert said.exit_code == 0
    assert said.stderr.count("\n") == 1
    assert "there are no rules of thumb for breach" in said.stderr
    run(capsys, "simulate mauer --bots greedy --games 1 --rounds 1")
    assert capsys.readouterr().err == ""


@pytest.mark.process
@pytest.mark.parametrize("bots", ["uniform,uniform,uniform", "greedy,journeyman,uniform"])
def test_it_is_played_in_a_match(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, bots: str
) -> None:
    """By workers in other processes, which find the game too."""
    file = tmp_path / "results"
    command = f"match breach --bots {bots} --games 6 --seed 1 --results {file} --json"

    assert json.loads(run(capsys, command))["standings"]["games"] == 6


@pytest.mark.process
def test_it_has_a_ladder(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """All bots that differ in it are rated, unless others are named."""
    said = run(
        capsys, f"ladder breach --seats 3 --games 3 --seed 1 --results {tmp_path / 'ladder'}"
    )

    assert "uniform" in said
    assert "apprentice" in said
    assert "master" not in said
    assert set(NAMES) - set(names_for(GAMES["mauer"])) <= {"guided"}  # it has to have a network


@pytest.mark.process
def test_it_is_studied(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """By what can be measured in any game: wins of each seat, points, lengths, endings."""
    command = f"study breach --seats 3 --games 30 --seed 1 --results {tmp_path / 'study'}"
    said = run(capsys, command)

    assert "The Breach" in said
    assert "rounds" in said


@pytest.mark.process
def test_it_is_analysed(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Without a kernel or rules of thumb the result alone decides who was ahead."""
    file = tmp_path / "game.txt"
    file.write_text("breach/1 seats=3 rounds=1\n~:w2 0:1 1:3 2:1\n", encoding="utf-8")
    said = run(capsys, f"analyse {file} --seconds 1")

    assert "The Breach, 4 moves, analysed by rules of thumb, as no search plays such a game" in said
    assert "it turns for seat 2" in said
