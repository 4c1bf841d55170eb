"""A host manages the server on its page, while a player looks on."""

import pytest
from playwright.sync_api import expect
from tests.browser.conftest import Meet
from tests.browser.test_every_page import SMALL, violations
from tests.support.people import Person
from tests.support.server_process import ADMIN_TOKEN

WIDTH = 390
LINK = f"https://example.org/{'a' * 150}"


@pytest.mark.thorough  # most of it is waiting
def test_a_host_ends_a_game_and_its_player_sees_it(ada: Person, meet: Meet) -> None:
    """The page asks before it acts and is fit for everybody; the player is told at once."""
    ada.sit_down("mauer", "mbb", bot_delay_ms=20_000)
    table = ada.table_view()["table"]
    host = meet("Hugo", color_scheme="dark", reduced_motion="reduce")
    page = host.page
    page.set_viewport_size({"width": WIDTH, "height": 844})
    host.go("/admin")
    page.get_by_label("Token").fill(ADMIN_TOKEN)
    page.get_by_role("button", name="Sign in").click()
    page.get_by_placeholder("Name or table").fill(table)
    page.get_by_placeholder("Name or table").press("Enter")
    page.locator('a[href*="ask=end"]').click()
    expect(page.locator("#ask")).to_contain_text("It counts as unfinished")
    host.photograph("admin")
    assert violations(host) == []
    assert page.evaluate("document.scrollingElement.scrollWidth") == WIDTH
    assert page.evaluate(SMALL) == []

    page.get_by_role("button", name="End it").click()
    expect(page.locator(".tbl")).to_contain_text("over")
    expect(ada.page.locator("#prompt h1")).to_contain_text("ended")
    ada.photograph("ended-by-the-host")


@pytest.mark.thorough
def test_a_long_reason_does_not_widen_the_page(meet: Meet) -> None:
    """A link has no space at which a line could end."""
    host = meet("Hugo")
    page = host.page
    page.set_viewport_size({"width": 1280, "height": 800})
    host.go("/admin")
    page.get_by_label("Token").fill(ADMIN_TOKEN)
    page.get_by_role("button", name="Sign in").click()
    page.locator('a[href*="ask=block-network"]').click()
    page.locator("#ask [name=what]").fill("192.0.2.0/24")
    page.locator("#ask [name=reason]").fill(LINK)
    page.locator("#ask button").click()

    blocked = page.locator(".w", has_text=LINK)
    expect(blocked).to_be_visible()
    assert page.evaluate("document.scrollingElement.scrollWidth") == 1280
    page.locator(".keepl li").filter(has=blocked).get_by_role("button").click()
    expect(blocked).to_have_count(0)
