"""Sizes and start-up times of the pocket edition in Chromium, also on a CPU a quarter as fast.

    make pocket && python -m bench.pocket        writes bench/results-pocket.md

A plain web server on this machine has the folder, so that the time to fetch it is next to nothing.
"""

import argparse
import functools
import json
import os
import platform
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterable, Mapping
from contextlib import suppress
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import BrowserContext, Page, sync_playwright
from tests.support.people import launch

ROOT: Final = Path(__file__).parent.parent
BUILT: Final = ROOT / "build" / "pocket"
RESULTS: Final = Path(__file__).parent / "results-pocket.md"
TURN: Final = 0.04
"""Seconds of a turn in which the browser runs for a while and is stopped for the rest."""
RUNS: Final = 3
"""How often each is measured, unless `--runs` says something else."""
CPU_STEPS: Final = ("python", "files", "imports", "open", "home", "table")
STEPS: Final = ("controlled", "fetched", "python", "files", "imports", "open", "page")


PAGE: Final = """\
# The pocket edition: sizes and start-up

`make pocket && python -m bench.pocket` writes this page: Chromium without a window, and a plain web
server on the same machine, so fetching takes hardly any time. Times are the best of {runs}.

{date}, Python {python}, {cores} cores, load average {before:.0f} before and {after:.0f} after.
Where a machine is busy otherwise, seconds by the clock are upper bounds, and CPU seconds count.
Chromium's own throttling slows down the page, but not the worker in which Python runs. So "4 times
slower" stops all processes of the browser for three quarters of the time, in turns of {turn} ms.
The aim is a start within 6 s, 12 s when 4 times slower, and 2 s on a second visit, after the
download; and at most 12 MB to start.

| fetched | MB |
|---|---|
{sizes}

{visits}

CPU seconds under Node until each step is done, with a new database:

| Python | unpacked | imported | opened | home page | first table |
|---|---|---|---|---|---|
{cpu}
"""


VISITS: Final = """\
Seconds from the first request until each step is done:

| visit | service worker | fetched | Python | unpacked | imported | opened | home page |
|---|---|---|---|---|---|---|---|
{visits}"""
UNMEASURED: Final = "Times in a browser were not measured this time (`--without-browser`)."


class PlainHandler(SimpleHTTPRequestHandler):
    """Serves files, without a word."""

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002, ANN401 - as the base has it
        """Say nothing."""


def sizes() -> Mapping[str, float]:
    """What is fetched, in megabytes: to start, for each game's strong bots, and pages."""
    known = json.loads((BUILT / "known.json").read_text("utf-8"))
    files: dict[str, int] = known["files"]
    runtime = sum(files[name] for name in known["first"] if name.startswith(known["pyodide"]))
    pages = sum((BUILT / name).stat().st_size for name in known["pages"])
    found = {"Python (Pyodide)": runtime, "server, games and libraries": files[known["app"]]}
    found |= {"pages and scripts, not compressed": pages}
    found |= {"to start": sum(files[name] for name in known["first"]) + pages}
    for game in known["kernels"]:
        strong = files[known["kernels"][game]] + files[known["networks"][game]]
        found[f"strong bots of {game}, later"] = strong
    return {name: size / 1e6 for name, size in found.items()}


class Brake:
    """Lets all processes that this one started run only a part of the time."""

    def __init__(self, slower: int) -> None:
        """So many times slower."""
        self._slower = slower
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run)

    def __enter__(self) -> None:
        if self._slower > 1:
            self._thread.start()

    def __exit__(self, *_: object) -> None:
        self._over.set()
        if self._slower > 1:
            self._thread.join()

    def _run(self) -> None:
        while not self._over.is_set():
            found = _browser_processes()
            _send(found, signal.SIGSTOP)
            time.sleep(TURN * (1 - 1 / self._slower))
            _send(found, signal.SIGCONT)
            time.sleep(TURN / self._slower)


