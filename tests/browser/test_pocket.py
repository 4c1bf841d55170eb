"""The pocket edition from a plain web server, below a path, and what can go wrong."""

import functools
import json
import shutil
import threading
from collections.abc import Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Frame, Page, expect
from tests.support.people import DESK, GOES_ON, TIMEOUT, Person
from tests.support.pocket import built

pytestmark = [pytest.mark.browser, pytest.mark.process]


class PlainHandler(SimpleHTTPRequestHandler):
    """Serves files, without a word."""

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002, ANN401 - as the base has it
        """Say nothing."""


class PlainServer:
    """Any web server: it has the built folder at `/some/where/`, and can be replaced or cut off."""

    def __init__(self, top: Path) -> None:
        """Serve the folder as it was built."""
        self.folder = top / "some" / "where"
        self.folder.parent.mkdir(parents=True)
        self.folder.symlink_to(built())
        self._server = ThreadingHTTPServer(
            ("127.0.0.1", 0), functools.partial(PlainHandler, directory=str(top))
        )
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()
        self.address = f"http://127.0.0.1:{self._server.server_port}/some/where/"

    def upgrade(self) -> None:
        """Put another version in its place."""
        copy = self.folder.with_name("newer")
        shutil.copytree(built(), copy)
        version = json.loads((copy / "known.json").read_text())["version"]
        for path in (*copy.glob("*.html"), copy / "sw.js"):
            path.write_text(path.read_text().replace(version, "newer"))
        self.folder.unlink()
        copy.rename(self.folder)

    def stop(self) -> None:
        """Nobody answers there any more."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


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


class PocketPerson(Person):
    """Somebody who plays in the frame of the pocket edition."""

    def __init__(self, shell: Page) -> None:  # pylint: disable=super-init-not-called
        """In this window, which is open already."""
        self.shell = shell
        self.faults = []
        self.table = ""

    @property  # type: ignore[override]
    def page(self) -> Frame:  # pyright: ignore[reportIncompatibleVariableOverride]
        """The frame that shows the pages of the server."""
        frame = self.shell.frame("mauerwerk")
        assert frame is not None
        return frame

    @page.setter
    def page(self, _page: object) -> None:
        raise NotImplementedError


def opened(profile: BrowserContext, address: str) -> Page:
    """A window whose games are ready."""
    shell = profile.new_page()
    shell.goto(address)
    shell.wait_for_function("globalThis.pocket?.isReady()")
    return shell


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
    second.get_by_text("Mauerwerk is open in another tab.").wait_for()
    second.get_by_role("button", name="Play here instead").click()
    shell.get_by_text("You play in another tab now.").wait_for()
    person.shell = second
    second.frame_locator("iframe").locator("main[data-number]").wait_for(state="attached")
    assert person.number >= told[-1]
    play_a_move()

    # The worker breaks down: another one goes on from what is on disk.
    second.evaluate("pocket.worker().dispatchEvent(new ErrorEvent('error', {message: 'test'}))")
    second.wait_for_function("pocket.isReady()")
    second.frame_locator("iframe").locator("main[data-number]").wait_for(state="attached")
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
