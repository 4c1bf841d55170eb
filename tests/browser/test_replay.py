"""Looking at a game again: by scrubber, keys and links, and going on from there."""

import re

import pytest
from playwright.sync_api import Page, expect
from tests.browser.conftest import Meet
from tests.browser.measured import box, until
from tests.browser.places_replay import GOLDEN, brought, looked_at_again
from tests.support.people import PHONE, Person

BURG = "burgbaumeister-1/basic-2.txt"


def here(page: Page) -> str:
    """The position that the page shows."""
    return page.locator("main").get_attribute("data-here") or ""


@pytest.mark.thorough
def test_the_scrubber_goes_where_it_is_dragged(ada: Person) -> None:
    """The table follows, the address names the position, and nothing is loaded anew."""
    brought("mauerbauer-1/2-default-walls.txt", "?at=40&seat=all")(ada)
    page = ada.page
    page.evaluate("window.same = true")
    scrubber = page.get_by_role("slider")
    track = box(page, "#at")
    page.mouse.move(track.left + 0.2 * track.width, track.middle[1])
    page.mouse.down()
    for part in (0.3, 0.5, 0.7, 0.9):
        page.mouse.move(track.left + part * track.width, track.middle[1])
    page.mouse.up()
    at = scrubber.input_value()
    expect(page.locator("main")).to_have_attribute("data-here", f"?at={at}&seat=all")
    expect(page.get_by_text(f"Move {at} of 233")).to_be_visible()

    assert int(at) > 180
    expect(page).to_have_url(re.compile(rf"\?at={at}&seat=all$"))
    assert page.evaluate("window.same")
    page.reload()
    assert here(page) == f"?at={at}&seat=all"


def test_keys_go_by_moves_and_turns(ada: Person) -> None:
    """Arrows, brackets, Home and End; the same as the links, and never beyond the ends."""
    brought(BURG, "?at=0&seat=0")(ada)
    page = ada.page
    for key, at in (
        *(("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("]", 3), ("]", 6)),
        *(("[", 3), ("End", 135), ("ArrowRight", 135), ("Home", 0), ("ArrowLeft", 0)),
    ):
        page.keyboard.press(key)
        expect(page.locator("main")).to_have_attribute("data-here", f"?at={at}&seat=0")
        expect(page.get_by_role("slider")).to_have_value(str(at))
    for _ in range(4):
        page.keyboard.press("ArrowRight")
    expect(page.locator("main")).to_have_attribute("data-here", "?at=4&seat=0")
    page.keyboard.press("Home")
    expect(page.locator("main")).to_have_attribute("data-here", "?at=0&seat=0")
    page.get_by_role("link", name="A turn on").click()
    expect(page.locator("main")).to_have_attribute("data-here", "?at=3&seat=0")
    expect(page).to_have_url(re.compile(r"\?at=3&seat=0$"))


@pytest.mark.thorough
def test_a_sentence_leads_to_its_position(ada: Person) -> None:
    """And other eyes see the same position."""
    brought(BURG, "?at=60&seat=all")(ada)
    page = ada.page
    page.locator("#told-3 a").first.click()
    expect(page.locator("main")).to_have_attribute("data-here", "?at=3&seat=all")
    expect(page.locator("#told-3")).to_have_class("now")
    page.get_by_role("radio", name="Hands").check()
    page.get_by_role("link", name="Seat 2", exact=True).click()
    expect(page.locator("main")).to_have_attribute("data-here", "?at=3&seat=1")
    expect(page.get_by_role("heading", name="Your wall")).to_be_visible()


@pytest.mark.thorough
def test_a_file_is_brought_and_a_fault_is_told(ada: Person) -> None:
    """In one line; the text stays in the form."""
    page = ada.page
    ada.go("/replay")
    page.get_by_text("Paste or upload a game record").click()
    page.locator("#file").set_input_files(GOLDEN / "mauer-1" / "seats-3.txt")
    expect(page.locator("#record")).to_have_value(re.compile("^mauer/1 seats=3"))
    text = page.locator("#record").input_value()
    page.locator("#record").fill(text.replace("~:@", "~:#", 1))
    page.get_by_role("button", name="Show it").click()
    expect(page.get_by_role("alert")).to_contain_text("Line 2 of the record")
    page.locator("#record").fill(text)
    page.get_by_role("button", name="Show it").click()
    expect(page.get_by_text("Move 1 of 79")).to_be_visible()
    assert all("422" in fault for fault in ada.faults), ada.faults
    ada.faults.clear()


