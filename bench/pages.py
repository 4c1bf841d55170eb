"""What pages weigh, how long they block and how far they shift: home, and a table of each game.

    python -m bench.pages [--before REVISION] [--runs 5] [--lighthouse COMMAND]

Writes bench/results-pages.md. Each page is opened in a new profile of Chromium, at a desk, and on a
phone whose processor is four times slower. `COMMAND` starts Lighthouse, as `npx lighthouse` does.
Requests and bytes are those of the page itself, as they pass the network: headers included,
compressed, without the service worker, which reads what is cached already.
"""

import json
import os
import shlex
import statistics
import subprocess
import tempfile
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, NamedTuple

import click
from bench.size import checked_out, table
from playwright.sync_api import Browser, CDPSession, sync_playwright
from tests.support.people import DESK, PHONE, Person, chromium, launch
from tests.support.server_process import Server

from mauerwerk.games import GAMES

ROOT: Final = Path(__file__).parents[1]
RESULTS: Final = Path(__file__).with_name("results-pages.md")
SECONDS: Final = 4
"""How long a page is watched after it has been loaded."""

DEVICES: Final[Mapping[str, tuple[Mapping[str, Any], int]]] = {
    "desk": (DESK, 1),
    "phone": (PHONE, 4),
}
"""The screen, and how many times slower the processor is, as Lighthouse has it."""

PAGES: Final = ("home", *GAMES)

OBSERVE: Final = """{
const found = window.measured = { tasks: [], shift: 0, animations: 0, first: Infinity };
const watch = (type, use) => new PerformanceObserver((list) => list.getEntries().forEach(use))
  .observe({ type, buffered: true });
watch("paint", (each) => { found.first = Math.min(found.first, each.startTime); });
watch("longtask", (each) => found.tasks.push([each.startTime, each.duration]));
watch("layout-shift", (each) => { if (!each.hadRecentInput) found.shift += each.value; });
setInterval(() => {
  const running = document.getAnimations().filter((each) => each.playState === "running");
  found.animations = Math.max(found.animations, running.length);
}, 250);
}"""
"""Put into a page before its own scripts: counts what blocks, shifts and moves."""


class Figures(NamedTuple):
    """What was measured of a page."""

    requests: float
    bytes: float
    blocking_ms: float
    """What tasks of more than 50 ms took beyond that, from the first paint on."""
    shift: float
    """The sum of all layout shifts that the reader did not cause."""
    animations: float
    """The most that ran at the same time."""
    lighthouse: float | None = None
    """Lighthouse's points for performance."""


class Network:
    """What passes the network for one page."""

    def __init__(self, session: CDPSession) -> None:
        """Count from now on."""
        self._bytes: dict[str, float] = {}
        session.send("Network.enable")
        session.on("Network.requestWillBeSent", self._asked)
        session.on("Network.dataReceived", self._received)
        session.on("Network.loadingFinished", self._finished)

    @property
    def requests(self) -> int:
        """How many requests there were."""
        return len(self._bytes)

    @property
    def bytes(self) -> float:
        """What was received."""
        return sum(self._bytes.values())

    def _asked(self, event: Mapping[str, Any]) -> None:
        if not event["request"]["url"].startswith("data:"):
            self._bytes[event["requestId"]] = 0

    def _received(self, event: Mapping[str, Any]) -> None:
        if event["requestId"] in self._bytes:
            self._bytes[event["requestId"]] += event["encodedDataLength"]

    def _finished(self, event: Mapping[str, Any]) -> None:
        # A stream never gets here; of all others this is the sum, with headers.
        if event["requestId"] in self._bytes:
            self._bytes[event["requestId"]] = event["encodedDataLength"]


