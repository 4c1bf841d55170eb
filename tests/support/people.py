"""People in front of a browser: what they see, press and type; and what goes wrong meanwhile."""

import os
import re
import shutil
from collections.abc import Callable, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final
from urllib.parse import urlsplit

from playwright.sync_api import (
    APIResponse,
    Browser,
    BrowserContext,
    ConsoleMessage,
    Error,
    Locator,
    Page,
    Playwright,
    Request,
)
from tests.support.amounts import amount, tier

from mauerwerk.server.ui.preferences import COOKIE as PREFERENCES_COOKIE

HOME: Final = Path(__file__).parents[2]
SCREENSHOTS: Final = HOME / "build" / "screenshots"

DESK: Final[Mapping[str, Any]] = {"viewport": {"width": 1280, "height": 800}}
"""How somebody at a desk comes."""

MOTION: Final[Any] = amount("reduce", "reduce", "no-preference")
"""Whether pages move, unless a test is about it: what glows takes a third of the CPU time."""

PHONE: Final[Mapping[str, Any]] = {
    "viewport": {"width": 360, "height": 740},
    "is_mobile": True,
    "has_touch": True,
}
"""How somebody with a small phone comes."""

TIMEOUT: Final = 60_000
"""Milliseconds to wait for anything; a busy machine is no fault of the page."""

GLANCE: Final = 4_000
"""Milliseconds after which what another player's move may have taken away is looked for anew."""

PHOTOGRAPHS: Final = tier() == "thorough" or bool(os.environ.get("PHOTOGRAPHS"))
"""Whether pages are photographed: in `make thorough`, and wherever PHOTOGRAPHS is set."""

QUICK: Final[Mapping[str, Mapping[str, str]]] = {
    "mauer": {"rounds": "1"},
    "burgbaumeister": {},
    "mauerbauer": {"board": "wwwme/wwmme+a2-b1"},
}
"""Options with which a game does not take long."""

CHOICES: Final = """() => [
        ...document.querySelectorAll("#live [data-word], #move button[name=word]")
    ].filter(each => {
        const { width, height } = each.getBoundingClientRect();
        const seen = width && height && getComputedStyle(each).visibility === "visible";
        return seen || each.closest("#live .tokens");
    })
    .map(each => each.dataset.word ?? each.value)"""
"""What can be chosen: targets on the board and in the tray, chips beside a place that is pressed
first, and buttons beside the board. All is read at once, since the page may change at any time."""


def chromium() -> str:
    """Where the Chromium of this machine is."""
    names = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "chrome")
    found = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, names)), None)
    assert found, "there is no Chromium: `make test` installs it, or set CHROMIUM to one"
    return found


BROWSER: Final = os.environ.get("BROWSER", "chromium")
"""The browser that the tests drive: `make thorough` runs them in Firefox too."""

FIREFOX: Final[Mapping[str, str | float | bool]] = {
    "ui.useOverlayScrollbars": 1,  # a window is as wide as its page
    "ui.primaryPointerCapabilities": 6,  # without a screen it would have no mouse
    "ui.allPointerCapabilities": 6,
}
"""Preferences of Firefox."""


BASELINE: Final[Sequence[str]] = () if tier() == "thorough" else ("--js-flags=--liftoff-only",)
"""Python's interpreter is a large module of WebAssembly, and optimising it takes a sixth of the CPU
time of a game in the pocket edition."""


def firefox() -> str | None:
    """Where the Firefox of this machine is."""
    return os.environ.get("FIREFOX") or shutil.which("firefox-esr") or shutil.which("firefox")


def no_firefox() -> str:
    """Why Firefox cannot be driven here; nothing, if it can."""
    if firefox() is None:
        return "there is no Firefox"
    installed = version("playwright")
    known = tuple(map(int, installed.split(".")[:2])) <= (1, 62)
    return "" if known else f"Playwright {installed} does not drive Firefox ESR; 1.62 does"


def launch(
    playwright: Playwright, browser: str = BROWSER, wishes: Mapping[str, Any] = MappingProxyType({})
) -> Browser:
    """A browser of this machine; Chromium finds no other host than this one.

    Playwright cannot tell a page of Firefox what its reader prefers, so that all of its pages have
    the same preferences.
    """
    if browser == "firefox":
        preferred: Mapping[str, str | float | bool] = {
            "layout.css.prefers-color-scheme.content-override": (
                0 if wishes.get("color_scheme") == "dark" else 1
            ),
            "ui.prefersReducedMotion": int(wishes.get("reduced_motion", MOTION) == "reduce"),
            "browser.display.document_color_use": 2 if "forced_colors" in wishes else 1,
            "javascript.enabled": wishes.get("java_script_enabled", True),
        }
        return playwright.firefox.launch(
            channel="moz-firefox",
            executable_path=firefox(),
            firefox_user_prefs={**FIREFOX, **preferred},
            timeout=3 * TIMEOUT,
        )
    return playwright.chromium.launch(
        executable_path=chromium(),
        args=[
            "--no-sandbox",
            "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
            *BASELINE,
        ],
        timeout=3 * TIMEOUT,
    )


