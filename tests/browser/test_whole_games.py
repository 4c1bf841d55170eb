"""Whole games in the browser, to the last move."""

import random
from collections.abc import Mapping
from typing import Final

import pytest
from playwright.sync_api import expect
from tests.browser.conftest import Meet
from tests.browser.places import only
from tests.support.amounts import amount
from tests.support.people import PHONE, Person

CHAIRS = {"mauer": "mbb", "burgbaumeister": "mbbb", "mauerbauer": "mbb"}
"""Few enough for a short game."""

SHORT: Final[Mapping[str, Mapping[str, str]]] = amount(
    {"mauer": {"pieces": "12"}}, {"mauer": {"pieces": "12"}}, {}
)
"""Options with which it is over sooner still, except in `make thorough`."""

PLACES: Final = """() => [...document.querySelectorAll(
    "#live :is([data-word], [data-opens][aria-expanded=false])"
)].filter((each) => each.checkVisibility({ visibilityProperty: true })).filter((each) => {
    const { x, y, width, height } = each.getBoundingClientRect();
    const hit = document.elementFromPoint(x + width / 2, y + height / 2);
    return !hit || each.contains(hit) || hit.closest(".dock");
}).map(({ dataset: { word, opens } }) => [opens
    ? `[data-opens="${opens}"]` : `#live [data-word="${CSS.escape(word)}"]:visible`, opens])"""
"""What can be tapped in its middle, and the plate of chips that it opens. A city need not have its
middle inside."""

MOST: Final = amount(3, 3, 999)
"""How many moves are made by keys or by touch: a whole game in `make thorough`."""


@pytest.mark.parametrize("game", only("mauer"))
def test_a_game_can_be_played_by_clicks_alone(ada: Person, game: str) -> None:
    """Whatever is legal has something to press, nothing else has; afterwards all play again."""
    chance = random.Random(game)
    ada.sit_down(game, CHAIRS[game], options={"first": "0", **SHORT.get(game, {})})
    ada.await_turn()
    moves = 0
    while not ada.over:
        before, table_view = ada.number, ada.table_view()
        words = ada.words()
        if table_view["number"] == ada.number == before:
            assert set(words) == {each["move"] for each in table_view["legal"]}
        ada.play(chance.choice)
        ada.await_turn()
        moves += 1

    assert moves > 0
    expect(ada.page.locator("table.ranks tbody tr")).to_have_count(len(CHAIRS[game]))
    ada.photograph(f"{game}-over")
    ada.rest()
    ada.page.get_by_role("button", name="Play again").press("Enter")
    ada.page.wait_for_url(lambda url: not url.endswith(ada.table))
    expect(ada.main).to_have_attribute("data-asked", "")


@pytest.mark.parametrize("game", only("mauerbauer"))
def test_a_game_can_be_played_by_keys_alone(ada: Person, game: str) -> None:
    """The tab key leads to the choices, arrows from one to the next, and Enter takes one."""
    chance = random.Random(game)
    ada.sit_down(game, CHAIRS[game], options={"first": "0", **SHORT.get(game, {})})
    ada.await_turn()
    moves = 0
    while not ada.over and moves < MOST:
        before = ada.number
        moves += 1
        ada.tab("#live [data-word], #live [data-opens], #move button[name=word]")
        for _ in range(chance.randrange(3)):
            ada.page.keyboard.press(f"Arrow{chance.choice(('Left', 'Right', 'Up', 'Down'))}")
        if ada.page.locator("[data-opens]:focus").count():
            ada.page.keyboard.press("Enter")  # the first chip has the focus then
        ada.rest()
        ada.page.keyboard.press(chance.choice(("Enter", "Space")))
        ada.await_turn(before)

    if ada.over:
        expect(ada.page.locator("#again")).to_be_focused()
        ada.rest()
        ada.page.keyboard.press("Enter")
    expect(ada.main).to_have_attribute("data-asked", "")


@pytest.mark.parametrize("game", only("burgbaumeister"))
def test_a_game_can_be_played_by_touch_alone(meet: Meet, game: str) -> None:
    """A tap looks and the dock asks; buttons in words need no question."""
    chance = random.Random(game)
    ada = meet("Ada", **PHONE)
    ada.sit_down(game, CHAIRS[game], options={"first": "0", **SHORT.get(game, {})})
    ada.await_turn()
    moves = 0
    while not ada.over and moves < MOST:
        before = ada.number
        moves += 1
        if places := ada.page.evaluate(PLACES):
            at, plate = chance.choice(places)
            ada.page.locator(at).tap()
            if plate:
                ada.page.locator(f"[id='{plate}'] [data-word]").first.tap()
            # Unless others have moved meanwhile, and something else is asked.
            asked = f'#confirm.live .brick:visible, main:not([data-number="{before}"])'
            ada.page.locator(asked).first.wait_for(state="attached")
            if ada.number == before:
                ada.page.locator("#confirm .brick").tap()
        else:
            ada.page.locator("#move button[name=word]").first.tap()
        ada.await_turn(before)
        assert ada.number > before, "the tap was a move"

    if ada.over:
        assert ada.page.locator("table.ranks tbody tr").count() == len(CHAIRS[game])
    else:
        expect(ada.main).to_have_attribute("data-asked", "")
        assert moves == MOST
    assert ada.over is amount(quick=False, test=False, thorough=True)
