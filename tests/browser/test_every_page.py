"""What holds for every page, in either light, on desk and phone, in three languages.

`make test` looks at each page once, `make thorough` in every way, and photographs it.
"""

from itertools import product
from typing import Final, Literal, NamedTuple

import pytest
from tests.browser.all_places import PLACES, go_to
from tests.browser.conftest import Meet
from tests.browser.languages import ALIKE, left_in_english, reloaded, same, speak, texts
from tests.support.people import HOME, Person

AXE: Final = HOME / "node_modules" / "axe-core" / "axe.min.js"

SMALL: Final = """() => [...document.querySelectorAll(
        "a, button, select, input, summary, [data-word]")]
    .filter(each => each.type !== "hidden" && each.checkVisibility({visibilityProperty: true}))
    .filter(each => !each.closest("article, .skip, .vh, #refusal"))
    .map(each => [each, each.closest(each.matches(".unfolds") ? ".hd" : "label") ?? each])
    .map(([each, whole]) => [each, whole.getBoundingClientRect()])
    .filter(([each, {width, height}]) => each.id.startsWith("line-")
        ? Math.min(width, height) < 28 || Math.max(width, height) < 50
        : each.id.startsWith("place-") ? width < 39.9 || height < 48
        : Math.min(width, height) < 43.9)
    .map(([each, {width, height}]) =>
        `${each.outerHTML.slice(0, 90)} ${Math.round(width)} x ${Math.round(height)}`)"""
"""What can be pressed and is smaller than a finger, but for links in a text.

A button that unfolds a wall answers in its whole plate. Lines of a board answer in the whole
rhombus between two fields, which is narrower and longer. Of a depot nine cards are as wide as a
phone; a finger only lifts one, and a button turns it.
"""


ASTRAY: Final = """() => {
    const shown = (each) => each.checkVisibility({ visibilityProperty: true });
    const bar = document.querySelector("header.bar").getBoundingClientRect();
    const out = [...document.querySelectorAll("header.bar .where *")].filter(shown).filter(each => {
        const { top, bottom, width } = each.getBoundingClientRect();
        const facts = each.closest(".facts")?.getBoundingClientRect();
        if (facts && top >= facts.bottom - 1) return false; // a line for which there is no room
        return width && (top < bar.top - 1 || bottom > bar.bottom + 1);
    });
    const split = [...document.querySelectorAll(".num")].filter(shown).filter(each => {
        const range = document.createRange();
        range.selectNodeContents(each);
        return /^\\d+$/.test(each.textContent.trim()) && range.getClientRects().length > 1;
    });
    return [...out, ...split].map(each => each.outerHTML.slice(0, 90));
}"""
"""What stands in the header and is not within it, and numbers of two lines."""


SETTLED: Final = """() => Promise.allSettled(document.getAnimations()
    .filter(each => each.effect.getComputedTiming().iterations !== Infinity)
    .map(each => each.finished)).then(() => null)"""
"""Waits until everything that moves for a while has arrived."""


CHANGES: Final = "() => document.querySelector('main')?.dataset.number"
"""How often the table has changed, on a page that shows one."""


def violations(person: Person, *only: str) -> list[str]:
    """What axe finds, a line each; by these rules alone, if there are any."""
    assert AXE.exists(), "axe-core is not there: `make test` installs it"
    person.page.evaluate(AXE.read_text(encoding="utf-8"))
    run = {"resultTypes": ["violations"], **({"runOnly": list(only)} if only else {})}
    look = "run => axe.run(document, run).then(all => all.violations)"
    while True:
        before = person.page.evaluate(CHANGES)
        person.page.evaluate(SETTLED)  # what fades in is pale at first
        person.page.wait_for_selector("html:not(.resting)")  # and buttons that have just changed
        # What axe finds right is ten times as much, and nobody reads it.
        found = person.page.evaluate(look, run)
        if person.page.evaluate(CHANGES) == before:  # no bot has moved meanwhile
            break
    return [
        f"{rule['id']}: {each['target']} {each['failureSummary']}"
        for rule in found
        for each in rule["nodes"]
    ]


class Look(NamedTuple):
    """A way to look at a page."""

    language: str
    light: Literal["light", "dark"]
    width: int


WINDOWS: Final[tuple[tuple[Literal["light", "dark"], int], ...]] = (
    ("light", 1280),
    ("dark", 360),
    ("dark", 1280),
    ("light", 360),
)

