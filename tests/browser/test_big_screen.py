"""The big screen in a browser: it follows the game, and fists open on it for all to see."""

import pytest
from playwright.sync_api import expect
from tests.browser.conftest import Meet
from tests.browser.measured import box
from tests.browser.places import only
from tests.browser.test_every_page import violations
from tests.browser.test_mauer_moments import LAST

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True}
TELEVISION = {"viewport": {"width": 1920, "height": 1080}}
PROJECTOR = {"viewport": {"width": 1024, "height": 768}}
TABLE = {"mauer": ".fists", "burgbaumeister": ".depot", "mauerbauer": ".board"}
CUT = """[...document.querySelectorAll('.slate tbody th')]
    .filter(each => each.scrollWidth > each.clientWidth).length"""
"""How many names are not whole."""


@pytest.mark.thorough
def test_fists_open_on_the_big_screen(meet: Meet) -> None:
    """A phone closes its fist; the screen, which nobody touches, shows the reveal and goes on."""
    ada = meet("Ada", watches=True)
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


@pytest.mark.thorough
def test_the_end_of_a_round_is_shown_on_the_big_screen(meet: Meet) -> None:
    """With the score sheet; nothing is pressed, the ring runs empty, and the game goes on."""
    ada, screen = meet("Ada", watches=True), meet("", watches=True, **TELEVISION)
    ada.sit_down("mauer", initial_moves=LAST, options={"first": "0", "pieces": "12", "rounds": "2"})
    screen.go(f"/t/{ada.table}/screen")
    where = screen.page.locator(".topline #where")
    expect(where).to_contain_text("Round 1 of 2")
    ada.choice("<").click()
    expect(screen.page.locator("main.moment-round.moment-done")).to_be_visible()
    expect(where).to_contain_text("Round 1 of 2 is over")
    expect(screen.page.locator("#score-1 td.sum")).to_have_text("2")
    for each in (ada, screen):  # what is left stands above its plate
        assert box(each.page, "#rest-1 .lps").bottom <= box(each.page, "#rest-1 .plate2").top
    title = box(screen.page, "#slate h2")
    assert title.height < 2 * float(screen.page.evaluate(FONT))
    screen.photograph("big-screen-round")
    expect(screen.page.locator("main.moment-round")).to_have_count(0)
    expect(where).to_contain_text("Round 2 of 2")


FONT = "parseFloat(getComputedStyle(document.querySelector('#slate h2')).fontSize)"


def test_phones_know_that_a_screen_shows_the_table(meet: Meet) -> None:
    """They cover what they hold, send everybody's eyes up, and one press goes on for all.

    No ring runs empty here: what goes on does so because Ben has pressed.
    """
    ada, ben = (meet(name, watches=True, **PHONE) for name in ("Ada", "Ben"))
    screen = meet("", watches=True, **TELEVISION)
    for each in (ada, ben, screen):
        each.wish("patient")
    ada.sit_down("mauer", "mhb")
    ben.accept(ada.links[1])
    ada.await_turn()
    expect(ada.page.locator("#screened")).to_be_hidden()
    screen.go(f"/t/{ada.table}/screen")
    for each in (ada, ben):
        said = each.page.locator("#screened")
        expect(said).to_have_text("On the big screen", use_inner_text=True)
    pieces, inside = ada.page.locator("#tray .mine"), ada.page.locator("#inside")
    expect(pieces).to_be_visible()
    ada.photograph("phone-beside-a-screen")

    ada.page.locator("#hand-T").click()
    expect(inside).to_be_visible()
    expect(pieces).to_be_hidden()
    assert "tower" not in ada.page.locator("main").inner_text().lower()
    assert not violations(ada)
    ada.photograph("phone-covered")
    inside.focus()
    ada.page.keyboard.down(" ")
    expect(pieces).to_be_visible()
    ada.page.keyboard.up(" ")
    expect(pieces).to_be_hidden()
    inside.hover()
    ada.page.mouse.down()
    expect(pieces).to_be_visible()
    ada.page.mouse.up()
    expect(pieces).to_be_hidden()

    ben.page.locator("#hand-T").click()
    for each in (ada, ben, screen):
        expect(each.page.locator("main.moment-reveal")).to_be_visible()
    expect(ada.page.locator("#screened")).to_have_text("Look up", use_inner_text=True)
    assert box(screen.page, "#go-on").width <= 1
    ground = "getComputedStyle(document.querySelector('#prompt')).backgroundColor"
    assert screen.page.evaluate(ground) == "rgb(86, 98, 64)"
    ada.photograph("phone-look-up")
    expect(ben.page.locator("main.moment-done")).to_be_visible()  # before, a press ends the motion
    ben.rest()
    ben.page.locator("#go-on").click()
    for each in (ada, ben, screen):
        expect(each.page.locator("main.moment-reveal")).to_have_count(0)

    screen.page.goto("about:blank")
    expect(ada.page.locator("#screened")).to_be_hidden()
    expect(inside).to_be_hidden()


@pytest.mark.parametrize("game", only("mauerbauer"))
def test_a_small_screen_shows_the_whole_table(meet: Meet, game: str) -> None:
    """An old projector or a tablet has it all, without scrolling: the title, the table, names."""
    ada, screen = meet("Ada"), meet("", watches=True, **PROJECTOR)
    options = {"first": "0", "board": "default"} if game == "mauerbauer" else {"first": "0"}
    ada.sit_down(game, options=options)
    screen.go(f"/t/{ada.table}/screen")
    assert box(screen.page, ".topline svg").right + 5 < box(screen.page, ".topline .where").left
    for wide, high in ((1024, 768), (800, 600)):
        screen.page.set_viewport_size({"width": wide, "height": high})
        stage, table = box(screen.page, "#stage"), box(screen.page, TABLE[game])
        assert table.width > 250, (wide, high)
        assert stage.left <= table.left < table.right <= stage.right + 1, (wide, high)
        assert stage.top <= table.top < table.bottom <= stage.bottom + 1, (wide, high)
        assert stage.bottom <= box(screen.page, "#prompt").top + 1, (wide, high)
        assert screen.page.evaluate(CUT) == 0, (wide, high)
    screen.photograph(f"big-screen-small-{game}")


def test_four_walls_stand_on_a_big_screen(meet: Meet) -> None:
    """Also with long names, and where the screen is low or very wide."""
    ada, screen = meet("Wolfeschlegelsteinhausenbergers"), meet("", watches=True, **TELEVISION)
    ada.sit_down("burgbaumeister", "mmmm", options={"variant": "yes"})
    screen.go(f"/t/{ada.table}/screen")
    for wide, high in ((1280, 720), (2560, 1080)):
        screen.page.set_viewport_size({"width": wide, "height": high})
        assert box(screen.page, ".column .wall:last-child").bottom <= high, (wide, high)
    screen.photograph("big-screen-four-walls")
