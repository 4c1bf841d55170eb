"""`mauerwerk verify`, as people and programs call it."""

import json
import sys
from pathlib import Path
from typing import Final

import pytest
from tests.server.tables.test_seed import SEED, played

from mauerwerk.cli import main
from mauerwerk.core.game import NATURE
from mauerwerk.games import GAMES
from mauerwerk.server.tables import transcript
from mauerwerk.server.tables.seed import commitment

GAME: Final = GAMES["mauerbauer"]


@pytest.fixture(scope="module")
def text() -> str:
    """A game of two, dealt and rolled by the seed."""
    moves, numbers = played(GAME, 2, SEED)
    return transcript.write(GAME, moves, SEED, numbers)


@pytest.fixture
def fair(text: str, tmp_path: Path) -> Path:
    """The same in a file."""
    file = tmp_path / "fair.txt"
    file.write_text(text, encoding="utf-8")
    return file


@pytest.fixture
def forged(text: str, tmp_path: Path) -> tuple[Path, str, str]:
    """A game that is broken off behind a wrong first roll: the file, its place, the right one."""
    lines = text.splitlines()
    at, old = next(
        (at, word) for at, line in enumerate(lines) for word in line.split() if word[:3] == "~:*"
    )
    new = "~:*Wyy" if old != "~:*Wyy" else "~:*Wgg"
    turn = lines[at].partition(old)[0]
    moves = " ".join([*lines[1:at], turn, new]).split()
    file = tmp_path / "forged.txt"
    numbers = transcript.read(text, GAMES).fairness.numbers[: len(moves)]
    promise = f"{lines[-1].rpartition('=')[0]}={transcript.write_ranges(numbers)}"
    file.write_text("\n".join([*lines[:at], f"{turn}{new}", promise]), encoding="utf-8")
    return file, f"line {at + 1}: {new}", old


# --- What holds ------------------------------------------------------------------------------


def test_a_fair_game_in_one_line(capsys: pytest.CaptureFixture[str], fair: Path, text: str) -> None:
    """How many moves were checked, how many numbers no move of the record has, the commitment."""
    assert main(["verify", str(fair)]) == 0

    read = transcript.read(text, GAMES)
    nature = sum(move.seat == NATURE for move in read.record.moves)
    gaps = read.fairness.numbers[-1] + 1 - len(read.fairness.numbers)
    assert capsys.readouterr().out == (
        f"{nature} moves of nature checked, {gaps} numbers left out;"
        f" commitment {commitment(SEED)}\n"
    )
    assert nature > 50


def test_the_commitment_that_was_shown(capsys: pytest.CaptureFixture[str], fair: Path) -> None:
    """In either case of letters; another one does not hold."""
    assert main(["verify", str(fair), "--commitment", commitment(SEED).upper()]) == 0
    assert main(["verify", str(fair), "--commitment", "ab" * 32]) == 1
    assert f"the seed has another commitment than {'ab' * 32}" in capsys.readouterr().out


def test_from_another_program(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, fair: Path
) -> None:
    """`-` is stdin, and `--json` says it all for a program."""
    with fair.open(encoding="utf-8") as stdin:
        monkeypatch.setattr(sys, "stdin", stdin)
        assert main(["verify", "-", "--json"]) == 0

    answer = json.loads(capsys.readouterr().out)
    assert answer["holds"] is True
    assert answer["faults"] == answer["other_commitments"] == []
    assert (answer["game"], answer["commitment"]) == ("mauerbauer", commitment(SEED))
    assert answer["checked"] > 50


def test_a_game_without_chance_holds(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Die Mauer with a fixed first builder asks nature for nothing."""
    moves, numbers = played(GAMES["mauer"], 3, SEED)
    file = tmp_path / "mauer.txt"
    file.write_text(transcript.write(GAMES["mauer"], moves, SEED, numbers), encoding="utf-8")

    assert main(["verify", str(file)]) == 0
    assert capsys.readouterr().out.startswith("0 moves of nature checked")


# --- What does not ---------------------------------------------------------------------------


def test_a_forged_roll_is_named(
    capsys: pytest.CaptureFixture[str], forged: tuple[Path, str, str]
) -> None:
    """Line, move, and what it should have been; the exit code is 1."""
    file, place, right = forged
    assert main(["verify", str(file)]) == 1

    first, last = capsys.readouterr().out.splitlines()
    assert first.startswith(f"{place} should be {right} (number ")
    assert "does not hold" in last


def test_a_forged_roll_as_json(
    capsys: pytest.CaptureFixture[str], forged: tuple[Path, str, str]
) -> None:
    """The same for a program; the exit code is 1 too."""
    file, place, right = forged
    assert main(["verify", str(file), "--json"]) == 1

    answer = json.loads(capsys.readouterr().out)
    (fault,) = answer["faults"]
    assert answer["holds"] is False
    assert (f"line {fault['line']}: {fault['move']}", fault["should_be"]) == (place, right)


def test_a_seed_that_was_exchanged_does_not_hold(
    capsys: pytest.CaptureFixture[str], fair: Path, text: str
) -> None:
    """Neither with the old commitment nor with a new one."""
    other = bytes(32)
    for exchanged in (
        text.replace(SEED.hex(), other.hex()),
        text.replace(SEED.hex(), other.hex()).replace(commitment(SEED), commitment(other)),
    ):
        fair.write_text(exchanged, encoding="utf-8")
        assert main(["verify", str(fair)]) == 1
        assert " should be " in capsys.readouterr().out


def test_a_commitment_of_another_seed_does_not_hold(
    capsys: pytest.CaptureFixture[str], fair: Path, text: str
) -> None:
    """Every roll is right, but the table promised another seed."""
    fair.write_text(text.replace(commitment(SEED), "0" * 64), encoding="utf-8")
    assert main(["verify", str(fair)]) == 1
    assert f"another commitment than {'0' * 64}" in capsys.readouterr().out


# --- What cannot be checked ------------------------------------------------------------------


def test_an_ordinary_record_cannot_be_checked(
    capsys: pytest.CaptureFixture[str], fair: Path, text: str
) -> None:
    """One line on stderr, exit code 2, nothing on stdout."""
    fair.write_text(text.partition("# fair")[0], encoding="utf-8")
    assert main(["verify", str(fair)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("mauerwerk: line 1: no line like # fair seed=")
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("args", "fault"),
    [
        (["--commitment", "abc"], "--commitment is 64 hexadecimal digits, not 'abc'"),
        (["--commitment", "x" * 64], "--commitment is 64 hexadecimal digits"),
    ],
)
def test_bad_options(
    capsys: pytest.CaptureFixture[str], fair: Path, args: list[str], fault: str
) -> None:
    """One line on stderr, exit code 2."""
    assert main(["verify", str(fair), *args]) == 2
    assert capsys.readouterr().err.startswith(f"mauerwerk: {fault}")


@pytest.mark.parametrize("content", [b"", b"\xff\xfe", b"chess/1 seats=2\n"])
def test_what_is_no_record(capsys: pytest.CaptureFixture[str], fair: Path, content: bytes) -> None:
    """The same as for any record."""
    fair.write_bytes(content)
    assert main(["verify", str(fair)]) == 2
    assert capsys.readouterr().err.count("\n") == 1
    assert main(["verify", str(fair.with_name("nowhere.txt"))]) == 2