LOOKS: Final = tuple(
    Look(language, light, width)
    for (light, width), language in product(WINDOWS, ("en", "de", "it"))
)
"""All ways, in such an order that pages of one kind, which are neighbours, differ in language."""


def fit(person: Person, width: int, height: int) -> int:
    """How wide the page is in a window of this size."""
    person.page.set_viewport_size({"width": width, "height": height})
    wide: int = person.page.evaluate("document.scrollingElement.scrollWidth")
    return wide


MORE_OF_A_KIND: Final = {
    *("mauer-begins", "burgbaumeister-begins", "mauerbauer-begins"),
    *("rules-mauer", "rules-burgbaumeister"),
    *("invite-burgbaumeister", "invite-mauer", "by-hand-cards", "free-seat", "link"),
    *("learn-answered", "learn-mauer-over", "learn-mauerbauer-scores"),
    *("own-data", "own-data-deleting", "offline", "nobodys-page", "add-device", "sign-in"),
    *("burgbaumeister-later", "by-hand-dice", "curtain", "evening-new", "invite-mauerbauer"),
    *("learn", "real-mauer", "replay-bring", "workshop-coast"),
    *("real-dice", "real", "replay-burgbaumeister", "replay-mauerbauer", "workshop-torn"),
    *("puzzle-2", "puzzle-3", "puzzle-answer-1", "puzzle-answer-3", "find-rated", "rules"),
    *("card-explained", "leaderboard", "left", "looking", "nothing", "puzzle-answer-2", "puzzles"),
}
"""Pages that show little that others do not: `make thorough` looks at them."""

LOOKED_AT: Final = {
    place: LOOKS[number % len(LOOKS)]
    for number, place in enumerate(place for place in PLACES if place not in MORE_OF_A_KIND)
}


@pytest.mark.parametrize(("place", "look"), LOOKED_AT.items(), ids=LOOKED_AT)
def test_a_page_is_fit_for_everybody(meet: Meet, place: str, look: Look) -> None:
    """Each page is looked at in one of twelve ways; all of them occur (`LOOKED_AT`).

    Axe finds nothing. At 360 pixels nothing scrolls sideways, and all that can be pressed measures
    44; at 640 nothing scrolls sideways either, which is a desk's window at 200 %. The header holds
    what stands in it, and no number is broken. In German or Italian nothing is left in English.
    """
    person = meet(reduced_motion="reduce", color_scheme=look.light)
    speak(person, look.language)
    fit(person, look.width, 800)
    go_to(person, place)
    said = texts(person, look.language)
    found = violations(person)
    astray = person.page.evaluate(ASTRAY)
    wide = fit(person, 640, 400), fit(person, 360, 740)
    small = person.page.evaluate(SMALL)
    astray += person.page.evaluate(ASTRAY)
    compared = look.language != "en" and place not in ALIKE
    left = same(reloaded(person, "en"), said) if compared else []
    if place == "nothing":
        person.faults.clear()

    assert not found, "\n".join(found)
    assert not astray, "\n".join(astray)
    assert wide == (640, 360)
    assert not small, "\n".join(small)
    assert not left, left


@pytest.mark.thorough
@pytest.mark.parametrize("place", PLACES)
def test_a_page_is_fit_for_everybody_in_every_way(meet: Meet, place: str) -> None:
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
    astray = person.page.evaluate(ASTRAY)
    wide = fit(person, 360, 740)
    small = person.page.evaluate(SMALL)
    astray += person.page.evaluate(ASTRAY)
    person.photograph(f"{place}-phone", whole=True)
    fit(person, 1280, 800)
    left = {} if place in ALIKE else left_in_english(person, place)
    if place == "nothing":
        person.faults.clear()

    assert not found, "\n".join(found)
    assert not astray, "\n".join(astray)
    assert wide == 360
    assert not small, "\n".join(small)
    assert not any(left.values()), left


@pytest.mark.thorough
@pytest.mark.parametrize("place", ["first-page", "invite-mauer", "mauerbauer-later", "mauer-later"])
def test_twice_as_large_still_fits(meet: Meet, place: str) -> None:
    """A window of 1280 pixels at 200 % has 640 of them, and so few rows that the page scrolls."""
    person = meet(viewport={"width": 640, "height": 400}, device_scale_factor=2)
    go_to(person, place)

    assert person.page.evaluate("document.scrollingElement.scrollWidth") == 640
