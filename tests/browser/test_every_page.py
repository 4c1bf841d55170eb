"""What holds for every page, in either light, on desk and phone, in three languages.

Each page is photographed on the way.
"""

from typing import Final

import pytest
from tests.browser.all_places import PLACES, go_to
from tests.browser.conftest import Meet
from tests.browser.languages import ALIKE, left_in_english
from tests.browser.people import HOME, Person

AXE: Final = HOME / "node_modules" / "axe-core" / "axe.min.js"

SMALL: Final = """() => [...document.querySelectorAll(
        "a, button, select, input, summary, [data-word]")]
    .filter(each => each.type !== "hidden" && each.checkVisibility({visibilityProperty: true}))
    .filter(each => !each.closest("article, .skip, .vh, #refusal"))
    .map(each => [each, each.closest("label") ?? each])
    .map(([each, whole]) => [each, whole.getBoundingClientRect()])
    .filter(([each, {width, height}]) => each.id.startsWith("line-")
        ? Math.min(width, height) < 28 || Math.max(width, height) < 50
        : Math.min(width, height) < 43.9)
    .map(([each, {width, height}]) =>
        `${each.outerHTML.slice(0, 90)} ${Math.round(width)} x ${Math.round(height)}`)"""
"""What can be pressed and is smaller than a finger, but for links in a text.

Lines of a board answer in the whole rhombus between two fields, which is narrower and longer.
"""


def violations(person: Person, *only: str) -> list[str]:
    """What axe finds, a line each; by these rules alone, if there are any."""
    assert AXE.exists(), "axe-core is not there: `make test` installs it"
    person.page.evaluate(AXE.read_text(encoding="utf-8"))
    run = {"runOnly": list(only)} if only else {}
    found = person.page.evaluate("run => axe.run(document, run)", run)
    return [
        f"{rule['id']}: {each['target']} {each['failureSummary']}"
        for rule in found["violations"]
        for each in rule["nodes"]
    ]


@pytest.mark.parametrize("place", PLACES)
def test_a_page_is_fit_for_everybody(meet: Meet, place: str) -> None:
    """In one visit, since getting there takes longest: axe, light and dark, phone, languages.

    Axe finds nothing, in the dark nothing either that colours decide. At 360 pixels nothing scrolls
    sideways, and all that can be pressed measures 44. In German and Italian nothing is left in
    English.
    """
    person = meet(reduced_motion="reduce")
    go_to(person, place)
    found = violations(person)
    person.photograph(place)
    person.page.emulate_media(color_scheme="dark", reduced_motion="reduce")
    found += violations(person, "color-contrast")
    person.photograph(f"{place}-dark")
    person.page.emulate_media(color_scheme="light", reduced_motion="reduce")
    person.page.set_viewport_size({"width": 360, "height": 740})
    wide = person.page.evaluate("document.scrollingElement.scrollWidth")
    small = person.page.evaluate(SMALL)
    person.photograph(f"{place}-phone", whole=True)
    person.page.set_viewport_size({"width": 1280, "height": 800})
    left = {} if place in ALIKE else left_in_english(person, place)
    if place == "nothing":
        person.faults.clear()

    assert not found, "\n".join(found)
    assert wide == 360
    assert not small, "\n".join(small)
    assert not any(left.values()), left


@pytest.mark.parametrize("place", ["first-page", "invite-mauer", "mauerbauer-later", "mauer-later"])
def test_twice_as_large_still_fits(meet: Meet, place: str) -> None:
    """A window of 1280 pixels at 200 % has 640 of them, and so few rows that the page scrolls."""
    person = meet(viewport={"width": 640, "height": 400}, device_scale_factor=2)
    go_to(person, place)

    assert person.page.evaluate("document.scrollingElement.scrollWidth") == 640