@pytest.mark.thorough
def test_one_plays_on_from_a_position(ada: Person) -> None:
    """Against bots, at a new table that begins there."""
    brought("mauer-1/seats-3.txt", "?at=30&seat=2")(ada)
    page = ada.page
    page.get_by_text("Play on from here").first.click()
    expect(page.get_by_label("You play")).to_have_value("2")
    page.get_by_label("Against bots").select_option("apprentice")
    page.get_by_role("button", name="Play on from here").click()
    expect(page).to_have_url(re.compile(r"/t/[^/]+$"))
    ada.await_turn()
    assert ada.words()
    assert len(ada.told()) > 5


@pytest.mark.thorough
def test_a_replay_needs_no_script(meet: Meet) -> None:
    """Every position is a link, and the scrubber a form."""
    somebody = meet("Ada", java_script_enabled=False)
    brought(BURG, "?at=1&seat=0")(somebody)
    page = somebody.page
    page.get_by_role("link", name="A move on").click()
    assert here(page) == "?at=2&seat=0"
    page.get_by_role("slider").fill("100")
    page.get_by_role("button", name="Go there").click()
    assert here(page) == "?at=100&seat=0"


@pytest.mark.thorough
def test_a_finished_game_leads_to_its_replay(meet: Meet) -> None:
    """From its result, in the language of who looks."""
    ada = meet(locale="de")
    looked_at_again(ada)
    ada.page.get_by_role("link", name="Zum Ende").click()
    expect(ada.page.locator("table.ranks")).to_be_visible()
    expect(ada.page.get_by_role("link", name="Zurück zum Tisch")).to_be_visible()
    ada.page.get_by_role("radio", name="Hände").check()
    expect(ada.page.get_by_role("link", name="Alles offen")).to_have_attribute(
        "aria-current", "true"
    )


@pytest.mark.thorough
def test_it_plays_by_itself_and_stops_when_touched(ada: Person) -> None:
    """A move a beat, at the speed one likes, until anything else is pressed, or the end."""
    page = ada.page
    page.clock.install()
    brought(BURG, "?at=0&seat=all")(ada)
    main = page.locator("main")
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    for before in range(3):  # a slow machine may have gone further meanwhile
        page.clock.run_for(900)
        expect(main).not_to_have_attribute("data-here", f"?at={before}&seat=all")
        page.keyboard.press("3")
    page.locator("#stage").click()
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    page.wait_for_function("() => !busy")  # a move that was under way has come
    stopped = main.get_attribute("data-here") or ""
    page.clock.run_for(2_000)
    expect(main).to_have_attribute("data-here", stopped)
    page.keyboard.press("End")
    expect(main).to_have_attribute("data-here", "?at=135&seat=all")
    page.keyboard.press("ArrowLeft")
    expect(main).to_have_attribute("data-here", "?at=134&seat=all")
    page.get_by_role("button", name="Play", exact=True).click()
    page.clock.run_for(450)
    expect(main).to_have_attribute("data-here", "?at=135&seat=all")
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()


@pytest.mark.thorough
def test_on_a_phone_the_controls_are_the_dock(meet: Meet) -> None:
    """They stay in sight, and the speed steps on by tapping; what is open stays open."""
    ada = meet(**PHONE)
    brought(BURG, "?at=5&seat=all")(ada)
    page = ada.page
    assert box(page, ".ctl").bottom <= 741
    for speed in ("2", "4", "0.5", "1"):
        page.locator("#speed label:visible").tap()
        expect(page.locator("#speed input:checked")).to_have_value(speed)
    page.locator(".tab", has_text="Hands").tap()
    page.get_by_role("link", name="A move on").tap()
    expect(page.locator("main")).to_have_attribute("data-here", "?at=6&seat=all")
    expect(page.get_by_role("link", name="All open")).to_be_visible()


