"""Asking what to do: the best choices, what they promise and why. A table can forbid it."""

import re
from importlib import import_module

import pytest
from playwright.sync_api import expect
from tests.browser.conftest import Meet
from tests.browser.measured import boxes
from tests.browser.places import only
from tests.browser.test_dock import in_view, second_turn
from tests.support.people import PHONE, Person

from mauerwerk.core.game import Setup
from mauerwerk.games import GAMES


@pytest.fixture
def compiled(game: str) -> None:
    """The search of the game is compiled before somebody waits for it."""
    rules = GAMES[game]
    import_module("mauerwerk.kernels.search.search").warm(
        rules, Setup(rules.SEATS[0], rules.OPTIONS())
    )


@pytest.mark.kernels
@pytest.mark.usefixtures("compiled")
@pytest.mark.parametrize("game", only("mauer"))
def test_somebody_who_asks_is_told_what_to_do_and_why(meet: Meet, game: str) -> None:
    """At most three choices, each with a reason and a chance, numbered on the board as well."""
    ada = meet("Ada", **PHONE)
    ada.sit_down(game, options={"first": "0"})
    ada.await_turn()
    ask = ada.page.get_by_role("button", name="Give me a hint")
    ada.press_other("Give me a hint")
    choices = ada.page.locator(".hintlist li")
    expect(choices.first).to_be_visible()
    ada.photograph(f"hints-{game}")
    reasons = choices.locator("p").all_inner_texts()
    first = choices.first.get_by_role("button").get_attribute("value")

    numbers = ada.page.locator("#chalk .no.hint")
    assert 1 <= len(reasons) <= 3
    expect(numbers).to_have_text([str(each + 1) for each in range(len(reasons))])
    expect(choices.locator(".no")).to_have_text([str(each + 1) for each in range(len(reasons))])
    drawn = ada.page.locator(f'#live [data-word="{first}"]').first.evaluate(
        "each => each instanceof SVGElement"
    )
    expect(ada.page.locator("#chalk .arrow")).to_have_count(1 if drawn else 0)
    expect(ada.page.locator(f'[data-word="{first}"].hinted')).to_have_count(1)
    assert all(re.fullmatch(r".+\. Chance to win: \d+\s%", each) for each in reasons), reasons
    assert first in {each["move"] for each in ada.table_view()["legal"]}
    expect(ask).to_have_count(0)
    choices.first.get_by_role("button").tap()
    expect(ada.page.locator("#asks .does")).to_have_text(reasons[0])
    before = ada.number
    ada.page.locator("#confirm .brick").tap()
    ada.page.locator(f'main:not([data-number="{before}"])').wait_for(state="attached")
    expect(choices).to_have_count(0)
    expect(numbers).to_have_count(0)


@pytest.mark.thorough
@pytest.mark.kernels
@pytest.mark.usefixtures("compiled")
@pytest.mark.parametrize("game", ["mauerbauer"])
def test_hints_leave_the_cards_of_a_phone_on_its_side_whole(meet: Meet, game: str) -> None:
    """What each card would score is seen while one chooses between three hints."""
    size = (683, 384)
    ada = meet("Ada", viewport={"width": size[0], "height": size[1]}, has_touch=True)
    second_turn(ada, game)
    ada.press_other("Give me a hint")
    expect(ada.page.locator(".hintlist li").first).to_be_visible()

    in_view(ada.page, size)
    cards, worths = boxes(ada.page, ".tray .gcard"), boxes(ada.page, ".tray .gcard .num")
    assert len(worths) == len(cards)
    for card, worth in zip(cards, worths, strict=True):
        assert card.top <= worth.top
        assert worth.bottom <= card.bottom + 1


def test_a_table_can_forbid_hints(ada: Person) -> None:
    """Then nothing offers any."""
    ada.sit_down("burgbaumeister", options={"first": "0"}, hints=False)
    ada.await_turn()

    expect(ada.page.get_by_role("button", name="Give me a hint")).to_have_count(0)
