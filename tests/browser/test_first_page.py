"""The first page is light, asks nobody else, and leads to a game at one click."""

import re
from typing import Any

import pytest
from playwright.sync_api import Request, expect
from tests.browser.conftest import Meet
from tests.browser.measured import styles


def test_the_first_page_is_light(meet: Meet) -> None:
    """With all scripts, styles and the font it is under 65 kB on the wire, headers included."""
    somebody = meet("")
    devtools: Any = somebody.context.new_cdp_session(somebody.page)
    devtools.send("Network.clearBrowserCache")
    done: list[Request] = []
    somebody.page.on("requestfinished", lambda request: done.append(request))  # noqa: PLW0108 - Playwright takes no builtin
    somebody.page.goto(somebody.address, wait_until="networkidle")
    fonts = [each for each in done if each.resource_type == "font"]
    sizes = {
        each: each.sizes()["responseBodySize"] + each.sizes()["responseHeadersSize"]
        for each in done
    }

    assert len(done) > 4
    assert 20_000 < sum(sizes.values()) < 65_000  # so little as that would come from a cache
    assert len(fonts) == 1  # although it is named in the head and in the sheet


def test_titles_are_in_the_font_that_comes_along(meet: Meet) -> None:
    """The sheet names the font as the head does, and the browser can use it."""
    somebody = meet("")
    somebody.go()

    assert somebody.page.evaluate(
        "document.fonts.ready.then(fonts => fonts.check('700 20px \"Mauerwerk Serif\"'))"
    )
    assert styles(somebody.page, "h1", "fontFamily")[0].startswith('"Mauerwerk Serif"')


def test_a_name_in_another_language_has_its_letters(meet: Meet) -> None:
    """They are in a file of their own, which other pages do without."""
    somebody = meet("")
    somebody.go()
    loaded = """document.fonts.ready.then(all => [...all]
        .filter(each => each.family.includes("Serif") && each.status === "loaded").length)"""
    assert somebody.page.evaluate(loaded) == 1
    somebody.page.locator("h1").evaluate("title => { title.textContent = 'José Ñandú'; }")
    somebody.page.wait_for_function(f"{loaded}.then(number => number === 2)")


def test_a_game_against_bots_is_one_click_away(meet: Meet) -> None:
    """Nobody has to give a name or to answer anything."""
    somebody = meet("")
    somebody.go()
    somebody.page.get_by_role("button", name="Play now Die Mauer").click()

    expect(somebody.main).to_have_attribute("data-asked", "")
    expect(somebody.page.locator("#live [data-word]").first).to_be_visible()


@pytest.mark.thorough
def test_friends_are_two_clicks_away(meet: Meet) -> None:
    """The second page offers what is usual, and the third is the table with a link to send on."""
    somebody = meet("")
    somebody.go()
    somebody.page.get_by_role("link", name="Invite friends to Die Mauer").click()
    somebody.page.get_by_role("button", name="Create table").click()
    link = somebody.page.get_by_label("Personal link to this seat").input_value()

    assert re.fullmatch(rf"{somebody.address}/t/\S+/s/1/\S+", link)
    picture = somebody.page.get_by_role("img", name="QR code with the personal link")
    expect(picture).to_be_visible()
    assert picture.evaluate("image => image.decode().then(() => image.naturalWidth)") > 0


@pytest.mark.thorough
def test_tables_are_listed_for_whom_they_concern(meet: Meet) -> None:
    """One's own games say whose turn it is; others can join an open table, or watch."""
    ada, bea, cleo = meet("Ada"), meet("Bea"), meet("Cleo")
    ada.sit_down("mauer", "mob", public=True)
    bea.go()
    bea.page.locator(f'section.open a[href$="{ada.table}"]').click()
    bea.page.get_by_role("button", name="Take this seat").click()
    expect(bea.main).to_have_attribute("data-asked", "")
    bea.go()
    mine = bea.page.locator(f'section.yours a[href$="{ada.table}"]')
    expect(mine).to_contain_text("Your turn")
    cleo.go()
    cleo.page.locator(f'section.watch a[href$="{ada.table}"]').click()
    expect(cleo.page.locator("#fists")).to_be_visible()

    assert cleo.words() == []
    assert cleo.page.locator("#tray").count() == 0
