"""How long it takes to show a position of a replay.

python -m bench.replay [POSITIONS]

`server` is the response to a request for one position. `first` is the same for a new link, for
which the whole record has to be played through. `browser` is the time from the key or the drag
until the new position has been painted. The record is the longest golden one of Mauerbauer.
"""

import random
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import httpx
from playwright.sync_api import sync_playwright
from tests.support.people import HOME, Person, launch
from tests.support.server_process import Server

from mauerwerk.server.features.replay import link_codec
from mauerwerk.server.features.replay.link_codec import NamedRecord

MOST: Final = 100.0
"""Milliseconds that a position may take."""

WATCH: Final = """() => {
    window.taken = [];
    let since = 0;
    let before = "";
    const now = () => document.querySelector("main")?.dataset.here;
    const begin = () => { since = performance.now(); before = now(); };
    document.addEventListener("keydown", begin, true);
    document.addEventListener("input", begin, true);
    const painted = () => requestAnimationFrame(() => requestAnimationFrame(() => {
        if (since && now() !== before) {
            taken.push(performance.now() - since);
            since = 0;
        }
    }));
    new MutationObserver(painted).observe(document.getElementById("replay"),
        {subtree: true, childList: true, attributes: true});
}"""
"""After two frames the change has been painted."""


def longest() -> NamedRecord:
    """The golden record of Mauerbauer with the most moves."""
    files = (HOME / "tests" / "records" / "golden" / "mauerbauer-1").glob("*.txt")
    return max(
        (link_codec.from_text(path.read_text(encoding="utf-8")) for path in files),
        key=lambda brought: len(brought.record.moves),
    )


def answers(address: str, brought: NamedRecord, count: int) -> tuple[list[float], list[float]]:
    """Milliseconds for new links, and for positions of a cached one."""
    chance = random.Random(1)  # noqa: S311 - chance for a measurement is no secret
    seats = brought.record.setup.seats
    last = len(brought.record.moves)
    with httpx.Client(base_url=address) as client:

        def asked(path: str) -> float:
            eyes = chance.choice(["all", *map(str, range(seats))])
            began = time.perf_counter()
            client.get(f"{path}?at={chance.randrange(last + 1)}&seat={eyes}").raise_for_status()
            return 1_000 * (time.perf_counter() - began)

        names = [tuple(f"{name}{number}" for name in "ABCD"[:seats]) for number in range(count)]
        paths = [
            f"/replay/{link_codec.encode(NamedRecord(brought.record, each))}" for each in names
        ]
        asked(paths.pop())
        new = [asked(path) for path in paths[: count // 4]]
        return new, [asked(paths[0]) for _ in range(count)]


def painted(person: Person, brought: NamedRecord, count: int) -> list[float]:
    """Milliseconds until a position is on the screen, by keys and by the scrubber."""
    chance = random.Random(2)  # noqa: S311 - as above
    person.go(f"/replay/{link_codec.encode(brought)}?at=0&seat=all")
    page = person.page
    page.evaluate(WATCH)
    for number in range(count):
        if number % 2:
            page.locator("#at").fill(str(chance.randrange(len(brought.record.moves))))
        else:
            page.locator("main h1").click()
            page.keyboard.press(chance.choice(["ArrowRight", "ArrowLeft", "]", "["]))
        page.wait_for_timeout(150)
    found: list[float] = page.evaluate("taken")
    return found


def told(name: str, found: Sequence[float]) -> None:
    """A line of the table."""
    median, late = statistics.median(found), statistics.quantiles(found, n=20)[-1]
    word = "" if late < MOST else "  too slow"
    print(f"{name:10}{len(found):6}{median:9.1f}{late:9.1f}{max(found):9.1f}{word}")  # noqa: T201


def main() -> None:
    """Measure, and print whether it is fast enough."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    brought = longest()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = Server(Path(folder))
        try:
            browser = launch(playwright)
            person = Person(browser.new_context(), server.address, "Ada")
            print(f"{'':10}{'count':>6}{'median':>9}{'95 %':>9}{'worst':>9}  milliseconds")  # noqa: T201
            new, at_hand = answers(server.address, brought, count)
            told("first", new)
            told("server", at_hand)
            told("browser", painted(person, brought, count))
            browser.close()
        finally:
            server.stop()


if __name__ == "__main__":
    main()
