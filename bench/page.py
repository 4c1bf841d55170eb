"""How long it takes from a click to the finished new board, in a browser on the same machine.

python -m bench.page [MOVES]

The time of a move is from the click until the new board has been painted. Bots play without a
pause. A move also counts if a bot was faster than the response.
"""

import random
import statistics
import sys
import tempfile
from pathlib import Path
from typing import Final

from playwright.sync_api import sync_playwright
from tests.support.people import Person, launch
from tests.support.server_process import Server

MOST: Final = 100.0
"""Milliseconds that the median may take."""

WATCH: Final = """() => {
    window.taken = [];
    let since = 0;
    let number = "";
    const now = () => document.querySelector("main[data-number]")?.dataset.number;
    document.addEventListener("click", () => { since = performance.now(); number = now(); }, true);
    const painted = () => requestAnimationFrame(() => requestAnimationFrame(() => {
        if (since && now() !== number) {
            taken.push(performance.now() - since);
            since = 0;
        }
    }));
    new MutationObserver(painted).observe(document.getElementById("live"),
        {subtree: true, childList: true, attributes: true});
}"""
"""After two frames the change has been painted."""


def times(person: Person, game: str, moves: int) -> list[float]:
    """Milliseconds from click to board for each move, over as many games as needed."""
    chance = random.Random(game)  # noqa: S311 - chance for a measurement is no secret
    found: list[float] = []
    while len(found) < moves:
        person.sit_down(game, options={"board": "default"} if game == "mauerbauer" else None)
        person.page.evaluate(WATCH)
        person.await_turn()
        while not person.over and person.page.evaluate("taken.length") + len(found) < moves:
            before = person.number
            person.press(chance.choice(person.words()))
            person.await_turn(before)
            person.page.wait_for_timeout(50)
        found += person.page.evaluate("taken")
    return found


def main() -> None:
    """Measure all games, and print whether each is fast enough."""
    moves = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = Server(Path(folder))
        try:
            browser = launch(playwright)
            print(f"{'game':16}{'moves':>6}{'median':>9}{'95 %':>9}  milliseconds")  # noqa: T201
            for game in ("mauer", "burgbaumeister", "mauerbauer"):
                person = Person(browser.new_context(), server.address, "Ada")
                found = times(person, game, moves)
                median, late = statistics.median(found), statistics.quantiles(found, n=20)[-1]
                word = "" if median < MOST else "  too slow"
                print(f"{game:16}{len(found):6}{median:9.0f}{late:9.0f}{word}")  # noqa: T201
                person.context.close()
            browser.close()
        finally:
            server.stop()


if __name__ == "__main__":
    main()
