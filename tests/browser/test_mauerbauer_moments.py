"""Mauerbauer at its best moments: placing a free house, and seeing what a wall would close."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from tests.browser.conftest import Meet
from tests.browser.measured import box, boxes
from tests.browser.test_every_page import violations
from tests.support.people import PHONE, Person

DEALT = " ".join(
    f"~:+{card}"
    for card in (
        *("city-3", "city-colours", "city-red", "land-yellow", "land-west", "land-grey"),
        *("city-1", "city-pink", "cities", "land-walls", "land-blue", "city-7"),
        *("city-2", "city-towers", "land-black", "land-red", "land-water", "city-3"),
    )
)
SIX_TURNS = f"""{DEALT}
    0:f3-h3 ~:*Grb 0:Gf3 0:Wh3 0:r2g 0:b3g  1:h3-i4 ~:*Byr 1:Bi4 1:y3h 1:r3i
    2:g4-i4 ~:*Grr 2:Gg4 2:r3h 2:r4h  0:e4-f3 ~:*Wpb 0:We4 0:p3e 0:b3f
    1:j3-k2 ~:*Bb? 1:Bk2 1:Wj3 1:y2j  2:b5-c4 ~:*Brb 2:Bc4 2:Wb5 2:r4b 2:b4c"""
"""Three players, six cards each; a wall from e4 to g4 would now close a city of three fields."""


def sit_down(person: Person, words: str = "", **more: Any) -> None:  # noqa: ANN401 - of the order
    """Sit at the first seat of a game that went on like this after six turns."""
    moves = " ".join(f"{SIX_TURNS} {words}".split())
    person.sit_down(
        "mauerbauer", options={"first": "0", "board": "default"}, initial_moves=moves, **more
    )
    person.await_turn()


# --- A house of one's choice -----------------------------------------------------------------

TO_CHOOSE = "0:c4-d5 ~:*B?r 0:Bd5"
"""A free choice and a red house are to be placed beside the new wall."""


def shown(page: Page, plate: str) -> bool:
    """Whether all of a plate is inside the board."""
    inside: bool = page.evaluate(
        """of => {
            const plate = document.querySelector(of);
            const [a, b] = [plate, plate.parentElement].map(e => e.getBoundingClientRect());
            return a.left >= b.left && a.right <= b.right && a.top >= b.top && a.bottom <= b.bottom;
        }""",
        plate,
    )
    return inside


def test_a_field_opens_chips_and_a_chip_places_the_house(meet: Meet) -> None:
    """No list of buttons: press a field that glows, then a colour; the other house follows."""
    ada = meet(color_scheme="light")
    sit_down(ada, TO_CHOOSE)
    expect(ada.page.locator("#move button[name=word]:visible")).to_have_count(0)
    plate = ada.page.locator("#chips-4c")
    expect(plate).to_be_hidden()
    ada.page.locator("#field-4c").click()
    expect(plate).to_be_visible()
    expect(ada.page.locator("#field-4c")).to_have_attribute("aria-expanded", "true")
    expect(ada.page.locator("#asks .what")).to_have_text("Which house on field 4c?")
    expect(ada.page.locator("#asks .does")).to_have_text("Keys 1 to 5 choose, Esc goes back.")

    chips = plate.get_by_role("menuitem")
    names = ("yellow", "green", "blue", "pink", "red")
    expect(chips).to_have_count(len(names))
    for place, name in enumerate(names):
        expect(chips.nth(place)).to_have_attribute("aria-label", f"A {name} house")
    sizes = boxes(ada.page, "#chips-4c [role=menuitem]")
    assert len(sizes) == len(names)
    assert all(min(each.width, each.height) >= 44 for each in sizes)
    assert shown(ada.page, "#chips-4c")

    ada.page.locator("#field-4d").click()  # the other field instead
    expect(plate).to_be_hidden()
    ada.page.locator("#supply").click()  # a press beside it
    expect(ada.page.locator(".tokens:visible")).to_have_count(0)

    ada.page.locator("#field-4c").click()
    chips.nth(2).hover()
    expect(ada.page.locator("#preview use[href='#house-blue']")).to_be_visible()
    expect(ada.page.locator("#preview use[href='#house-red']")).to_be_visible()
    ada.photograph("mauerbauer-place-desktop")
    chips.nth(2).click()
    expect(ada.page.locator("#on-4c use[href='#house-blue']")).to_have_count(2)


@pytest.mark.thorough
def test_chips_are_chosen_by_keys(ada: Person) -> None:
    """Enter opens them, arrows and digits choose, Escape goes back to the field, Enter places."""
    sit_down(ada, TO_CHOOSE)
    ada.page.locator("#field-4c").focus()
    ada.page.keyboard.press("Enter")
    focused = ada.page.locator(".token:focus")
    expect(focused).to_have_attribute("aria-label", "A yellow house")
    ada.page.keyboard.press("ArrowRight")
    expect(focused).to_have_attribute("aria-label", "A green house")
    ada.page.keyboard.press("5")
    expect(focused).to_have_attribute("aria-label", "A red house")
    ada.page.keyboard.press("Escape")
    expect(ada.page.locator(".tokens:visible")).to_have_count(0)
    expect(ada.page.locator("#field-4c")).to_be_focused()

    ada.page.keyboard.press("Enter")
    ada.page.keyboard.press("3")
    ada.page.keyboard.press("Enter")
    expect(ada.page.locator("#on-4c use[href='#house-blue']")).to_have_count(2)


@pytest.mark.thorough
def test_keys_lead_from_a_choice_to_the_next(ada: Person) -> None:
    """The rolled tower stands; the focus is on the first tower for the other end."""
    sit_down(ada, "0:a2-b1 ~:*Grb")
    ada.tab("#point-b1")
    ada.page.keyboard.press("Enter")
    expect(ada.page.locator("#chips-a2 .token").first).to_be_focused()
    ada.page.keyboard.press("2")
    ada.page.keyboard.press("Enter")
    expect(ada.page.locator("#tower-a2")).to_have_attribute("aria-label", "grey tower on a2")


@pytest.mark.thorough
def test_where_only_one_place_waits_its_chips_are_open_at_once(meet: Meet) -> None:
    """The free tower has one end to go to: pressing that first would decide nothing."""
    ada = meet(**PHONE, color_scheme="dark")
    sit_down(ada, "0:a2-b1 ~:*Grb 0:Gb1")
    plate = ada.page.locator("#chips-a2")
    expect(plate).to_be_visible()
    assert shown(ada.page, "#chips-a2")
    assert violations(ada) == []
    ada.photograph("mauerbauer-place-phone")
    ada.page.keyboard.press("Escape")
    expect(plate).to_be_hidden()
    for _ in "opens it", "keeps it open":
        ada.page.locator("#point-a2").tap()
        expect(plate).to_be_visible()


# --- What a wall would close -----------------------------------------------------------------


def test_a_wall_shows_the_city_that_it_would_close(meet: Meet) -> None:
    """Under the pointer: the ghost of the wall, the paved city, and what each card scores then."""
    ada = meet(color_scheme="light")
    sit_down(ada)
    ada.page.locator("[data-word='e4-g4'] .hit").hover()
    expect(ada.page.locator("#preview .rim")).to_be_visible()
    expect(ada.page.locator("#preview .shine")).to_have_count(1)
    expect(ada.page.locator("#chalk .bubble")).to_have_text("closes a city of 3 fields")
    expect(ada.page.locator("#asks .does")).to_have_text(
        "Closes a city of 3 fields. Houses become a blue palace."
    )
    expect(ada.page.locator("#asks .aloud")).to_have_text(
        "“Exactly 3 fields” would score 8, “Colours of the city” 4, “Red in the city” 1, "
        "“Yellow houses” 1, “Grey towers” 0."
    )
    badges = ada.page.locator(".gcard .badge")
    expect(badges).to_have_text(["+8", "+4", "+1", "+1", "+2", "+0"])
    ada.photograph("mauerbauer-preview-desktop")
    ada.page.locator("[data-word='b1-d1'] .hit").hover()
    expect(ada.page.locator("#asks .does")).to_have_text("Closes no city.")
    expect(badges).to_have_count(0)


@pytest.mark.thorough
def test_a_finger_sees_the_city_first_and_then_builds(meet: Meet) -> None:
    """The first tap previews, the second on the same line builds."""
    ada = meet(**PHONE, color_scheme="dark")
    sit_down(ada)
    line = ada.page.locator("[data-word='e4-g4']")
    line.tap()
    expect(ada.page.locator("#confirm .brick .said")).to_have_text("Build here")
    expect(ada.page.locator(".gcard .badge").first).to_have_text("+8")
    assert violations(ada) == []
    ada.photograph("mauerbauer-preview-phone")
    line.tap()
    expect(ada.page.locator("#wall-e4-g4")).to_be_visible()


# --- A city is scored ------------------------------------------------------------------------

TO_SCORE = """0:b1-d1 ~:*Gyy 0:Gb1 0:Wd1 0:y1c 1:e4-g4 ~:*rr 1:r3f 1:r4f
    1:-city-1 2:city-3 2:."""
"""Bruno closed a city of three fields and discarded, Clara played; now it is one's own turn."""
MOTION = 4000
"""No scoring of three players moves for longer than this many milliseconds."""


