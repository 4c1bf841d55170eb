"""Which lines of the source `make test` runs: `make coverage`.

    python -m bench.coverage [--tier test] [TESTS …]     writes bench/results-tests.md

It is no part of `make test`, since measuring doubles the CPU time on Python 3.11, and adds an
eighth on 3.12 or newer (`sys.monitoring`). Other processes that tests start are measured too.
Functions of kernels count as run only if a test also calls them uncompiled.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, NamedTuple

import click
from bench.tests import ROOT, replace_part

MOST: Final = 20
"""How many files the second table shows."""
MONITORING: Final = (3, 12)
"""The first version of Python that has `sys.monitoring`."""


class Lines(NamedTuple):
    """Lines of code, and how many of them were run."""

    run: int = 0
    all: int = 0

    def plus(self, other: "Lines") -> "Lines":
        """Those of both."""
        return Lines(self.run + other.run, self.all + other.all)

    @property
    def share(self) -> str:
        """As a percentage."""
        return f"{100 * self.run / self.all:.1f} %" if self.all else ""


def measure(tier: str, tests: tuple[str, ...]) -> dict[str, Lines]:
    """Run the tests; for each file of the package, its lines."""
    folder = Path(tempfile.mkdtemp(prefix="coverage"))
    folder.chmod(0o777)  # some tests drop their rights
    environment = {**os.environ, "COVERAGE_FILE": str(folder / "data")}
    if sys.version_info >= MONITORING:
        environment["COVERAGE_CORE"] = "sysmon"
    coverage = [sys.executable, "-m", "coverage"]
    command = [*coverage, "run", "--module", "tests.run", tier, "--tests-alone", *tests]
    try:
        subprocess.run(command, cwd=ROOT, env=environment, check=False)  # noqa: S603 - ours
        for step in (["combine", "--quiet"], ["json", "--quiet", "-o", str(folder / "json")]):
            subprocess.run([*coverage, *step], cwd=ROOT, env=environment, check=True)  # noqa: S603 - ours
        return lines(json.loads((folder / "json").read_text(encoding="utf-8")))
    finally:
        shutil.rmtree(folder)


def lines(report: Mapping[str, Any]) -> dict[str, Lines]:
    """The lines of each file, by its path in the package."""
    return {
        str(Path(path).relative_to("src/mauerwerk")): Lines(
            file["summary"]["covered_lines"], file["summary"]["num_statements"]
        )
        for path, file in report["files"].items()
    }


def by_package(files: Mapping[str, Lines]) -> dict[str, Lines]:
    """The lines of each package."""
    found: dict[str, Lines] = {}
    for path, each in files.items():
        package = path.partition("/")[0]
        found[package] = found.get(package, Lines()).plus(each)
    return found


def tables(files: Mapping[str, Lines]) -> list[str]:
    """Coverage of each package, and the files in which most is missing."""
    packages = by_package(files)
    every = Lines(
        sum(each.run for each in files.values()), sum(each.all for each in files.values())
    )
    missing = sorted(files.items(), key=lambda each: each[1].run - each[1].all)[:MOST]
    return [
        "| package | lines of code | run |",
        "|---|---|---|",
        *(f"| `{name}` | {each.all:,} | {each.share} |" for name, each in sorted(packages.items())),
        f"| all | {every.all:,} | {every.share} |",
        "",
        "The files with the most lines that no test runs:",
        "",
        "| file | lines not run | run |",
        "|---|---|---|",
        *(f"| `{name}` | {each.all - each.run} | {each.share} |" for name, each in missing),
    ]


@click.command()
@click.option("--tier", default="test", show_default=True, help="Which tests to run.")
@click.argument("tests", nargs=-1)
def main(tier: str, tests: tuple[str, ...]) -> None:
    """Measure; write the page, unless only some tests were named."""
    shown = tables(measure(tier, tests))
    if tests:
        click.echo("\n".join(shown))
        return
    version = sys.version.split()[0]
    written = f"Written by `make coverage` on {datetime.now(UTC):%Y-%m-%d}, Python {version}."
    replace_part("coverage", [written, "", *shown])


if __name__ == "__main__":
    main()