def _browser_processes() -> list[int]:
    """The processes of the browser: those that descend from this one, and are called like it."""
    parents: dict[int, int] = {}
    for each in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            number, _, rest = each.read_text("utf-8").partition(" (")
            name, _, fields = rest.rpartition(") ")
            parents[int(number)] = int(fields.split()[1])
            if not name.startswith(("chrom", "headless", "Chrom")):
                parents[-int(number)] = 0  # another program
    mine = {os.getpid()}
    while more := {each for each, parent in parents.items() if parent in mine and each > 0} - mine:
        mine |= more
    return [each for each in mine if -each not in parents]


def _send(processes: Iterable[int], what: signal.Signals) -> None:
    for each in processes:
        with suppress(ProcessLookupError):
            os.kill(each, what)


def start(context: BrowserContext, address: str, slower: int) -> dict[str, int]:
    """How many milliseconds each step of a visit takes, from the first request on."""
    page = context.new_page()
    with Brake(slower):
        return _start(page, address)


def _start(page: Page, address: str) -> dict[str, int]:
    page.goto(address)
    page.wait_for_function("globalThis.pocket?.isReady()", timeout=600_000)
    times: dict[str, int] = page.evaluate("pocket.times")
    begun = time.perf_counter()
    page.evaluate("fetch('app/').then((answer) => answer.text())")
    times["page"] = times["ready"] + round(1000 * (time.perf_counter() - begun))
    page.close()
    return times


def cpu_under_node(runs: int) -> Mapping[str, float]:
    """CPU seconds until each step is done, best of some runs, from nothing."""
    best: dict[str, float] = {}
    script = str(ROOT / "tests" / "pocket" / "node" / "start.mjs")
    for _ in range(runs):
        with tempfile.TemporaryDirectory() as data:
            said = subprocess.check_output(["node", script, BUILT, data])  # noqa: S603, S607 - ours
        found: dict[str, float] = json.loads(said)
        if not best or found["table"] < best["table"]:
            best = found
    return best


def measure(address: str, runs: int) -> Mapping[str, dict[str, int]]:
    """The best of some runs: the first visit and the second, at full speed and slowed down."""
    found: dict[str, list[dict[str, int]]] = {}
    with sync_playwright() as playwright:
        for slower in (1, 4):
            for _ in range(runs):
                browser = launch(playwright, "chromium")
                context = browser.new_context(locale="en-GB")
                for visit in ("first visit", "second visit"):
                    name = visit if slower == 1 else f"{visit}, {slower} times slower"
                    found.setdefault(name, []).append(start(context, address, slower))
                browser.close()
    return {name: min(runs, key=lambda each: each["page"]) for name, runs in found.items()}


def main() -> None:
    """Measure, and write the results."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--runs", type=int, default=RUNS)
    parser.add_argument("--without-browser", action="store_true")
    given = parser.parse_args()
    runs: int = given.runs
    before = os.getloadavg()[0]
    cpu = cpu_under_node(runs)
    handler = functools.partial(PlainHandler, directory=str(BUILT))
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    times = (
        {} if given.without_browser else measure(f"http://127.0.0.1:{server.server_port}/", runs)
    )
    server.shutdown()
    visits: list[list[str | float]] = [
        [name, *(each[step] / 1000 for step in STEPS)] for name, each in times.items()
    ]
    page = PAGE.format(
        runs=f"{runs} runs" if runs > 1 else "one run",
        date=time.strftime("%Y-%m-%d"),
        python=platform.python_version(),
        cores=os.cpu_count(),
        turn=round(1000 * TURN),
        before=before,
        after=os.getloadavg()[0],
        sizes=_rows(sizes().items()),
        visits=UNMEASURED if given.without_browser else VISITS.format(visits=_rows(visits)),
        cpu=_rows([[cpu[step] for step in CPU_STEPS]]),
    )
    RESULTS.write_text(page, encoding="utf-8")


def _rows(rows: Iterable[Iterable[str | float]]) -> str:
    cells = [[each if isinstance(each, str) else f"{each:.1f}" for each in row] for row in rows]
    return "\n".join(f"| {' | '.join(row)} |" for row in cells)


if __name__ == "__main__":
    main()
