"""Profiles of a browser, which one test after the other uses.

Half of what a short test costs is a new profile with a new process for its pages. A profile that is
given back has no cookies and no pages any more, except an empty one that keeps its process alive.

In Chromium a page can be told whether somebody wants it dark, without motion, or without scripts.
Firefox takes that from its own preferences, so that each such wish has a Firefox of its own.
"""

import asyncio
import json
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from types import MappingProxyType
from typing import Any, Final

from playwright.sync_api import Browser, BrowserContext, Page, Playwright
from tests.support.people import BROWSER, TIMEOUT, launch

MEDIA: Final = ("color_scheme", "reduced_motion", "forced_colors")
"""Preferences that a page of Chromium can satisfy, so that they need no separate profile."""

WISHES: Final = (*MEDIA, "java_script_enabled")
"""Preferences of a whole Firefox."""

CLOCK_IS_SET: Final = "'__pwClock' in globalThis"
"""Whether Playwright has put a clock of its own into a profile."""

CLOSING: Final = 5_000
"""Milliseconds after which pages that should close are taken not to."""

MOST: Final = 6
"""How many unused profiles are kept; each of them is a process."""


class Profiles:
    """The profiles of one kind of browser."""

    def __init__(self, playwright: Playwright, loop: asyncio.AbstractEventLoop) -> None:
        """None yet; `loop` is Playwright's."""
        self.loop = loop
        self._playwright = playwright
        self._browsers: dict[str, Browser] = {}
        self._settings: dict[BrowserContext, str] = {}
        self._unused: list[BrowserContext] = []

    def browser(self, preferences: Mapping[str, Any] = MappingProxyType({})) -> Browser:
        """A browser of somebody with these preferences."""
        wishes = {name: preferences[name] for name in WISHES if name in preferences}
        wanted = json.dumps(wishes, sort_keys=True) if BROWSER == "firefox" else ""
        if wanted not in self._browsers:
            self._browsers[wanted] = launch(self._playwright, BROWSER, wishes)
        return self._browsers[wanted]

    def close(self) -> None:
        """Close all browsers."""
        for browser in self._browsers.values():
            browser.close()

    def take(self, preferences: Mapping[str, Any]) -> BrowserContext:
        """A profile with these settings that nobody else uses."""
        usual = {"service_workers": "block"}
        settings = usual | {name: each for name, each in preferences.items() if name not in MEDIA}
        browser = self.browser(preferences)
        wanted = json.dumps([id(browser), settings], sort_keys=True)
        for context in self._unused:
            if self._settings[context] == wanted:
                self._unused.remove(context)
                return context
        context = browser.new_context(**settings)
        self._settings[context] = wanted
        context.new_page()
        return context

    @staticmethod
    def show(page: Page, preferences: Mapping[str, Any]) -> None:
        """Let a page have those of the preferences that need no profile."""
        page.emulate_media(**{name: preferences[name] for name in MEDIA if name in preferences})

    @contextmanager
    def patience(self, milliseconds: float = TIMEOUT) -> Generator[None, None, None]:
        """Fail if this takes longer: Playwright waits without a limit until a page is closed."""
        others = asyncio.all_tasks(self.loop)

        def give_up() -> None:
            for task in asyncio.all_tasks(self.loop) - others:
                task.cancel()

        end = self.loop.call_later(milliseconds / 1000, give_up)
        try:
            yield
        except asyncio.CancelledError as cut_short:  # it says which call did not end
            raise TimeoutError(f"no answer from the browser in {milliseconds} ms") from cut_short
        finally:
            end.cancel()

    def give_back(self, context: BrowserContext) -> None:
        """Remove what its user has left, and keep it for the next one.

        A clock that was set for one page stays set for all that come later, so such a profile is
        not used again. Neither is one with a page that stays: Chromium can forget to close a page
        that is just being loaded (crbug.com/536385539), but it always closes a profile.
        """
        with self.patience():
            self._tidy(context)

    def _tidy(self, context: BrowserContext) -> None:
        if context.pages[0].evaluate(CLOCK_IS_SET) or not self._closes(context.pages[1:]):
            del self._settings[context]
            context.close()
            return
        context.set_offline(False)
        context.clear_cookies()
        self._unused.append(context)
        if len(self._unused) > MOST:
            oldest = self._unused.pop(0)
            del self._settings[oldest]
            oldest.close()

    def _closes(self, pages: Sequence[Page]) -> bool:
        try:
            with self.patience(CLOSING):
                for page in pages:
                    page.close()
        except TimeoutError:
            return False
        return True
