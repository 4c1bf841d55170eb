"""What all tests of pages rely on: whatever a page does, what comes after it goes on."""

import pytest
from playwright.sync_api import Browser, Error
from tests.browser.profiles import Profiles
from tests.support.amounts import amount
from tests.support.people import Person
from tests.support.server_process import Server

RELOAD = "() => (location.reload(), new Promise(() => {}))"


def test_a_page_that_is_just_being_loaded_is_closed(
    server: Server,
    browser: Browser,  # noqa: ARG001 - the loop runs
    profiles: Profiles,
) -> None:
    """A test that ends with a press on a button does not hold up those that follow."""
    for _ in range(amount(3, 3, 30)):
        context = profiles.take({})
        page = context.new_page()
        page.goto(f"{server.address}/offline")
        with pytest.raises(Error):
            page.evaluate(RELOAD)
        profiles.give_back(context)
        assert page.is_closed()


def test_patience_has_an_end(ada: Person, profiles: Profiles) -> None:
    """A page that does not answer fails its test, and can still be asked other things."""
    with pytest.raises(TimeoutError, match="no answer"), profiles.patience(50):
        ada.page.evaluate("new Promise(() => {})")

    assert ada.page.evaluate("1 + 1") == 2
