"""An invited friend is welcomed; the host copies, shares, or lets a bot play instead."""

import re

import pytest
from playwright.sync_api import expect
from tests.browser.conftest import Meet
from tests.browser.measured import box
from tests.support.people import PHONE, Person

SHARED = "navigator.share = async (what) => { window.shared = what; }"
COPIED = (
    "navigator.clipboard.writeText = (text) => { window.copied = text; return Promise.resolve(); }"
)


def test_a_friend_with_a_phone_sits_down(meet: Meet) -> None:
    """The field is as wide as the page; what is typed stays when somebody else sits down."""
    ada, bea, cleo = meet("Ada"), meet("", **PHONE), meet("Cleo")
    ada.sit_down("mauer", "mhh")
    bea.page.goto(ada.links[1])
    page = bea.page
    expect(page.get_by_role("heading", level=1)).to_have_text("Die Mauer")
    expect(page.locator(".from")).to_contain_text("Ada invites you to")
    facts, last = box(page, ".txt > ul"), box(page, ".txt > ul > li:last-child")
    assert last.bottom <= facts.bottom
    field = page.locator("#name")
    assert box(page, "#name").width >= 360 - 2 * 16
    field.fill("Bea")
    page.get_by_role("heading", level=1).tap()
    cleo.accept(ada.links[2])
    expect(page.locator(".at")).to_contain_text("Cleo")
    expect(field).to_have_value("Bea")
    page.get_by_role("button", name="Take a seat").tap()
    bea.await_turn()
    assert bea.words()


@pytest.mark.thorough
def test_the_lesson_opens_beside_and_the_seat_is_kept(meet: Meet) -> None:
    """Rules and lesson open in a page of their own; just watching is a tap away, and back."""
    ada, bea, late = meet("Ada"), meet("Bea"), meet("Late")
    ada.sit_down("mauer", "mhb")
    bea.page.goto(ada.links[1])
    with bea.context.expect_page() as beside:
        bea.page.get_by_role("link", name="Show me how it is played").click()
    expect(beside.value.get_by_role("heading", level=1)).to_contain_text("a first game")
    late.page.goto(ada.links[1])
    expect(late.page.locator(".refusal")).to_contain_text("kept for them for ten minutes")
    expect(late.page.locator("#name")).to_have_count(0)
    late.page.get_by_role("link", name="Just watch").click()
    expect(late.page.get_by_role("heading", name="Seats")).to_be_visible()
    expect(bea.page.locator("#name")).to_have_value("Bea")
    bea.page.keyboard.press("Tab")
    bea.page.locator("#name").press("Enter")
    bea.await_turn()
    late.page.goto(ada.links[1])
    expect(late.page.get_by_role("heading", level=1)).to_have_text("The game has begun.")
    late.page.get_by_role("link", name="Watch the table").click()
    expect(late.page.locator("#fists")).to_be_visible()
    assert all("403" in fault for fault in late.faults), late.faults
    late.faults.clear()


@pytest.mark.thorough
def test_the_host_copies_and_shares(ada: Person) -> None:
    """The button says that it is copied; the device's own sheet is there only if it has one."""
    ada.sit_down("mauer", "mhb")
    page = ada.page
    expect(page.get_by_role("button", name="Share …")).to_be_hidden()
    page.add_init_script(f"{SHARED}; {COPIED}")
    page.reload()
    page.get_by_role("button", name="Copy", exact=True).click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    page.get_by_role("button", name="Share …").click()
    page.wait_for_function("() => window.shared")
    assert page.evaluate("[window.copied, window.shared.url]") == [ada.links[1], ada.links[1]]
    code = page.get_by_role("img", name="QR code with the personal link")
    assert code.evaluate("image => image.decode().then(() => image.naturalWidth)") > 0


@pytest.mark.thorough
def test_the_host_is_told_that_the_link_was_opened(meet: Meet) -> None:
    """Within ten seconds, while the page stays as it is."""
    ada, bea = meet("Ada"), meet("")
    ada.page.clock.install()
    ada.sit_down("mauer", "mhb")
    bea.page.goto(ada.links[1])
    expect(bea.page.locator("#name")).to_be_visible()
    ada.page.clock.run_for(10_100)
    expect(ada.page.locator("#seat-1")).to_contain_text("Somebody has opened the link")


@pytest.mark.thorough
def test_a_bot_plays_instead_of_a_friend(meet: Meet) -> None:
    """The game begins at once, also on the page of somebody who was about to sit down."""
    ada, bea = meet("Ada"), meet("", **PHONE)
    ada.sit_down("mauer", "mhb", options={"first": "0"})
    bea.page.goto(ada.links[1])
    expect(bea.page.locator("#name")).to_be_visible()
    ada.page.get_by_role("button", name="Put a bot there and start").click()
    ada.await_turn()
    expect(bea.page.locator("#fists")).to_be_visible()
    expect(bea.page).to_have_url(re.sub("/s/.*", "", ada.links[1]))
