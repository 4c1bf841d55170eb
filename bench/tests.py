"""How long the tests take: wall and CPU time of `make quick`, `make test` and `make thorough`.

    python -m bench.tests [--cold] [--thorough]      writes bench/results-tests.md

Warm is this checkout, after one run. Cold is a fresh clone of the last commit with empty caches
(uv's, npm's, Python's, kernels'); only what the system has installed, such as Chromium, is there.
A row of `bench/results-tests.md` stays until the same thing is measured again.
"""

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, NamedTuple

import click

ROOT: Final = Path(__file__).parents[1]
RESULTS: Final = Path(__file__).with_name("results-tests.md")
SLOWEST: Final = 30


class Took(NamedTuple):
    """What a command took. CPU time is that of the whole machine, which should be quiet.

    Chromium's processes are waited for by nobody, so a command's own usage would not count them.
    """

    wall: float
    cpu: float
    status: int


def took(command: list[str], folder: Path, **environment: str) -> Took:
    """Run a command and measure it."""
    before, began = busy(), time.monotonic()
    done = subprocess.run(command, cwd=folder, env={**os.environ, **environment}, check=False)  # noqa: S603 - ours
    return Took(time.monotonic() - began, busy() - before, done.returncode)


def busy() -> float:
    """Seconds that the cores of this machine have worked since it was started."""
    user, nice, system, *_ = Path("/proc/stat").read_text().split()[1:]
    return (int(user) + int(nice) + int(system)) / os.sysconf("SC_CLK_TCK")


def cold(target: str) -> Took:
    """The command in a fresh clone with empty caches."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        subprocess.run(["git", "clone", "--quiet", ROOT, folder / "clone"], check=True)  # noqa: S603, S607 - ours
        caches = {
            "XDG_CACHE_HOME": str(folder / "cache"),
            "MAUERWERK_CACHE": str(folder / "kernels"),
            "npm_config_cache": str(folder / "npm"),
        }
        return took(["make", target], folder / "clone", **caches)


def start_up(tier: str) -> float:
    """CPU seconds that one worker needs before its first test."""
    pytest = str(ROOT / ".venv" / "bin" / "pytest")
    command = [pytest, "--collect-only", "--quiet", "--quiet", "--tier", tier]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)  # noqa: S603 - ours
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def slowest(costs: Path) -> list[str]:
    """A row for each of the slowest tests."""
    took: dict[str, tuple[float, float]] = json.loads(costs.read_text(encoding="utf-8"))
    first = sorted(took.items(), key=lambda each: -max(each[1]))[:SLOWEST]
    return [f"| `{name}` | {wall:.1f} | {cpu:.1f} |" for name, (cpu, wall) in first]


def row(what: str, measured: Took) -> str:
    """A row of the first table."""
    result = "passed" if measured.status == 0 else f"failed ({measured.status})"
    return f"| {what} | {measured.wall:.0f} | {measured.cpu:.0f} | {result} |"


def replace_part(name: str, lines: list[str], path: Path = RESULTS) -> None:
    """Replace a part of a page, which has marks at its beginning and its end."""
    begin, end = (f"<!-- {name}: {where} -->\n" for where in ("begin", "end"))
    page = path.read_text(encoding="utf-8")
    assert begin in page
    assert end in page
    head, tail = page.partition(begin)[0], page.partition(end)[2]
    text = "".join(f"{line}\n" for line in lines)
    path.write_text(f"{head}{begin}{text}{end}{tail}", encoding="utf-8")


@click.command()
@click.option("--cold", "also_cold", is_flag=True, help="Measure a fresh clone as well.")
@click.option("--thorough", is_flag=True, help="Measure `make thorough` as well.")
def main(*, also_cold: bool, thorough: bool) -> None:
    """Measure, and write the page."""
    rows: list[str] = []
    slow: list[str] = []
    if also_cold:
        rows += [row(f"`make {target}`, cold", cold(target)) for target in ("quick", "test")]
    with tempfile.TemporaryDirectory() as folder:
        costs = Path(folder) / "costs.json"
        for target in ("quick", "test", *(["thorough"] if thorough else [])):
            measured = took(["make", target], ROOT, PYTEST_ADDOPTS=f"--costs={costs}")
            rows.append(row(f"`make {target}`, warm", measured))
            if target == "test":
                slow = slowest(costs)
    rows += [
        f"| start-up of a worker, `{tier}` | | {start_up(tier):.1f} | |"
        for tier in ("quick", "test")
    ]
    written = (
        f"Written by `python -m bench.tests` on {datetime.now(UTC):%Y-%m-%d}, Python "
        f"{sys.version.split()[0]}, {len(os.sched_getaffinity(0))} cores, load of the machine "
        f"before: {os.getloadavg()[2]:.1f}."
    )
    replace_part(
        "measured",
        [
            written,
            "",
            "| | wall, s | CPU, s | |",
            "|---|---|---|---|",
            *rows,
            "",
            f"The {SLOWEST} slowest tests of `make test`, in seconds (CPU of their own process):",
            "",
            "| test | wall | CPU |",
            "|---|---|---|",
            *slow,
        ],
    )


if __name__ == "__main__":
    main()
