"""Pages of games that are looked at again."""

from collections.abc import Callable, Mapping
from typing import Final

from tests.browser.places import finished, page_at
from tests.support.people import HOME, Person

GOLDEN: Final = HOME / "tests" / "records" / "golden"


def brought(name: str, query: str) -> Callable[[Person], None]:
    """A position of a golden record, as somebody sees it who brings it."""

    def bring(person: Person) -> None:
        person.go("/replay")
        person.page.locator("#paste > summary").click()
        person.page.locator("#record").fill((GOLDEN / name).read_text(encoding="utf-8"))
        person.page.locator("form.sheetform button").click()
        person.page.locator("main.replaypage").wait_for()
        person.page.goto(person.page.url.partition("?")[0] + query)

    return bring


def looked_at_again(person: Person) -> None:
    """A game of this house that is over."""
    finished(person)
    person.go(f"/t/{person.table}/replay")


PLACES: Final[Mapping[str, Callable[[Person], None]]] = {
    "replay-bring": page_at("/replay"),
    "replay-finished": looked_at_again,
    "replay-mauerbauer": brought("mauerbauer-1/4-default-palaces.txt", "?at=250&seat=all"),
    "replay-burgbaumeister": brought(
        "burgbaumeister-1/variant-3-wizard-shot.txt", "?at=121&seat=1"
    ),
}
"""How to get to each of them."""
