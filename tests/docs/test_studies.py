"""The studies agree with their figures."""

import json
import re
import shutil
from functools import cache
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner, Result
from docs.studies import play, tables

from mauerwerk.cli import main

STUDIES = Path(__file__).parents[2] / "docs" / "studies"
PAGES = sorted(path for path in STUDIES.glob("*.md") if path.stem != "README")
PICTURES = sorted(STUDIES.glob("*.svg"))
TABLE = re.compile(r"^\|.*\|$", re.MULTILINE)
FENCED = re.compile(r"^```console\n(?P<lines>.*?)^```$", re.MULTILINE | re.DOTALL)
DECIMAL = re.compile(r"(?<![\w.,/])\d[\d,]*\.\d+(?![\w.])")
LARGEST_PICTURE = 150_000


def run(script: click.Command, *args: str | Path) -> Result:
    """Run a script of the studies."""
    return CliRunner().invoke(script, [str(arg) for arg in args])


@cache
def commands() -> set[str]:
    """The commands of all runs."""
    return set(run(play.main, "--commands").stdout.splitlines())


@cache
def results() -> dict[str, dict[str, Any]]:
    """What is stored of each run."""
    return {
        f"{path.stem} {name}": run
        for path in sorted((STUDIES / "results").glob("*.json"))
        for name, run in json.loads(path.read_text("utf-8")).items()
    }


STUDIED = tuple(
    pytest.param(
        study,
        id=f"{study.file} {study.name}",
        marks=(pytest.mark.thorough,)
        if study.file == "memory" and study.name != "2 no perfect"
        else (),
    )
    for study in play.runs()
    if study.words[0] == "study"
)
"""All studies. Those with memories are played by the rules, and `make test` repeats one of them."""


@pytest.fixture
def pages(tmp_path: Path) -> Path:
    """A copy of the pages that a test may change."""
    for page in PAGES:
        shutil.copy(page, tmp_path)
    return tmp_path


def test_no_table_is_stale() -> None:
    """After new runs, `python docs/studies/tables.py` must be run."""
    checked = run(tables.main, "--check")

    assert checked.stderr == ""
    assert checked.exit_code == 0


def test_a_stale_table_is_named_and_rewritten(pages: Path) -> None:
    """A check fails and changes nothing; without `--check` the page is repaired."""
    page = pages / "guild-cards.md"
    sound = page.read_text("utf-8")
    spoilt = sound.replace("| 2, uniform | 200,000 |", "| 2, uniform | 300,000 |")
    page.write_text(spoilt, "utf-8")

    checked = run(tables.main, "--check", "--pages", pages)

    assert checked.stderr == "Error: stale: guild-cards.md; run python docs/studies/tables.py\n"
    assert page.read_text("utf-8") == spoilt
    assert run(tables.main, "--pages", pages).stdout == "rewritten: guild-cards.md\n"
    assert page.read_text("utf-8") == sound


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_what_the_text_quotes_stands_in_a_table(page: Path) -> None:
    """Every figure with a decimal point is in a table of the page, perhaps with more digits."""
    text = page.read_text("utf-8")
    known = [found.replace(",", "") for found in DECIMAL.findall("\n".join(TABLE.findall(text)))]
    prose = FENCED.sub("", TABLE.sub("", text))

    quoted = {found.replace(",", "") for found in DECIMAL.findall(prose)}

    def stands(figure: str) -> bool:
        places = len(figure.partition(".")[2])
        return any(f"{float(each):.{places}f}" == figure for each in known)

    assert known
    assert [figure for figure in sorted(quoted) if not stands(figure)] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_what_a_page_says_to_repeat_was_played(page: Path) -> None:
    """The commands at the end of a page are among those that made its figures."""
    told = [
        line.removeprefix("$ ")
        for block in FENCED.finditer(page.read_text("utf-8"))
        for line in block["lines"].splitlines()
        if line.startswith("$ mauerwerk")
    ]

    assert told
    assert set(told) <= commands()


def test_figures_are_kept_of_everything_that_is_played() -> None:
    """The runs in `results` are exactly those of the commands."""
    assert {run["command"] for run in results().values()} == commands()


@pytest.mark.kernels
@pytest.mark.parametrize("study", STUDIED)
def test_a_command_plays_the_games_that_were_counted(
    study: play.Run, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whoever repeats a command has the same games, not only as many."""
    assert main([*play.first_games(study), "--jobs", "1"]) == 0

    answer = json.loads(capsys.readouterr().out)
    assert play.lengths(answer) == results()[f"{study.file} {study.name}"]["first"]


@pytest.mark.parametrize("picture", PICTURES, ids=lambda picture: picture.stem)
def test_pictures_are_small_undated_and_shown(picture: Path) -> None:
    """A picture contains its words as text, has no date, and is shown on a page."""
    drawn = picture.read_text("utf-8")

    assert len(drawn) < LARGEST_PICTURE
    assert "<text" in drawn
    assert "dc:date" not in drawn
    assert any(f"]({picture.name})" in page.read_text("utf-8") for page in PAGES)
