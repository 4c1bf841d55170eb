"""A server and a browser for all tests of a worker, and people who use them."""

import asyncio
import os
from asyncio import AbstractEventLoop, get_running_loop
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Playwright, expect, sync_playwright
from tests.browser.left_out import reason
from tests.browser.profiles import Profiles
from tests.support.people import BROWSER, DESK, MOTION, TIMEOUT, Person, no_firefox
from tests.support.server_process import Server

pytestmark = pytest.mark.browser
collect_ignore = ["webkit_window.py"]  # Debian's own Python runs it


def set_running_loop(loop: AbstractEventLoop | None) -> None:
    """Let this loop be the running one of this thread."""
    asyncio._set_running_loop(loop)  # noqa: SLF001 # pyright: ignore[reportPrivateUsage] - for event loops


def pytest_itemcollected(item: pytest.Item) -> None:
    """Try a test again that fails, and leave out what Firefox cannot do, where tests run in it.

    A page, a browser and a server that bots play at are never quite the same twice. A test that
    fails once and then passes is listed at the end of the run: it is a fault, but nobody has to
    stop their work for it.
    """
    item.add_marker(pytest.mark.flaky(reruns=1))
    if BROWSER == "firefox" and (why := reason(item.nodeid) or no_firefox()):
        item.add_marker(pytest.mark.skip(why))


@pytest.fixture(scope="session")
def chance(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file from which all chance at the server follows."""
    file = tmp_path_factory.mktemp("chance") / "name"
    file.write_text("")
    return file


@pytest.fixture(scope="session")
def running_server(tmp_path_factory: pytest.TempPathFactory, chance: Path) -> Iterator[Server]:
    """A server without limits."""
    running = Server(tmp_path_factory.mktemp("tables"), chance)
    yield running
    running.stop()


@pytest.fixture
def server(running_server: Server, chance: Path, request: pytest.FixtureRequest) -> Server:
    """The server; the games of a test go the same way in each run."""
    chance.write_text(f"{request.node.nodeid} {os.environ.get('CHANCE', '')}")
    return running_server


@pytest.fixture(scope="session")
def driver() -> Iterator[tuple[Playwright, AbstractEventLoop]]:
    """Playwright, and its event loop, which is put aside between tests."""
    expect.set_options(timeout=TIMEOUT)
    with sync_playwright() as playwright:
        loop = get_running_loop()
        set_running_loop(None)
        yield playwright, loop
        set_running_loop(loop)


@pytest.fixture(scope="session")
def profiles(driver: tuple[Playwright, AbstractEventLoop]) -> Iterator[Profiles]:
    """A browser and its profiles."""
    playwright, loop = driver
    profiles = Profiles(playwright, loop)
    yield profiles
    set_running_loop(loop)
    profiles.close()
    set_running_loop(None)


@pytest.fixture
def browser(profiles: Profiles) -> Iterator[Browser]:
    """The browser, with its event loop running.

    Playwright keeps a loop running in this thread as long as a browser is open. Between tests it is
    not the running loop, so that other tests of this worker can start one of their own.
    """
    set_running_loop(profiles.loop)
    yield profiles.browser()
    set_running_loop(None)


Meet = Callable[..., Person]


@pytest.fixture
def meet(server: Server, browser: Browser, profiles: Profiles) -> Iterator[Meet]:  # noqa: ARG001 - the loop runs
    """How somebody new comes: `meet("Ada", locale="de")`. In the end nothing went wrong."""
    people: list[Person] = []

    def come(name: str = "Ada", *, watches: bool = False, **options: Any) -> Person:  # noqa: ANN401 - as the browser has them
        context = profiles.take({"locale": "en-GB", **DESK, **options})
        people.append(Person(context, server.address, name, watches=watches))
        profiles.show(people[-1].page, {"reduced_motion": MOTION, **options})
        return people[-1]

    yield come
    faults = [fault for person in people for fault in person.faults]
    for person in people:
        profiles.give_back(person.context)
    assert faults == []


@pytest.fixture
def ada(meet: Meet) -> Person:
    """Somebody at a desk who reads English."""
    return meet()
