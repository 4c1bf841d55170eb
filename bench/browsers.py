"""Which tests run in which browser, and what came of them.

    python -m bench.browsers [--tier test] [--only Firefox]     writes bench/results-browsers.md

The tests of `tests/browser` run in Chromium and in Firefox, those of WebKit once, one browser after
the other. A browser that is not installed has only skipped tests. What came of each is kept in
`build/browsers.json`, so that one browser can be run again. The page says when each has run last.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, NamedTuple
from xml.etree import ElementTree as ET

import click
from bench.size import table

RESULTS: Final = Path(__file__).with_name("results-browsers.md")
KEPT: Final = Path(__file__).parents[1] / "build" / "browsers.json"
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


class Ran(NamedTuple):
    """What came of the tests of one browser: of each its name, the result, and why it is so."""

    version: str
    day: str
    tier: str
    minutes: float
    load: float
    found: Sequence[tuple[str, str, str]]


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
    found: dict[str, tuple[str, str, str]] = {}
    for case in cases:
        result = next((each for each in case if each.tag in {"failure", "error", "skipped"}), None)
        name = f"{case.get('classname', '').rpartition('.')[2]}: {case.get('name')}"
        what = "passed" if result is None else "left out" if result.tag == "skipped" else "failed"
        if result is None and name in found:  # a second try, or what came before a fault in the end
            continue
        found[name] = (name, what, "" if result is None else result.get("message") or "")
    return [*found.values()]


def version(engine: str) -> str:
    """What the browser calls itself."""
    try:
        ran = subprocess.run(VERSIONS[engine], check=False, capture_output=True, text=True)  # noqa: S603 - ours
    except OSError:
        return "not installed"
    return (ran.stdout.strip().splitlines() or ["?"])[0]


def run(engine: str, tier: str) -> Ran:
    """Run the tests of one browser."""
    browser, only, words = RUNS[engine]
    load, began = os.getloadavg()[0], time.monotonic()
    found = outcomes(browser, only or tier, words)
    day, minutes = datetime.now(UTC).date().isoformat(), (time.monotonic() - began) / 60
    return Ran(version(engine), day, only or tier, minutes, load, found)


@click.command()
@click.option("--tier", type=click.Choice(["test", "thorough"]), default="test", show_default=True)
@click.option("--only", type=click.Choice(list(RUNS)), multiple=True, help="One browser.")
def main(*, tier: str, only: tuple[str, ...]) -> None:
    """Run them all and write the result."""
    text = KEPT.read_text(encoding="utf-8") if only and KEPT.exists() else "{}"
    kept: dict[str, Any] = json.loads(text)
    for engine in only or RUNS:
        kept[engine] = run(engine, tier)
        KEPT.parent.mkdir(parents=True, exist_ok=True)
        KEPT.write_text(json.dumps(kept, indent=1), encoding="utf-8")
    write({engine: Ran(*kept[engine]) for engine in RUNS if engine in kept})


def write(kept: Mapping[str, Ran]) -> None:
    """Write the page."""
    columns = "browser, version, day, tier, minutes, load before, passed, failed, left out"
    rows: list[Sequence[object]] = [columns.split(", ")]
    notes: list[str] = []
    for engine, each in kept.items():
        count = Counter(what for _, what, _ in each.found)
        ran = (engine, each.version, each.day, each.tier, round(each.minutes), round(each.load))
        rows.append((*ran, count["passed"], count["failed"], count["left out"]))
        notes += [
            f"- {engine}, failed: `{name}`" for name, what, _ in each.found if what == "failed"
        ]
        reasons = sorted({why for _, what, why in each.found if what == "left out"})
        for reason in reasons:
            names = sorted(name for name, _, why in each.found if why == reason)
            listed = ", ".join(f"`{name}`" for name in names)
            notes.append(f"- {engine} leaves out {len(names)}: {reason}. {listed}")
    text = [
        "# Tests in three browsers",
        "",
        "`python -m bench.browsers` writes this page. Each row is a run of all tests of its tier.",
        "",
        *table(*rows),
        *notes,
    ]
    RESULTS.write_text("\n".join(text).rstrip() + "\n", encoding="utf-8")
    click.echo(f"wrote {RESULTS}")


if __name__ == "__main__":
    main()
