"""What is pressed when nothing gets through is kept; what is pressed quickly loads no page."""

import pytest
from playwright.sync_api import expect
from tests.browser.conftest import Meet
from tests.browser.test_connection import forgive
from tests.support.people import Person


def test_a_tap_while_offline_is_sent_when_the_network_is_back(ada: Person) -> None:
    """The page says so at once, and the banner goes as soon as there is a network again."""
    ada.sit_down("burgbaumeister", options={"first": "0"})
    ada.await_turn()
    before = ada.number
    ada.context.set_offline(True)
    expect(ada.page.locator("#lost")).to_be_visible()
    ada.choice("a1").click()
    expect(ada.page.locator("#kept")).to_be_visible()
    ada.photograph("choice-kept")
    ada.context.set_offline(False)

    expect(ada.page.locator("#lost")).to_be_hidden()
    expect(ada.page.locator(f'main:not([data-number="{before}"])')).to_be_attached()
    expect(ada.page.locator('#live [data-word="a1"]')).to_have_count(0)
    forgive(ada)


@pytest.mark.thorough
def test_a_tap_that_comes_too_late_is_refused(meet: Meet) -> None:
    """Where the game has moved on meanwhile, the page says so, also after a moment."""
    ada, other = meet("Ada", watches=True), meet("Ada")
    ada.page.clock.install()
    ada.sit_down("mauer", "mmm", options={"first": "0"})
    ada.go(f"/t/{ada.table}?seat=0&opened=0")
    other.context.add_cookies([{**each} for each in ada.context.cookies()])  # type: ignore[typeddict-item]
    other.table = ada.table
    ada.await_turn()
    ada.context.set_offline(True)
    ada.choice("4").click()
    expect(ada.page.locator("#kept")).to_be_visible()
    for seat, word in enumerate("TTT"):
        number = other.table_view(seat)["number"]
        path = f"/api/tables/{other.table}/moves"
        other.ask(path, move=word, version=number, seat=seat)
    ada.context.set_offline(False)
    ada.page.locator("main.moment").wait_for()
    ada.page.locator("#go-on").click()
    ada.page.locator("#go-on").click()

    expect(ada.page.locator("#refusal")).to_be_visible()
    forgive(ada)


@pytest.mark.thorough
def test_a_form_that_is_pressed_at_once_loads_no_page(ada: Person) -> None:
    """Also where the script has not come to it yet."""
    ada.sit_down("burgbaumeister", options={"first": "0"})
    ada.await_turn()
    ada.press("a1")
    loads: list[str] = []
    ada.page.on("framenavigated", lambda frame: loads.append(frame.url))
    before = ada.number
    ada.page.evaluate("""() => {
      const form = document.getElementById("move");
      form.outerHTML = form.outerHTML;
      document.querySelector("#move button[name=word]").click();
    }""")
    expect(ada.page.locator(f'main:not([data-number="{before}"])')).to_be_attached()

    assert loads == []


@pytest.mark.thorough
def test_clicks_as_fast_as_one_can_load_no_page(ada: Person) -> None:
    """Ten in a row, wherever they land."""
    ada.sit_down("mauerbauer", options={"first": "0"})
    ada.await_turn()
    loads: list[str] = []
    ada.page.on("framenavigated", lambda frame: loads.append(frame.url))
    ada.page.evaluate("""async () => {
      for (let times = 0; times < 10; times += 1) {
        document.querySelector("#live [data-word], #move button[name=word]")
          ?.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
        await new Promise((done) => setTimeout(done, 15));
      }
    }""")
    ada.await_turn()

    assert loads == []
