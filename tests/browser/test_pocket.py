"""The pocket edition from a plain web server, below a path, and what can go wrong."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, expect
from tests.support.people import DESK, GOES_ON, TIMEOUT
from tests.support.pocket_people import PlainServer, PocketPerson, opened

pytestmark = [pytest.mark.browser, pytest.mark.process, pytest.mark.kernels]


@pytest.fixture(name="plain")
def plain_server(tmp_path: Path) -> Iterator[PlainServer]:
    running = PlainServer(tmp_path)
    yield running
    running.stop()


@pytest.fixture(name="profile")
def profile_with_workers(browser: Browser) -> Iterator[BrowserContext]:
    context = browser.new_context(locale="en-GB", reduced_motion="reduce", **DESK)
    context.set_default_timeout(2 * TIMEOUT)
    context.add_init_script(GOES_ON)
    yield context
    context.close()


def test_the_home_page_can_be_read_before_any_script(browser: Browser, plain: PlainServer) -> None:
    """It is static: games, and what needs a server; below any path."""
    context = browser.new_context(java_script_enabled=False, **DESK)
    page = context.new_page()
    missing: list[str] = []
    page.on("response", lambda answer: missing.append(answer.url) if answer.status >= 400 else None)
    for name, words in (
        ("", "What needs a server"),
        ("index.de.html", "Was einen Server braucht"),
        ("index.it.html", "Che cosa richiede un server"),
    ):
        page.goto(plain.address + name)
        expect(page.get_by_role("heading", name=words)).to_be_visible()
        expect(page.locator("article.game svg").nth(2)).to_be_attached()
    context.close()

    assert missing == []


@pytest.mark.thorough  # but for the upgrade, `test_pocket_games` does the same in one game
def test_nothing_is_lost(profile: BrowserContext, plain: PlainServer) -> None:
    """A closed tab, a second tab, a worker that breaks down, and an upgrade, in one game."""
    shell = opened(profile, plain.address)
    shell.locator("article.game", has_text="Burgbaumeister").locator(".split > button").click()
    person = PocketPerson(shell)
    shell.frame_locator("iframe").locator("main[data-asked]").wait_for(state="attached")
    place = shell.url
    told = []

    def play_a_move() -> None:
        person.await_turn()
        person.press(person.words()[0])
        told.append(person.number)

    play_a_move()

    # A second tab: it says so, takes over, and shows all that was seen.
    second = profile.new_page()
    second.goto(place)
    expect(second.locator("#pocket-title")).to_have_text("Mauerwerk is open in another tab.")
    second.get_by_role("button", name="Play here instead").click()
    expect(shell.locator("#pocket-title")).to_have_text("You play in another tab now.")
    person.shell = second
    second.frame_locator("iframe").locator("main[data-number]").wait_for(state="attached")
    assert person.number >= told[-1]
    play_a_move()

    # The worker breaks down: another one goes on from what is on disk.
    person.break_down()
    play_a_move()

    # The tabs are closed, and a newer version was put on the server.
    second.close()
    plain.upgrade()
    shell.goto("about:blank")
    shell.goto(place)
    person.shell = shell
    shell.wait_for_function("globalThis.pocket?.isReady()")
    shell.frame_locator("iframe").locator("main[data-number]").wait_for(state="attached")
    assert person.number >= told[-1]
    shell.wait_for_function("navigator.serviceWorker.getRegistration().then((it) => it.waiting)")
    shell.reload()
    shell.wait_for_function(
        "document.getElementById('known').textContent.includes('newer') && pocket.isReady()"
    )
    shell.frame_locator("iframe").locator("main[data-number]").wait_for(state="attached")
    assert person.number >= told[-1]
    play_a_move()


@pytest.mark.thorough
def test_games_are_taken_along(
    browser: Browser, profile: BrowserContext, plain: PlainServer, tmp_path: Path
) -> None:
    """Saved as a file in one browser and opened in another; a wrong file changes nothing."""
    shell = opened(profile, plain.address)
    shell.locator("article.game", has_text="Burgbaumeister").locator(".split > button").click()
    first = PocketPerson(shell)
    shell.frame_locator("iframe").locator("main[data-number]").wait_for(state="attached")
    table = shell.url.partition("#")[2]
    first.page_at("/data/games")
    with shell.expect_download() as download:
        first.page.get_by_role("link", name="Save the file").click()
    saved, wrong = tmp_path / "mauerwerk.db", tmp_path / "wrong.db"
    download.value.save_as(saved)
    wrong.write_text("no games")

    elsewhere = browser.new_context(locale="en-GB", reduced_motion="reduce", **DESK)
    elsewhere.set_default_timeout(2 * TIMEOUT)
    there = PocketPerson(opened(elsewhere, plain.address))
    there.page_at("/data/games")
    there.page.get_by_label("File").set_input_files(wrong)
    expect(there.page.locator("#not-brought")).to_be_visible()
    there.page.get_by_label("File").set_input_files(saved)
    expect(there.page.locator("#brought-said")).to_have_text("Games brought here: 1")
    expect(there.page.locator("#not-brought")).to_be_hidden()
    there.page.get_by_role("link", name="Show them").click()
    expect(there.shell.frame_locator("iframe").locator(f'a[href$="{table}"]')).to_be_visible()
    elsewhere.close()
