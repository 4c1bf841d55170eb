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
        ada.rest()
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


def test_what_is_pressed_in_the_menu_leaves_the_focus_where_one_goes_on(ada: Person) -> None:
    """On the menu itself after looking at the keys, and on the way back after going away."""
    ada.sit_down("mauer", "mbb", options={"first": "0"}, bot_delay_ms=20_000)
    ada.await_turn()
    page = ada.page
    menu = page.locator("#menu > summary")
    for way in ("Enter", "Escape"):
        menu.press("Enter")
        page.get_by_role("button", name="Keys", exact=True).press("Enter")
        expect(page.locator("#keys").get_by_role("button", name="Close")).to_be_focused()
        page.keyboard.press(way)
        expect(menu).to_be_focused()
    menu.press("Enter")
    page.get_by_role("button", name="Let a bot play on").press("Enter")
    expect(page.get_by_role("button", name="Play again myself")).to_be_focused()
    expect(page.locator("#menu[open]")).to_have_count(0)
