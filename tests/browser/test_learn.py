"""Lessons in a browser: by clicks on a phone, by keys, without a script, and with the way back."""

from typing import Final

import pytest
from playwright.sync_api import expect
from tests.browser.conftest import Meet
from tests.browser.measured import box
from tests.support.amounts import amount
from tests.support.people import PHONE, Person

from mauerwerk.core.language import language_of
from mauerwerk.server.features.lessons.lesson import course, script

ASKED: Final = ":is(.stage, .tray) .asked"
"""What a stop asks for on the board or in the tray."""


def await_stop(person: Person, game: str, number: int) -> None:
    """Wait until a stop is there, and its address with it."""
    person.page.locator(f'main[data-path="/learn/{game}/{number}"]').wait_for(state="attached")
    person.page.wait_for_url(f"**/learn/{game}/{number}")


def test_a_lesson_can_be_played_by_clicks_on_a_phone(meet: Meet) -> None:
    """In German, from the overview to a real table: targets in view, buttons, and `Weiter`."""
    somebody = meet("", locale="de", **PHONE, reduced_motion="reduce")
    texts = script("mauerbauer", "de").parts
    somebody.go("/learn/mauerbauer")
    somebody.page.get_by_role("link", name="Anfangen").click()
    for stop in course("mauerbauer").stops:
        await_stop(somebody, "mauerbauer", stop.number)
        expect(somebody.page.locator("h1")).to_have_text(texts[stop.note.key].title)
        assert somebody.page.evaluate("document.scrollingElement.scrollWidth") == 360
        if somebody.page.locator(ASKED).count():  # else the answers are buttons below the text
            assert box(somebody.page, ASKED).bottom <= box(somebody.page, "#prompt").top + 1
        if stop.note.word:
            somebody.reach(stop.note.word).click()
        elif stop.number < len(course("mauerbauer").stops):
            somebody.page.get_by_role("button", name="Weiter", exact=True).click()
    somebody.photograph("learn-mauerbauer-end-phone", whole=True)
    somebody.page.get_by_role("button", name="Jetzt eine richtige Partie").click()
    somebody.page.wait_for_url("**/t/*")
    expect(somebody.page.locator("#seat-0")).to_be_visible()


@pytest.mark.thorough
def test_a_lesson_can_be_played_by_keys_alone(ada: Person) -> None:
    """The tab key leads to what is asked and to `Go on`, Enter presses; what happened is said."""
    stops = course("mauer").stops[amount(-6, -6, 0) : -1]
    ada.go(f"/learn/mauer/{stops[0].number}")
    said = ada.page.locator("#said")
    for stop in stops:
        await_stop(ada, "mauer", stop.number)
        if stop.note.word:
            ada.tab(f'[data-word="{stop.note.word}"], #move button[value="{stop.note.word}"]')
        else:
            ada.tab("#go-on")
        ada.page.keyboard.press("Enter")
        following = course("mauer").stops[stop.number]
        title = script("mauer", "en").parts[following.note.key].title
        expect(said).to_contain_text(title)

    await_stop(ada, "mauer", len(course("mauer").stops))
    expect(said).to_contain_text("Penalty points: you 0, Bruno 26, Clara 31.")


def test_a_move_that_the_lesson_does_not_make_is_answered(ada: Person) -> None:
    """On the same page, with what to do instead; a riddle glows from then on."""
    ada.go("/learn/burgbaumeister/8")
    expect(ada.page.locator(".asked")).to_have_count(0)
    ada.page.locator("#place-a5").click()
    expect(ada.page.locator("#answer")).to_contain_text("the corner of the 38")
    expect(ada.page.locator("#said")).to_contain_text("the corner of the 38")
    expect(ada.page.locator("#place-i1.asked")).to_have_count(1)
    assert ada.page.url.endswith("/learn/burgbaumeister/8")
    ada.page.locator("#place-i1").click()
    await_stop(ada, "burgbaumeister", 9)
    expect(ada.page.locator("#answer")).to_have_count(0)