def measure(browser: Browser, address: str, page: str, device: str) -> Figures:
    """Open a page as somebody new, and watch it."""
    screen, slower = DEVICES[device]
    context = browser.new_context(locale="en-GB", service_workers="block", **screen)
    person = Person(context, address, "Ada", watches=True)
    path = place(person, page)
    person.go("/healthz")  # so that the page is opened by the process whose network is watched
    session = context.new_cdp_session(person.page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": slower})
    network = Network(session)
    person.page.add_init_script(OBSERVE)
    person.go(path)
    person.page.wait_for_load_state("load")
    person.page.wait_for_timeout(1000 * SECONDS)
    seen = person.page.evaluate("measured")
    context.close()
    tasks = [taken for start, taken in seen["tasks"] if start + taken > seen["first"]]
    blocking = sum(max(0, taken - 50) for taken in tasks)
    return Figures(network.requests, network.bytes, blocking, seen["shift"], seen["animations"])


def place(person: Person, page: str) -> str:
    """The path of a page: home, or a table of a game with two bots, for whose player it is."""
    if page == "home":
        return "/"
    order = {
        "game": page,
        "chairs": [{"kind": "human"}, *[{"kind": "bot", "level": "journeyman"}] * 2],
        "mine": [0],
    }
    person.table = person.ask("/api/tables", **order)["table"]
    while not person.table_view()["legal"]:
        person.page.wait_for_timeout(100)
    return f"/t/{person.table}"


def points(command: str, browser: Browser, address: str, page: str, device: str) -> float:
    """What Lighthouse gives a page for its performance."""
    context = browser.new_context()
    person = Person(context, address, "Ada", watches=True)
    path = place(person, page)
    cookies = "; ".join(
        f"{each.get('name')}={each.get('value')}"
        for each in context.cookies()
        if each.get("name") != "preferences"
    )
    context.close()
    words = [
        *shlex.split(command),
        address + path,
        "--quiet",
        "--output=json",
        "--only-categories=performance",
        "--chrome-flags=--headless --no-sandbox",
        f"--extra-headers={json.dumps({'Cookie': cookies})}",
        *(["--preset=desktop"] if device == "desk" else []),
    ]
    ran = subprocess.run(  # noqa: S603 - Lighthouse, as the caller has it
        words,
        check=True,
        capture_output=True,
        text=True,
        env={**os.environ, "CHROME_PATH": chromium()},
    )
    said: dict[str, Any] = json.loads(ran.stdout)
    return 100 * float(said["categories"]["performance"]["score"])


@contextmanager
def serving(source: Path) -> Generator[str]:
    """The address of a server that runs this source."""
    before = os.environ.get("PYTHONPATH", "")
    os.environ["PYTHONPATH"] = str(source / "src")
    try:
        with tempfile.TemporaryDirectory() as folder:
            server = Server(Path(folder))
            try:
                yield server.address
            finally:
                server.stop()
    finally:
        os.environ["PYTHONPATH"] = before


Measured = Mapping[tuple[str, str], Figures]


def measure_all(source: Path, runs: int, lighthouse: str) -> Measured:
    """The medians of all pages on all devices."""
    found: dict[tuple[str, str], Figures] = {}
    with serving(source) as address, sync_playwright() as playwright:
        browser = launch(playwright)
        for page in PAGES:
            for device in DEVICES:
                each = [measure(browser, address, page, device) for _ in range(runs)]
                figures = Figures(*map(statistics.median, list(zip(*each, strict=True))[:5]))
                if lighthouse:
                    said = [points(lighthouse, browser, address, page, device) for _ in range(runs)]
                    figures = figures._replace(lighthouse=statistics.median(said))
                found[page, device] = figures
                click.echo(f"{page:15} {device:6} {figures}")
        browser.close()
    return found


TEXT: Final = """# What pages weigh

Measured on {date} with `python -m bench.pages`{compared}: medians of {runs} run(s), load average
{load:.1f}. Where a cell has two figures, the first is of that revision. A table has a person and
two bots, and waits for the person. Requests and kB are those that pass the network on a first
visit, compressed, with headers. On the phone the processor is four times slower. Blocking is the
time that tasks took beyond 50 ms, up to {seconds} s after loading; the animations are the most that
ran at once.
"""
"""What stands above the table of results."""

HEAD: Final = (
    "page",
    "requests",
    "kB",
    "blocking, ms",
    "layout shift",
    "animations",
    "Lighthouse",
)


def rows(before: Measured | None, after: Measured) -> Sequence[Sequence[object]]:
    """A line for each page and device: before → after, where there is a before."""

    def cell(name: str, key: tuple[str, str], form: str, unit: float = 1) -> str:
        shown: list[str] = []
        for measured in (before, after):
            value = None if measured is None else getattr(measured[key], name)
            if value is not None:
                shown.append(format(value / unit, form))
        return " → ".join(shown) or "-"

    return [
        (
            f"{page}, {device}",
            cell("requests", (page, device), ".0f"),
            cell("bytes", (page, device), ".1f", 1000),
            cell("blocking_ms", (page, device), ".0f"),
            cell("shift", (page, device), ".3f"),
            cell("animations", (page, device), ".0f"),
            cell("lighthouse", (page, device), ".0f"),
        )
        for page, device in after
    ]


@click.command()
@click.option("--before", metavar="REVISION", help="A revision to compare with.")
@click.option("--runs", type=click.IntRange(1), default=5, show_default=True)
@click.option("--lighthouse", metavar="COMMAND", default="", help="How to start Lighthouse.")
def main(*, before: str | None, runs: int, lighthouse: str) -> None:
    """Measure all pages and write the result."""
    with checked_out(before) if before else nullcontext() as folder:
        old = measure_all(folder, runs, lighthouse) if folder else None
    new = measure_all(ROOT, runs, lighthouse)
    compared = f", compared with revision {before}" if before else ""
    text = "\n".join(
        [
            TEXT.format(
                date=datetime.now(UTC).date(),
                compared=compared,
                runs=runs,
                load=os.getloadavg()[0],
                seconds=SECONDS,
            ),
            *table(HEAD, *rows(old, new)),
        ]
    )
    RESULTS.write_text(text.rstrip() + "\n", encoding="utf-8")
    click.echo(f"wrote {RESULTS}")


if __name__ == "__main__":
    main()
