"""Where things are on a page, asked in one step.

Playwright finds an element in one step and asks it in another. If the table is drawn anew in
between, the element is no longer on the page: it has no box, and no style.
"""

import time
from collections.abc import Callable
from typing import Final, NamedTuple

from playwright.sync_api import Page
from tests.support.people import TIMEOUT

BOXES: Final = """async (of) => {
  // Two frames, after which a window has told of its new size. They pass even where a test has
  // stopped the clock of the page, which requestAnimationFrame would wait for.
  for (const _ of [1, 2]) await new Promise((done) => {
    const frame = new IntersectionObserver(() => (frame.disconnect(), done()));
    frame.observe(document.documentElement);
  });
  return [...document.querySelectorAll(of)].filter((each) => each.checkVisibility()).map((each) => {
    const { x, y, right, bottom } = each.getBoundingClientRect();
    return [x, y, right, bottom];
  });
}"""

STYLES: Final = """([of, name, part]) => [...document.querySelectorAll(of)]
  .map((each) => getComputedStyle(each, part)[name])"""


class Box(NamedTuple):
    """Where an element is."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def width(self) -> float:
        """How wide it is."""
        return self.right - self.left

    @property
    def height(self) -> float:
        """How high it is."""
        return self.bottom - self.top

    @property
    def middle(self) -> tuple[float, float]:
        """Where one would press it."""
        return (self.left + self.right) / 2, (self.top + self.bottom) / 2

    def meets(self, other: "Box") -> bool:
        """Whether the two overlap, by more than a pixel."""
        return (
            self.left < other.right - 1
            and other.left < self.right - 1
            and self.top < other.bottom - 1
            and other.top < self.bottom - 1
        )


def boxes(page: Page, of: str) -> list[Box]:
    """Where the elements are that match a selector of CSS and can be seen."""
    return [Box(*each) for each in page.evaluate(BOXES, of)]


def box(page: Page, of: str) -> Box:
    """Where the first such element is, as soon as there is one."""
    found: list[Box] = []

    def look() -> bool:
        found[:] = boxes(page, of)
        return bool(found)

    until(page, look, f"there is no {of}")
    return found[0]


def styles(page: Page, of: str, name: str, part: str | None = None) -> list[str]:
    """How all elements look that match: a property each, of them or of a part such as ::before."""
    return [str(each) for each in page.evaluate(STYLES, [of, name, part])]


def until(page: Page, holds: Callable[[], bool], otherwise: str = "it never came") -> None:
    """Wait until something holds, on the page or in what it has sent."""
    end = time.monotonic() + TIMEOUT / 1000
    while not holds():
        assert time.monotonic() < end, otherwise
        page.wait_for_timeout(20)
