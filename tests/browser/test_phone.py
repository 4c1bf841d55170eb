"""The app on the phone: it can be installed, works without a network, and is never out of date."""

import json
import random
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect
from tests.browser.conftest import Meet
from tests.browser.profiles import Profiles
from tests.support.people import BROWSER, PHONE, Person
from tests.support.server_process import Server
from tests.support.web_server import UNLIMITED, serving

from mauerwerk.core.language import Language
from mauerwerk.games.mauerbauer.board import board_of
from mauerwerk.server.features.offline import feature
from mauerwerk.server.ui import page as ui_page
from mauerwerk.server.ui.preferences import Preferences
from mauerwerk.server.ui.render import render

READY = "navigator.serviceWorker.ready.then(() => true)"
KEEP = """() => new Promise(async (done) => {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = (event) => done(event.data);
  (await navigator.serviceWorker.ready).active.postMessage("keep", [port2]);
})"""
STORES = "caches.keys()"
PRELOADS = """navigator.serviceWorker.ready
  .then((it) => it.navigationPreload.getState()).then((state) => state.enabled)"""
FOLLOW_OLDER = """async () => {
  const it = await navigator.serviceWorker.ready;
  await it.navigationPreload.enable();
  await navigator.serviceWorker.register("/worker.js?next");
}"""
"""An older worker switched preloading on; another one follows it."""


def until(page: Page, said: str, wanted: object) -> None:
    """Wait until what the page works out is this."""
    for _ in range(600):
        if page.evaluate(said) == wanted:
            return
        page.wait_for_timeout(100)
    raise AssertionError(f"{said} is {page.evaluate(said)}")


@contextmanager
def no_network(person: Person, server: Server) -> Generator[None, None, None]:
    """Cut somebody off. Playwright cannot do so in Firefox; there the server goes away instead."""
    if BROWSER == "firefox":
        server.stop()
    else:
        person.context.set_offline(True)
    try:
        yield
    finally:
        if BROWSER == "firefox":
            server.start()
        else:
            person.context.set_offline(False)
    person.faults.clear()  # the browser says that it could not ask for this and that


def come(meet: Meet) -> Person:
    """Somebody with a phone, on which the worker may work."""
    person = meet("Ada", **PHONE, service_workers="allow")
    person.go("/rules/mauer")
    assert person.page.evaluate(READY)
    return person


def test_a_page_that_was_read_is_there_without_a_network(meet: Meet, server: Server) -> None:
    """Another one says what works meanwhile. Neither says who read it: they may be gone by then."""
    ada = come(meet)
    ada.go("/rules/mauer")
    expect(ada.page.locator("nav .me")).to_contain_text("Ada")
    until(ada.page, "caches.match(location.pathname).then(Boolean)", wanted=True)
    with no_network(ada, server):
        ada.go("/rules/mauer")
        expect(ada.page.locator("h1")).to_contain_text("Die Mauer")
        expect(ada.page.locator("nav .me")).to_have_count(0)
        expect(ada.page.locator("header.bar")).not_to_contain_text("Ada")
        ada.go("/t/nothing")
        expect(ada.page.locator("h1")).to_have_text("No network")


OFFLINE = """async () => {
  const known = await (await caches.match("/offline"))?.text();
  return /<html[^>]*>/.exec(known)?.[0] ?? "";
}"""


def test_no_worker_preloads_pages(meet: Meet) -> None:
    """Firefox then shows an error without a network. It is off, also where an older worker was."""
    ada = come(meet)
    assert not ada.page.evaluate(PRELOADS)
    ada.page.evaluate(FOLLOW_OLDER)
    until(ada.page, PRELOADS, wanted=False)


def test_pages_without_a_network_follow_the_reader(meet: Meet, server: Server) -> None:
    """They have the language and the theme that were chosen after they were kept."""
    ada = come(meet)
    ada.go("/rules/mauer")
    until(ada.page, "caches.match(location.pathname).then(Boolean)", wanted=True)
    ada.page.locator("#theme").click()
    until(ada.page, f"({OFFLINE})()", '<html lang="en" data-theme="dark">')
    ada.page.locator("#menu > summary").click()
    ada.page.get_by_role("button", name="Deutsch").click()
    until(ada.page, f"({OFFLINE})()", '<html lang="de" data-theme="dark">')
    with no_network(ada, server):
        ada.go("/t/nothing")
        expect(ada.page.locator("h1")).to_have_text("Kein Netz")
        expect(ada.page.locator("html")).to_have_attribute("data-theme", "dark")


