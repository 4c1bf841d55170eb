"""Watching in browsers: everybody sees who comes, and late spectators see the game later."""

import pytest
from playwright.sync_api import expect
from tests.browser.conftest import Meet
from tests.browser.test_every_page import SMALL, violations
from tests.support.people import PHONE

pytestmark = [pytest.mark.browser, pytest.mark.thorough]


def test_players_and_spectators_see_who_watches(meet: Meet) -> None:
    """As people come and go; on a phone the bar still fits, and axe finds nothing."""
    ada, mia, emil = meet("Ada"), meet("Mia", watches=True), meet("Emil", watches=True, **PHONE)
    ada.sit_down("mauer", "mbb")
    for each in (mia, emil):
        each.visit(ada.table)
    expect(ada.page.locator("#watching")).to_contain_text("2: Emil and Mia")
    expect(mia.page.locator("#watching")).to_contain_text("2: you and Emil")
    assert emil.page.evaluate("document.documentElement.scrollWidth") == 360
    assert emil.page.evaluate(SMALL) == []
    assert violations(emil) == []
    emil.go()
    expect(ada.page.locator("#watching")).to_contain_text("1: Mia")


def test_a_late_spectator_sees_each_move_later(meet: Meet) -> None:
    """The page follows the players two moves behind, and at the end it has caught up."""
    ada, mia = meet("Ada"), meet("Mia", watches=True)
    ada.sit_down("mauer", "mmm", spectator_delay=2, options={"rounds": "1", "stall": "1"})
    mia.visit(ada.table)
    first = mia.number
    for seat in (0, 1):
        number = ada.table_view(seat)["number"]
        ada.ask(f"/api/tables/{ada.table}/moves", move="-", seat=seat, version=number)
    assert mia.number == first
    number = ada.table_view(2)["number"]
    ada.ask(f"/api/tables/{ada.table}/moves", move="-", seat=2, version=number)
    expect(mia.page.locator("main.ended")).to_be_visible()
