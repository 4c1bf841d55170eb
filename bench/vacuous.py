"""Tests that cannot fail, because they look at nothing.

    python -m bench.vacuous tests/browser [more arguments for pytest]

Runs tests, in one process, and lists
- tests that reach no assertion, their own or one of what they share,
- assertions that no test reaches,
- `all(…)` and `any(…)` in assertions that never had anything to look at.

A test that is listed is not wrong by that: a library may check for itself. Tests that are skipped
are left out.
"""

import ast
import inspect
import itertools
import re
import sys
from collections.abc import Generator, Iterable
from pathlib import Path
from typing import Any, Final, NamedTuple

import click
import coverage
import pytest

ROOT: Final = Path(__file__).parents[1]

CHECKS: Final = re.compile(
    r"\b(raises|refused|fail|warns|expect\w*|wait_for\w*|await_\w+|assert_\w+|check\w*|hold)\("
)
"""What else fails: calls of these names."""

NOTHING: Final = object()


class Plugin:
    """Notes what tests reach."""

    def __init__(self, root: Path = ROOT) -> None:
        """Measure the lines of tests, and of the laws they share."""
        self.root = root
        shared = str(root / "src" / "mauerwerk" / "core" / "laws.py")
        self.meter = coverage.Coverage(
            data_file=None,
            config_file=False,
            include=[f"{root}/tests/*", f"{root}/test_*.py", shared],
            concurrency=["thread", "greenlet"],  # Playwright's
        )
        self.passed: set[str] = set()
        self.looked: dict[tuple[str, int], bool] = {}
        """Where `all` and `any` stand, and whether they ever had something."""

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Look at what `all` and `any` look at."""
        for module in {
            vars(item).get("module") or getattr(item, "module", None) for item in session.items
        }:
            if module is not None:
                module.all, module.any = self._noting(all), self._noting(any)
        self.meter.start()

    def _noting(self, function: Any) -> Any:  # noqa: ANN401 - all or any
        def noted(things: Iterable[object]) -> bool:
            frame = inspect.currentframe()
            asks = frame.f_back if frame else None
            place = (asks.f_code.co_filename, asks.f_lineno) if asks else ("", 0)
            rest = iter(things)
            first = next(rest, NOTHING)
            self.looked[place] = self.looked.get(place, False) or first is not NOTHING
            return bool(function(itertools.chain(() if first is NOTHING else (first,), rest)))

        return noted

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Generator[None, object, object]:
        """Know which test it is."""
        self.meter.switch_context(item.nodeid)
        result = yield
        self.passed.add(item.nodeid)
        return result

    def pytest_sessionfinish(self) -> None:
        """It is over."""
        self.meter.stop()


def assertions(text: str) -> dict[int, range]:
    """The first lines of statements that can fail a test, and the lines of their function."""
    lines = text.splitlines()
    tree = ast.parse(text)
    found: dict[int, range] = {}
    for node in ast.walk(tree):
        match node:
            case ast.Assert():
                found[node.lineno] = range(0)
            case ast.With(body=[first, *_]) | ast.AsyncWith(body=[first, *_]):
                if CHECKS.search("\n".join(lines[node.lineno - 1 : first.lineno - 1])):
                    found[node.lineno] = range(0)
            case ast.Expr() | ast.Return() | ast.Assign() | ast.AnnAssign():
                if CHECKS.search("\n".join(lines[node.lineno - 1 : node.end_lineno])):
                    found[node.lineno] = range(0)
            case _:
                pass
    for node in ast.walk(tree):  # inner functions come later
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            own = range(node.body[0].lineno, (node.end_lineno or 0) + 1)
            found |= {line: own for line in found if line in own}
    return found


class Findings(NamedTuple):
    """Tests without an assertion, assertions without a test, and where there was nothing."""

    idle: list[str]
    unreached: list[str]
    empty: list[str]


def findings(plugin: Plugin) -> Findings:
    """What looked at nothing."""
    data = plugin.meter.get_data()
    asserting: set[str] = set()
    unreached: list[str] = []
    for file in map(Path, sorted(data.measured_files())):
        by_line = data.contexts_by_lineno(str(file))
        for line, own in sorted(assertions(file.read_text(encoding="utf-8")).items()):
            tests = set(by_line.get(line, ())) - {""}
            asserting |= tests
            ran = any(test for each in own for test in by_line.get(each, ()))
            if ran and not tests and file.name.startswith("test_"):
                unreached.append(f"{file.relative_to(plugin.root)}:{line}")
    empty = [
        f"{Path(file).relative_to(plugin.root)}:{line}"
        for (file, line), had in sorted(plugin.looked.items())
        if not had
    ]
    return Findings(sorted(plugin.passed - asserting), unreached, empty)


def main() -> int:
    """Run the tests that are named, and say which could not have failed."""
    plugin = Plugin()
    options = ["-q", "--no-header", "--tb=short", "-p", "no:xdist", "-p", "no:cacheprovider"]
    status = pytest.main([*options, *sys.argv[1:]], plugins=[plugin])
    found = findings(plugin)
    for title, names in (
        (f"{len(plugin.passed)} tests passed. They assert nothing:", found.idle),
        ("No test reaches:", found.unreached),
        ("There was never anything to look at:", found.empty),
    ):
        click.echo("\n  ".join(["", title, *names]))
    return int(status)


if __name__ == "__main__":
    sys.exit(main())
