"""Pages of the lessons, for tests that hold for every page."""

from collections.abc import Callable, Mapping
from typing import Final

from tests.support.people import Person


def stop(game: str, number: int) -> Callable[[Person], None]:
    """A stop of a lesson."""
    return lambda person: person.go(f"/learn/{game}/{number}")


def begun(person: Person) -> None:
    """A lesson that somebody left in the middle."""
    person.go("/learn/mauer/7")
    person.go("/learn/mauer")


def answered(person: Person) -> None:
    """A stop at which somebody chose something else."""
    person.go("/learn/mauer/2")
    person.page.locator("#hand-T").click()
    person.page.locator("#answer").wait_for()


PLACES: Final[Mapping[str, Callable[[Person], None]]] = {
    "learn": begun,
    "learn-answered": answered,
    "learn-mauer-over": stop("mauer", 19),
    "learn-burgbaumeister-fire": stop("burgbaumeister", 16),
    "learn-mauerbauer-scores": stop("mauerbauer", 11),
}
"""How to get to each kind of page."""
