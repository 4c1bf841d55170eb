"""Somebody who plays the pocket edition in a browser, from a plain web server."""

import functools
import json
import shutil
import threading
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from playwright.sync_api import BrowserContext, ConsoleMessage, Frame, Page
from tests.support.people import Person
from tests.support.pocket import built


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


class PocketPerson(Person):
    """Somebody who plays in the frame of the pocket edition."""

    def __init__(self, shell: Page) -> None:  # pylint: disable=super-init-not-called
        """In this window, which is open already."""
        self.shell = shell
        self.faults = []
        self.table = ""
        shell.on("console", self._hear_here)
        shell.on("pageerror", lambda error: self.faults.append(str(error)))

    def _hear_here(self, said: ConsoleMessage) -> None:
        # A stream ends with the worker that answers it, when the window is loaded again.
        if said.text != "[object Event]":
            self._hear(said)

    @property  # type: ignore[override]
    def page(self) -> Frame:  # pyright: ignore[reportIncompatibleVariableOverride]
        """The frame that shows the pages of the server."""
        frame = self.shell.frame("mauerwerk")
        assert frame is not None
        return frame

    @page.setter
    def page(self, _page: object) -> None:
        raise NotImplementedError

    def page_at(self, path: str) -> None:
        """Follow a link to a page of the server."""
        self.shell.evaluate("(path) => pocket.show(path)", path)
        self.shell.frame_locator("iframe").locator("main").wait_for()
        self.shell.wait_for_function(
            "(path) => frames.mauerwerk.location.href.endsWith(`app${path}`)", arg=path
        )

    def break_down(self) -> None:
        """The worker fails; another goes on from what is on disk, and the page is loaded anew."""
        self.page.evaluate("document.isOld = true")
        self.shell.evaluate(
            "pocket.worker().dispatchEvent(new ErrorEvent('error', {message: '!'}))"
        )
        self.shell.wait_for_function(
            """() => pocket.isReady() && !frames.mauerwerk.document.isOld
                && frames.mauerwerk.document.querySelector("html.js main[data-number]")"""
        )


def opened(profile: BrowserContext, address: str) -> Page:
    """A window whose games are ready."""
    shell = profile.new_page()
    shell.goto(address)
    shell.wait_for_function("globalThis.pocket?.isReady()")
    return shell
