"""Moments: a page stops where everybody should look, and goes on by itself or at a press."""

from collections.abc import Callable, Iterator
from typing import Any, Final

import pytest
from playwright.sync_api import Browser, Page, expect
from tests.browser.conftest import Meet
from tests.browser.measured import box
from tests.browser.places import only
from tests.browser.profiles import Profiles
from tests.browser.test_every_page import violations
from tests.fourth_game.conftest import INSTALLED
from tests.fourth_game.packages import install, put_on_path
from tests.support.people import DESK, Person
from tests.support.web_server import Running, serving

WEB: Final = "[mauerwerk.server.games]\nbreach = tests.fourth_game.web:WEB_GAME\n"
MOTION: Final = 1000
REST: Final = 4000
"""What the moment of the fourth game takes, in milliseconds."""
DOCK: Final = 400
"""For so long a press does nothing after the dock has changed, unless something moves."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server with the fourth game, whose open hands are a moment."""
    with pytest.MonkeyPatch.context() as patch:
        put_on_path(patch, INSTALLED)
        install(patch, tmp_path_factory.mktemp("package"), "breach_web", WEB)
        with serving(tmp_path_factory.mktemp("data")) as running:
            yield running


Sit = Callable[..., Person]


@pytest.fixture
def sit(site: Running, browser: Browser, profiles: Profiles) -> Iterator[Sit]:  # noqa: ARG001 - the loop runs
    """How somebody sits down at a table of three with two bots; the page's clock stands still."""
    people: list[Person] = []

    def come(name: str = "Ada", **options: Any) -> Person:  # noqa: ANN401 - as the browser has them
        options = {"reduced_motion": "no-preference", **options}
        context = profiles.take({"locale": "en-GB", **DESK, **options})
        person = Person(context, site.address, name, watches=True)
        people.append(person)
        profiles.show(person.page, options)
        person.page.clock.install()
        chairs = [{"kind": "human"}, *[{"kind": "bot", "level": "apprentice"}] * 2]
        opened = person.ask("/api/tables", game="breach", chairs=chairs, mine=[0], bot_delay_ms=0)
        person.visit(opened["table"])
        person.await_turn()
        person.stand_still()
        return person

    yield come
    faults = [fault for person in people for fault in person.faults]
    for person in people:
        profiles.give_back(person.context)
    assert faults == []


def reveal(person: Person, word: str = "2") -> Page:
    """Close a hand, upon which all open."""
    person.choice(word).click()
    expect(person.page.locator("main.moment-reveal")).to_be_attached()
    return person.page


def over(person: Person) -> None:
    """The moment is over, and the next question is there."""
    expect(person.page.locator("main.moment")).to_have_count(0)
    expect(person.page.locator("main[data-asked]")).to_be_attached()


def is_left(page: Page) -> float:
    """How much of the ring is left, from 0 to 100."""
    left: str = page.evaluate("document.querySelector('#go-on .left').style.strokeDashoffset")
    return 100 - float(left.removesuffix("px"))  # as Firefox has it