ONCE: Final = {"connection": "close"}
"""Playwright would use a connection again that the server is just closing, and fail."""

GOES_ON: Final = """
new MutationObserver(() => {
  const button = document.querySelector(".moment #go-on");
  if (!button) return;
  button.click();
  if (button.isConnected) button.click();
}).observe(document, { childList: true, subtree: true });
"""
"""Ends every moment: the first press ends its motion, the second goes on."""


class Person:
    """Somebody with a browser of their own."""

    def __init__(
        self, context: BrowserContext, address: str, name: str, *, watches: bool = False
    ) -> None:
        """Open a window; with a name, as a guest who was here before.

        Somebody who does not watch goes on at once where others look at a moment of the game,
        and makes forced moves, too: nothing happens by itself.
        """
        context.set_default_timeout(TIMEOUT)
        self.context = context
        self.address = address
        self.table = ""
        self.links: dict[int, str] = {}
        """Personal links to seats, by seat."""

        self.faults: list[str] = []
        """What the browser complained of, and whom else the page asked for something."""

        self.page: Page = context.new_page()
        if not watches:
            self.page.add_init_script(GOES_ON)
            self.wish("manual")
        self.page.on("request", self._note)
        self.page.on("console", self._hear)
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        if name:
            self.ask("/api/guests", name=name)

    def _hear(self, said: ConsoleMessage) -> None:
        # A request that a newer one has overtaken is given up, which htmx calls an error; so does
        # the browser a press that came after somebody else's move, which is answered by 409.
        if said.type == "error" and not (
            said.text.startswith(("htmx:afterR", "htmx:sendAbort")) or "status of 409 " in said.text
        ):
            self.faults.append(said.text)

    def _note(self, request: Request) -> None:
        if urlsplit(request.url).netloc != urlsplit(self.address).netloc:
            self.faults.append(f"asked elsewhere: {request.url}")

    def wish(self, switch: str) -> None:
        """Have this wish and no other, as if it had been switched in the menu."""
        value = f"..{switch}"
        self.context.add_cookies(
            [{"name": PREFERENCES_COOKIE, "value": value, "url": self.address}]
        )

    def ask(self, path: str, **body: Any) -> Any:  # noqa: ANN401 - whatever the API says
        """Ask the API, as a page of the server would."""
        said = self.send(path, **body)
        assert said.ok, said.text()
        return said.json()

    def send(self, path: str, **body: Any) -> APIResponse:  # noqa: ANN401 - as `ask`
        """The same, whatever the answer is."""
        headers = {"origin": self.address, "sec-fetch-site": "same-origin", **ONCE}
        return self.context.request.post(self.address + path, data=body, headers=headers)

    def table_view(self, seat: int = 0) -> dict[str, Any]:
        """The table as the API shows it to this person."""
        path = f"/api/tables/{self.table}?seat={seat}"
        said = self.context.request.get(self.address + path, headers=ONCE)
        assert said.ok, said.text()
        table_view: dict[str, Any] = said.json()
        return table_view

    def go(self, path: str = "/") -> None:
        """Open a page."""
        self.page.goto(self.address + path)

    def switch(self, name: str, value: str = "1") -> None:
        """Change a setting, by the menu and the page of settings, and come back."""
        here = self.page.url
        self.page.locator("#menu > summary").click()
        self.page.locator('.ways a[href*="/settings"]').click()
        answer = self.page.locator(f'.answers button[name={name}][value="{value}"]')
        answer.click()
        self.page.locator(f'button[name={name}][value="{value}"][aria-pressed=true]').wait_for()
        self.page.goto(here)

    def sit_down(
        self,
        game: str,
        chairs: str = "mbb",
        *,
        options: Mapping[str, str] | None = None,
        **more: Any,  # noqa: ANN401 - any field of the order
    ) -> None:
        """Set up a table and look at it: `m`y seat, for `h`umans, `o`pen, `b`ots without pause."""
        kinds = {
            "m": {"kind": "human"},
            "h": {"kind": "human"},
            "o": {"kind": "open"},
            "b": {"kind": "bot", "level": "journeyman"},
        }
        opened = self.ask(
            "/api/tables",
            game=game,
            chairs=[kinds[each] for each in chairs],
            mine=[seat for seat, each in enumerate(chairs) if each == "m"],
            options={**QUICK[game], **(options or {})},
            **{"bot_delay_ms": 0, **more},
        )
        self.links = {each["seat"]: each["link"] for each in opened["seats"]}
        self.visit(opened["table"])

    def visit(self, table: str) -> None:
        """Look at a table."""
        self.table = table
        self.go(f"/t/{table}")

    def accept(self, link: str) -> None:
        """Follow an invitation, and sit down."""
        self.page.goto(link)
        self.page.get_by_role("button", name="Take a seat").click()
        self.page.locator(".welcome").wait_for(state="detached")

    # --- Seeing ------------------------------------------------------------------------------

    @property
    def main(self) -> Locator:
        """The table."""
        return self.page.locator("main[data-number]")

    @property
    def number(self) -> int:
        """How many things this person was told, as the page has it."""
        return int(self.main.get_attribute("data-number") or -1)

    @property
    def prompt(self) -> str:
        """What is asked."""
        return self.page.locator("#prompt h1").inner_text()

    @property
    def over(self) -> bool:
        """Whether the page shows the result."""
        return self.page.locator("table.ranks").count() > 0

    def words(self) -> list[str]:
        """What the page offers, as words."""
        found: Sequence[str] = self.page.evaluate(CHOICES)
        return list(found)

    def told(self) -> list[str]:
        """The story of the game, newest first."""
        return self.page.locator("#story li").all_inner_texts()

    def await_turn(self, after: int = -1) -> None:
        """Wait until there is more to see than so much, and something to choose, or the result."""
        if after >= 0:
            self.page.locator(f'main:not([data-number="{after}"])').wait_for(state="attached")
        self.page.locator("main[data-asked], table.ranks").first.wait_for(state="attached")

    # --- Doing -------------------------------------------------------------------------------

    def choice(self, word: str) -> Locator:
        """What stands for a word on the page."""
        said = word.replace("\\", "\\\\").replace('"', '\\"')
        return self.page.locator(
            f'#live [data-word="{said}"]:visible, #live .tokens [data-word="{said}"], '
            f'#move button[name=word][value="{said}"]:visible'
        ).first

    def reach(self, word: str, patience: float = TIMEOUT) -> Locator:
        """What stands for a word, once the place is pressed beside which it is offered."""
        choice = self.choice(word)
        if not choice.is_visible():
            plate = choice.locator("xpath=..").get_attribute("id", timeout=patience)
            self.page.locator(f'[data-opens="{plate}"]').click(timeout=patience)
        return choice

    def press(self, word: str) -> None:
        """Click on what stands for a word, and wait until the table has changed."""
        before = self.number
        self.reach(word).click()
        self._await_answer(before)

    def _await_answer(self, before: int) -> None:
        """Wait for the answer to a click, too: another seat's choice may change the table first."""
        answered = f'body:not(:has(.htmx-request)) main:not([data-number="{before}"])'
        self.page.locator(answered).wait_for(state="attached")

    def play(self, pick: Callable[[Sequence[str]], str]) -> None:
        """Make a move, if the page offers one.

        Where people choose together, what others do may end the choice between a look at the page
        and the click. Then there is nothing to wait for: the page offers something else.
        """
        before, words = self.number, self.words()
        if not words:
            return self.page.wait_for_timeout(100)
        word = pick(words)
        for _ in range(TIMEOUT // GLANCE):
            try:
                self.reach(word, GLANCE).click(timeout=GLANCE)
            except Error:
                if self.number != before:
                    return None
            else:
                return self._await_answer(before)
        raise AssertionError(f"{word} is offered, and cannot be pressed")

    def stand_still(self) -> None:
        """Stop the page's clock, which was installed: from now on only `run_for` moves it on."""
        for leap in (1, 10, 60):
            try:  # it counts in seconds, and the page in milliseconds
                return self.page.clock.pause_at(self.page.evaluate("Date.now()") / 1_000 + leap)
            except Error as error:  # a busy machine took longer than that between the two
                if "to the past" not in str(error):
                    raise
        raise AssertionError("the clock cannot be stopped")

    def settle(self) -> None:
        """Wait until nothing is under way: an answer and the stream draw the same table twice."""
        under_way = ".htmx-request, .htmx-swapping, .htmx-settling"
        self.page.locator(f"html:not(:has({under_way}))").wait_for(state="attached")

    def rest(self) -> None:
        """Wait until the dock answers again, which does not for a moment after it has changed."""
        self.page.locator("html:not(.resting)").wait_for(state="attached")

    def press_other(self, name: str) -> None:
        """Press what a narrow page has behind its three dots: `Take back`, `Give me a hint`."""
        self.rest()
        if (dots := self.page.locator("#more")).is_visible():
            dots.click()
            self.page.wait_for_timeout(450)
        self.page.locator("#others").get_by_role("button", name=name).click()

    def tab(self, to: str, most: int = 60) -> None:
        """Press the tab key until something that matches has the focus."""
        for _ in range(most):
            self.page.keyboard.press("Tab")
            if self.page.evaluate("to => document.activeElement?.matches(to) ?? false", to):
                return
        raise AssertionError(f"{most} times the tab key, and no {to}")

    def photograph(self, name: str, *, whole: bool = False) -> None:
        """Keep a picture of the page for people to look at, where photographs are taken."""
        if not PHOTOGRAPHS:
            return
        SCREENSHOTS.mkdir(parents=True, exist_ok=True)
        path = SCREENSHOTS / f"{re.sub('[^a-z0-9-]', '-', name.lower())}.png"
        # Playwright stops motion and hides the caret by a style, which Firefox's policy refuses.
        still: dict[str, Any] = {"animations": "disabled"}
        if BROWSER == "firefox":
            still = {"caret": "initial"}
        self.page.screenshot(path=path, full_page=whole, **still)
