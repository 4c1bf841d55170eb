"""WebKit, the engine of Safari: a walk through the pages, in a bare window of WebKitGTK.

Debian: webkit2gtk-driver gir1.2-webkit2-4.1 python3-gi xvfb. Where they are missing, all of this is
skipped.
"""

import json
import os
import random
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final, NoReturn

import pytest
from tests.support.people import CHOICES, GOES_ON, QUICK, SCREENSHOTS, TIMEOUT
from tests.support.server_process import Server

from mauerwerk.server.ui.preferences import COOKIE as PREFERENCES_COOKIE

pytestmark = [
    pytest.mark.thorough,
    pytest.mark.process,
    # Selenium warns of its own code.
    pytest.mark.filterwarnings("ignore:setting remote_server_addr:DeprecationWarning"),
]

webdriver = pytest.importorskip("selenium.webdriver", reason="WebKit is driven by selenium")

WINDOW: Final = Path(__file__).with_name("webkit_window.py")
SYSTEM: Final = "/usr/bin/python3"
"""Debian's own interpreter, which has the bindings of GTK."""

BINDINGS: Final = "import gi; gi.require_version('WebKit2', '4.1')"
KEYS: Final = {"Enter": "\ue007", "Escape": "\ue00c", "Tab": "\ue004", "Right": "\ue014"}

AT: Final = """
const all = [...document.querySelectorAll(arguments[0])].filter((each) => each.checkVisibility());
const found = all[arguments[1]];
if (!found) return null;
found.scrollIntoView({ block: "center", behavior: "instant" });
const box = found.getBoundingClientRect();
const middle = [box.x + box.width / 2, box.y + box.height / 2];
return found.contains(document.elementFromPoint(...middle)) ? middle : null;
"""
"""The middle of what can be seen, if a press there would reach it."""

SEEN: Final = (
    "return [...document.querySelectorAll(arguments[0])].some((each) => each.checkVisibility())"
)
BUSY: Final = ".htmx-request, .htmx-swapping, .htmx-settling, html.resting"
"""While a request is under way, and for a moment after the dock has changed."""


def missing() -> str:
    """What this machine lacks; nothing, if WebKit can be driven."""
    for program in ("WebKitWebDriver", "Xvfb"):
        if shutil.which(program) is None:
            return f"there is no {program}"
    command = [SYSTEM, "-c", BINDINGS]
    bindings = subprocess.run(command, check=False, capture_output=True)  # noqa: S603 - Python
    return "Debian's Python has no WebKitGTK" if bindings.returncode else ""


class Window:
    """A window of WebKit on a screen that nobody sees."""

    def __init__(self, address: str, folder: Path, size: str) -> None:
        """Open it."""
        from selenium.webdriver.webkitgtk.options import Options  # noqa: PLC0415 - optional
        from selenium.webdriver.webkitgtk.service import Service  # noqa: PLC0415 - likewise

        self.address = address
        self._faults = folder / "faults.log"
        program = folder / "window.sh"
        program.write_text(
            f"#!/bin/sh\nexec {SYSTEM} -u {WINDOW} '{size}' >> {self._faults} 2> /dev/null\n"
        )
        program.chmod(0o755)
        self._faults.touch()
        options = Options()
        options.binary_location = str(program)
        options.set_capability("browserName", "window")
        service = Service("/usr/bin/WebKitWebDriver", log_output=str(folder / "driver.log"))
        self.driver: Any = webdriver.WebKitGTK(options=options, service=service)
        self.driver.set_script_timeout(TIMEOUT / 1000)

    def faults(self) -> list[str]:
        """What went wrong on its pages, apart from requests that were given up for newer ones."""
        told = self._faults.read_text(encoding="utf-8").splitlines()
        return [line for line in told if ": htmx:afterR" not in line and ": htmx:sendA" not in line]

    def go(self, path: str) -> None:
        """Open a page."""
        self.driver.get(self.address + path)

    def js(self, code: str, *given: object) -> Any:  # noqa: ANN401 - as the page says it
        """What this code returns."""
        return self.driver.execute_script(code, *given)

    def until(self, code: str) -> Any:  # noqa: ANN401 - likewise
        """Wait until this is true of the page."""
        end = time.monotonic() + TIMEOUT / 1000
        while not (found := self.js(f"return {code}")):
            if time.monotonic() > end:
                self.fail(f"never true: {code}")
            time.sleep(0.1)
        return found

    def fail(self, why: str) -> NoReturn:
        """Keep a picture of it, and fail."""
        self.photograph("failed")
        pytest.fail(why)

    def press(self, css: str, number: int = 0) -> None:
        """Click into the middle of what matches and can be seen, once it stands still there."""
        from selenium.webdriver.common.actions.action_builder import ActionBuilder  # noqa: PLC0415 - optional

        end, before = time.monotonic() + TIMEOUT / 1000, None
        while (place := self.js(AT, css, number)) is None or place != before:
            if time.monotonic() > end:
                self.fail(f"{css} cannot be pressed")
            before = place
            time.sleep(0.05)
        builder: Any = ActionBuilder(self.driver, duration=0)
        builder.pointer_action.move_to_location(*map(int, place))
        builder.pointer_action.pointer_down()
        builder.pointer_action.pointer_up()
        builder.perform()

    def key(self, name: str) -> None:
        """Press a key."""
        from selenium.webdriver.common.action_chains import ActionChains  # noqa: PLC0415

        ActionChains(self.driver).send_keys(KEYS.get(name, name)).perform()

    def ask(self, path: str, **body: object) -> Any:  # noqa: ANN401 - whatever the API says
        """Ask the API, as the page would."""
        status, text = self.driver.execute_async_script(
            """const done = arguments[2];
            fetch(arguments[0], { method: "POST", headers: { "content-type": "application/json" },
              body: JSON.stringify(arguments[1]) })
              .then(async (said) => done([said.status, await said.text()]))""",
            path,
            body,
        )
        assert status in (200, 201), text
        return json.loads(text)

    def photograph(self, name: str) -> None:
        """Keep a picture."""
        SCREENSHOTS.mkdir(parents=True, exist_ok=True)
        self.driver.save_screenshot(str(SCREENSHOTS / f"webkit-{name}.png"))