@pytest.mark.thorough
def test_a_lesson_without_a_network(meet: Meet, server: Server) -> None:
    """An installed app keeps all of it: moves that are right and wrong are answered."""
    ada = come(meet)
    assert ada.page.evaluate(KEEP) == "kept"
    with no_network(ada, server):
        ada.go("/learn/mauer/1")
        ada.page.get_by_role("button", name="Go on").click()
        expect(ada.page.locator("main")).to_have_attribute("data-path", "/learn/mauer/2")
        words: dict[str, Any] = json.loads(
            ada.page.evaluate(
                "fetch('/learn/mauer/words.json').catch(() => null).then(() => "
                "caches.match('/learn/mauer/words.json')).then((it) => it.text())"
            )
        )
        wrong = next(each for each in words["2"]["answers"] if each != "*")
        ada.choice(wrong).click()
        expect(ada.page.locator("#answer")).not_to_be_empty()
        ada.page.evaluate("word => choose(word)", words["2"]["word"])
        expect(ada.page.locator("main")).to_have_attribute("data-path", "/learn/mauer/3")
        for path, title in (("/rules/mauerbauer", "Mauerbauer"), ("/real/mauer", "Score sheet")):
            ada.go(path)
            expect(ada.page.locator("h1").first).to_contain_text(title)


def rendered_before(
    template: str,
    language: Language,
    preferences: Preferences,
    **more: Any,  # noqa: ANN401 - as `render`
) -> str:
    """A page as the version before rendered it."""
    return render(template, language, preferences, **more).replace("<h1>", "<h1>Old ")


