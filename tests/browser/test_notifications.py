"""A page in the background notifies its reader: in the tab, on the icon, and by a notification."""

import asyncio
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect
from tests.browser.conftest import Meet
from tests.browser.profiles import Profiles
from tests.support.people import DESK, ONCE, Person
from tests.support.push_service import PushService
from tests.support.web_server import serving

from mauerwerk.server.features.notifications.delivery import Push
from mauerwerk.server.features.notifications.service import Notifications
from mauerwerk.server.http.settings import Limits, Settings

HIDES = """
let hidden = false;
Object.defineProperty(document, "hidden", { get: () => hidden });
globalThis.hide = (yes) => {
  hidden = yes;
  document.dispatchEvent(new Event("visibilitychange"));
};
globalThis.shown = [];
globalThis.Notification = class {
  static permission = "granted";
  constructor(title, options) { shown.push([title, options.body, options.tag]); }
};
"""
"""A page that can be put into the background, and keeps what it would show."""


def two_at_a_table(meet: Meet) -> tuple[Person, Person]:
    """Ada, who is notified, and Bob; both choose a piece, and so do Bob's other seats."""
    ada, bob = meet("Ada"), meet("Bob")
    ada.page.add_init_script(HIDES)
    ada.wish("notifications.manual")
    ada.sit_down("mauer", "moo")
    for _ in range(2):
        bob.ask(f"/api/tables/{ada.table}/sit")
    ada.await_turn()
    return ada, bob


def choose(person: Person, table: str, *seats: int) -> None:
    """Choose nothing, over the API, at these seats."""
    person.table = table
    for seat in seats:
        number = person.table_view(seat)["number"]
        person.ask(f"/api/tables/{table}/moves", move="-", version=number, seat=seat)


def test_a_tab_in_the_background_notifies(meet: Meet) -> None:
    """A dot in the title and on the icon, and one notification, until the reader looks."""
    ada, bob = two_at_a_table(meet)
    expect(ada.page).to_have_title("Your turn · Die Mauer")
    choose(ada, ada.table, 0)
    expect(ada.page.locator("main[data-asked]")).to_have_count(0)
    ada.page.evaluate("hide(true)")
    choose(bob, ada.table, 1, 2)

    expect(ada.page).to_have_title("● Your turn · Die Mauer")
    icon = ada.page.locator("link[rel=icon]")
    expect(icon).to_have_attribute("href", re.compile("logo-dot"))
    ada.page.wait_for_function("() => shown.length")
    title, body, tag = ada.page.evaluate("shown[0]")
    assert (title, tag) == ("Your turn in Die Mauer", ada.table)
    assert body == "With Bob and Bob 2."

    ada.page.evaluate("hide(false)")
    expect(ada.page).to_have_title("Your turn · Die Mauer")
    expect(icon).not_to_have_attribute("href", re.compile("logo-dot"))
    ada.page.evaluate("hide(true)")
    expect(ada.page).to_have_title("Your turn · Die Mauer")


@pytest.mark.thorough
def test_four_in_the_background_are_called_once_each(meet: Meet) -> None:
    """All choose together in Die Mauer; who looks is not notified."""
    ada, *others = everybody = [meet(name) for name in ("Ada", "Bob", "Cleo", "Dan")]
    for person in everybody:
        person.page.add_init_script(HIDES)
        person.wish("notifications.manual")
    ada.sit_down("mauer", "mooo")
    for person in others:
        person.ask(f"/api/tables/{ada.table}/sit")
        person.visit(ada.table)
    for person in everybody:
        person.await_turn()
        expect(person.page).to_have_title("Your turn · Die Mauer")
    for seat, person in enumerate(everybody[:3]):
        choose(person, ada.table, seat)
        expect(person.page.locator("main[data-asked]")).to_have_count(0)
        person.page.evaluate("hide(true)")
    choose(everybody[3], ada.table, 3)

    for person in everybody[:3]:
        expect(person.page).to_have_title("● Your turn · Die Mauer")
        person.page.wait_for_function("() => shown.length")
        assert person.page.evaluate("shown.map(([title]) => title)") == ["Your turn in Die Mauer"]
    expect(everybody[3].page).to_have_title("Your turn · Die Mauer")
    assert everybody[3].page.evaluate("shown") == []


