"""Without a script every page still works, as plain forms."""

import pytest
from playwright.sync_api import expect
from tests.browser.conftest import Meet
from tests.support.people import Person


def is_asked(person: Person) -> bool:
    """Whether there is something to choose, once the bots have played; if not, it is over."""
    while not person.page.locator("#move").count() and not person.over:
        person.page.wait_for_timeout(50)
        person.page.reload()
    return not person.over


def test_a_game_needs_no_script(meet: Meet) -> None:
    """From the first page to the last move: every choice is a button."""
    somebody = meet("Ada", java_script_enabled=False)
    somebody.go()
    expect(somebody.page.get_by_role("button", name="Play now Die Mauer")).to_be_visible()
    somebody.sit_down("mauer", options={"first": "0", "pieces": "12"})
    words = [each["move"] for each in somebody.table_view()["legal"]]
    offered = somebody.page.locator("#move .plain button").evaluate_all(
        "all => all.map(e => e.value)"
    )
    somebody.photograph("without-script", whole=True)
    moves = 0
    while is_asked(somebody):
        somebody.page.locator("#move button[name=word]:visible").first.click()
        somebody.main.wait_for()
        moves += 1

    assert offered == words
    assert moves > 1
    expect(somebody.page.get_by_role("button", name="Play again")).to_be_visible()


@pytest.mark.thorough
def test_the_menu_needs_no_script(meet: Meet) -> None:
    """The language in it and what is behind "Settings" are forms like any other."""
    somebody = meet("", java_script_enabled=False)
    somebody.go()
    somebody.page.get_by_label("Menu", exact=True).click()
    somebody.page.get_by_role("button", name="Deutsch").click()
    expect(somebody.page.locator("html")).to_have_attribute("lang", "de")
    somebody.page.get_by_label("Menü", exact=True).click()
    somebody.page.get_by_role("link", name="Einstellungen").click()
    somebody.page.get_by_role("button", name="Dunkel", exact=True).click()
    expect(somebody.page.locator("html")).to_have_attribute("data-theme", "dark")
