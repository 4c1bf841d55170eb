"""Which tests run in which browser, and what came of them.

    python -m bench.browsers [--tier test]     writes bench/results-browsers.md

The tests of `tests/browser` run in Chromium and in Firefox, those of WebKit once, one browser after
the other. A browser that is not installed has only skipped tests.
"""

import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Final
from xml.etree import ElementTree as ET

import click
from bench.size import table

RESULTS: Final = Path(__file__).with_name("results-browsers.md")
WEBKIT: Final = "tests/browser/test_webkit.py"

RUNS: Final = {
    "Chromium": ("chromium", None, ("tests/browser", f"--ignore={WEBKIT}")),
    "Firefox": ("firefox", None, ("tests/browser", f"--ignore={WEBKIT}")),
    "WebKit": ("chromium", "thorough", (WEBKIT,)),
}
"""For each engine the browser of the fixtures, the tier if only one has its tests, and these."""

VERSIONS: Final = {
    "Chromium": ("chromium-headless-shell", "--version"),
    "Firefox": ("firefox-esr", "--version"),
    "WebKit": ("dpkg-query", "-W", "-f", "WebKitGTK ${Version}", "webkit2gtk-driver"),
}


def outcomes(browser: str, tier: str, words: Sequence[str]) -> list[tuple[str, str, str]]:
    """The name of each test, what came of it, and why it was left out."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.xml"
        command = [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-n",
            "2",
            "--tier",
            tier,
            f"--junitxml={report}",
        ]
        environment = {**os.environ, "BROWSER": browser}
        subprocess.run([*command, *words], check=False, env=environment)  # noqa: S603 - ours
        cases = list(ET.parse(report).iter("testcase"))  # noqa: S314 - our own
    found: list[tuple[str, str, str]] = []
    for case in cases:
        result = next((each for each in case if each.tag in {"failure", "error", "skipped"}), None)
        name = f"{case.get('classname', '').rpartition('.')[2]}: {case.get('name')}"
        what = "passed" if result is None else "left out" if result.tag == "skipped" else "failed"
        found.append((name, what, "" if result is None else result.get("message") or ""))
    return found


def version(engine: str) -> str:
    """What the browser calls itself."""
    try:
        ran = subprocess.run(VERSIONS[engine], check=False, capture_output=True, text=True)  # noqa: S603 - ours
    except OSError:
        return "not installed"
    return (ran.stdout.strip().splitlines() or ["?"])[0]


@click.command()
@click.option("--tier", type=click.Choice(["test", "thorough"]), default="test", show_default=True)
def main(*, tier: str) -> None:
    """Run them all and write the result."""
    rows: list[Sequence[object]] = [("browser", "version", "ran", "passed", "failed", "left out")]
    notes: list[str] = []
    for engine, (browser, only, words) in RUNS.items():
        found = outcomes(browser, only or tier, words)
        count = Counter(what for _, what, _ in found)
        ran = count["passed"] + count["failed"]
        rows.append(
            (engine, version(engine), ran, count["passed"], count["failed"], count["left out"])
        )
        notes += [
            f"- {engine}, {what}: `{name}`{f': {why}' if what == 'left out' else ''}"
            for name, what, why in found
            if what != "passed"
        ]
    text = [
        "# Tests in three browsers",
        "",
        f"Measured on {datetime.now(UTC).date()} with `python -m bench.browsers --tier {tier}`.",
        "",
        *table(*rows),
        *notes,
    ]
    RESULTS.write_text("\n".join(text).rstrip() + "\n", encoding="utf-8")
    click.echo(f"wrote {RESULTS}")


if __name__ == "__main__":
    main()
