"""What holds for every page: axe finds nothing, in either light; phones need no sideways scrolling.

Each page is photographed on the way, on a desk and on a phone.
"""

from collections.abc import Mapping
from typing import Any, Final

import pytest
from tests.browser.all_places import PLACES, go_to
from tests.browser.conftest import Meet
from tests.browser.people import HOME, Person

AXE: Final = HOME / "node_modules" / "axe-core" / "axe.min.js"

PHONE: Final[Mapping[str, Any]] = {
    "viewport": {"width": 360, "height": 740},
    "is_mobile": True,
    "has_touch": True,
}

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
def test_axe_finds_nothing(meet: Meet, place: str) -> None:
    """By its whole set of rules; in the dark again what colours decide."""
    person = meet(reduced_motion="reduce")
    go_to(person, place)
    found = violations(person)
    person.photograph(place)
    person.page.emulate_media(color_scheme="dark")
    found += violations(person, "color-contrast")
    person.photograph(f"{place}-dark")

    assert not found, "\n".join(found)


@pytest.mark.parametrize("place", PLACES)
def test_a_phone_is_wide_enough_and_a_finger_small_enough(meet: Meet, place: str) -> None:
    """At 360 pixels nothing scrolls sideways, and all that can be pressed measures 44."""
    person = meet(**PHONE, reduced_motion="reduce")
    go_to(person, place)
    wide = person.page.evaluate("document.scrollingElement.scrollWidth")
    person.photograph(f"{place}-phone", whole=True)

    assert wide == 360
    small = person.page.evaluate(SMALL)
    assert not small, "\n".join(small)


@pytest.mark.parametrize("place", ["first-page", "invite-mauer", "mauerbauer-later", "mauer-later"])
def test_twice_as_large_still_fits(meet: Meet, place: str) -> None:
    """A window of 1280 pixels at 200 % has 640 of them, and so few rows that the page scrolls."""
    person = meet(viewport={"width": 640, "height": 400}, device_scale_factor=2)
    go_to(person, place)

    assert person.page.evaluate("document.scrollingElement.scrollWidth") == 640
