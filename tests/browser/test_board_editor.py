"""The workshop in a browser: boards drawn by mouse, finger and keyboard, then played."""

import re
from typing import Any, Final
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from playwright.sync_api import Locator, Route, expect
from tests.browser.conftest import Meet
from tests.browser.measured import box
from tests.browser.test_connection import forgive
from tests.browser.test_every_page import SMALL
from tests.support.people import PHONE, Person

SEA: Final = "......./......./......."


def go(person: Person, **query: str) -> None:
    person.go(f"/workshop?{urlencode(query)}")


def rows(person: Person) -> str:
    """What the address says of the land."""
    board = parse_qs(urlsplit(person.page.url).query)["board"][0]
    return board.partition("+")[0]


def cell(person: Person, field: str) -> Locator:
    return person.page.locator(f"#field-{field}")


def middle(person: Person, field: str) -> tuple[float, float]:
    """A spot well inside a triangle."""
    return box(person.page, f"#field-{field}").middle


def drag(person: Person, *fields: str) -> None:
    """Draw a stroke from field to field."""
    mouse = person.page.mouse
    mouse.move(*middle(person, fields[0]))
    mouse.down()
    for field in fields[1:]:
        mouse.move(*middle(person, field), steps=6)
    mouse.up()


def swipe(person: Person, *fields: str) -> None:
    """Draw a stroke with a finger, as the system reports one."""
    touch: Any = person.context.new_cdp_session(person.page)
    spots = [middle(person, field) for field in fields]
    for place, (x, y) in enumerate(spots):
        kind = "touchMove" if place else "touchStart"
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y}]})
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def await_rows(person: Person, wanted: str) -> None:
    """Wait until the address has this land, and the page too."""
    person.page.wait_for_url(lambda url: wanted in parse_qs(urlsplit(url).query)["board"][0])
    word = person.page.locator("#draw input[name=board]")
    expect(word).to_have_value(re.compile(re.escape(wanted)))


@pytest.mark.thorough
def test_a_board_is_drawn_by_mouse_and_played(ada: Person) -> None:
    """Each stroke is a step of the browser's history; one click sits down at a table on it."""
    go(ada, board=SEA)
    expect(ada.page.locator("#verdict h1")).to_have_text("Not a board yet")
    drag(ada, "2c", "2d", "2e")
    await_rows(ada, ".www...")
    ada.page.get_by_role("radio", name="East").check()
    drag(ada, "2f", "2g")
    await_rows(ada, ".wwwee.")
    expect(ada.page.locator("#verdict h1")).to_have_text("This board can be played")
    expect(ada.page.locator(".findings")).to_contain_text("“Houses in the Middle” always scores 0")

    ada.page.locator("#undo").click()
    await_rows(ada, ".www...")
    expect(ada.page.locator("#redo")).to_be_enabled()
    ada.page.keyboard.press("Control+Shift+z")
    await_rows(ada, ".wwwee.")
    ada.photograph("workshop-drawn")

    ada.page.get_by_role("button", name="Play it").click()
    ada.main.wait_for()
    ada.table = ada.page.url.rpartition("/")[2]
    assert ada.table_view()["view"]["board"].startswith("./.wwwee+")


@pytest.mark.thorough
def test_a_board_is_drawn_by_keyboard(ada: Person) -> None:
    """The tab key reaches the board, arrows go over it, the space bar draws, digits are brushes."""
    go(ada, board=SEA)
    ada.tab("#field-1b")
    for key in ("ArrowDown", "ArrowRight", "Space", "ArrowRight", "2", "Space"):
        ada.page.keyboard.press(key)
    await_rows(ada, ".wm....")
    expect(cell(ada, "2d")).to_be_focused()
    expect(cell(ada, "2d")).to_have_attribute("aria-label", "2d: Middle")

    for key in ("5", "Tab"):
        ada.page.keyboard.press(key)
    ada.tab("#sheet .shore")
    pressed = ada.page.evaluate("document.activeElement.getAttribute('aria-pressed')")
    line = ada.page.evaluate("document.activeElement.id")
    ada.page.keyboard.press("Space")
    expect(ada.page.locator(f"#{line}")).to_have_attribute(
        "aria-pressed", "false" if pressed == "true" else "true"
    )