def scored(person: Person) -> None:
    """Play two cards, the last that were missing; the page's clock stands still by then."""
    sit_down(person, TO_SCORE)
    page = person.page
    person.stand_still()
    person.choice("city-3").click()
    expect(page.locator("#prompt h1")).to_have_text("Do you play another card?")
    person.choice("city-red").click()
    expect(page.locator("main.moment-scoring")).to_be_attached()


def lefts(page: Page, selector: str) -> dict[str, float]:
    """Where elements begin, asked in one step: between two steps the table may be drawn anew."""
    found: dict[str, float] = page.evaluate(
        """selector => Object.fromEntries([...document.querySelectorAll(selector)]
            .map(each => [each.id, each.getBoundingClientRect().left]))""",
        selector,
    )
    return found


@pytest.mark.parametrize(
    "size",
    [
        (360, 640),
        *(
            pytest.param(size, marks=pytest.mark.thorough)
            for size in ((683, 384), (390, 844), (844, 390), (1366, 768))
        ),
    ],
)
def test_cards_stay_where_they_are_while_one_plays(meet: Meet, size: tuple[int, int]) -> None:
    """The button says "Play it", "Done" is another, and a played card leaves a gap (MB-43)."""
    ada = meet(viewport={"width": size[0], "height": size[1]}, has_touch=True)
    sit_down(ada, TO_SCORE)
    page = ada.page
    # What explains a card takes the place of all of them on a low screen, as soon as it has come.
    page.route("**/explain?*", lambda route: route.fulfill(status=204))
    before = lefts(page, "#tray .face")
    page.locator("#card-city-3").tap()
    play = page.locator("#confirm.live .brick")
    expect(play.locator(".said")).to_have_text("Play it")
    assert lefts(page, "#tray .face") == before
    page.locator("#card-city-3").tap()
    expect(page.locator("#prompt h1")).to_have_text("Do you play another card?")
    assert lefts(page, "#tray .face") == {
        each: left for each, left in before.items() if each != "card-city-3"
    }
    expect(page.locator("#tray .gone")).to_have_text("+8")
    done = page.locator("#move").get_by_role("button", name="Done")
    expect(done).not_to_have_class(re.compile("brick"))
    page.locator("#card-city-red").tap()
    expect(play).to_be_visible()
    one, others = box(page, "#confirm.live .brick"), boxes(page, "#move .btn:not(.brick)")
    assert others
    assert not any(one.meets(other) for other in others)


