"""Whole games in the browser, to the last move."""

import random

import pytest
from playwright.sync_api import Error
from tests.browser.people import CHOICES, Person

GAMES = ("mauer", "burgbaumeister", "mauerbauer")


@pytest.mark.parametrize("game", GAMES)
def test_a_game_can_be_played_by_clicks_alone(ada: Person, game: str) -> None:
    """Whatever is legal has something to press, and nothing else has."""
    chance = random.Random(game)
    ada.sit_down(game, options={"first": "0"})
    ada.await_turn()
    moves = 0
    while not ada.over:
        before, scene = ada.number, ada.scene()
        words = ada.words()
        if scene["number"] == ada.number == before:
            assert set(words) == {each["word"] for each in scene["legal"]}
        ada.press(chance.choice(words))
        ada.await_turn(before)
        moves += 1

    assert moves > 5
    assert ada.page.locator("table.ranks tbody tr").count() == 3
    ada.photograph(f"{game}-over")
