"""The home page: what "Play now" starts is chosen beside it, and finished games are listed."""

import re

import pytest
from playwright.sync_api import Page, expect
from tests.browser.conftest import Meet
from tests.browser.places import finished, only
from tests.support.people import PHONE, Person


def opener(page: Page) -> None:
    """Open what stands beside "Play now" of Die Mauer."""
    page.locator("#start-mauer summary").click()


def test_a_choice_needs_no_ok_and_is_kept(ada: Person) -> None:
    """The second line of the button changes at once; after a reload it still says so."""
    ada.go()
    page = ada.page
    opener(page)
    page.locator("#start-mauer").get_by_role("radio", name="Apprentice").check()
    page.locator("#start-mauer").get_by_role("radio", name="5", exact=True).check()
    page.locator("#start-mauer").get_by_role("radio", name="1", exact=True).check()
    expect(page.locator("#starts-mauer")).to_have_text("4 bots, Apprentice, one round")
    page.reload()
    expect(page.locator("#starts-mauer")).to_have_text("4 bots, Apprentice, one round")
    page.get_by_role("button", name="Play now Die Mauer, 4 bots, Apprentice, one round").click()
    ada.await_turn()
    table = ada.page.url.rpartition("/")[2]
    ada.table = table
    view = ada.table_view()
    assert view["options"]["rounds"] == "1"
    assert [place["level"] for place in view["seats"]] == ["", *["apprentice"] * 4]


@pytest.mark.thorough
def test_the_opener_closes_as_one_expects(ada: Person) -> None:
    """By Escape and by its cross, which give the focus back, and by a click elsewhere."""
    ada.go()
    page = ada.page
    box = page.locator("#start-mauer")
    summary = box.locator("summary")
    summary.focus()
    page.keyboard.press("Enter")
    expect(box).to_have_attribute("open", "")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowRight")  # from journeyman to foreman
    expect(page.locator("#starts-mauer")).to_have_text("3 bots, Foreman")
    page.keyboard.press("Escape")
    expect(box).not_to_have_attribute("open", "")
    expect(summary).to_be_focused()
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Close").click()
    expect(summary).to_be_focused()
    summary.click()
    page.get_by_role("heading", level=1).click()
    expect(box).not_to_have_attribute("open", "")


@pytest.mark.parametrize("kind", only("phone", "no script"))
def test_a_choice_is_made_everywhere(meet: Meet, kind: str) -> None:
    """On a small phone the box fits; without a script the choice counts when the game starts."""
    somebody = meet("", **PHONE) if kind == "phone" else meet("", java_script_enabled=False)
    somebody.go()
    page = somebody.page
    opener(page)
    popped, wide = page.locator("#start-mauer .pop").bounding_box(), page.viewport_size
    assert popped  # nothing is drawn anew here
    assert wide
    assert 0 <= popped["x"] <= wide["width"] - popped["width"]
    page.locator("#mauer-seats-3").check()
    page.locator("form.split", has=page.locator("#start-mauer")).locator("> .btn").click()
    page.wait_for_url(re.compile("/t/"))
    somebody.table = page.url.rpartition("/")[2]
    assert len(somebody.table_view()["seats"]) == 3
    somebody.go()
    expect(page.locator("#starts-mauer")).to_have_text("2 bots, Apprentice")


@pytest.mark.thorough
def test_my_finished_games_are_listed(ada: Person) -> None:
    """With the day, the others and my place; each leads to its replay."""
    finished(ada)
    ada.go()
    line = ada.page.locator("section.over a").first
    expect(line).to_contain_text(re.compile(r"with .+ and .+place \d of 3\d+ \w+", re.DOTALL))
    expect(line).to_have_attribute("href", f"/t/{ada.table}/replay")