def test_a_scoring_counts_up_and_goes_on_after_five_seconds(meet: Meet) -> None:
    """Who closed what, which cards were played for how much; then the ring drains."""
    ada = meet(watches=True, reduced_motion="no-preference", color_scheme="light")
    ada.page.clock.install()
    scored(ada)
    page = ada.page
    expect(page.locator("#prompt h1")).to_have_text("Bruno closed a city of 3 fields.")
    expect(page.locator("#stage .flag")).to_be_visible()
    rows = page.locator(".scored .by")
    expect(rows.locator(".who b")).to_have_text(["Bruno", "Clara", "You"])
    expect(page.locator(".scored .mini.away")).to_have_count(1)
    points = rows.last.locator(".pts")
    expect(points).to_have_text("0")
    page.clock.run_for(MOTION)
    expect(page.locator("main.moment-done")).to_be_attached()
    expect(points).to_have_text("11")
    expect(rows.last.locator(".gain")).to_have_text("+11")
    expect(page.locator("#said")).to_have_text(
        "Bruno closed a city of 3 fields. Bruno discarded “Exactly 1 field”. "
        "Clara scored 8: “Exactly 3 fields” 8. "
        "You scored 11: “Exactly 3 fields” 8, “Red in the city” 3. "
        "Points: you 11, Bruno 0, Clara 8."
    )
    assert box(page, "#go-on").height < 50  # in one line
    ada.photograph("mauerbauer-scoring-desktop")
    page.mouse.move(5, 5)
    page.clock.run_for(4000)
    expect(page.locator("main.moment-scoring")).to_be_attached()
    page.clock.run_for(MOTION)
    expect(page.locator("main.moment")).to_have_count(0)
    expect(page.locator("#seat-0 .pts")).to_have_text("11")


