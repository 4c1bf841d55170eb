"""The pages about the server agree with the code."""

import re
from pathlib import Path

import pytest

from mauerwerk.cli.serve import serve
from mauerwerk.web.api import operations
from mauerwerk.web.http import faults
from mauerwerk.web.http.settings import BODY, Limits

HOW_TO = Path(__file__).parents[2] / "docs" / "how-to"
API = (HOW_TO / "use-the-api.md").read_text(encoding="utf-8")
HOST = (HOW_TO / "host-a-server.md").read_text(encoding="utf-8")


def test_the_page_lists_every_operation() -> None:
    """All operations, in the order of the source."""
    listed = re.findall(r"^\| `([A-Z]+) (/api/\S+)` \|", API, re.MULTILINE)

    assert listed == [(each.method, each.path) for each in operations.ALL]


def test_the_page_lists_every_status_and_word() -> None:
    """Every status and word that a program may get."""
    rows = re.findall(r"^\| (\d{3}) \| (.*?) \|", API, re.MULTILINE)
    words = {word for _, cell in rows for word in re.findall(r"`(\w+)`", cell)}
    web = Path(faults.__file__).parents[1]
    folders = (web, web / "http", web / "api")
    source = "".join(
        path.read_text(encoding="utf-8") for each in folders for path in each.glob("*.py")
    )
    said = set(re.findall(r'word="(\w+)"', source))

    assert {int(status) for status, _ in rows} == set(faults.WORDS)
    assert said <= words
    assert words <= said | set(faults.WORDS.values())


def test_the_page_lists_every_setting() -> None:
    """Every option of the command."""
    listed = set(re.findall(r"`(--[a-z-]+)`", HOST.partition("## On the internet")[0]))
    options = {
        name for parameter in serve.params for name in (*parameter.opts, *parameter.secondary_opts)
    }

    assert listed == options


@pytest.mark.parametrize(
    "said",
    [
        f"{Limits().requests:.0f} per second on average, {Limits().burst} at once",
        f"new guests | {Limits().guests} per hour on average, {Limits().guests // 2} at once",
        f"new tables | {Limits().tables} per hour on average, {Limits().tables // 2} at once,",
        f"{Limits().streams} per client, {Limits().all_streams:,} in all",
        f"{BODY // 1024} kB",
    ],
)
def test_the_page_has_the_right_figures(said: str) -> None:
    """The figures are those of the settings."""
    assert said in HOST