@pytest.mark.thorough
def test_a_new_version_takes_over(
    browser: Browser, profiles: Profiles, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first page after an upgrade is new, and so is what is kept without a network."""
    del browser
    context = profiles.take({**PHONE, "service_workers": "allow"})
    page = context.new_page()
    with monkeypatch.context() as old:
        old.setattr(feature, "version", lambda: "before")
        old.setattr(ui_page, "render", rendered_before)
        with serving(tmp_path / "data", UNLIMITED) as running:
            address = running.address
            page.goto(f"{address}/rules")
            assert page.evaluate(KEEP) == "kept"
            assert page.evaluate(STORES) == ["mauerwerk-before"]
            expect(page.locator("h1")).to_contain_text("Old")
            context.set_offline(True)
            page.goto(f"{address}/real/mauer")
            expect(page.locator("h1")).to_contain_text("Old")
            context.set_offline(False)
    with serving(tmp_path / "data", UNLIMITED, int(address.rpartition(":")[2])):
        page.goto(f"{address}/rules")
        expect(page.locator("h1")).not_to_contain_text("Old")
        until(page, STORES, [f"mauerwerk-{feature.version()}"])
        context.set_offline(True)
        page.goto(f"{address}/real/mauer")
        expect(page.locator("h1")).to_have_text("Score sheet")
        context.set_offline(False)
    profiles.give_back(context)


SHOWS = """async (said) => {
  const shown = [];
  registration.showNotification = async (title, options) => {
    shown.push([title, options.body, options.tag, options.actions.map((each) => each.title)]);
  };
  registration.getNotifications = async () => [];
  const badges = [];
  Object.defineProperty(navigator, "setAppBadge", { value: async (count) => badges.push(count) });
  await show(said);
  shown.push(badges);
  return shown;
}"""
"""Headless browsers have neither notifications nor badges: the worker tells what it would show."""


@pytest.mark.thorough
def test_a_push_is_shown(meet: Meet) -> None:
    """By the worker, in the words that the server encrypted."""
    ada = meet("Ada", service_workers="allow")
    ada.go("/rules")
    assert ada.page.evaluate(READY)
    until(ada.page, "navigator.serviceWorker.controller?.state", "activated")
    said = {
        "title": "Your turn in Die Mauer",
        "body": "With Bob.",
        "tag": "t1",
        "path": "/t/t1",
        "count": 1,
        "play": "Play",
        "later": "Later today",
    }
    shown = ada.context.service_workers[-1].evaluate(SHOWS, said)
    assert shown == [["Your turn in Die Mauer", "With Bob.", "t1", ["Play", "Later today"]], [1]]


SHEET = """() => [
  ...document.querySelectorAll("#sheet tr, #left .holds, #left .chips a"),
].map((each) => [
  each.id, each.className, each.innerText, each.getAttribute("aria-current"),
  ...[...each.querySelectorAll("input")].map((field) => [field.name, field.value, field.ariaLabel]),
  ...[...each.querySelectorAll("a")].map((link) => [link.id, link.dataset.word, link.ariaCurrent]),
])"""
"""All that a sheet says."""


TAPS = (
    *("0:T", "0:6", "0:T", "1:2", "at:2", "2:T", "2:", "3:4", "3:4"),
    *("more", "less", "more", "at:5", "1:T"),
)


@pytest.mark.thorough
def test_the_score_sheet_without_a_network(meet: Meet) -> None:
    """It says what the server says of the same address, whatever is tapped and written (DM-28)."""
    ada = come(meet)
    ada.go("/real/mauer")
    until(ada.page, "caches.match(location.pathname).then(Boolean)", wanted=True)
    ada.context.set_offline(True)
    for word in TAPS:
        before = ada.page.url
        ada.page.evaluate("word => choose(word)", word)
        expect(ada.page).not_to_have_url(before)
    ada.page.locator("input[name=points-3-0]").fill("17")
    ada.page.get_by_role("button", name="Add up").click()
    ada.page.locator("#who summary").click()
    for seat, name in enumerate(("Ada", "Bo & Co", "", "", "Dan")):
        ada.page.locator(f"input[name=name-{seat}]").fill(name)
    ada.page.get_by_role("button", name="Write the names").click()
    expect(ada.page.locator("#row-4")).to_contain_text("Dan")
    alone = ada.page.evaluate(SHEET)
    where = ada.page.url

    ada.context.set_offline(False)
    ada.page.goto(where)
    expect(ada.page.locator("#row-4")).to_contain_text("Dan")
    assert ada.page.evaluate(SHEET) == alone
    assert ada.page.url == where
    ada.faults.clear()


HELPER = """() => [
  [...document.querySelectorAll(".worths .cards li")].map((each) =>
    [each.id, each.className, each.querySelector(".num").textContent]),
  [...document.querySelectorAll("#cities a")].map((each) => [each.id, each.ariaCurrent]),
  [...document.querySelectorAll("#of-players li, #got li")].map((each) => each.innerText),
  [...document.querySelectorAll("[id^=wall-], [id^=tower-][class]")].map((each) => each.id).sort(),
  [...document.querySelectorAll("[hidden]")].map((each) => each.id).filter(Boolean).sort(),
]"""
"""All that the helper counts."""


@pytest.mark.thorough
def test_the_scoring_helper_without_a_network(meet: Meet) -> None:
    """It counts as the server does, whatever is tapped (MB-31, MB-34, MB-50 to MB-64)."""
    ada = come(meet)
    ada.go("/real/mauerbauer")
    until(ada.page, "caches.match('/real/mauerbauer/plan.json').then(Boolean)", wanted=True)
    until(ada.page, "caches.match('/real/mauerbauer').then(Boolean)", wanted=True)
    board = board_of("default")
    chance = random.Random(11)
    around = [line for field in board.fields[:9] for line in board.around[field]]
    words = [
        *dict.fromkeys(around),  # cities of one field each, and walls inside them go
        *chance.sample(board.lines, 12),
        *(f"{chance.choice('WGB')}{point}" for point in chance.sample(board.points, 20)),
        *(f"{chance.choice('ygbprYGBPR')}{field}" for field in chance.choices(board.fields, k=25)),
        *(f"{chance.choice('yr')}{field}" for field in chance.choices(board.fields[:9], k=20)),
    ]
    chance.shuffle(words)
    ada.context.set_offline(True)
    for number, word in enumerate(["use:house-r", *words, "use:away", "use:tower-W"]):
        before = ada.page.url
        ada.page.evaluate("word => choose(word)", word)
        expect(ada.page).not_to_have_url(before)
        if number % 20 == 19:
            compare(ada)
    for seat, name in ((0, "Ada"), (2, "Bo & Co")):
        ada.page.locator(f"input[name=name-{seat}]").fill(name)
    ada.page.get_by_role("button", name="Keep the score").click()
    expect(ada.page.locator("#player-1")).to_contain_text("Bo & Co")
    for card in ("land-walls", "cities", "city-1"):
        ada.page.locator(f'[id="worth-{card}"] a').click()
        expect(ada.page.locator("#got li").first).not_to_be_empty()
    compare(ada)
    ada.photograph("scoring helper without a network")
    ada.context.set_offline(False)
    ada.faults.clear()


def compare(person: Person) -> None:
    """What the page has worked out is what the server says of its address."""
    alone, where = person.page.evaluate(HELPER), person.page.url
    person.context.set_offline(False)
    person.page.goto(where)
    until(person.page, "document.readyState", "complete")
    assert person.page.evaluate(HELPER) == alone
    person.faults.clear()
    person.context.set_offline(True)
    person.page.goto(where)
    until(person.page, f"({HELPER})()", alone)
