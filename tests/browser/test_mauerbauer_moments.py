"""Mauerbauer at its best moments: placing a free house, and seeing what a wall would close."""

from typing import Any

from playwright.sync_api import Locator, expect
from tests.browser.conftest import Meet
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
    person.sit_down("mauerbauer", options={"first": "0", "board": "default"}, moves=moves, **more)
    person.await_turn()


# --- A house of one's choice -----------------------------------------------------------------

TO_CHOOSE = "0:c4-d5 ~:*B?r 0:Bd5"
"""A free choice and a red house are to be placed beside the new wall."""


def shown(plate: Locator) -> bool:
    """Whether all of a plate is inside the board."""
    inside: bool = plate.evaluate(
        """plate => {
            const [a, b] = [plate, plate.parentElement].map(e => e.getBoundingClientRect());
            return a.left >= b.left && a.right <= b.right && a.top >= b.top && a.bottom <= b.bottom;
        }"""
    )
    return inside


def test_a_field_opens_chips_and_a_chip_places_the_house(meet: Meet) -> None:
    """No list of buttons: press a field that glows, then a colour; the other house follows."""
    ada = meet(color_scheme="light")
    sit_down(ada, TO_CHOOSE)
    assert ada.page.locator("#move button[name=word]:visible").count() == 0
    plate = ada.page.locator("#chips-4c")
    expect(plate).to_be_hidden()
    ada.page.locator("#field-4c").click()
    expect(plate).to_be_visible()
    expect(ada.page.locator("#field-4c")).to_have_attribute("aria-expanded", "true")

    chips = plate.get_by_role("menuitem")
    names = ("yellow", "green", "blue", "pink", "red")
    assert [each.get_attribute("aria-label") for each in chips.all()] == [
        f"A {name} house" for name in names
    ]
    boxes = [each.bounding_box() for each in chips.all()]
    assert all(box and box["width"] >= 44 and box["height"] >= 44 for box in boxes)
    assert shown(plate)

    ada.page.locator("#field-4d").click()  # the other field instead
    expect(plate).to_be_hidden()
    ada.page.locator("#supply").click()  # a press beside it
    expect(ada.page.locator(".chips:visible")).to_have_count(0)

    ada.page.locator("#field-4c").click()
    chips.nth(2).hover()
    expect(ada.page.locator("#preview use[href='#house-blue']")).to_be_visible()
    expect(ada.page.locator("#preview use[href='#house-red']")).to_be_visible()
    ada.photograph("mauerbauer-place-desktop")
    chips.nth(2).click()
    expect(ada.page.locator("#on-4c use[href='#house-blue']")).to_have_count(2)


def test_chips_are_chosen_by_keys(ada: Person) -> None:
    """Enter opens them, arrows and digits choose, Escape goes back to the field, Enter places."""
    sit_down(ada, TO_CHOOSE)
    ada.page.locator("#field-4c").focus()
    ada.page.keyboard.press("Enter")
    focused = ada.page.locator(".chip:focus")
    expect(focused).to_have_attribute("aria-label", "A yellow house")
    ada.page.keyboard.press("ArrowRight")
    expect(focused).to_have_attribute("aria-label", "A green house")
    ada.page.keyboard.press("5")
    expect(focused).to_have_attribute("aria-label", "A red house")
    ada.page.keyboard.press("Escape")
    expect(ada.page.locator(".chips:visible")).to_have_count(0)
    expect(ada.page.locator("#field-4c")).to_be_focused()

    ada.page.keyboard.press("Enter")
    ada.page.keyboard.press("3")
    ada.page.keyboard.press("Enter")
    expect(ada.page.locator("#on-4c use[href='#house-blue']")).to_have_count(2)


def test_where_only_one_place_waits_its_chips_are_open_at_once(meet: Meet) -> None:
    """The free tower has one end to go to: pressing that first would decide nothing."""
    ada = meet(**PHONE, color_scheme="dark")
    sit_down(ada, "0:a2-b1 ~:*Grb 0:Gb1")
    plate = ada.page.locator("#chips-a2")
    expect(plate).to_be_visible()
    assert shown(plate)
    ada.page.keyboard.press("Escape")
    expect(plate).to_be_hidden()
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
    assert badges.all_inner_texts() == ["+8", "+4", "+1", "+1", "+2", "+0"]
    ada.photograph("mauerbauer-preview-desktop")
    ada.page.locator("[data-word='b1-d1'] .hit").hover()
    expect(ada.page.locator("#asks .does")).to_have_text("Closes no city.")
    expect(badges).to_have_count(0)


def test_a_finger_sees_the_city_first_and_then_builds(meet: Meet) -> None:
    """The first tap previews, the second on the same line builds."""
    ada = meet(**PHONE, color_scheme="dark")
    sit_down(ada)
    line = ada.page.locator("[data-word='e4-g4']")
    line.tap()
    expect(ada.page.locator("#confirm .brick .said")).to_have_text("Build here")
    expect(ada.page.locator(".gcard .badge").first).to_have_text("+8")
    ada.photograph("mauerbauer-preview-phone")
    line.tap()
    expect(ada.page.locator("#wall-e4-g4")).to_be_visible()
