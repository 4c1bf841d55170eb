"""Leaving a game for good: asked about first, and taken back if one changes one's mind."""

import re

import pytest
from playwright.sync_api import expect
from tests.browser.measured import box, boxes
from tests.support.people import Person


def test_leaving_asks_first_and_can_be_taken_back(ada: Person) -> None:
    """The item stands apart; after leaving, the page says how long there is to come back."""
    ada.sit_down("mauerbauer", options={"first": "0"}, bot_delay_ms=20_000)
    page = ada.page
    page.get_by_label("Menu", exact=True).click()
    leave = page.locator("#leave summary")
    expect(leave).to_be_visible()
    others = boxes(page, "#atable .undoes .quiet")
    assert box(page, "#leave summary").top > others[-1].top + 60
    leave.click()
    expect(page.locator("#leave")).to_contain_text("You can come back within ten minutes")
    ada.photograph("leaving-asked")
    assert ada.table_view()["seats"][0]["name"] == "Ada"

    page.get_by_role("button", name="Leave this game").click()
    expect(page.locator("#prompt")).to_contain_text("You left. A bot plays in your place.")
    expect(page.locator("#prompt time")).to_contain_text(re.compile(r"[89]:\d\d"))
    ada.photograph("left")
    page.get_by_role("button", name="Return to my seat").click()
    expect(page.locator("#prompt")).not_to_contain_text("You left")

    assert ada.table_view()["seats"][0]["name"] == "Ada"
    # The stream of the seat ends with it, which the page notes before it is loaded anew.
    ada.faults[:] = [fault for fault in ada.faults if "[object Event]" not in fault]


@pytest.mark.thorough  # a test of pages does the same without a browser
def test_home_and_my_page_offer_the_seat_back(ada: Person) -> None:
    """For those who closed the page of the table; the story says who left and who plays on."""
    ada.sit_down("mauerbauer", options={"first": "0"}, bot_delay_ms=20_000)
    page, table = ada.page, ada.page.url
    page.get_by_label("Menu", exact=True).click()
    page.locator("#leave summary").click()
    page.get_by_role("button", name="Leave this game").click()
    expect(page.locator("#story")).to_contain_text("Ada left; Olmo plays on, a bot: Journeyman.")
    ada.faults[:] = [fault for fault in ada.faults if "[object Event]" not in fault]
    for path in ("/me", "/"):
        ada.go(path)
        back = page.get_by_role("button", name="Return to my seat")
        expect(back).to_contain_text(re.compile("[89] min left"))
        ada.photograph(f"left{path.replace('/', '-')}")
    back.click()

    expect(page).to_have_url(table)
    expect(page.locator("#story")).to_contain_text("You took over from Olmo.")
    expect(page.locator("#prompt")).not_to_contain_text("You left")