@pytest.mark.thorough
def test_strokes_in_a_hurry_are_all_drawn(ada: Person) -> None:
    """None is lost while the one before it is on its way, and each keeps its own brush."""
    go(ada, board=SEA)
    for digit, field in zip("11233", ("1b", "1c", "1d", "1e", "1f"), strict=True):
        cell(ada, field).focus()
        ada.page.keyboard.press(digit)
        ada.page.keyboard.press("Space")
    await_rows(ada, "wwmee..")
    expect(ada.page.get_by_role("radio", name="East")).to_be_checked()


@pytest.mark.thorough
def test_another_look_keeps_what_was_drawn(ada: Person) -> None:
    """The page comes back with the board that is on it, not with the one it was loaded with."""
    go(ada, board=SEA)
    drag(ada, "2c", "2d")
    await_rows(ada, ".ww....")
    ada.page.locator("#theme").click()
    ada.page.locator("html[data-theme]").wait_for()

    await_rows(ada, ".ww....")


@pytest.mark.thorough
def test_skipping_to_the_content_is_no_step(ada: Person) -> None:
    """Nothing is asked for, and the strokes before can still be undone."""
    go(ada, board=SEA)
    drag(ada, "2c", "2d")
    await_rows(ada, ".ww....")
    asked: list[str] = []
    ada.page.on("request", lambda request: asked.append(urlsplit(request.url).path))
    ada.page.locator(".skip").focus()
    ada.page.keyboard.press("Enter")
    ada.page.wait_for_url("**#main")
    drag(ada, "2e", "2f")
    await_rows(ada, ".wwww..")

    assert asked.count("/workshop") == 1
    assert ada.page.evaluate("history.state.step") == 2


@pytest.mark.thorough
def test_undo_waits_for_the_connection(ada: Person) -> None:
    """The page says that it is lost, and follows as soon as it is back; then drawing goes on."""
    go(ada, board=SEA)
    drag(ada, "2c", "2d")
    await_rows(ada, ".ww....")
    lost = ada.page.locator("#lost")
    ada.context.set_offline(True)
    ada.page.locator("#undo").click()
    expect(lost).to_be_visible()
    ada.context.set_offline(False)
    await_rows(ada, SEA)
    expect(lost).to_be_hidden()
    drag(ada, "2e", "2f")

    await_rows(ada, "...ww..")
    forgive(ada)


@pytest.mark.thorough
def test_a_stroke_that_did_not_get_through_is_said_to_be_lost(ada: Person) -> None:
    """Once the connection is back, the same stroke is enough."""
    go(ada, board=SEA)
    lost = ada.page.locator("#lost")
    ada.context.set_offline(True)
    drag(ada, "2c", "2d")
    expect(lost).to_be_visible()
    expect(ada.page.locator("#sheet .wet")).to_have_count(0)
    ada.context.set_offline(False)
    drag(ada, "2c", "2d")

    await_rows(ada, ".ww....")
    expect(lost).to_be_hidden()
    forgive(ada)


@pytest.mark.thorough
def test_a_stroke_that_is_refused_says_why(ada: Person) -> None:
    """A visitor who draws too fast is told so, and can continue a little later."""
    page = "<!doctype html><html><main><h1>That was too much at once.</h1></main></html>"
    go(ada, board=SEA)
    ada.page.route("**/workshop?*", lambda route: route.fulfill(status=429, body=page))
    drag(ada, "2c", "2d")
    refused = ada.page.locator("#refused")
    expect(refused).to_have_text("That was too much at once.")
    ada.faults.clear()  # the browser says so too
    ada.page.unroute("**/workshop?*")
    drag(ada, "2c", "2d")

    await_rows(ada, ".ww....")
    expect(refused).to_be_hidden()


