"""Preparing a move in a game over days: from the menu of the table, by two choices."""

from playwright.sync_api import expect
from tests.browser.conftest import Meet


def test_a_move_is_prepared_for_what_they_may_do(meet: Meet) -> None:
    """The page says what is prepared, and it can be withdrawn."""
    ada, ben = meet("Ada"), meet("Ben")
    opened = ada.ask(
        "/api/tables",
        game="burgbaumeister",
        chairs=[{"kind": "human"}, {"kind": "human"}],
        options={"first": "0"},
        mine=[0],
        seconds_per_move=86_400,
        hints=False,
    )
    ben.accept(next(each["link"] for each in opened["seats"] if each["seat"] == 1))
    ada.visit(opened["table"])
    ada.await_turn()
    ada.press("a1")
    page = ben.page
    page.get_by_label("Menu", exact=True).click()
    page.get_by_role("link", name="Prepare a move").click()
    expect(page.get_by_role("heading", name="If they only do this, I play that")).to_be_visible()
    ben.photograph("conditions")
    page.locator(".plainlines a").first.click()
    page.get_by_label("I play").select_option("c3")
    page.get_by_role("button", name="Prepare this move").click()
    expect(page.get_by_role("heading", name="Prepared")).to_be_visible()
    ben.photograph("condition-prepared")
    page.get_by_role("button", name="Withdraw").click()
    expect(page.get_by_role("heading", name="Prepared")).to_have_count(0)
