"""Setting up a table in the browser: every change is said at once, and errors are found."""

import re

import pytest
from playwright.sync_api import expect
from tests.browser.conftest import Meet
from tests.browser.measured import box
from tests.browser.places import only
from tests.support.people import PHONE, Person


@pytest.mark.thorough  # waited in vain in one of ten runs
def test_the_summary_follows_every_answer(ada: Person) -> None:
    """By mouse and keyboard; the focus stays, what is open stays open, nothing is loaded anew."""
    ada.go("/new/mauerbauer")
    page = ada.page
    page.evaluate("window.same = true")
    summary = page.locator(".sum [aria-live=polite]")
    expect(summary).to_contain_text("You, a friend and a bot")
    page.locator(".seatline").nth(1).click()
    page.get_by_role("radiogroup", name="Seat 2").get_by_label("Bot").check()
    expect(summary).to_contain_text("You and 2 bots")
    expect(page.locator("#seat-of-1")).to_have_attribute("open", "")
    page.keyboard.press("Escape")
    expect(page.locator("#seat-of-1")).not_to_have_attribute("open", "")
    expect(page.locator(".seatline").nth(1)).to_be_focused()
    page.get_by_role("radio", name="As long as it takes").focus()
    page.keyboard.press("ArrowRight")
    expect(summary).to_contain_text("1 minute per move.")
    expect(page.get_by_role("radio", name="1 min")).to_be_focused()
    expect(page.get_by_role("radio", name="Bruno")).to_be_visible()
    page.get_by_role("button", name="A fourth player").click()
    expect(summary).to_contain_text("You and 3 bots")
    expect(page.locator("#add")).to_have_count(0)
    page.locator(".seatline").nth(3).focus()
    page.keyboard.press("Delete")
    expect(summary).to_contain_text("You and 2 bots")
    expect(page.locator("#add")).to_be_focused()
    assert page.evaluate("window.same")
    page.locator("#name").fill("Ada L.")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("/t/"))
    ada.table = page.url.rpartition("/")[2]
    view = ada.table_view()
    assert view["seconds_per_move"] == 60
    assert view["names"] == ["Ada L.", "Bruno", "Clara"]


def test_another_theme_or_language_keeps_what_was_filled_in(ada: Person) -> None:
    """The theme changes at once; in another language the answers are put back, but no secret."""
    ada.go("/new/mauer")
    page = ada.page
    page.evaluate("window.same = true")
    page.get_by_role("button", name="A fifth player").click()
    expect(page.locator(".seatline")).to_have_count(5)
    page.locator("#name").fill("Zoë & Co")
    page.get_by_label("Light or dark").click()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    expect(page.locator(".seatline")).to_have_count(5)
    assert page.evaluate("window.same")
    page.get_by_label("Menu", exact=True).click()
    page.get_by_role("button", name="Deutsch").click()
    expect(page.get_by_role("heading", name="Einen Tisch eröffnen")).to_be_visible()
    expect(page.locator(".seatline")).to_have_count(5)
    expect(page.locator("#name")).to_have_value("Zoë & Co")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")

    ada.go("/evening")
    page.locator("[name=title]").fill("Freitag")
    page.locator("label", has_text="Schweizer System").click()
    page.get_by_label("Menü", exact=True).click()
    page.get_by_role("button", name="English").click()
    expect(page.get_by_role("heading", name="An evening")).to_be_visible()
    expect(page.locator("[name=title]")).to_have_value("Freitag")
    expect(page.get_by_label("People with similar points meet (Swiss system)")).to_be_checked()
    assert page.evaluate("sessionStorage.getItem('filled')") is None

    ada.go("/me/sign-in")
    page.get_by_label("Recovery code").fill("7K3M-01AB-0000-ZZZZ")
    page.get_by_label("Menu", exact=True).click()
    page.get_by_role("button", name="Deutsch").click()
    expect(page.get_by_label("Wiederherstellungscode")).to_have_value("")


@pytest.mark.thorough
def test_an_error_is_beside_its_question_and_has_the_focus(ada: Person) -> None:
    """Too few players: the sentence says what to do, and the page shows it."""
    ada.go("/new/mauer")
    page = ada.page
    for _ in range(2):
        page.locator(".seatline").last.focus()
        seats = page.locator(".seatline").count()
        page.keyboard.press("Delete")
        expect(page.locator(".seatline")).to_have_count(seats - 1)
        expect(page.locator("#add")).to_be_focused()
    page.get_by_role("button", name="Create table").click()
    refusal = page.get_by_role("alert")
    expect(refusal).to_have_text("Die Mauer needs at least 3 players: add one.")
    expect(refusal).to_be_focused()
    page.get_by_role("button", name="A third player").click()
    page.get_by_role("button", name="Create table").click()
    page.wait_for_url(re.compile("/t/"))
    assert all("422" in fault for fault in ada.faults), ada.faults
    ada.faults.clear()


@pytest.mark.parametrize("kind", only("no script", "phone"))
def test_a_table_is_set_up_everywhere(meet: Meet, kind: str) -> None:
    """On a phone the summary is the dock; without a script a player is added by a plain form."""
    somebody = meet("", **PHONE) if kind == "phone" else meet("", java_script_enabled=False)
    somebody.go("/new/burgbaumeister")
    page = somebody.page
    if kind == "phone":
        dock = box(page, ".sum")
        assert dock.bottom <= 741
        assert dock.height < 200
    page.get_by_role("button", name="A fourth player").click()
    expect(page.locator(".seatline")).to_have_count(4)
    page.locator("label", has_text="Variant").click()
    page.get_by_role("button", name="Create table").click()
    page.wait_for_url(re.compile("/t/"))
    somebody.table = page.url.rpartition("/")[2]
    view = somebody.table_view()
    assert (len(view["seats"]), view["options"]["variant"]) == (4, "yes")
