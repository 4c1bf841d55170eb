"""`make thorough` in parts, which take minutes each instead of hours together.

    python -m bench.thorough [--only kernels] [--anew] [--processes 2]

It writes bench/results-tests.md.

Each part runs as `make thorough` would run it: in `.venv-thorough`, with large amounts, in random
order. What came of it is kept in `build/thorough.json`, so that a later call goes on with the parts
that have not passed yet; several may run at once. The page says at which revision each part has run
last.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, Final, NamedTuple

import click
from bench.size import table
from bench.tests import ROOT, replace_part
from tests.run import HERE, LARGE, tests

KEPT: Final = ROOT / "build" / "thorough.json"
ALONE: Final = {"browser": "tests/browser", "browser, in Firefox": "tests/browser"}
"""Parts that are no folder of `tests` alone; Firefox runs the tests of `make test`."""

EXAMPLES: Final = ("README.md", "docs", "src")
"""Texts with examples, which run with the records."""

LARGE_FOLDERS: Final = ("server", "games")
"""Each folder in one of these is a part of its own."""


class Ran(NamedTuple):
    """What came of a part. CPU seconds count what it has started, too, but for browsers."""

    part: str
    revision: str
    status: int
    said: str
    wall: float
    cpu: float
    load: float


def parts() -> dict[str, list[str]]:
    """The names of all parts, and what pytest is told to run; every test is in one of them."""
    found: dict[str, list[str]] = {}
    for path in sorted((ROOT / "tests").iterdir()):
        if path.name in LARGE_FOLDERS:
            inner = [each for each in sorted(path.iterdir()) if _has_tests(each)]
            for each in inner:
                name = f"{path.name}/{each.name}" if each.is_dir() else f"{path.name}, the rest"
                found.setdefault(name, []).append(str(each.relative_to(ROOT)))
        elif path.name != "browser" and _has_tests(path):
            name = path.name if path.is_dir() else "structure"
            found.setdefault(name, []).append(str(path.relative_to(ROOT)))
    found["records"] += EXAMPLES
    return found | {name: [folder] for name, folder in ALONE.items()}


def _has_tests(path: Path) -> bool:
    return path.name.startswith("test_") or (path.is_dir() and any(path.rglob("test_*.py")))


def run(part: str, words: list[str], processes: int | None) -> Ran:
    """Run a part, and show it as it goes."""
    firefox = "Firefox" in part
    bin_ = LARGE if LARGE.is_dir() else HERE
    command = [str(bin_ / "pytest"), *tests("test" if firefox else "thorough", words)[1:]]
    command += [] if processes is None else ["--numprocesses", str(processes)]
    environment = {**os.environ, **({"BROWSER": "firefox"} if firefox else {})}
    load = os.getloadavg()[0]
    before, began = os.times(), os.times().elapsed
    with tempfile.TemporaryDirectory(prefix="mw") as folder:
        Path(folder).chmod(0o755)  # some tests drop their rights
        process = subprocess.Popen(  # noqa: S603 - our own tests
            command,
            cwd=ROOT,
            env={**environment, "TMPDIR": folder},
            stdout=subprocess.PIPE,
            text=True,
        )
        lines: list[str] = []
        for line in process.stdout or ():
            sys.stdout.write(line)
            sys.stdout.flush()
            lines.append(line)
        status = process.wait()
    after = os.times()
    cpu = after.children_user + after.children_system
    cpu -= before.children_user + before.children_system
    last = [re.sub(r" in [\d.]+s.*|=", "", line).strip() for line in lines if " in " in line]
    said = last[-1] if last else "it said nothing"
    return Ran(part, _revision(), status, said, after.elapsed - began, cpu, load)


def _revision() -> str:
    changed = _git("status", "--porcelain", "--", "src", "tests")
    return _git("rev-parse", "--short", "HEAD") + ("-dirty" if changed else "")


def _git(*words: str) -> str:
    said = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=True)  # noqa: S603, S607 - git
    return said.stdout.strip()


def page(kept: dict[str, Ran]) -> list[str]:
    """The part of the page, as lines."""
    rows: list[tuple[object, ...]] = [("part", "tests", "wall, s", "CPU, s", "load before", "at")]
    rows += [
        (name, each.said, round(each.wall), round(each.cpu), round(each.load), each.revision)
        for name in parts()
        if (each := kept.get(name))
    ]
    missing = [name for name in parts() if name not in kept]
    total = sum(each.cpu for each in kept.values())
    return [
        f"`python -m bench.thorough` runs it in parts. Those below took {total:.0f} CPU-seconds.",
        *([f"Not run yet: {', '.join(missing)}."] if missing else []),
        "",
        *table(*rows),
    ]


def known() -> dict[str, Ran]:
    """What is kept of each part."""
    text = KEPT.read_text(encoding="utf-8") if KEPT.exists() else "{}"
    found: dict[str, list[Any]] = json.loads(text)
    return {name: Ran(*each) for name, each in found.items()}


@click.command()
@click.option("--only", multiple=True, help="The name of a part.")
@click.option("--anew", is_flag=True, help="Run also what has passed before.")
@click.option("--processes", type=int, help="How many run tests; 0 is this one alone.")
def main(*, only: tuple[str, ...], anew: bool, processes: int | None) -> None:
    """Run parts one after the other, and write the page after each."""
    for name, words in parts().items():
        before = known().get(name)
        if (only and name not in only) or (before and not before.status and not anew):
            continue
        ran = run(name, words, processes)
        kept = {**known(), name: ran}
        KEPT.parent.mkdir(parents=True, exist_ok=True)
        KEPT.write_text(json.dumps(kept, indent=1), encoding="utf-8")
        replace_part("thorough", page(kept))
    sys.exit(any(each.status for each in known().values()))


if __name__ == "__main__":
    main()
