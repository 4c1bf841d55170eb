"""A server for all tests of a worker, a browser for each module, and people who use it."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, sync_playwright
from tests.browser.people import Person, launch
from tests.browser.serving import Server

pytestmark = pytest.mark.browser


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server without limits."""
    running = Server(tmp_path_factory.mktemp("tables"))
    yield running
    running.stop()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A browser. Of a module, since an event loop runs in this thread as long as it is open."""
    with sync_playwright() as playwright:
        browser = launch(playwright)
        yield browser
        browser.close()


Meet = Callable[..., Person]


@pytest.fixture
def meet(server: Server, browser: Browser) -> Iterator[Meet]:
    """How somebody new comes: `meet("Ada", locale="de")`. In the end nothing went wrong."""
    people: list[Person] = []

    def come(name: str = "Ada", **wishes: Any) -> Person:  # noqa: ANN401 - as the browser has them
        wishes = {"locale": "en-GB", "viewport": {"width": 1280, "height": 800}, **wishes}
        people.append(Person(browser.new_context(**wishes), server.address, name))
        return people[-1]

    yield come
    faults = [fault for person in people for fault in person.faults]
    for person in people:
        person.context.close()
    assert faults == []


@pytest.fixture
def ada(meet: Meet) -> Person:
    """Somebody at a desk who reads English."""
    return meet()
