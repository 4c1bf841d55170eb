"""Forced moves play themselves, after a pause in which one sees what happens."""

import pytest
from playwright.sync_api import expect
from tests.browser.conftest import Meet
from tests.support.people import Person

FORCED = "#move[data-forced]"


def sit_down(person: Person, game: str) -> None:
    """At a table with a bot, on a page whose clock stands still."""
    person.page.clock.install()
    person.sit_down(game, "mb", options={"first": "0"})
    person.page.clock.pause_at(int(person.page.evaluate("Date.now()")) + 1000)
    person.await_turn()


def forced(person: Person) -> int:
    """Play until there is only one thing to do; the number of the page then."""
    for _ in range(40):
        person.page.clock.run_for(50)  # htmx is done, and it is seen whether there is a choice
        if person.page.locator(FORCED).count():
            return person.number
        before = person.number
        person.press(person.words()[0])
        person.await_turn(before)
    raise AssertionError("there was always something to decide")


def test_what_decides_nothing_needs_no_press(meet: Meet) -> None:
    """After 600 ms the only house or tower that can be placed is placed."""
    ada = meet(watches=True)
    sit_down(ada, "mauerbauer")
    number = forced(ada)
    assert len(ada.words()) == 1
    ada.page.clock.run_for(500)
    assert ada.number == number
    ada.page.clock.run_for(200)
    expect(ada.page.locator(f'main:not([data-number="{number}"])')).to_be_attached()


def test_it_is_not_played_again_when_it_is_taken_back(meet: Meet) -> None:
    """Taking back leads to the decision before it."""
    ada = meet(watches=True)
    sit_down(ada, "mauerbauer")
    number = forced(ada)
    ada.page.clock.run_for(700)
    ada.page.locator(f'main:not([data-number="{number}"])').wait_for(state="attached")
    story = ada.page.locator("#story")
    for _ in range(20):  # a bot may move in the same moment; then it is too late
        ada.page.locator("form[action$='/undo'] button").click()
        ada.page.wait_for_timeout(300)
        if "took back a move" in story.inner_text():
            break
    expect(story).to_contain_text("took back a move")
    ada.await_turn()
    expect(ada.page.locator(FORCED)).to_have_count(0)
    number = ada.number
    assert len(ada.words()) > 1
    ada.page.clock.run_for(2000)

    assert ada.number == number


@pytest.mark.thorough
def test_somebody_who_wants_to_makes_forced_moves(meet: Meet) -> None:
    """The wish is in the menu."""
    ada = meet(watches=True)
    sit_down(ada, "mauerbauer")
    forced(ada)
    page = ada.page
    page.get_by_label("Menu", exact=True).click()
    page.locator("button[name=manual][value='1']").click()
    expect(page.locator("body[data-manual]")).to_be_attached()
    number = ada.number
    page.clock.run_for(5000)
    assert ada.number == number
    ada.press(ada.words()[0])


@pytest.mark.thorough
def test_a_card_that_does_not_fit_can_be_looked_at(meet: Meet) -> None:
    """In Burgbaumeister it lies open only once: its button has a ring, which takes 4 seconds."""
    ada = meet(watches=True, reduced_motion="no-preference")
    sit_down(ada, "burgbaumeister")
    page = ada.page
    number = forced(ada)
    page.clock.run_for(50)  # whichever came later, the answer or the stream
    expect(page.locator(f"{FORCED} button .ring")).to_be_visible()
    page.clock.run_for(3500)
    assert ada.number == number
    page.clock.run_for(700)
    expect(page.locator(f'main:not([data-number="{number}"])')).to_be_attached()