@pytest.mark.thorough
@pytest.mark.kernels
def test_a_bot_looks_at_a_game(ada: Person) -> None:
    """It is asked by a button, the page waits by itself, and the curve leads to positions."""
    looked_at_again(ada)
    page = ada.page
    page.get_by_role("button", name="Analyse this game").click()
    expect(page.locator("#progress, svg.curve").first).to_be_visible()
    expect(page.locator("svg.curve")).to_be_visible(timeout=300_000)
    options = page.locator("#weighed .option")
    while options.count() < 2:
        before = here(page)
        page.get_by_role("link", name="A move on").click()
        expect(page.locator("main")).not_to_have_attribute("data-here", before)
    expect(options.first).to_have_class("option looked-at")
    options.nth(1).hover()
    expect(options.nth(1)).to_have_class("option looked-at")
    options.nth(1).click()
    page.mouse.move(5, 5)
    expect(options.nth(1)).to_have_attribute("aria-pressed", "true")
    expect(options.nth(1)).to_have_class("option looked-at")
    expect(page.get_by_role("button", name="Try it yourself")).to_be_visible()
    page.get_by_role("radio", name="Turning points").check()
    page.get_by_text("Chances to win as a table").click()
    expect(page.locator("#as-table tbody tr").last).to_contain_text("%")
    last = page.get_by_role("slider").get_attribute("max")
    curve, scrubber = box(page, "svg.curve"), box(page, "#at")
    assert abs(curve.left - scrubber.left - 8) <= 1  # half of the thumb
    assert abs(curve.width - scrubber.width + 16) <= 1
    page.locator("svg.curve a:not(.flag)").last.click()
    expect(page.locator("main")).to_have_attribute("data-here", f"?at={last}&seat=all")
    page.get_by_role("radio", name="Hands").check()
    page.get_by_role("link", name="Ada", exact=True).click()
    expect(page.locator("#tray, #slate").first).to_be_visible()
    expect(page.locator("svg.curve")).to_have_count(0)


@pytest.mark.thorough
def test_games_to_try_come_first_and_a_record_is_folded(ada: Person) -> None:
    """One press shows a whole game."""
    ada.go("/replay")
    page = ada.page
    expect(page.locator("#record")).not_to_be_visible()
    page.get_by_text("Paste or upload a game record").click()
    expect(page.locator("#record")).to_be_visible()
    page.locator(".tries a", has_text="Burgbaumeister").click()
    expect(page.locator("main.replaypage")).to_be_visible()
    expect(page.get_by_role("slider")).to_have_attribute("max", "147")


WEIGHED = """() => {
    document.querySelector("#stage svg").dataset.word = "there";
    const weighed = Object.assign(document.createElement("section"), { id: "weighed" });
    weighed.innerHTML = `
        <button class="option" data-option="there"><span class="no">1</span></button>
        <form class="tries" method="post" action="/nowhere"><input name="word"></form>`;
    document.querySelector(".replay-side").prepend(weighed);
    document.dispatchEvent(new Event("htmx:afterSettle"));
}"""
"""A choice that an analysis has found, without the minute that it takes."""

APART = """() => {
    const middle = (each) => {
        const box = document.querySelector(each).getBoundingClientRect();
        return [box.left + box.width / 2, box.top + box.height / 2];
    };
    const [one, other] = [middle("#option-numbers .no"), middle("#stage svg")];
    return Math.hypot(one[0] - other[0], one[1] - other[1]);
}"""
"""How far the number of the choice is from the middle of its place."""


def test_a_choice_has_its_number_on_the_board_and_is_played_by_a_second_press(ada: Person) -> None:
    """The number stands in the middle, also on a phone that is turned; the first press keeps it."""
    brought("mauerbauer-1/2-default-walls.txt", "?at=40&seat=all")(ada)
    page = ada.page
    page.evaluate(WEIGHED)
    expect(page.locator("#option-numbers .no")).to_have_text("1")
    for width, height in ((1280, 800), (390, 844), (844, 390)):
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate("scrollTo(0, 60)")
        until(page, lambda: page.evaluate(APART) <= 2, f"the number is elsewhere at {width}")
    page.set_viewport_size({"width": 1280, "height": 800})
    option = page.locator("#weighed .option")
    option.click()
    expect(option).to_have_attribute("aria-pressed", "true")
    page.route("**/nowhere", lambda route: route.fulfill(body="sent"))
    with page.expect_request("**/nowhere") as asked:
        option.click()
    assert asked.value.post_data == "word=there"