@pytest.mark.thorough
def test_a_scoring_fits_a_phone_and_stands_still_for_who_wants_it(meet: Meet) -> None:
    """Enter goes on; the board is cut to the part with the city, and the seats stand below it."""
    ada = meet(watches=True, reduced_motion="reduce", color_scheme="dark", **PHONE)
    ada.page.clock.install()
    scored(ada)
    page = ada.page
    page.clock.run_for(500)
    ada.rest()
    expect(page.locator(".scored .by").last.locator(".pts")).to_have_text("11")
    expect(page.locator("#go-on")).to_contain_text("Go on (5)")
    assert page.evaluate("document.scrollingElement.scrollWidth") == PHONE["viewport"]["width"]
    page.set_viewport_size({"width": 390, "height": 980})  # where the board has room to grow
    stage, board, flag = (box(page, each) for each in ("#stage .stage", "#stage .board", ".flag"))
    assert stage.top <= flag.top < stage.bottom - flag.height
    assert board.top - 10 <= stage.top
    assert board.bottom >= stage.bottom - 10
    page.set_viewport_size(PHONE["viewport"])
    expect(page.locator("#go-on")).to_be_in_viewport()
    ada.photograph("mauerbauer-scoring-phone")
    expect(page.locator("#go-on")).to_be_focused()
    page.clock.run_for(400)  # a press right after the dock has changed does nothing
    page.keyboard.press("Enter")
    expect(page.locator("main.moment")).to_have_count(0)


# --- Dice, and names of places ---------------------------------------------------------------


@pytest.mark.thorough
def test_dice_are_beside_the_question_on_a_phone_and_used_ones_are_pale(meet: Meet) -> None:
    """The black tower stands, so its die is pale; the two houses are still to be placed."""
    ada = meet(**PHONE)
    sit_down(ada, TO_CHOOSE)
    dice = ada.page.locator("#prompt .die")
    expect(dice).to_have_count(3)
    expect(dice.first).to_be_in_viewport()
    for die, opacity in enumerate(("0.45", "1", "1")):  # once they have been thrown
        expect(dice.nth(die)).to_have_css("opacity", opacity)


@pytest.mark.thorough
def test_coordinates_are_shown_to_those_who_switch_them_on(ada: Person) -> None:
    """Letters below the board, numbers at its left; off as long as no words speak of places."""
    ada.sit_down("mauerbauer", options={"first": "0", "board": "default"})
    ada.await_turn()
    names = ada.page.locator(".coords text")
    expect(names.first).to_be_hidden()
    ada.switch("coordinates")
    expect(names.first).to_be_visible()
    expect(ada.page.locator("html.spoken")).to_have_count(0)
    expect(names).to_have_count(17)
    assert sorted(names.all_text_contents()) == [*"123456", *"abcdefghijk"]