def test_a_moment_goes_on_by_itself_when_its_ring_is_empty(sit: Sit) -> None:
    """Its motion and its rest take as long as they should, and nothing can be chosen meanwhile."""
    ada = sit()
    page = reveal(ada)
    number = ada.number
    expect(page.locator("#prompt h1")).to_contain_text("breach: ")
    expect(page.locator("#go-on")).to_be_focused()
    expect(page.locator("#go-on")).to_have_accessible_name("Skip")
    assert ada.words() == []
    expect(page.locator(".hands li")).to_have_text(["0", "0", "0"])
    expect(page.locator("#said")).not_to_contain_text("breach: ")

    page.clock.run_for(MOTION)
    expect(page.locator("main.moment-done")).to_be_attached()
    expect(page.locator("#go-on")).to_have_accessible_name("Go on")
    expect(page.locator(".hands li", has_text="2").first).to_be_attached()
    expect(page.locator("#said")).to_contain_text("breach: ")
    page.clock.run_for(REST // 2)
    assert 45 < is_left(page) < 55
    page.clock.run_for(REST // 2 - 200)
    assert ada.number == number
    page.clock.run_for(400)
    over(ada)

    assert ada.number > number
    assert ada.words()


@pytest.mark.thorough
def test_a_press_ends_the_motion_and_the_next_one_goes_on(sit: Sit) -> None:
    """Enter does the same, wherever the focus is."""
    ada = sit()
    page = reveal(ada)
    page.locator("#go-on").click()
    expect(page.locator("main.moment-done")).to_be_attached()
    page.clock.run_for(DOCK)
    page.locator("#go-on").click()
    over(ada)

    page.clock.run_for(DOCK)
    reveal(ada)
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("Enter")
    expect(page.locator("main.moment-done")).to_be_attached()
    page.clock.run_for(DOCK)
    page.keyboard.press("Enter")
    over(ada)
    focused = page.evaluate("document.activeElement.closest('#prompt') !== null")
    assert focused


@pytest.mark.parametrize("holds", only("pointer", "menu", "focus"))
def test_somebody_who_is_busy_holds_the_ring(sit: Sit, holds: str) -> None:
    """With an open menu, the focus elsewhere, or the pointer on the prompt; then it goes on."""
    ada = sit()
    page = reveal(ada)
    page.clock.run_for(MOTION + 100)
    match holds:
        case "menu":
            page.get_by_label("Menu", exact=True).click()
        case "focus":
            page.locator("#story ol").focus()
        case _:
            page.mouse.move(5, 300)
            prompt = box(page, "#prompt")
            page.mouse.move(prompt.left + 9, prompt.top + 9, steps=4)
    page.clock.run_for(3 * REST)
    expect(page.locator("main.moment")).to_be_attached()

    match holds:
        case "menu":
            page.keyboard.press("Escape")
            page.locator("#go-on").focus()
        case "focus":
            page.locator("#go-on").focus()
        case _:
            page.mouse.move(5, 300, steps=4)
    page.clock.run_for(REST)
    over(ada)


@pytest.mark.thorough
def test_reduced_motion_counts_in_whole_seconds(sit: Sit) -> None:
    """Everything is as it will stay at once, and the pause is as long."""
    ada = sit(reduced_motion="reduce")
    page = reveal(ada)
    expect(page.locator("main.moment-done")).to_be_attached()
    expect(page.locator(".hands li", has_text="2").first).to_be_attached()
    expect(page.locator("#go-on")).to_contain_text("Go on (4)")
    page.clock.run_for(1100)
    expect(page.locator("#go-on")).to_contain_text("Go on (3)")
    expect(page.locator("#go-on .ring")).to_be_hidden()
    page.clock.run_for(REST)
    over(ada)


@pytest.mark.thorough
def test_somebody_patient_is_waited_for(sit: Sit) -> None:
    """The wish takes the ring away."""
    ada = sit()
    page = ada.page
    ada.switch("patient")
    ada.await_turn()
    reveal(ada)
    page.clock.run_for(10 * REST)
    expect(page.locator("#go-on .ring")).to_be_hidden()
    page.locator("#go-on").click()
    over(ada)


@pytest.mark.thorough
@pytest.mark.parametrize("light", ["light", "dark"])
def test_everybody_can_use_a_page_that_has_stopped(meet: Meet, light: str) -> None:
    """Open fists of Die Mauer, as axe sees them."""
    ada = meet(watches=True, color_scheme=light, reduced_motion="reduce")
    ada.wish("patient")  # else it goes on while axe looks
    ada.sit_down("mauer", options={"first": "0"})
    ada.await_turn()
    ada.choice("T").click()
    expect(ada.page.locator("main.moment-done")).to_be_attached()

    assert violations(ada) == []


@pytest.mark.thorough
def test_a_page_that_is_loaded_anew_plays_nothing_old(sit: Sit) -> None:
    """It shows where the game stands."""
    ada = sit()
    page = reveal(ada)
    page.reload()
    ada.await_turn()

    expect(page.locator("#go-on")).to_have_count(0)
    assert ada.words()


def test_bots_play_on_when_everybody_has_gone_on(sit: Sit) -> None:
    """Until then they close no hand, though they need no time to think."""
    ada = sit()
    page = reveal(ada)
    page.clock.run_for(MOTION + REST // 2)

    held = ada.table_view()
    assert held["view"]["closed"] == [False, False, False]
    with page.expect_response("**/seen") as told:
        page.locator("#go-on").click()
    assert told.value.status == 204

    expect(ada.main).to_have_attribute("data-number", str(held["number"] + 2))