Open = Callable[[str], Window]


@pytest.fixture
def window(server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Open]:
    """How a window of some size is opened. In the end nothing went wrong on its pages."""
    if why := missing():
        pytest.skip(why)
    read, write = os.pipe()
    screen = subprocess.Popen(  # noqa: S603 - a screen
        [
            shutil.which("Xvfb") or "",
            "-displayfd",
            str(write),
            "-screen",
            "0",
            "1600x1000x24",
            "-nolisten",
            "tcp",
        ],
        pass_fds=[write],
        stderr=subprocess.DEVNULL,
    )
    os.close(write)
    with os.fdopen(read) as told:
        monkeypatch.setenv("DISPLAY", f":{told.readline().strip()}")
    opened: list[Window] = []

    def open_window(size: str) -> Window:
        opened.append(Window(server.address, tmp_path, size))
        return opened[-1]

    yield open_window
    faults = [fault for each in opened for fault in each.faults()]
    for each in opened:
        each.driver.quit()
    screen.terminate()
    screen.wait()
    assert faults == []


def play(window: Window, game: str, moves: int) -> None:
    """Sit down at a table and make some moves by clicks."""
    chance = random.Random(game)
    chairs = [{"kind": "human"}, *[{"kind": "bot", "level": "journeyman"}] * 2]
    order = {"game": game, "chairs": chairs, "mine": [0], "options": QUICK[game]}
    table = window.ask("/api/tables", **order, bot_delay_ms=0)["table"]
    window.driver.add_cookie({"name": PREFERENCES_COOKIE, "value": "..manual"})
    window.go(f"/t/{table}")
    window.js(GOES_ON)
    for _ in range(moves):
        window.until("document.querySelector('main[data-asked], table.ranks')")
        window.until(f"!document.querySelector('{BUSY}')")
        if window.js("return !!document.querySelector('table.ranks')"):
            return
        before = window.js("return document.querySelector('main').dataset.number")
        words = window.js(f"return ({CHOICES})()")
        assert words
        word = chance.choice(words)
        choice = f'#live [data-word="{word}"], #move button[name=word][value="{word}"]'
        if not window.js(SEEN, choice):  # a chip beside a place that is pressed first
            plate = window.js(
                f"return document.querySelector('#live .tokens [data-word=\"{word}\"]')"
                ".closest('.tokens').id"
            )
            window.press(f'[data-opens="{plate}"]')
        window.press(choice)
        window.until(
            f"document.querySelector('main').dataset.number !== '{before}'"
            " || document.querySelector('table.ranks')"
        )


@pytest.mark.parametrize("size", ["1366x768", "390x780", "1366x768 --dark"])
def test_the_pages_work_in_webkit(window: Open, size: str) -> None:
    """At a desk and on a phone: home, menu, theme, a game of each, rules, lesson, my page."""
    name = size.replace(" --", "-")
    safari = window(size)
    safari.go("/")
    assert safari.js("return document.querySelectorAll('.games .game').length") >= 3
    safari.photograph(f"home-{name}")
    safari.press("#menu > summary")
    assert safari.js("return document.querySelector('#menu').open")
    safari.key("Escape")
    assert not safari.js("return document.querySelector('#menu').open")
    theme = safari.js("return matchMedia('(prefers-color-scheme: dark)').matches")
    safari.press("#theme")
    safari.until(f"document.documentElement.dataset.theme === '{'light' if theme else 'dark'}'")
    safari.press("#theme")
    safari.until(f"document.documentElement.dataset.theme === '{'dark' if theme else 'light'}'")
    safari.ask("/api/guests", name="Ada")
    for game in QUICK:
        play(safari, game, 6)
        safari.photograph(f"{game}-{name}")
    safari.go("/rules/mauer")
    assert "Mauer" in safari.js("return document.querySelector('h1').textContent")
    safari.go("/learn/mauer/1")
    safari.press("form.move button, .acts .btn")
    safari.until("document.querySelector('main').dataset.path === '/learn/mauer/2'")
    safari.go("/me")
    safari.until("document.querySelector('h1')")
    safari.photograph(f"me-{name}")


def test_arrows_pass_over_what_is_hidden_in_webkit(window: Open) -> None:
    """There, a drawing that is not shown has a rectangle; no arrow may lead to it."""
    safari = window("1366x768")
    safari.go("/")
    hidden = """
      document.body.insertAdjacentHTML("beforeend", '<div hidden><svg>'
        + '<g data-word="x"><path d="M0 0h9v9z"/></g></svg></div>');
      return targets(document).some((each) => each.dataset.word === "x");
    """
    assert not safari.js(hidden)
    assert "linear" in safari.js(
        "return getComputedStyle(document.querySelector('.course')).backgroundImage"
    )
