"""The benchmark: one bot, three frozen opponents, and its exploitability in a miniature."""

from pathlib import Path
from typing import Final

import pytest

from mauerwerk.core.errors import SetupError
from mauerwerk.games import GAMES, mauer
from mauerwerk.lab.benchmark import OPPONENTS, as_markdown, network_digest, row_of
from mauerwerk.lab.workers import processes

PAGE: Final = Path(__file__).parents[2] / "docs/benchmark.md"
ROWS: Final = (
    ("mauer", "greedy", 400),
    ("mauer", "net", 400),
    *(
        pytest.param(*row, marks=pytest.mark.thorough)
        for row in (
            ("mauer", "uniform", 2000),
            *(("burgbaumeister", bot, 2000) for bot in OPPONENTS),
            *(("mauerbauer", bot, 1000) for bot in OPPONENTS),
        )
    ),
)
"""The rows of the page; `make test` plays those that take a second."""


@pytest.mark.kernels
def test_a_row_says_how_strong_and_how_exploitable_a_bot_is() -> None:
    """Uniform players have a fair share among their own kind, and lose against the others."""
    with processes(1) as workers:
        row = row_of(mauer, "uniform", 200, 1, workers)

    uniform, greedy, net = row.pairings
    assert [each.opponent for each in row.pairings] == list(OPPONENTS)
    assert uniform.wins.low is not None
    assert uniform.wins.high is not None
    assert uniform.wins.low < uniform.fair < uniform.wins.high
    assert max(greedy.wins.mean, net.wins.mean) < 0.1
    assert row.exploitability == pytest.approx(0.058642, abs=1e-6)
    assert row.network == network_digest(mauer)
    assert as_markdown(row).startswith("| Die Mauer | `uniform` | ")
    assert as_markdown(row).endswith(" | 0.0586 |")


@pytest.mark.parametrize("name", ["mauer", "burgbaumeister", "mauerbauer"])
def test_the_page_was_measured_with_the_networks_of_today(name: str) -> None:
    """The figures of a page that others cite are those that the commands print."""
    assert network_digest(GAMES[name]) in PAGE.read_text(encoding="utf-8")


@pytest.mark.kernels
@pytest.mark.parametrize(("name", "bot", "games"), ROWS)
def test_a_row_of_the_page_is_what_its_command_prints(name: str, bot: str, games: int) -> None:
    """Whoever repeats the command of a row finds the same figures."""
    with processes(1) as workers:
        row = row_of(GAMES[name], bot, games, 1, workers)

    assert as_markdown(row) in PAGE.read_text(encoding="utf-8").splitlines()


def test_a_bot_that_there_is_not_is_refused() -> None:
    """In one line, before anything is played."""
    with processes(1) as workers, pytest.raises(SetupError, match="there is no bot 'grandmaster'"):
        row_of(mauer, "grandmaster", 10, 1, workers)
