"""No test is skipped in silence: a pytest plugin that knows each reason, and how many have it.

A run ends with what was left out and why. It fails if a test is skipped for a reason that is not
listed here, or if more tests have a reason than are listed: so the number of tests that nobody runs
cannot grow unnoticed. The numbers are those of a machine that has nothing of it all.
"""

import re
from collections import Counter
from typing import Final, NamedTuple

import pytest
from tests.browser.left_out import FIREFOX


class Reason(NamedTuple):
    """Why tests may be skipped."""

    missing: str
    """What they need, and whether `make thorough` installs it."""

    said: str
    """What a test says: a regular expression."""

    most: int
    """How many tests there are at most, or modules that are skipped as a whole."""


TRIED: Final = "which `make thorough` tries to install"

REASONS: Final = (
    Reason(f"PyTorch, {TRIED}", r"could not import 'torch'|needs (PyTorch|torch)$", 14),
    Reason(f"Triton, {TRIED}", r"could not import 'triton'", 1),
    Reason(f"JAX, {TRIED}", r"could not import 'jax'|needs (JAX|jax)$", 4),
    Reason(f"dm-tree, {TRIED}", r"could not import 'tree'|OpenSpiel's learners", 1),
    Reason(f"SB3-contrib, {TRIED}", r"could not import '(stable_baselines3|sb3_contrib)'", 8),
    Reason(f"TorchRL, {TRIED}", r"could not import 'torchrl'", 15),
    Reason(f"what RLlib needs, {TRIED}", r"could not import 'ray\.rllib'", 8),
    Reason(f"numba-cuda, {TRIED}", r"^needs the extra cuda$", 9),
    Reason(f"nginx, {TRIED}", r"nginx is not installed", 6),
    Reason(f"Firefox, {TRIED}", r"there is no Firefox|does not drive Firefox", 4),
    Reason(f"WebKitGTK, {TRIED}", r"no (WebKitWebDriver|Xvfb|WebKitGTK)$", 4),
    Reason("PufferLib, which is built from sources", r"could not import 'pufferlib'", 7),
    Reason("a GPU of NVIDIA", r"needs (a GPU|PyTorch for a GPU|JAX for a GPU)", 82),
    Reason("Node, which `make play` needs, too", r"there is no Node here", 2),
    Reason("other versions of Python", r"there is no Python 3\.\d+ here", 3),
    Reason("systemd", r"systemd is not installed", 1),
    Reason("Linux or a Unix", r"there is no /proc here|could not import 'resource'", 2),
    Reason("the GNU C library", r"another C library", 4),
    Reason("something that Firefox cannot do", "|".join(map(re.escape, FIREFOX.values())), 40),
)

_skipped: Counter[str] = Counter()
"""How many tests said what."""


def unknown(skipped: Counter[str]) -> list[str]:
    """What is skipped without a known reason, or too often."""
    found = [f"{said!r} is no reason that is known" for said in skipped if _reason(said) is None]
    for reason in REASONS:
        count = sum(number for said, number in skipped.items() if _reason(said) is reason)
        if count > reason.most:
            found.append(f"{count} tests need {reason.missing}, and {reason.most} are known")
    return found


def _reason(said: str) -> Reason | None:
    return next((each for each in REASONS if re.search(each.said, said)), None)


def _note(report: pytest.TestReport | pytest.CollectReport) -> None:
    if report.skipped and not hasattr(report, "wasxfail") and isinstance(report.longrepr, tuple):
        _skipped[report.longrepr[2].removeprefix("Skipped: ")] += 1


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Note what a test says."""
    _note(report)


def pytest_collectreport(report: pytest.CollectReport) -> None:
    """Note what a module says."""
    _note(report)


@pytest.hookimpl(tryfirst=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Fail where more is skipped than is known."""
    if unknown(_skipped) and not hasattr(session.config, "workerinput"):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say what was left out."""
    left_out: Counter[str] = Counter()
    for said, number in _skipped.items():
        reason = _reason(said)
        left_out[reason.missing if reason else said] += number
    if left_out:
        terminalreporter.section("left out")
    for missing, number in left_out.most_common():
        terminalreporter.line(f"{number:4} need {missing}")
    for fault in unknown(_skipped):
        terminalreporter.line(f"tests/support/skips.py: {fault}", red=True)
