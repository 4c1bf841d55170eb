"""Several people at one device, with a curtain between those who have secrets."""

import pytest
from playwright.sync_api import expect
from tests.support.people import Person


def test_a_gate_shuts_only_before_a_secret_choice(ada: Person) -> None:
    """Nothing is shown before the next player says who they are; then all look together."""
    page = ada.page
    ada.go("/new/mauer")
    seats = page.locator(".seatline")
    seats.nth(1).click()
    page.get_by_role("radiogroup", name="Seat 2").get_by_label("At this device").check()
    page.get_by_label("Name at seat 2").fill("Bea")
    seats.nth(3).focus()
    page.keyboard.press("Delete")
    expect(seats).to_have_count(3)
    page.get_by_role("button", name="Create table").click()

    for name, word in (("Ada", "T"), ("Bea", "C")):
        expect(page.get_by_role("heading", level=1)).to_have_text(f"Pass the device to {name}")
        assert page.locator("#tray, #story, .fist").count() == 0
        ada.photograph(f"gate-{name}")
        page.get_by_role("link", name=f"I am {name}").click()
        page.locator("#tray .slot").first.wait_for()
        ada.choice(word).click()

    page.locator("#i-am, .lid").first.wait_for()
    assert page.locator("#tray .slot").count() == 0


@pytest.mark.thorough
def test_the_page_follows_who_is_asked_where_nothing_is_hidden(ada: Person) -> None:
    """In Burgbaumeister all see the same, so that there is no curtain."""
    ada.sit_down("burgbaumeister", "mm", options={"first": "0"})
    asked = [ada.page.locator("#move input[name=seat]").input_value()]
    ada.press("a1")
    before = ada.number
    ada.page.locator("#move button").last.click()
    ada.await_turn(before)
    asked.append(ada.page.locator("#move input[name=seat]").input_value())

    assert ada.page.locator("#curtain").count() == 0
    assert asked == ["0", "1"]
