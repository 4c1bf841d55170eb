"""Clocks in browsers: they count down by the server's clock, and low time is marked."""

import re

import pytest
from playwright.sync_api import expect
from tests.browser.conftest import Meet

pytestmark = [pytest.mark.browser, pytest.mark.thorough]


def test_a_clock_counts_down_by_the_servers_time(meet: Meet) -> None:
    """A device whose own clock is wrong shows the same; the last seconds are marked."""
    ada, bea = meet("Ada"), meet("Bea")
    ada.sit_down("mauerbauer", "mo", public=True, clock={"total": 600, "increment": 0})
    bea.page.clock.install(time="2020-01-01T00:00:00Z")
    bea.go(f"/t/{ada.table}")
    bea.page.locator("form[action$='/sit'] button").first.click()

    running = bea.page.locator("time.clock.runs")
    expect(running).to_have_text(re.compile("^10:00|9:5"))
    bea.stand_still()
    bea.page.clock.run_for(120_000)
    expect(running).to_contain_text(re.compile("^7:[3-5]"))
    expect(running).not_to_have_class("low")
    bea.page.clock.run_for(440_000)
    expect(running).to_have_class("clock runs low")
    expect(bea.page.locator("time.clock:not(.runs)")).to_have_text("10:00")


def test_four_people_have_a_clock_each(meet: Meet) -> None:
    """Who has chosen stops their own; everybody sees the same clocks."""
    people = [meet(name) for name in ("Ada", "Bea", "Cleo", "Dan")]
    ada, *others = people
    ada.sit_down("mauer", "mooo", public=True, clock={"total": 600, "increment": 5})
    for each in others:
        each.go(f"/t/{ada.table}")
        each.page.locator("form[action$='/sit'] button").first.click()
    for each in people:
        expect(each.page.locator(".seatclocks .runs time.runs")).to_have_count(4)
    ada.press(ada.words()[0])
    for each in people:
        expect(each.page.locator(".seatclocks .runs time.runs")).to_have_count(3)
