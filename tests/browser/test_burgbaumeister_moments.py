"""Burgbaumeister at its best moment: add it or leave it, on a desk, on a phone, as a spectator."""

import re

import pytest
from playwright.sync_api import Page, expect
from tests.browser.conftest import Meet
from tests.browser.measured import box, boxes
from tests.support.people import PHONE, Person

SIX_TURNS = """0:a1 ~:4 0:+ 1:b1 ~:3 1:+ 2:c1 ~:2 2:+ 0:d1 ~:10 0:+ 1:e1 ~:20 1:+ 2:f1 ~:33 2:+
    0:g1 ~:27 0:+ 1:h1 ~:31 1:+ 2:i1 ~:6 2:-"""
"""Ada has 4, a tower and a damsel; the last of them stands open."""
KING = "0:g3 ~:44"

NARROW = {**PHONE, "viewport": {"width": 390, "height": 844}}

PLACES = """() => [...document.querySelectorAll(".depot > *")].map(each => {
    const [a, b] = [each, each.closest(".stage")].map(one => one.getBoundingClientRect());
    return [a.left - b.left, b.right - a.right, a.top - b.top, b.bottom - a.bottom];
})"""
"""How far each place of the depot lies inside its stage: left, right, top and bottom."""

TIME = """of => {
    const { animationName, animationDelay, animationDuration } =
        getComputedStyle(document.querySelector(of));
    return [animationName, animationDelay, animationDuration];
}"""
"""Which motion an element makes, when it begins and how long it takes."""


def sit_down(person: Person, words: str = KING, chairs: str = "mbb") -> None:
    """Sit at the first seat of a game of three that went like this."""
    moves = " ".join(f"{SIX_TURNS} {words}".split())
    options = {"first": "0", "variant": "yes"}
    person.sit_down("burgbaumeister", chairs, options=options, initial_moves=moves)
    person.await_turn()


def all_in_view(page: Page) -> bool:
    """Whether all 45 places lie inside the stage, and the page does not scroll sideways."""
    inside = page.evaluate(PLACES)
    wide = page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    return len(inside) == 45 and wide and all(side >= -1 for place in inside for side in place)


def test_the_ghost_stands_in_its_slot_and_keys_answer(meet: Meet) -> None:
    """The large card, what it brings, and the letters on the buttons; A adds it (BB-6)."""
    ada = meet()
    sit_down(ada, chairs="mmm")  # nobody shoots at the king meanwhile
    page = ada.page

    expect(page.locator("#tray .ghost .plus")).to_have_text("+4")
    expect(page.locator("#tray .head .more")).to_contain_text("then 8")
    expect(page.locator("#prompt .then")).to_contain_text("After 44 only 45 and 46 fit.")
    expect(page.locator("#prompt .turned svg.bc")).to_be_visible()
    expect(page.locator("#move kbd")).to_have_text(["A", "L"])
    ada.photograph("burgbaumeister-decide")
    page.keyboard.press("a")
    expect(page.locator("#said")).to_contain_text("Ada added 44, the king.")
    expect(page.locator(".ghost, .maybe")).to_have_count(0)


def test_a_long_caption_stands_beside_the_depot(meet: Meet) -> None:
    """German has a longer word for it; no card lies on that, and the depot stays whole."""
    ada = meet(locale="de-DE")
    sit_down(ada)
    page = ada.page
    caption = page.locator("#stage .cap b")
    expect(caption).to_have_text("Materiallager")
    for wide, high in ((1100, 700), (1280, 720), (1280, 900), (1440, 900), (1920, 1080)):
        page.set_viewport_size({"width": wide, "height": high})

        assert all_in_view(page), (wide, high)
        assert caption.evaluate("of => of.scrollWidth <= of.clientWidth"), (wide, high)
        assert not box(page, "#stage .cap").meets(box(page, ".depot")), (wide, high)


@pytest.mark.rule("BB-9")
def test_what_was_left_is_nowhere_in_the_page(meet: Meet) -> None:
    """L leaves it: neither text nor markup nor a hidden wall tells what lay there."""
    ada, bea = meet("Ada"), meet("Bea")
    sit_down(ada, chairs="mmm")
    bea.visit(ada.table)
    expect(bea.page.locator("#walls .maybe")).to_have_count(1)
    ada.page.keyboard.press("l")

    for person in (ada, bea):
        expect(person.page.locator("#place-g3 svg.back")).to_have_count(1)
        expect(person.page.locator(".ghost, .maybe, .then:has(.only)")).to_have_count(0)
        live = person.page.locator("#live").inner_html()
        assert not re.search(r">44<|\b44,|card-44|fig-king", live)


