"""Two browsers at one table: what is one player's is nowhere in the other's page."""

import re

from playwright.sync_api import expect
from tests.browser.conftest import Meet
from tests.support.people import Person

SHAPES = """all => all.map(card => card.outerHTML.replaceAll(card.id.slice(6), "place"))"""
"""Every card of the depot, less the name of its place."""


def two_at_a_table(meet: Meet, game: str, **options: str) -> tuple[Person, Person]:
    """Ada sets a table; Bea opens the link she was sent."""
    ada, bea = meet("Ada"), meet("Bea")
    ada.sit_down(game, "mhb", options={"first": "0", **options})
    bea.accept(ada.links[1])
    bea.table = ada.table
    return ada, bea


def source(person: Person) -> str:
    """The page as it stands in the browser, less what differs from table to table."""
    expect(person.page.locator("#chat[data-last]")).to_be_attached()
    expect(person.page.locator(".htmx-settling, .htmx-swapping, .htmx-request")).to_have_count(0)
    person.rest()
    text = re.sub(r"[0-9a-f]{64}", "commitment", person.page.content())
    text = re.sub(r" htmx-(added|settling|swapping|request)", "", text)
    text = re.sub(r"after=\d+|data-now=\"\d+\"", "when it was loaded", text)
    # Who watches is told a moment after somebody has come or gone.
    text = re.sub(r'<span[^>]*id="watching".*?</b>.*?</span></span>', "who watches", text)
    # Bots take their time, so that now one, now another player is the last to choose.
    text = re.sub(r'(<p id="said"[^>]*>)\w+ chose\.', r"\1Somebody chose.", text)
    return text.replace(person.table, "table")


def test_a_closed_fist_looks_the_same_whatever_is_in_it(meet: Meet) -> None:
    """In two games that differ in Ada's plan alone, Bea has the same page to the last byte."""
    pages: list[str] = []
    for word in ("T", "C"):
        ada, bea = two_at_a_table(meet, "mauer")
        bea.await_turn()
        ada.await_turn()
        ada.press(word)
        for fist in ("#fist-0", "#fist-2"):
            expect(bea.page.locator(f"{fist}:not(.now)")).to_be_visible()
        expect(ada.page.locator("#fist-2:not(.now)")).to_be_visible()
        pages.append(source(bea))

    assert pages[0] == pages[1]
    assert 'href="#hand-fist"' in pages[0]


def test_a_hand_is_in_nobody_elses_page(meet: Meet) -> None:
    """The cards of a hand are on their owner's page, and on no other.

    Nor is the secret of the link by which a seat was taken in the address bar.
    """
    ada, bea = two_at_a_table(meet, "mauerbauer")
    expect(bea.page).to_have_url(f"{bea.address}/t/{bea.table}")
    expect(ada.page.locator("#seat-1")).to_contain_text("Bea")
    cleo = meet("Cleo")
    cleo.visit(ada.table)
    for each in (ada, bea):
        expect(each.page.locator("#tray [id^=card-]")).to_have_count(6)
    shown = [set(re.findall(r'id="card-([^"]+)"', each.page.content())) for each in (ada, bea)]

    assert shown == [
        set(each.table_view(seat)["view"]["hands"][seat]) for seat, each in ((0, ada), (1, bea))
    ]
    assert 'id="card-' not in cleo.page.content()


def test_a_card_that_was_turned_back_leaves_nothing_behind(meet: Meet) -> None:
    """All cards of the depot are alike again, and no sentence says what was on one (BB-9)."""
    ada, bea = two_at_a_table(meet, "burgbaumeister")
    for person in (ada, bea):
        person.page.locator("#place-e3").wait_for()
    ada.press("e3")
    expect(bea.page.locator("#place-e3 svg.back")).to_have_count(0)
    number = ada.table_view()["view"]["turned"]["card"]["number"]
    ada.page.locator("#move button").last.click()
    expect(ada.page.locator("#place-e3 svg.back")).to_have_count(1)
    expect(bea.page.locator("#place-e3 svg.back")).to_have_count(1)

    for person in (ada, bea):
        for _ in range(2):
            cards = person.page.locator(".depot > *").evaluate_all(SHAPES)
            assert len(set(cards)) == 1
            assert not [words for words in person.told() if re.search(rf"\b{number}\b", words)]
            person.page.reload()
