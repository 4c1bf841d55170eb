"""All kinds of pages, for tests that hold for each of them."""

from collections.abc import Callable, Mapping
from typing import Final

from tests.browser import places, places_learn, places_realtable, places_replay, places_workshop
from tests.browser.people import Person

PLACES: Final[Mapping[str, Callable[[Person], None]]] = {
    **places.PLACES,
    **places_replay.PLACES,
    **places_learn.PLACES,
    **places_realtable.PLACES,
    **places_workshop.PLACES,
}
"""How to get to each kind of page."""


def go_to(person: Person, place: str) -> None:
    """Go there; where there is nothing, the browser may say so."""
    PLACES[place](person)
    person.page.locator("main").first.wait_for()
    if place == "nothing":
        person.faults.clear()
