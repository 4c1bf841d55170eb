"""Puzzles in a browser: chosen and then played, by touch, by keys, without a script; the streak."""

import pytest
from playwright.sync_api import expect
from tests.browser.conftest import Meet
from tests.browser.measured import box
from tests.support.people import PHONE, Person

from mauerwerk.server.features.puzzles import service


def on_board(day_puzzle: int) -> tuple[str, str]:
    """The address of a puzzle of today, and its best choice."""
    puzzle = service.for_day(service.today())[day_puzzle - 1]
    return f"/puzzles/{service.today()}/{day_puzzle}", puzzle.choices[0].word


@pytest.mark.parametrize(
    "number", [1, *(pytest.param(number, marks=pytest.mark.thorough) for number in (2, 3))]
)
def test_a_puzzle_is_solved_by_touch(meet: Meet, number: int) -> None:
    """A tap only chooses; the button plays it, and then the answer is there, below the board."""
    somebody = meet("", **PHONE, reduced_motion="reduce")
    path, word = on_board(number)
    somebody.go(path)
    target = somebody.page.locator(f'#live [data-word="{word}"], #guess button[value="{word}"]')
    target.first.scroll_into_view_if_needed()
    target.first.tap()
    expect(somebody.page.locator("#picked .what")).to_be_visible()
    assert somebody.page.url.endswith(path)
    dock, tray = box(somebody.page, "#prompt"), box(somebody.page, "#tray")
    assert dock.height <= somebody.page.viewport_size["height"] / 4 + 1  # type: ignore[index]
    assert tray.bottom <= dock.top + 1
    somebody.page.get_by_role("button", name="That's my move").tap()

    expect(somebody.page.get_by_role("heading", name="The best move")).to_be_in_viewport()
    expect(somebody.page.locator(".stage")).to_be_in_viewport(ratio=0.95)
    expect(somebody.page.locator(".chanceslist .best.yours")).to_be_visible()
    assert somebody.page.evaluate("document.scrollingElement.scrollWidth") == 360
    expect(somebody.page.get_by_role("heading", name="1 day in a row")).to_be_visible()
    somebody.photograph(f"puzzle-answer-{number}-phone", whole=True)


@pytest.mark.thorough
def test_a_puzzle_is_solved_by_keys(ada: Person) -> None:
    """Enter chooses, Escape takes it back, Enter twice plays; N leads to the next."""
    path, word = on_board(1)
    ada.go(path)
    ada.tab(f'#live [data-word="{word}"]')
    picked = ada.page.locator("#picked")
    ada.page.keyboard.press("Enter")
    expect(picked).to_be_visible()
    ada.page.keyboard.press("Escape")
    expect(picked).to_be_hidden()
    ada.page.keyboard.press("Enter")
    ada.page.keyboard.press("Enter")
    expect(ada.page.get_by_role("heading", name="The best move")).to_be_visible()
    ada.page.keyboard.press("n")
    ada.page.wait_for_url(f"**/puzzles/{service.today()}/2")


@pytest.mark.thorough
def test_a_puzzle_needs_no_script(meet: Meet) -> None:
    """Every choice is a button."""
    somebody = meet("", java_script_enabled=False)
    path, word = on_board(2)
    somebody.go(path)
    somebody.page.locator(f'#guess button[value="{word}"]').click()

    expect(somebody.page.get_by_role("heading", name="The best move")).to_be_visible()


def test_the_days_are_counted_only_for_those_who_want_it(meet: Meet) -> None:
    """It can be switched off and on again, and this device alone knows."""
    somebody = meet("")
    path, word = on_board(3)
    somebody.go("/puzzles")
    somebody.page.evaluate("localStorage.clear()")  # a browser is used again
    somebody.go(f"{path}?word={word}")
    streak = somebody.page.locator("#streak")
    expect(streak).to_be_visible()
    somebody.page.get_by_role("button", name="Don't count").click()
    expect(streak).to_be_hidden()
    somebody.go("/puzzles")
    expect(somebody.page.locator(".tick:visible")).to_have_count(1)
    expect(streak).to_be_hidden()
    somebody.page.get_by_role("button", name="Count the days I tried").click()
    expect(streak).to_be_visible()
    expect(somebody.page.locator(".bricks .done")).to_have_count(1)
