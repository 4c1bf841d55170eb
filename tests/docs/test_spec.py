"""The tables in `docs/games` agree with the games."""

import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from docs.spec import main

pytestmark = [pytest.mark.foreign, pytest.mark.slow]

DOCS = Path(__file__).parents[2] / "docs"


def spec(*args: str | Path) -> Result:
    """Run `docs/spec.py`; what it finds by playing is cached between tests."""
    return CliRunner().invoke(main, [str(arg) for arg in args])


@pytest.fixture
def pages(tmp_path: Path) -> Path:
    """A copy of `docs/games` that a test may change."""
    return shutil.copytree(DOCS / "games", tmp_path / "games")


def test_no_table_is_stale() -> None:
    """After a change of a game, `python docs/spec.py` must be run."""
    checked = spec("--check")

    assert checked.stderr == ""
    assert checked.exit_code == 0


def test_a_stale_table_is_named_and_left_alone(pages: Path) -> None:
    """A check names the stale page, fails, and changes nothing."""
    page = pages / "mauer.md"
    stale = page.read_text(encoding="utf-8").replace("| seats | 3 to 6 |", "| seats | 2 to 9 |")
    page.write_text(stale, encoding="utf-8")

    checked = spec("--check", "--pages", pages)

    assert checked.exit_code == 1
    assert checked.stderr == "Error: stale: mauer.md; run python docs/spec.py\n"
    assert page.read_text(encoding="utf-8") == stale


def test_a_stale_table_is_rewritten_and_nothing_else(pages: Path) -> None:
    """Rewriting repairs a table and leaves handwritten text alone."""
    page = pages / "mauer.md"
    sound = page.read_text(encoding="utf-8")
    page.write_text(sound.replace("| `rounds` | 1 to 10 |", "| `rounds` | 1 to 99 |"), "utf-8")

    rewritten = spec("--pages", pages)

    assert rewritten.stdout == "rewritten: mauer.md\n"
    assert page.read_text(encoding="utf-8") == sound
    assert spec("--check", "--pages", pages).stdout == "every table is up to date\n"


def test_a_page_without_marks_is_refused(pages: Path) -> None:
    """A missing mark is an error; the table is not silently dropped."""
    page = pages / "mauer.md"
    text = page.read_text(encoding="utf-8").replace("<!-- /numbers -->\n", "")
    page.write_text(text, encoding="utf-8")

    refused = spec("--pages", pages)

    assert refused.exit_code == 1
    assert refused.stderr == "Error: the page of mauer lacks the marks of numbers\n"
    assert page.read_text(encoding="utf-8") == text


def test_a_game_without_a_page_is_refused(pages: Path) -> None:
    """Every game has a page."""
    (pages / "mauer.md").unlink()

    refused = spec("--check", "--pages", pages)

    assert refused.exit_code == 1
    assert refused.stderr == "Error: mauer has no page: write mauer.md\n"