@pytest.mark.thorough
def test_the_turning_takes_as_long_as_it_should(meet: Meet) -> None:
    """The card turns in 360 ms, then its ghost flies into the slot in 220."""
    ada = meet(reduced_motion="no-preference")
    sit_down(ada)

    assert ada.page.evaluate(TIME, ".up svg") == ["turn", "0s", "0.36s"]
    assert ada.page.evaluate(TIME, "#tray .ghost svg") == ["fly", "0.36s", "0.22s"]


@pytest.mark.thorough
def test_a_phone_has_the_wall_above_its_dock(meet: Meet) -> None:
    """Nine by five, one's own wall with the ghost below it, and then the buttons."""
    ada = meet(**NARROW)
    sit_down(ada)
    page = ada.page

    assert all_in_view(page)
    expect(page.locator("#tray .ghost")).to_be_visible()
    dock, depot = box(page, "#prompt"), box(page, ".depot")
    wall = boxes(page, "#tray .own li")[-1]
    assert depot.bottom <= wall.top
    assert wall.bottom <= dock.top
    assert wall.right <= dock.width
    buttons = boxes(page, "#move .btn")
    assert len(buttons) == 2
    assert all(each.height >= 48 for each in buttons)
    ada.photograph("burgbaumeister-decide-phone")


def test_a_tablet_on_its_side_has_the_other_walls_beside_the_depot(ada: Person) -> None:
    """Four builders leave it as much room as two: a finger hits each card, and all is in view."""
    ada.sit_down("burgbaumeister", "mbbb", options={"first": "0"})
    ada.await_turn()
    page = ada.page
    for wide, high in ((1024, 768), (1024, 690), (1024, 600), (853, 533), (720, 600)):
        page.set_viewport_size({"width": wide, "height": high})

        assert all_in_view(page), (wide, high)
        assert min(each.width for each in boxes(page, ".depot > *")) >= 40, (wide, high)
        depot, dock = box(page, ".depot"), box(page, "#prompt")
        walls = boxes(page, "#walls .wall")
        assert len(walls) == 3, (wide, high)
        assert not any(depot.meets(each) for each in (*walls, box(page, "#tray"), dock))
        assert walls[-1].bottom <= box(page, "#tray").top + 1, (wide, high)
        assert dock.bottom <= high, (wide, high)
    ada.photograph("burgbaumeister-tablet")


@pytest.mark.thorough
def test_a_finger_lifts_a_card_and_a_button_turns_it(meet: Meet) -> None:
    """The first press names the card, "Turn it" turns it."""
    ada = meet(**PHONE)
    sit_down(ada, "")
    page = ada.page
    page.locator("#place-g3").tap()
    expect(page.locator("#asks .what")).to_have_text("Turn the card at g3?")
    expect(page.locator("#place-g3")).to_have_class(re.compile("previewed"))
    turn = page.locator("#confirm").get_by_role("button", name="Turn it")
    expect(turn).to_be_visible()
    assert box(page, "#confirm .brick").height >= 44
    before = ada.number
    turn.tap()

    page.locator(f'main:not([data-number="{before}"]) .depot .up').wait_for()


def test_a_spectator_sees_the_whole_depot_at_every_width(meet: Meet) -> None:
    """Sized by width and height of its room; the builder's slot shows the ghost too."""
    ada, bea = meet("Ada"), meet("Bea")
    sit_down(ada)
    bea.visit(ada.table)
    expect(bea.page.locator("#prompt h1")).to_have_text("Ada turned up 44, the king.")
    expect(bea.page.locator("#wall-0 .maybe")).to_be_visible()
    for wide, high in ((1920, 1000), (1366, 650), (1100, 700), (800, 900), (390, 844), (360, 740)):
        bea.page.set_viewport_size({"width": wide, "height": high})

        assert all_in_view(bea.page), (wide, high)
    for person in (ada, bea):
        person.page.set_viewport_size({"width": 1280, "height": 800})
    assert all_in_view(ada.page)
    bea.photograph("burgbaumeister-watch")


@pytest.mark.thorough
def test_a_shot_says_what_it_would_do(meet: Meet) -> None:
    """Before it is fired: whose card, and how many points."""
    ada = meet()
    sit_down(ada, "0:g3 ~:36 0:+")
    ada.page.locator("#card-31").hover()

    expect(ada.page.locator("#asks .does")).to_contain_text("loses 31, two ravens")
    expect(ada.page.locator("#card-31 .badge")).to_have_text("\N{MINUS SIGN}3")