@pytest.mark.thorough
def test_a_tab_in_the_background_keeps_the_quiet_hours(meet: Meet) -> None:
    """It shows its dot and no notification; that comes once they are over."""
    ada, bob = two_at_a_table(meet)
    now = datetime.now(UTC)

    def be_quiet(hours: int) -> None:
        fields: dict[str, str | float | bool] = {
            "pace": "now",
            "from": f"{now - timedelta(hours=2):%H:%M}",
            "to": f"{now + timedelta(hours=hours):%H:%M}",
            "zone": "UTC",
            "browser": "1",
        }
        sent = ada.page.request.post(
            f"{ada.address}/me/notifications", form=fields, headers={"origin": ada.address, **ONCE}
        )
        assert sent.ok

    be_quiet(2)
    choose(ada, ada.table, 0)
    expect(ada.page.locator("main[data-asked]")).to_have_count(0)
    ada.page.evaluate("hide(true)")
    with ada.page.expect_response("**/notifications/waiting") as answer:
        choose(bob, ada.table, 1, 2)
    assert answer.value.json()["quiet"]
    expect(ada.page).to_have_title("● Your turn · Die Mauer")
    assert ada.page.evaluate("shown") == []

    be_quiet(-1)
    ada.page.evaluate("document.dispatchEvent(new Event('htmx:afterSettle'))")
    ada.page.wait_for_function("() => shown.length")


@pytest.mark.thorough
def test_another_table_calls_inside_the_page(meet: Meet) -> None:
    """While the reader plays elsewhere, a line says so; it can be closed, and leads there."""
    ada, bob = two_at_a_table(meet)
    first = ada.table
    choose(ada, first, 0)
    ada.page.clock.install()
    ada.go("/rules")
    choose(bob, first, 1, 2)
    ada.page.clock.run_for(31_000)
    notified = ada.page.locator("#notified")
    expect(notified).to_contain_text("Your turn in Die Mauer")
    ada.photograph("notified")
    notified.get_by_role("link", name="Play").click()
    expect(ada.page).to_have_url(f"{ada.address}/t/{first}")


@pytest.mark.thorough
def test_a_table_in_sight_is_not_called(
    profiles: Profiles, browser: Browser, tmp_path: Path
) -> None:
    """The page tells the server that it is looked at, and once more when it is left."""
    del browser
    settings = Settings(
        limits=Limits(requests=0),
        sections=(Push(on=True, contact="mailto:host@walls.example", private=True),),
        log=False,
    )
    with serving(tmp_path, settings) as running:
        host = running.app.state.host
        ada = Person(profiles.take({"locale": "en-GB", **DESK}), running.address, "Ada")
        ada.page.add_init_script(HIDES)
        device = PushService().device
        sent = ada.context.request.post(
            f"{ada.address}/me/notifications/device",
            form={"endpoint": device.endpoint, "key": device.key, "auth": device.auth},
            headers={"origin": ada.address, **ONCE},
        )
        assert sent.ok
        assert running.loop is not None
        asyncio.run_coroutine_threadsafe(host.service(Notifications).look(), running.loop).result(
            60
        )
        with ada.page.expect_request("**/looked"):
            ada.sit_down("mauer", "mbb")
        ada.await_turn()
        with ada.page.expect_request("**/looked"):
            ada.page.evaluate("hide(true)")
        profiles.give_back(ada.context)
        assert ada.faults == []


def test_what_is_refused_is_said_in_the_part_that_asked(ada: Person) -> None:
    """The rest of the page stays, with what was typed; a page for errors is not put into it."""
    ada.go("/me")
    part = ada.page.locator("#notifications")
    refused = "<!doctype html><html><body><h1>Too many requests at once.</h1></body></html>"
    ada.page.route(
        "**/me/notifications",
        lambda route: route.fulfill(status=429, content_type="text/html", body=refused),
    )

    part.get_by_label("Once a day").check()

    expect(part.get_by_role("alert")).to_have_text("Too many requests at once.")
    expect(part.get_by_role("heading")).to_have_text("Notify me when it is my turn")
    expect(ada.page.locator("h1")).to_have_count(1)
    ada.page.unroute("**/me/notifications")
    part.get_by_label("Never").check()
    expect(part.get_by_role("alert")).to_have_count(0)
    ada.faults.clear()  # the browser tells of the status
