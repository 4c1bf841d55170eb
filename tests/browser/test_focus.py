"""After a choice the focus is on the next thing to press."""

from typing import Final

import pytest
from playwright.sync_api import expect
from tests.browser.places import only
from tests.support.people import Person

NEXT: Final = "#live [data-word]:focus, #live [data-opens]:focus, #move button:focus"


@pytest.mark.parametrize("way", only("keys", "mouse"))
@pytest.mark.parametrize("game", only("mauerbauer", "burgbaumeister"))
def test_the_focus_goes_to_what_can_be_done_next(ada: Person, game: str, way: str) -> None:
    """By keyboard and by mouse: Enter or a click, and the next answer is at hand."""
    ada.sit_down(game, "mb", options={"first": "0"})
    ada.await_turn()
    for _ in range(3):
        before = ada.number
        target = ada.choice(ada.words()[0])
        if way == "keys":
            target.focus()
            ada.page.keyboard.press("Enter")
        else:
            target.click()
        ada.await_turn(before)
        expect(ada.page.locator(NEXT)).to_have_count(1)


def test_nobody_who_reads_the_story_is_disturbed(ada: Person) -> None:
    """The focus stays in it when the table changes."""
    ada.sit_down("burgbaumeister", "mm", options={"first": "0"})
    ada.await_turn()
    ada.page.locator("#story ol").focus()
    before = ada.number
    ada.page.evaluate("choose('a1')")
    ada.await_turn(before)

    expect(ada.page.locator("#story ol")).to_be_focused()
