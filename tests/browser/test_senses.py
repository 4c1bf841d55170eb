"""Light and dark, motion and none, what is heard instead of seen, and where the focus is."""

import re

import pytest
from playwright.sync_api import expect
from tests.browser.conftest import Meet
from tests.browser.places import only

MOVING = """longest => document.getAnimations()
    .map(each => [each, each.effect.getComputedTiming().endTime])
    .filter(([, end]) => end > longest)
    .map(([each, end]) => `${each.animationName ?? each.transitionProperty} ${end}`)"""
"""The elements that move for longer than this many milliseconds; glowing is endless."""

BRIGHTNESS = """() => getComputedStyle(document.body).backgroundColor.match(/[0-9.]+/g)
    .slice(0, 3).reduce((sum, each) => sum + Number(each), 0) / 3"""


@pytest.mark.thorough
def test_pages_are_dark_where_the_device_is(meet: Meet) -> None:
    """And as somebody chooses, from then on."""
    ada = meet(color_scheme="dark")
    ada.go()
    dark = ada.page.evaluate(BRIGHTNESS)
    ada.page.get_by_label("Light or dark", exact=True).click()
    expect(ada.page.locator("html")).to_have_attribute("data-theme", "light")
    ada.go("/new/mauer")

    assert dark < 60
    assert ada.page.evaluate(BRIGHTNESS) > 190


@pytest.mark.parametrize("game", only("mauerbauer"))
def test_a_move_is_said_aloud_and_over_soon(meet: Meet, game: str) -> None:
    """A sentence comes into the live region; nothing moves for more than 600 ms."""
    ada = meet(reduced_motion="no-preference")
    ada.sit_down(game, options={"first": "0"})
    ada.await_turn()
    expect(ada.page.locator("#said")).to_have_attribute("aria-live", "polite")
    before = ada.number
    ada.choice(ada.words()[-1]).click()
    ada.page.locator(f'main:not([data-number="{before}"])').wait_for(state="attached")
    long = [each for each in ada.page.evaluate(MOVING, 600) if "breathe" not in each]

    expect(ada.page.locator("#said")).to_have_text(re.compile(r"\w+.*\."))
    assert long == []


@pytest.mark.thorough
def test_a_move_of_somebody_else_does_not_take_the_focus(meet: Meet) -> None:
    """The focus stays where it was when the visitor is about to choose."""
    ada, bea = meet("Ada"), meet("Bea")
    ada.sit_down("mauer", "mhb")
    bea.accept(ada.links[1])
    bea.await_turn()
    ada.await_turn()
    ada.tab("#live [data-word='T']")
    bea.press("C")
    expect(ada.page.locator("#fist-1:not(.now)")).to_be_visible()

    assert ada.page.evaluate("document.activeElement.dataset.word") == "T"


@pytest.mark.thorough
@pytest.mark.parametrize("game", only("burgbaumeister"))
def test_who_wants_no_motion_gets_none(meet: Meet, game: str) -> None:
    """Neither while waiting nor after a move."""
    ada = meet(reduced_motion="reduce")
    ada.sit_down(game, options={"first": "0"})
    ada.await_turn()
    moving = ada.page.evaluate(MOVING, 1)
    before = ada.number
    ada.press(ada.words()[0])
    moving += ada.page.evaluate(MOVING, 1)

    assert ada.number > before
    assert moving == []


@pytest.mark.parametrize("game", only("mauer"))
def test_the_focus_can_be_seen(meet: Meet, game: str) -> None:
    """What has the focus looks different."""
    ada = meet(reduced_motion="reduce")
    ada.sit_down(game, options={"first": "0"})
    ada.await_turn()
    ada.tab("#live [data-word]")
    name = ada.page.locator(":focus").get_attribute("id")
    target = ada.page.locator(f"#{name}")
    with_focus = target.screenshot(caret="initial")  # else Playwright adds a style to the page
    target.evaluate("target => target.blur()")

    assert target.screenshot(caret="initial") != with_focus
