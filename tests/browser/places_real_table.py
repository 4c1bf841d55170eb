"""Pages for owners of the printed games, and tables that wait for real dice and cards."""

from collections.abc import Callable, Mapping
from typing import Final

from tests.browser.places import page_at
from tests.support.people import Person

CITY: Final = "a2-b1.b1-c2.a2-c2.c2-d1.Wa2.Gb1.r1b.r1b.y1b.b1c.We4"
"""A city with two houses that become a palace, a house and walls outside, and a stray tower."""

SHEET: Final = "who=Ada~Bob~Cem~Dora&left=T6__=12_11.C_4_3_&at=2"


def dice(person: Person) -> None:
    """A wall is built, and the dice are to be entered."""
    person.sit_down("mauerbauer", "mbb", options={"first": "0", "board": "default"}, dice="players")
    person.await_turn()
    words = person.words()
    person.press(words[len(words) // 2])
    person.page.locator("#entering").wait_for()


def cards(person: Person) -> None:
    """Six cards are to be entered."""
    person.sit_down("mauerbauer", "mb", options={"first": "0", "board": "default"}, dice="scribe")


PLACES: Final[Mapping[str, Callable[[Person], None]]] = {
    "real": page_at("/real"),
    "real-dice": page_at("/real/dice"),
    "real-mauer": page_at(f"/real/mauer?{SHEET}"),
    "real-mauerbauer-city": page_at(
        f"/real/mauerbauer?on={CITY}&who=Ada~Bob~Cem&got=0:city-1:6.1:land-red:3"
    ),
    "by-hand-dice": dice,
    "by-hand-cards": cards,
}
"""How to get to each kind of page."""
