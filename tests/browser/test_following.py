"""Following others: numbers on the board and in the list, what glows, and the keys for it."""

import random
import re

import pytest
from playwright.sync_api import expect
from tests.browser.conftest import Meet
from tests.browser.measured import box, styles
from tests.support.people import DESK, Person


def to_second_turn(person: Person, seed: int = 3) -> None:
    """Play at Mauerbauer by chance until it is one's turn to build for the second time."""
    chance = random.Random(seed)
    person.sit_down("mauerbauer", options={"first": "0", "board": "default"})
    builds = 0
    while True:
        seen = person.table_view()
        words = [each["move"] for each in seen["legal"]]
        building = seen["view"]["task"] == "build" and bool(words)
        if building and builds == 2:
            break
        builds += building
        if words:
            path = f"/api/tables/{person.table}/moves"
            person.ask(path, move=chance.choice(words), version=seen["number"], seat=0)
        else:
            person.page.wait_for_timeout(20)
    person.visit(person.table)
    person.await_turn()


PLACES = "all => all.map(each => each.dataset.places)"


def test_what_others_did_is_numbered_in_the_list_and_on_the_board(meet: Meet) -> None:
    """One after the other, in two seconds at most; one's own choices come last; N hides it all."""
    ada = meet("Ada", **DESK, reduced_motion="no-preference")
    ada.page.clock.install()
    to_second_turn(ada)
    lines = ada.page.locator("#since li")
    numbers = ada.page.locator("#chalk .deed")
    expect(lines.first).to_contain_text("Bruno")
    assert lines.count() >= 2
    shown = [each for each in lines.evaluate_all(PLACES) if each]
    told = [each for each in lines.locator(".no").all_inner_texts() if each]
    assert told == [str(each + 1) for each in range(len(shown))]
    expect(numbers).to_have_text(told)  # one for each, beside its wall
    for places in shown:
        # A piece may have gone since, such as a house that became a palace.
        there = [each for each in places.split() if ada.page.locator(f"[id='{each}']").count()]
        assert there, places
        for place in there:
            expect(ada.page.locator(f"[id='{place}']")).to_have_class(re.compile("fresh"))
    delays = numbers.evaluate_all("all => all.map(each => parseFloat(each.style.animationDelay))")
    assert delays[0] == 0
    assert max(delays) < 2000
    expect(ada.page.locator("#recount")).to_contain_text("Since your last turn: 1, Bruno")
    ada.stand_still()
    ada.page.get_by_role("button", name="Show it again").click()
    expect(ada.page.locator("html.recounting")).to_have_count(1)
    ada.page.clock.run_for(2100)
    expect(ada.page.locator("html.recounting")).to_have_count(0)
    ada.page.clock.resume()
    ada.photograph("since-your-turn")

    with ada.page.expect_response("**/preferences"):
        ada.page.keyboard.press("n")
    expect(numbers).to_have_count(0)
    expect(ada.page.locator("#since")).to_be_hidden()
    expect(ada.page.locator("#story")).to_be_visible()
    ada.page.reload()
    expect(ada.page.locator("#since")).to_be_hidden()
    ada.page.keyboard.press("n")
    expect(ada.page.locator("#since")).to_be_visible()
    ada.press(ada.words()[0])
    expect(numbers).to_have_count(0)


@pytest.mark.thorough
def test_a_line_and_its_places_glow_together(ada: Person) -> None:
    """Whichever of them is pointed at."""
    to_second_turn(ada)
    line = ada.page.locator("#since li").first
    places = (line.get_attribute("data-places") or "").split()
    # A piece may have gone since, such as a wall inside a city that has grown.
    there = next(each for each in places if ada.page.locator(f"[id='{each}']").count())
    wall = ada.page.locator(f"[id='{there}']")
    line.hover()
    expect(wall).to_have_class(re.compile("glowing"))
    ada.page.locator("h1").first.hover()
    expect(ada.page.locator(".glowing")).to_have_count(0)
    line.focus()
    expect(wall).to_have_class(re.compile("glowing"))
    ada.page.locator("h1").first.hover()
    wall.dispatch_event("pointerover")
    expect(line).to_have_class("glowing")


@pytest.mark.thorough
def test_the_question_mark_lists_the_keys(ada: Person) -> None:
    """In a dialog that Escape closes; the menu opens it as well."""
    ada.sit_down("burgbaumeister", options={"first": "0"})
    ada.await_turn()
    keys = ada.page.get_by_role("dialog", name="Keys")
    ada.page.keyboard.press("?")
    expect(keys).to_be_visible()
    expect(keys).to_contain_text("ask for hints")
    ada.page.keyboard.press("Escape")
    expect(keys).to_be_hidden()
    ada.page.locator("#menu > summary").click()
    ada.page.get_by_role("button", name="Keys").click()
    expect(keys).to_be_visible()
    keys.get_by_role("button", name="Close").click()
    expect(keys).to_be_hidden()


@pytest.mark.thorough
def test_coordinates_are_shown_to_those_who_want_them(ada: Person) -> None:
    """The board is as large with them as without."""
    ada.sit_down("mauerbauer", options={"first": "0"})
    ada.await_turn()
    names = ada.page.locator(".coords").first
    expect(names).to_be_hidden()
    before = box(ada.page, ".stage")
    ada.switch("coordinates")
    expect(names).to_be_visible()
    assert box(ada.page, ".stage") == before
    ada.sit_down("burgbaumeister", options={"first": "0"})
    ada.await_turn()
    assert styles(ada.page, "[data-at]", "content", "::before")[:2] == ['"a1"', '"b1"']
