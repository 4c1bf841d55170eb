"""Two people who look for a game meet; a third one starts with bots."""

import pytest
from playwright.sync_api import expect
from tests.browser.conftest import Meet
from tests.browser.measured import box
from tests.browser.places import looking
from tests.support.people import ONCE, PHONE

pytestmark = pytest.mark.browser

BAND_AT = """second => document.querySelector(".searchband").getAnimations({ subtree: true })
    .forEach((each) => {
        each.pause();
        each.currentTime = 1000 * second;
    })"""
"""Stops the animations of the band at this second."""


@pytest.mark.thorough
def test_two_who_look_meet_at_one_table(meet: Meet) -> None:
    """The second is sent to where the first waits, and one press too many changes nothing."""
    ada, ben = meet("Ada"), meet("Ben")
    for person in (ada, ben):
        person.go("/?game=mauerbauer&clock=none")
        person.page.get_by_role("link", name="Find me a game").first.click()
        sheet = person.page.get_by_role("dialog", name="Find me a game")
        expect(sheet.get_by_label("Mauerbauer", exact=True)).to_be_checked()
        expect(sheet.get_by_label("Die Mauer")).not_to_be_checked()
        sheet.get_by_label("Rated", exact=False).check()
        button = sheet.get_by_role("button", name="Wait for a person" if person is ada else "Play")
        button.dblclick()
    for person in (ada, ben):
        expect(person.page.locator("main.waitpage")).to_contain_text("rated · no hints")
    assert ada.page.url == ben.page.url


@pytest.mark.thorough
def test_filters_change_the_list_in_place(meet: Meet) -> None:
    """And "Sit down" takes the seat."""
    ada, ben = meet("Ada"), meet("Ben")
    ada.ask("/api/find", game="burgbaumeister", seats=4, clock="none")
    ben.go("/")
    ben.page.get_by_label("Players", exact=True).last.select_option("4")
    ben.page.get_by_label("Game", exact=True).select_option("burgbaumeister")
    row = ben.page.locator("#open article", has_text="Ada")
    expect(row).to_have_count(1)
    row.get_by_role("button", name="Sit down").click()
    expect(ben.page.get_by_text("Leave the table")).to_be_visible()


def test_one_plays_bots_until_somebody_comes(meet: Meet) -> None:
    """Who comes sees when they take over, and then has the seat, without pressing anything."""
    ada, ben = meet("Ada"), meet("Ben")
    ada.page.bring_to_front()
    ada.go("/")
    ada.page.get_by_role("link", name="Find me a game").first.click()
    sheet = ada.page.get_by_role("dialog", name="Find me a game")
    expect(sheet).to_be_visible()
    ada.page.keyboard.press("Escape")
    expect(sheet).not_to_be_visible()
    expect(ada.page.get_by_role("link", name="Find me a game").first).to_be_focused()
    # A table like those of the sheet, at which bots wait for the test and rounds are short.
    table = ada.ask(
        "/api/tables",
        game="mauer",
        chairs=[{"kind": "open"}] * 3,
        mine=[0],
        public=True,
        options={"first": "0", "stall": "1", "rounds": "2"},
        bot_delay_ms=0,
    )["table"]
    ada.ask(f"/api/tables/{table}/search", what="look")
    ada.visit(table)
    band = ada.page.locator(".searchband")
    expect(band).to_contain_text("Somebody may take over Bruno's seat at the next round.")
    ada.photograph("looking")

    ben.visit(table)
    ben.page.get_by_role("button", name="Play along").click()
    expect(ben.page.locator(".searchband")).to_contain_text("You take over Bruno's seat")
    expect(band).to_contain_text("Ben is here. Bruno finishes this round")
    expect(ada.page.locator("#fist-1 .next")).to_have_text("Ben from round 2")
    ada.page.evaluate(BAND_AT, 1)
    assert box(ada.page, ".searchband").height >= 60
    ada.page.evaluate(BAND_AT, 9)
    assert box(ada.page, ".searchband").height <= 47
    ada.photograph("somebody-comes")
    seat = f"{ben.address}/api/tables/{table}?seat=1"
    for _ in range(400):
        if ben.context.request.get(seat, headers=ONCE).ok:
            break
        ada.play(lambda words: "-" if "-" in words else words[0])
    else:
        raise AssertionError("a round is over by then")
    # Bruno may have planned already, so that nothing is asked of Ben.
    expect(ben.page.get_by_role("region", name="Your pieces")).to_be_visible()
    expect(ben.page.locator("#story")).to_contain_text("You took over from Bruno.")
    expect(band).to_contain_text("Somebody may take over Clara's seat")


@pytest.mark.thorough
def test_own_pieces_are_in_view_below_the_band(meet: Meet) -> None:
    """On a phone, at the fullest table: four players, a clock, and the goal of a first game."""
    ada = meet("Ada", **PHONE)
    looking(ada)
    ada.await_turn()

    band, stage, tray, dock = (
        box(ada.page, each) for each in (".searchband", ".stage", ".tray", ".dock")
    )
    assert band.bottom <= stage.top
    assert stage.bottom <= tray.top
    assert tray.bottom <= dock.top
