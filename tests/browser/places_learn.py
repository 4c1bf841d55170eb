"""Pages of the lessons and puzzles, for tests that hold for every page."""

from collections.abc import Callable, Mapping
from typing import Final
from urllib.parse import quote

from tests.support.people import Person

from mauerwerk.server.features.puzzles import service


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


def puzzle(number: int, choice: int | None = None) -> Callable[[Person], None]:
    """A puzzle of the first day, or its answer after the choice with this place."""
    day = service.FIRST
    asked = service.for_day(day)[number - 1]
    word = "" if choice is None else f"?word={quote(asked.choices[choice].word)}"
    return lambda person: person.go(f"/puzzles/{day}/{number}{word}")


PLACES: Final[Mapping[str, Callable[[Person], None]]] = {
    "learn": begun,
    "learn-answered": answered,
    "learn-mauer-over": stop("mauer", 19),
    "learn-burgbaumeister-fire": stop("burgbaumeister", 16),
    "learn-mauerbauer-scores": stop("mauerbauer", 11),
    "puzzles": lambda person: person.go(f"/puzzles/{service.FIRST}"),
    "puzzle-1": puzzle(1),
    "puzzle-2": puzzle(2),
    "puzzle-3": puzzle(3),
    "puzzle-answer-1": puzzle(1, 1),
    "puzzle-answer-2": puzzle(2, 1),
    "puzzle-answer-3": puzzle(3, 1),
}
"""How to get to each kind of page."""
