"""Thinking about a choice: pointer, focus and finger show what it would do, and nothing is done."""

import re

import pytest
from playwright.sync_api import Locator, Route, expect
from tests.browser.conftest import Meet
from tests.browser.measured import box
from tests.support.people import PHONE, Person

GAMES = ("mauer", "burgbaumeister", "mauerbauer")


def target_at(person: Person, game: str = "mauerbauer") -> Locator:
    """The first thing that can be pressed on the board or in the tray of a new table."""
    person.page.clock.install()
    person.sit_down(game, options={"first": "0"})
    person.await_turn()
    return person.page.locator("#live [data-word]").first


def what(person: Person) -> Locator:
    """The choice that the prompt asks about."""
    return person.page.locator("#asks .what")


def test_the_pointer_shows_what_a_press_would_do(ada: Person) -> None:
    """After 80 ms, not before; away again with the pointer; a click plays at once."""
    target = target_at(ada)
    asked = ada.prompt
    ada.stand_still()
    target.hover()
    ada.page.clock.run_for(70)
    expect(what(ada)).to_be_empty()
    ada.page.clock.run_for(20)
    expect(what(ada)).to_have_text(f"{target.get_attribute('aria-label')}?".capitalize())
    expect(ada.page.locator(".previewed")).to_have_count(1)
    expect(ada.page.locator("#confirm")).to_be_hidden()
    ada.page.mouse.move(2, 2)
    expect(what(ada)).to_be_empty()
    assert ada.prompt == asked
    ada.page.clock.resume()
    ada.press(target.get_attribute("data-word") or "")


def test_the_focus_shows_it_too_and_escape_ends_it(ada: Person) -> None:
    """The keyboard needs no second press: Enter plays what has the focus."""
    target_at(ada)
    ada.tab("[data-word]")
    expect(what(ada)).not_to_be_empty()
    expect(ada.page.locator("#confirm .brick")).to_contain_text("Enter")
    ada.page.keyboard.press("Escape")
    expect(what(ada)).to_be_empty()
    before = ada.number
    ada.page.keyboard.press("ArrowRight")
    expect(what(ada)).not_to_be_empty()
    ada.page.keyboard.press("Enter")
    ada.page.locator(f'main:not([data-number="{before}"])').wait_for(state="attached")


@pytest.mark.thorough  # most of it is waiting
def test_a_finger_looks_first(meet: Meet) -> None:
    """The first tap previews, and the dock asks; a second tap on the same target does it."""
    sent: list[str] = []
    for played, game in enumerate(GAMES):
        ada = meet("Ada", **PHONE)
        target = target_at(ada, game)
        bar = ada.page.locator("#confirm")
        ada.page.on("request", lambda request: sent.append(request.url))
        live = re.compile("live")
        expect(bar).to_be_visible()
        expect(bar).not_to_have_class(live)
        dock = box(ada.page, ".dock")
        target.tap()
        expect(bar).to_have_class(live)
        expect(what(ada)).not_to_be_empty()
        assert box(ada.page, ".dock") == dock, "nothing slides under the finger"
        target.dispatch_event("pointerout", {"pointerType": "mouse"})  # one that lies still
        expect(bar).to_have_class(live)
        ada.page.locator("#where").tap()
        expect(bar).not_to_have_class(live)
        target.tap()
        expect(bar).to_have_class(live)
        assert sum(url.endswith("/move") for url in sent) == played, "nothing was chosen"
        with ada.page.expect_response("**/move") as answer:
            target.tap()
        assert answer.value.ok


@pytest.mark.thorough
def test_the_button_in_the_dock_does_what_was_tapped(meet: Meet) -> None:
    """It says what it does, in words of the game."""
    ada = meet("Ada", **PHONE)
    target = target_at(ada, "mauer")
    before = ada.number
    target.tap()
    button = ada.page.locator("#confirm .brick .said")
    expect(button).not_to_be_empty()
    button.tap()
    ada.page.locator(f'main:not([data-number="{before}"])').wait_for(state="attached")


@pytest.mark.thorough
def test_taps_can_be_taken_at_once(meet: Meet) -> None:
    """The settings switch the question off, for one's own browser."""
    ada = meet("Ada", **PHONE)
    target_at(ada, "mauer")
    ada.switch("taps", "0")
    expect(ada.page.locator("body[data-taps]")).to_have_count(0)
    before = ada.number
    ada.page.locator("#live [data-word]").first.tap()
    ada.page.locator(f'main:not([data-number="{before}"])').wait_for(state="attached")


@pytest.mark.thorough
def test_a_tap_is_asked_about_without_a_connection(meet: Meet) -> None:
    """What the server cannot say is said by the target's own words."""
    ada = meet("Ada", **PHONE)
    target = target_at(ada, "burgbaumeister")
    ada.page.route("**/preview?*", lambda route: route.abort())
    target.tap()
    expect(what(ada)).to_contain_text(target.get_attribute("aria-label") or "")
    ada.faults.clear()  # the browser says that it could not ask


@pytest.mark.thorough
def test_a_tap_outlives_what_others_do(meet: Meet) -> None:
    """The picture that comes before the answer does not take the question away."""
    ada = meet("Ada", **PHONE)
    target = target_at(ada, "mauer")

    def late(route: Route) -> None:
        """Answer only when somebody else has done something."""
        ada.page.evaluate("document.dispatchEvent(new Event('htmx:afterSettle'))")
        route.continue_()

    ada.page.route("**/preview?*", late)
    target.tap()
    expect(ada.page.locator("#confirm")).to_be_visible()


@pytest.mark.thorough
def test_an_answer_that_comes_after_the_turn_shows_nothing(meet: Meet) -> None:
    """The next picture is there already, and asks nothing; htmx has not settled it yet."""
    ada = meet("Ada", **PHONE)
    target = target_at(ada, "mauer")

    def late(route: Route) -> None:
        """Answer when there is nothing to choose any more."""
        ada.page.evaluate(
            "document.querySelectorAll('#move, .whatif').forEach((it) => it.remove())"
        )
        route.continue_()

    ada.page.route("**/preview?*", late)
    with ada.page.expect_response("**/preview?*"):
        target.tap()
    ada.page.wait_for_timeout(100)
    expect(ada.page.locator(".previewed")).to_have_count(0)
