"""What passed only at the second try is told with what was wrong at the first: a pytest plugin."""

from typing import Final

import pytest

_failed_once: Final[list[pytest.TestReport]] = []


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Note what is tried again."""
    if str(report.outcome) == "rerun":  # as pytest-rerunfailures calls it
        _failed_once.append(report)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Show where and why each of them failed."""
    if _failed_once:
        terminalreporter.section("tried again")
    for report in _failed_once:
        terminalreporter.line(f"{report.nodeid} ({report.when})", bold=True)
        terminalreporter.line(report.longreprtext)
