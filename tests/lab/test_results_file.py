"""Results survive a crash: a file that is cut anywhere can be read and continued."""

from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from mauerwerk.core.errors import SetupError
from mauerwerk.core.game import Setup
from mauerwerk.games import mauer
from mauerwerk.lab.jsonl import Content
from mauerwerk.lab.match.contest import RESULTS, Contest, Result, contest, play_fixture, rotations

LINEUP = ("uniform", "uniform", "uniform:2s")
HOUSE = Setup(3, mauer.Options(rounds=1, penalties="T:40"))
SMALL = contest("mauer", Setup(3, mauer.Options(rounds=1)), seed=4)


@pytest.fixture(scope="module")
def played() -> list[Result]:
    """A rotation."""
    return [play_fixture(SMALL, fixture).result for fixture in rotations(LINEUP, range(1))]


@pytest.fixture
def file(tmp_path: Path, played: list[Result]) -> Path:
    """A file that holds it."""
    path = tmp_path / "results.jsonl"
    write(path, *played)
    return path


def write(path: Path, *new: Result) -> None:
    """Add these to the file."""
    with RESULTS.append_to(path, SMALL) as add:
        for result in new:
            add(result)


def test_what_is_written_is_read(file: Path, played: list[Result]) -> None:
    """The contest, and every game."""
    assert RESULTS.read(file) == Content(SMALL, tuple(played))


def test_there_may_be_no_file_yet(tmp_path: Path) -> None:
    """Then nothing is kept, and reading makes no file."""
    assert RESULTS.read(tmp_path / "none.jsonl") == Content()
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_was_cut_anywhere_is_read_and_written_on(
    file: Path, played: list[Result]
) -> None:
    """Half a line is dropped; its game can be written again, and all is as if never cut."""
    whole = file.read_bytes()
    for cut in {*range(0, len(whole), 97), *range(30), len(whole) - 1}:
        file.write_bytes(whole[:cut])
        kept = RESULTS.read(file).lines
        assert kept == tuple(played[: len(kept)])
        write(file, *played[len(kept) :])
        assert file.read_bytes() == whole


def test_a_game_that_stands_there_twice_counts_once(file: Path, played: list[Result]) -> None:
    """As when two have begun from the same results, one after the other."""
    write(file, *played)

    assert RESULTS.read(file).lines == tuple(played)


def test_only_one_at_a_time_writes(file: Path, played: list[Result]) -> None:
    """A second writer is refused, and does not disturb the first."""
    before = file.read_bytes()
    with RESULTS.append_to(file, SMALL) as add:
        with pytest.raises(SetupError, match="another command is writing into it"):
            write(file, *played)
        add(played[0])

    assert file.read_bytes() == before + before.splitlines(keepends=True)[1]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("Dear diary", "is no file of results"),
        ("Dear diary\n", "is no file of results"),
        ("{contest}\nnonsense\n", "line 2: this is no line of results"),
        ("{contest}\n{contest}\n", "line 2: this is no line of results"),
        ("{four}\n{result}\n", "line 2: this is no game of 4 seats"),
        ("{contest}\n{other}\n", "line 2: who played is not the line-up"),
    ],
)
def test_other_files_are_refused_and_left_alone(file: Path, text: str, fault: str) -> None:
    """Nobody's diary is taken for a torn line."""
    head, first, *_ = file.read_text(encoding="utf-8").splitlines()
    four = head.replace('"seats":3', '"seats":4')
    other = first.replace('"lineup":["uniform"', '"lineup":["greedy"')
    lines = {"contest": head, "result": first, "four": four, "other": other}
    for name, line in lines.items():
        text = text.replace(f"{{{name}}}", line)
    file.write_text(text, encoding="utf-8")
    with pytest.raises(SetupError, match=fault):
        RESULTS.read(file)

    assert file.read_text(encoding="utf-8") == text


@pytest.mark.parametrize(
    ("other", "fault"),
    [
        (contest("mauer", SMALL.setup, seed=5), "seed='4', not '5'"),
        (contest("mauer", Setup(3, mauer.Options(rounds=2)), seed=4), "rounds='1', not '2'"),
        (contest("mauer", Setup(4, mauer.Options(rounds=1)), seed=4), "seats='3', not '4'"),
        (contest("mauer", HOUSE, seed=4), "penalties='printed', not 'T:40'"),
    ],
)
def test_results_of_another_contest_are_refused(file: Path, other: Contest, fault: str) -> None:
    """What differs is named."""
    RESULTS.check(file, RESULTS.read(file), SMALL)
    with pytest.raises(SetupError, match=fault):
        RESULTS.check(file, RESULTS.read(file), other)


def test_results_of_a_house_rule_are_not_those_of_the_printed_rule(tmp_path: Path) -> None:
    """Only the head of the file names it; and nothing is added to them."""
    path = tmp_path / "results.jsonl"
    with RESULTS.append_to(path, contest("mauer", HOUSE, seed=4)):
        pass

    with pytest.raises(SetupError, match="penalties='T:40', not 'printed'"):
        RESULTS.check(path, RESULTS.read(path), SMALL)
    with pytest.raises(SetupError, match="another command has written into it meanwhile"):
        write(path)


def test_a_file_that_is_older_than_an_option_is_continued(file: Path, played: list[Result]) -> None:
    """Its games were played as the option is by default."""
    head, first, *others = file.read_bytes().splitlines(keepends=True)
    older = {name: word for name, word in SMALL.options.items() if name != "pieces"}
    head = msgspec.json.encode(replace(SMALL, options=older)) + b"\n"
    file.write_bytes(head + first)

    RESULTS.check(file, RESULTS.read(file), SMALL)
    write(file, *played[1:])

    assert file.read_bytes() == b"".join([head, first, *others])
