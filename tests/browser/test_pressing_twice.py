"""Pressing twice makes one request."""

from typing import Final

import pytest
from playwright.sync_api import Page, Request, Route, expect
from tests.browser.conftest import Meet
from tests.browser.measured import until
from tests.support.people import Person

TWICE: Final = """button => new Promise(done => {
  button.click();
  setTimeout(() => done(button.click()), 100);
})"""
"""Press it, and once more while the answer is under way."""


def posts_of(page: Page) -> list[str]:
    """The addresses to which forms will have been sent."""
    posts: list[str] = []

    def note(request: Request) -> None:
        if request.method == "POST":
            posts.append(request.url)

    page.on("request", note)
    return posts


def test_somebody_new_who_clicks_twice_has_the_seat(meet: Meet) -> None:
    """And no second guest of theirs has it, whom nobody can be any more."""
    ada, bea = meet("Ada"), meet("")
    ada.sit_down("mauerbauer", "mh")
    bea.page.goto(ada.links[1])
    posts = posts_of(bea.page)
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    bea.page.route("**/claim", hold)
    bea.main.get_by_label("Your name").fill("Bea")
    take = bea.page.get_by_role("button", name="Take a seat")
    take.evaluate(TWICE)
    until(bea.page, lambda: bool(held), "nothing was sent")
    held[0].continue_()
    expect(bea.page.locator("main.tablepage")).to_be_visible()
    bea.table = ada.table

    assert len(posts) == 1
    assert bea.table_view(1)["seats"][1]["name"] == "Bea"


@pytest.mark.thorough
def test_a_form_can_be_sent_again_by_whoever_comes_back(ada: Person) -> None:
    """Until then the page waits for the answer, which does not come here."""
    ada.go()

    def leave_it(route: Route) -> None:
        route.fulfill(status=204)

    ada.page.route("**/preferences", leave_it)
    posts = posts_of(ada.page)
    ada.page.get_by_label("Menu", exact=True).click()
    german = ada.page.get_by_role("button", name="Deutsch")
    with ada.page.expect_request("**/preferences"):
        german.click()
    german.click()
    ada.page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")
    with ada.page.expect_request("**/preferences"):
        german.click()

    assert len(posts) == 2
