"""Firefox: a game, and pages without a network, wherever it is installed.

`make thorough` plays all three, and runs all tests of this folder in it, by `BROWSER=firefox`.
"""

import random
from asyncio import AbstractEventLoop
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Playwright, expect
from tests.browser.conftest import set_running_loop
from tests.browser.places import only
from tests.browser.test_phone import FOLLOW_OLDER, PRELOADS, READY, until
from tests.browser.test_whole_games import CHAIRS, SHORT
from tests.support.amounts import amount
from tests.support.people import DESK, Person, launch, no_firefox
from tests.support.server_process import Server

MOST = amount(4, 4, 999)
"""How many moves are made: whole games in `make thorough`."""


@pytest.fixture(scope="module")
def started(driver: tuple[Playwright, AbstractEventLoop]) -> Iterator[Browser]:
    """Firefox; its loop is put aside."""
    if why := no_firefox():
        pytest.skip(why)
    playwright, loop = driver
    set_running_loop(loop)
    browser = launch(playwright, "firefox")
    set_running_loop(None)
    yield browser
    set_running_loop(loop)
    browser.close()
    set_running_loop(None)


@pytest.fixture
def ada(
    started: Browser, driver: tuple[Playwright, AbstractEventLoop], server: Server
) -> Iterator[Person]:
    """Somebody with Firefox. In the end nothing went wrong."""
    set_running_loop(driver[1])
    context = started.new_context(locale="en-GB", **DESK)
    person = Person(context, server.address, "Ada")
    yield person
    context.close()
    set_running_loop(None)
    assert person.faults == []


@pytest.mark.parametrize("game", only("mauerbauer"))
def test_a_game_in_firefox(ada: Person, game: str) -> None:
    """It can be played by clicks."""
    chance = random.Random(game)
    ada.sit_down(game, CHAIRS[game], options={"first": "0", **SHORT.get(game, {})})
    ada.await_turn()
    moves = 0
    while not ada.over and moves < MOST:
        ada.play(chance.choice)
        ada.await_turn()
        moves += 1

    assert moves > 2


def test_a_page_that_was_read_is_there_without_a_network(ada: Person, server: Server) -> None:
    """Firefox once showed an error of its own instead; the server is away, as a network can be."""
    ada.go("/rules/mauer")
    assert ada.page.evaluate(READY)
    ada.go("/rules/mauer")
    until(ada.page, "caches.match(location.pathname).then(Boolean)", wanted=True)
    ada.page.evaluate(FOLLOW_OLDER)
    until(ada.page, PRELOADS, wanted=False)
    server.stop()
    try:
        ada.go("/rules/mauer")
        expect(ada.page.locator("h1")).to_contain_text("Die Mauer")
        ada.go("/t/nothing")
        expect(ada.page.locator("h1")).to_have_text("No network")
    finally:
        server.start()
    ada.faults.clear()  # the browser says that it could not ask for this and that
