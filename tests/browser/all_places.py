"""All kinds of pages, for tests that hold for each of them."""

from collections.abc import Callable, Mapping
from typing import Final

from tests.browser import (
    places,
    places_board_editor,
    places_learn,
    places_real_table,
    places_replay,
)
from tests.support.people import Person

PLACES: Final[Mapping[str, Callable[[Person], None]]] = {
    **places.PLACES,
    **places_replay.PLACES,
    **places_learn.PLACES,
    **places_real_table.PLACES,
    **places_board_editor.PLACES,
}
"""How to get to each kind of page."""


def go_to(person: Person, place: str) -> None:
    """Go there; where there is nothing, the browser may say so."""
    PLACES[place](person)
    person.page.locator("main").first.wait_for()
    if place == "nothing":
        person.faults.clear()