@pytest.mark.thorough
def test_a_finished_wall_bears_small_flags(ada: Person) -> None:
    """As at the end of a game, and they hide no card."""
    ada.go("/learn/burgbaumeister/12")
    expect(ada.page.locator("#tray .flag")).to_have_count(4)
    assert box(ada.page, "#tray .flag").width <= 24


@pytest.mark.thorough
def test_the_way_back_leads_through_the_stops(ada: Person) -> None:
    """Back, forward and `Back` show each stop as it was, and a reload stays where it is."""
    ada.go("/learn/mauer/1")
    ada.page.locator("#go-on").click()
    await_stop(ada, "mauer", 2)
    ada.choice("4").click()
    await_stop(ada, "mauer", 3)
    ada.page.go_back()
    await_stop(ada, "mauer", 2)
    expect(ada.page.locator("#hand-4.asked")).to_have_count(1)
    ada.page.go_forward()
    await_stop(ada, "mauer", 3)
    ada.page.reload()
    await_stop(ada, "mauer", 3)
    ada.page.get_by_role("link", name="Back", exact=True).click()
    await_stop(ada, "mauer", 2)
    ada.page.get_by_role("button", name="Do it for me").click()
    await_stop(ada, "mauer", 3)


@pytest.mark.thorough
def test_another_look_leaves_one_where_one_is(ada: Person) -> None:
    """At the stop that the page shows, not at the one with which it was loaded."""
    ada.go("/learn/mauer/1")
    ada.page.locator("#go-on").click()
    await_stop(ada, "mauer", 2)
    ada.page.locator("#theme").click()
    ada.page.locator("html[data-theme]").wait_for()

    await_stop(ada, "mauer", 2)


@pytest.mark.thorough
def test_skipping_to_the_content_loads_nothing(ada: Person) -> None:
    """The page is the same, and goes on."""
    ada.go("/learn/mauer/1")
    ada.page.evaluate("window.same = true")
    ada.tab(".skip")
    ada.page.keyboard.press("Enter")
    ada.page.wait_for_url("**/learn/mauer/1#main")
    ada.page.locator("#go-on").click()
    await_stop(ada, "mauer", 2)

    assert ada.page.evaluate("window.same") is True


@pytest.mark.thorough
def test_a_lesson_needs_no_script(meet: Meet) -> None:
    """Every choice is a button, on a phone too, and the browser remembers where one was."""
    somebody = meet("", locale="it-IT", java_script_enabled=False, **PHONE)
    somebody.go("/learn/burgbaumeister/2")
    assert somebody.page.evaluate("document.scrollingElement.scrollWidth") == 360
    somebody.page.locator('#move button[value="c2"]').first.click()
    expect(somebody.page.locator("h1")).to_have_text(
        script("burgbaumeister", "it").parts["add"].title
    )
    somebody.page.locator('#move button[value="-"]').click()
    expect(somebody.page.locator("#answer")).to_be_visible()
    somebody.go("/learn/burgbaumeister")
    language = language_of("it")
    said = language("Continue where you stopped: step {step} of {steps}", step=3, steps=21)
    somebody.page.get_by_role("link", name=said).click()
    expect(somebody.page).to_have_url(f"{somebody.address}/learn/burgbaumeister/3")


@pytest.mark.thorough
def test_the_text_does_not_hide_the_board(meet: Meet) -> None:
    """Beside it on a desk, below it on a phone, where one's pieces stay in view."""
    desk = meet("")
    desk.go("/learn/mauer/2")
    text, stage, tray = (box(desk.page, each) for each in ("#prompt", "#stage", "#tray"))
    assert text.left >= stage.right
    assert tray.top >= stage.bottom

    phone = meet("", **PHONE, reduced_motion="reduce")
    phone.go("/learn/mauer/2")
    text, stage, tray = (box(phone.page, each) for each in ("#prompt", "#stage", "#tray"))
    assert stage.bottom <= tray.top + 1
    assert tray.bottom <= text.top + 1
    phone.page.locator("#hand-empty").tap()
    expect(phone.page.locator("#answer")).to_be_in_viewport()
    phone.page.locator("#hand-4").tap()
    await_stop(phone, "mauer", 3)
    expect(phone.page.locator("#prompt h1")).to_be_in_viewport()
