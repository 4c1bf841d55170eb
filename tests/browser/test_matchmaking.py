"""Two people who look for a game meet; a third one starts with bots."""

import pytest
from playwright.sync_api import expect
from tests.browser.conftest import Meet

pytestmark = [pytest.mark.browser, pytest.mark.thorough]


def test_two_who_look_meet_at_one_table(meet: Meet) -> None:
    """The second is sent to where the first waits, and one press too many changes nothing."""
    ada, ben = meet("Ada"), meet("Ben")
    for person in (ada, ben):
        person.go("/?game=mauerbauer&seats=2")
        person.page.get_by_role("button", name="Find me a game").first.dblclick()
    for person in (ada, ben):
        expect(person.page.locator("main.tablepage")).to_be_visible()
    assert ada.page.url == ben.page.url


def test_filters_change_the_list_in_place(meet: Meet) -> None:
    """And "Sit down" takes the seat."""
    ada, ben = meet("Ada"), meet("Ben")
    ada.ask("/api/find", game="burgbaumeister", seats=4, clock="none")
    ben.go("/")
    ben.page.get_by_label("Players", exact=True).last.select_option("4")
    ben.page.get_by_label("Game", exact=True).select_option("burgbaumeister")
    row = ben.page.locator("#open article", has_text="Ada")
    expect(row).to_have_count(1)
    row.get_by_role("button", name="Sit down").click()
    expect(ben.page.get_by_text("Leave the table")).to_be_visible()
