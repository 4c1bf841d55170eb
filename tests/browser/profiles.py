"""Profiles of a browser, which one test after the other uses.

Half of what a short test costs is a new profile with a new process for its pages. A profile that is
given back has no cookies and no pages any more, except an empty one that keeps its process alive.
"""

import asyncio
import json
from collections.abc import Mapping
from typing import Any, Final

from playwright.sync_api import Browser, BrowserContext, Page

MEDIA: Final = ("color_scheme", "reduced_motion")
"""Preferences that a page can satisfy, so that they need no separate profile."""

CLOCK_IS_SET: Final = "'__pwClock' in globalThis"
"""Whether Playwright has put a clock of its own into a profile."""

MOST: Final = 6
"""How many unused profiles are kept; each of them is a process."""


class Profiles:
    """The profiles of one browser."""

    def __init__(self, browser: Browser, loop: asyncio.AbstractEventLoop) -> None:
        """None yet; `loop` is Playwright's."""
        self.browser = browser
        self.loop = loop
        self._settings: dict[BrowserContext, str] = {}
        self._unused: list[BrowserContext] = []

    def take(self, preferences: Mapping[str, Any]) -> BrowserContext:
        """A profile with these settings that nobody else uses."""
        usual = {"service_workers": "block"}
        settings = usual | {name: each for name, each in preferences.items() if name not in MEDIA}
        wanted = json.dumps(settings, sort_keys=True)
        for context in self._unused:
            if self._settings[context] == wanted:
                self._unused.remove(context)
                return context
        context = self.browser.new_context(**settings)
        self._settings[context] = wanted
        context.new_page()
        return context

    @staticmethod
    def show(page: Page, preferences: Mapping[str, Any]) -> None:
        """Let a page have those of the preferences that need no profile."""
        page.emulate_media(**{name: preferences[name] for name in MEDIA if name in preferences})

    def give_back(self, context: BrowserContext) -> None:
        """Remove what its user has left, and keep it for the next one.

        A clock that was set for one page stays set for all that come later, so such a profile is
        not used again.
        """
        if context.pages[0].evaluate(CLOCK_IS_SET):
            del self._settings[context]
            context.close()
            return
        for page in context.pages[1:]:
            page.close()
        context.set_offline(False)
        context.clear_cookies()
        self._unused.append(context)
        if len(self._unused) > MOST:
            oldest = self._unused.pop(0)
            del self._settings[oldest]
            oldest.close()