@pytest.mark.thorough
def test_grid_and_coast_change_without_a_new_page(ada: Person) -> None:
    """The buttons beside the board do as strokes do, and what is opened stays open."""
    go(ada, board="www/www")
    ada.page.evaluate("window.same = true")
    ada.page.get_by_label("One column more").click()
    await_rows(ada, "www./www.")
    ada.page.get_by_role("button", name="Coast all around").click()
    expect(ada.page.locator(".findings")).not_to_contain_text("There is no coast")
    ada.page.get_by_text("Open another board").click()
    ada.page.get_by_label("Its letters").fill("a castle")
    ada.page.get_by_role("button", name="Open it").click()
    expect(ada.page.locator("#refusal")).to_contain_text("“a castle” is no board.")
    ada.faults.clear()  # the browser says so too
    assert rows(ada) == "www./www."
    ada.page.get_by_label("Its letters").fill("wme+a2-b1")
    ada.page.get_by_role("button", name="Open it").click()
    await_rows(ada, "wme")
    ada.page.get_by_label("A file").set_input_files(
        {"name": "board.toml", "mimeType": "text/plain", "buffer": b'fields = "wwmmee"'}
    )
    await_rows(ada, "wwmmee")
    assert ada.page.evaluate("window.same")


@pytest.mark.thorough
def test_a_phone_in_italian(meet: Meet) -> None:
    """A finger draws; nothing scrolls sideways; nothing is English."""
    person = meet(**PHONE, locale="it-IT", reduced_motion="reduce")
    go(person, board=SEA, brush="e")
    person.page.touchscreen.tap(*middle(person, "2d"))
    await_rows(person, "..e....")
    swipe(person, "2e", "2f", "2g")
    await_rows(person, "..eeee.")
    expect(person.page.locator("#verdict h1")).to_have_text("Si può giocare")
    expect(person.page.locator(".findings")).to_contain_text("la carta gilda «Case a ovest»")
    assert person.page.evaluate("document.scrollingElement.scrollWidth") == 360
    person.photograph("workshop-phone-it", whole=True)


@pytest.mark.thorough
def test_without_a_script_every_triangle_is_a_button(meet: Meet) -> None:
    """The browser's way back takes a stroke back."""
    person = meet(java_script_enabled=False)
    go(person, board=SEA, brush="m")
    person.page.get_by_role("button", name="2d: water", exact=True).click()
    assert rows(person) == "......./..m..../......."
    person.page.get_by_role("button", name="2d: Middle", exact=True).wait_for()
    person.page.go_back()
    assert rows(person) == SEA


@pytest.mark.thorough
@pytest.mark.kernels
def test_a_study_comes_to_the_page(ada: Person) -> None:
    """One click, and the figures stand there; another stroke, and they are gone."""
    go(ada, board="wwwme/wwmme+a2-b1")
    ada.page.get_by_role("button", name="Play them now").click()
    expect(ada.page.locator("#trial")).to_contain_text("Turns until the end", timeout=600_000)
    ada.photograph("workshop-studied", whole=True)
    ada.page.mouse.click(*middle(ada, "2f"))
    await_rows(ada, "wwwme/wwmmw")
    expect(ada.page.locator("#found")).to_be_empty()


@pytest.mark.thorough
def test_a_study_is_asked_for_again(ada: Person) -> None:
    """An answer that is lost on its way is not the end of it; another stroke, and it is gone."""
    answers = iter((True, False))

    def lose(route: Route) -> None:
        if next(answers):
            route.abort()
        else:
            route.fulfill(body="<p>Turns until the end</p>")

    go(ada, board="wwwme/wwmme+a2-b1")
    ada.page.route("**/workshop/study?*", lose)
    ada.page.get_by_role("button", name="Play them now").click()
    expect(ada.page.locator("#lost")).to_be_visible()
    expect(ada.page.locator("#found")).to_contain_text("Turns until the end")
    expect(ada.page.locator("#lost")).to_be_hidden()
    ada.page.mouse.click(*middle(ada, "2f"))
    await_rows(ada, "wwwme/wwmmw")
    expect(ada.page.locator("#found")).to_be_empty()
    forgive(ada)


@pytest.mark.thorough
def test_the_largest_board_on_a_phone(meet: Meet) -> None:
    """It is scrolled within its frame, and each triangle is as large as a finger."""
    person = meet(**PHONE, reduced_motion="reduce")
    go(person, board="/".join(["w" * 8 + "m" * 8 + "e" * 8] * 24))
    cell(person, "24y").scroll_into_view_if_needed()
    small = person.page.evaluate(SMALL)

    assert not small, "\n".join(small)
    assert person.page.evaluate("document.scrollingElement.scrollWidth") == 360
