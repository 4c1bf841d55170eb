"""Taking back, being asked twice, and being told why not."""

import pytest
from playwright.sync_api import expect
from tests.browser.conftest import Meet
from tests.support.people import Person


def test_a_plan_that_nobody_knows_can_be_taken_back(meet: Meet) -> None:
    """And everything can be chosen again."""
    ada, bea = meet("Ada"), meet("Bea")
    ada.sit_down("mauer", "mhb")
    bea.accept(ada.links[1])
    ada.await_turn()
    words = ada.words()
    ada.press("T")
    expect(bea.page.locator("#fist-0:not(.now)")).to_be_visible()
    ada.press_other("Take back")
    expect(ada.choice("T")).to_be_visible()

    assert ada.words() == words
    expect(bea.page.locator("#fist-0.now")).to_be_visible()


def test_the_others_are_asked_before_a_move_is_taken_back(meet: Meet) -> None:
    """Bea is asked, agrees, and Ada chooses anew."""
    ada, bea = meet("Ada"), meet("Bea")
    ada.sit_down("mauerbauer", "mh", options={"first": "0"})
    bea.accept(ada.links[1])
    ada.await_turn()
    words = ada.words()
    ada.page.bring_to_front()
    ada.press(words[0])
    ada.press_other("Take back")
    expect(ada.page.locator("#keep")).to_be_focused()
    ada.rest()
    ada.page.get_by_role("button", name="Ask the others").click()
    expect(ada.page.locator("#prompt")).to_contain_text("Waiting for the others to agree.")
    bea.page.get_by_role("button", name="Agree").click()
    expect(ada.choice(words[0])).to_be_visible()

    assert ada.words() == words


@pytest.mark.thorough
def test_somebody_who_wants_to_be_is_asked_twice(ada: Person) -> None:
    """What cannot be taken back is asked about; what can is done at once."""
    page = ada.page
    ada.go("/settings")
    page.get_by_role("group", name="Ask before final moves").get_by_role(
        "button", name="On"
    ).click()
    expect(page.get_by_role("status")).to_have_text("Saved on this device")
    ada.sit_down("burgbaumeister", options={"first": "0"})
    ada.await_turn()
    ada.choice("a1").click()
    expect(page.locator("#prompt h1")).to_contain_text("Are you sure?")
    ada.photograph("asked-twice")
    page.get_by_role("link", name="No, think again").click()
    expect(ada.choice("a1")).to_be_visible()
    ada.choice("b1").click()
    before = ada.number
    page.get_by_role("button", name="Yes, do it").click()
    expect(page.locator(f'main:not([data-number="{before}"])')).to_be_attached()

    expect(page.locator("#place-b1 svg.back")).to_have_count(0)


@pytest.mark.thorough
def test_what_is_not_allowed_is_refused_with_the_clause(ada: Person) -> None:
    """The page says why, and its link leads to the clause in the rules."""
    ada.sit_down("mauerbauer", options={"first": "0"})
    ada.await_turn()
    page = ada.page
    ada.choice(ada.words()[0]).evaluate("target => { target.dataset.word = '.'; }")
    page.locator('[data-word="."]').click()
    refusal = page.locator("#refusal")
    expect(refusal).to_be_visible()
    ada.photograph("refused")
    link = refusal.get_by_role("link")
    clause = (link.get_attribute("href") or "").partition("#")[2]
    link.click()

    expect(page.locator(f"#{clause}")).to_be_in_viewport()
    assert clause.startswith("MB-")
    assert all("422" in fault or "409" in fault for fault in ada.faults), ada.faults
    ada.faults.clear()
