"""The big screen in a browser: it follows the game, and fists open on it for all to see."""

from playwright.sync_api import expect
from tests.browser.conftest import Meet
from tests.browser.test_every_page import violations

TELEVISION = {"viewport": {"width": 1920, "height": 1080}}


def test_fists_open_on_the_big_screen(meet: Meet) -> None:
    """A phone closes its fist; the screen, which nobody touches, shows the reveal and goes on."""
    ada = meet("Ada")
    ada.go()
    ada.page.get_by_role("button", name="Play now Die Mauer").click()
    ada.page.wait_for_url("**/t/*")
    table = ada.page.url.rpartition("/")[2].partition("?")[0]
    screen = meet("", watches=True, **TELEVISION)
    screen.go(f"/t/{table}/screen")
    expect(screen.page.locator(".screenpage #stage")).to_be_visible()
    assert not screen.page.locator("main [data-word], main .tray").count()
    size = screen.page.evaluate(
        "Math.min(...[...document.querySelectorAll('.screenpage .column *, .shout *')]"
        ".filter(e => e.checkVisibility() && e.childElementCount === 0 && e.textContent.trim())"
        ".map(e => parseFloat(getComputedStyle(e).fontSize)))"
    )
    assert size >= 0.012 * 1920
    assert not violations(screen)
    screen.photograph("big-screen")
    before = screen.number

    ada.page.locator("#hand-T").click()
    expect(screen.page.locator("main.moment-reveal")).to_be_visible()
    screen.photograph("big-screen-reveal")
    expect(screen.page.locator("main.moment-reveal")).to_have_count(0)
    assert screen.number > before
