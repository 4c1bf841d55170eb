"""On phones and low screens: what one decides by is in view, and a late press does no harm."""

import random
from collections.abc import Mapping
from typing import Any, Final

import pytest
from playwright.sync_api import Page, expect
from tests.browser.conftest import Meet
from tests.browser.measured import Box, box, boxes, until
from tests.browser.places import only
from tests.browser.test_viewports import play_on
from tests.support.people import Person

SIZES: Final = ((390, 844), (360, 640), (844, 390), (683, 384), (1366, 768))
NARROW: Final = SIZES[:4]
TOUCH: Final[Mapping[str, Any]] = {"viewport": {"width": 390, "height": 844}, "has_touch": True}
OPTIONS: Final[Mapping[str, Mapping[str, str]]] = {
    "mauer": {"first": "0", "rounds": "4"},
    "burgbaumeister": {"first": "0", "variant": "yes"},
    "mauerbauer": {"first": "0", "board": "default"},
}
REST: Final = 400


def resize(person: Person, size: tuple[int, int]) -> None:
    person.page.set_viewport_size({"width": size[0], "height": size[1]})
    person.page.evaluate("scrollTo(0, 0)")


def second_turn(person: Person, game: str, chairs: str = "mbb") -> None:
    """A table at which others have moved since one's own turn, if the game has such turns."""
    person.sit_down(game, chairs, options=OPTIONS[game])
    moves = {"mauer": 3, "burgbaumeister": 2, "mauerbauer": 4}[game]
    play_on(person, moves)
    while game == "mauerbauer" and not person.page.locator("#since").count():
        play_on(person, 1)
    person.rest()


# --- What one decides by is in view ----------------------------------------------------------


CUT: Final = """names => [...document.querySelectorAll(names)].filter(each => each.checkVisibility()
  && each.scrollWidth > each.clientWidth + 1
  && getComputedStyle(each).overflowX !== 'visible').map(each => each.textContent)"""
"""What stands in these elements and is not shown as a whole."""

SPILLS: Final = """words => [...document.querySelectorAll(words)]
  .filter(each => each.checkVisibility() && each.scrollWidth > each.clientWidth + 1)
  .map(each => each.textContent.trim())"""
"""What is wider than the card, button or place on which it stands."""


def in_view(page: Page, size: tuple[int, int]) -> None:
    """Board, own pieces, dock and news are there, without scrolling and without covering."""
    (dock,), (tray,), (stage,) = (boxes(page, each) for each in (".dock", ".tray", ".stage"))
    for name, place in (("dock", dock), ("tray", tray), ("stage", stage)):
        assert place.left >= 0, (name, size)
        assert place.top >= 0, (name, size)
        assert place.right <= size[0] + 1, (name, size)
        assert place.bottom <= size[1] + 1, (name, size)
    assert not dock.meets(tray), size
    assert not stage.meets(tray), size
    assert not stage.meets(dock), size
    for news in boxes(page, ".newsline"):
        assert news.height <= 54, size
        assert not any(news.meets(each) for each in (stage, tray, dock)), size
    if size[0] < size[1]:
        assert dock.height <= size[1] / 4, size
    own = boxes(page, ".tray :is(.own > li, .slot, .gcard)")
    assert own, size
    assert all(each.top >= tray.top - 12 and each.bottom <= tray.bottom + 1 for each in own), size


def names_are_whole(page: Page, size: tuple[int, int]) -> None:
    """Names at seats, walls and plates, and what stands on pieces and cards."""
    assert page.evaluate(CUT, ".seats .who b, .walls .hd b, .plate b, .gcard .short") == [], size
    assert page.evaluate(SPILLS, ".gcard .short, .gcard .btn, #prompt .btn, .walls .wall") == [], (
        size
    )
    assert all(each.height <= 28 for each in boxes(page, ".seats .who b, .walls .hd b")), size
    for of in (".mine .said", ".gcard .short", ".seats :is(.who b, .pts)", ".hd :is(b, .no)"):
        words = [each for each in boxes(page, of) if each.width > 1]
        pairs = [(a, b) for i, a in enumerate(words) for b in words[i + 1 :]]
        assert not any(a.meets(b) for a, b in pairs), (of, size)


@pytest.mark.parametrize("game", only("mauerbauer"))
def test_all_that_one_decides_by_is_on_the_screen(meet: Meet, game: str) -> None:
    """Without scrolling where the screen is small; at every size names are whole.

    Four players and the longest of the three languages need the most room.
    """
    ada = meet(**TOUCH, locale="de-DE")
    second_turn(ada, game, "mbbb")
    for size in SIZES:
        resize(ada, size)
        names_are_whole(ada.page, size)
        if size in NARROW:
            in_view(ada.page, size)
            ada.photograph(f"dock-{game}-{size[0]}")


@pytest.mark.thorough
@pytest.mark.parametrize("game", only("mauerbauer"))
def test_the_dock_takes_a_quarter_of_an_upright_screen_whatever_is_asked(
    meet: Meet, game: str
) -> None:
    """It has its last row at the foot of the screen, and keeps it."""
    ada = meet(**TOUCH)
    ada.sit_down(game, options=OPTIONS[game])
    ada.await_turn()
    for _ in range(8):
        play_on(ada, 1)
        if ada.over:
            break
        for size in NARROW[:2]:
            resize(ada, size)
            (dock,) = boxes(ada.page, ".dock")
            assert dock.height <= size[1] / 4 + 1, (ada.prompt, size)
            for button in boxes(ada.page, ".dock :is(.acts .btn, #more)"):
                assert button.bottom <= size[1], (ada.prompt, size)
                assert button.height >= 44, (ada.prompt, size)


def test_the_news_unfold_over_what_lies_below(meet: Meet) -> None:
    """A press on the line opens a list, a press on a row folds it; nothing moves."""
    ada = meet(**TOUCH)
    second_turn(ada, "mauerbauer")
    stage, tray = boxes(ada.page, ".stage"), boxes(ada.page, ".tray")
    rows = ada.page.locator("#since-list li")
    expect(rows.first).to_be_hidden()
    ada.page.locator(".newsline").tap()
    expect(rows.first).to_be_visible()
    assert (boxes(ada.page, ".stage"), boxes(ada.page, ".tray")) == (stage, tray)
    assert not any(each.meets(tray[0]) for each in boxes(ada.page, "#since-list"))
    assert all(each[3] - each[1] >= 44 for each in boxes(ada.page, "#since-list li"))
    rows.first.tap()
    expect(rows.first).to_be_hidden()


def numbered_apart(page: Page) -> bool:
    """Whether each line of the news has its number on the board, and none covers another.

    They move along a moment after a window has another size.
    """
    numbers = boxes(page, "#chalk .deed")
    lines: int = page.evaluate("document.querySelectorAll('#since li[value]').length")
    return len(numbers) == lines > 0 and not any(
        a.meets(b) for i, a in enumerate(numbers) for b in numbers[i + 1 :]
    )


@pytest.mark.thorough
def test_a_turn_has_one_number_beside_its_wall(meet: Meet) -> None:
    """Numbers cover neither each other nor the towers and houses of their turn."""
    ada = meet(**TOUCH)
    second_turn(ada, "mauerbauer")
    for size in SIZES:
        resize(ada, size)
        until(ada.page, lambda: numbered_apart(ada.page), f"numbers are missing or meet at {size}")


# --- Taking back -----------------------------------------------------------------------------


TURN_OVER: Final = """open => {
  const more = document.getElementById("more");
  if (more?.checkVisibility()) more.ariaExpanded = String(open);
}"""


ASKED: Final = "main[data-asked], main.moment #go-on, main.ended"
UNDER_WAY: Final = ".htmx-request, .htmx-swapping, .htmx-settling"


def arrived(person: Person) -> bool:
    """Whether nothing is under way any more, with a clock that only the test moves on."""
    person.page.clock.run_for(50)
    return not person.page.locator(UNDER_WAY).count()


@pytest.mark.thorough
@pytest.mark.parametrize("game", only("mauer"))
def test_what_takes_back_is_never_where_a_primary_button_is(meet: Meet, game: str) -> None:
    """At any size and in any phase; Go on is a primary button too."""
    ada = meet(**TOUCH, watches=True)
    ada.wish("manual")
    ada.page.clock.install()
    ada.sit_down(game, options=OPTIONS[game], bot_delay_ms=0)
    ada.stand_still()
    main: dict[tuple[int, int], set[Box]] = {size: set() for size in SIZES}
    back: dict[tuple[int, int], set[Box]] = {size: set() for size in SIZES}

    def look() -> None:
        until(ada.page, lambda: arrived(ada), "something is under way for ever")
        ada.page.clock.run_for(REST)
        for size in SIZES:
            resize(ada, size)
            main[size] |= {*boxes(ada.page, "#prompt :is(.btn.brick, #go-on)")}
            ada.page.evaluate(TURN_OVER, arg=True)
            back[size] |= {*boxes(ada.page, "#prompt .back")}
            ada.page.evaluate(TURN_OVER, arg=False)

    chance, chosen = random.Random(5), 0
    while chosen < 4:
        ada.page.locator(ASKED).first.wait_for(state="attached")
        look()
        if ada.over:
            break
        if ada.page.locator("#go-on").count():
            ada.page.keyboard.press("Enter")  # ends the motion, or goes on
            continue
        before = ada.number
        ada.page.evaluate("word => choose(word)", chance.choice(ada.words()))
        moved = f'main.moment, main:not([data-number="{before}"])'
        ada.page.locator(moved).first.wait_for(state="attached")
        chosen += 1
        look()

    for size in SIZES:
        assert main[size], size
        # What was turned up once is never taken back (BB-9).
        assert back[size] or game == "burgbaumeister", size
        both = [(a, b) for a in main[size] for b in back[size] if a.meets(b)]
        assert both == [], size


def revealed(person: Person) -> Page:
    """The fists of a turn are open, and the ring of Go on runs; the clock stands still."""
    page = person.page
    page.clock.install()
    person.sit_down("mauer", options=OPTIONS["mauer"])
    person.await_turn()
    person.stand_still()
    page.clock.run_for(REST)
    page.evaluate("choose('3')")
    expect(page.locator("main.moment-reveal")).to_be_attached()
    page.clock.run_for(REST)
    page.keyboard.press("Enter")  # ends the motion
    expect(page.locator("main.moment-done")).to_be_attached()
    return page


def test_a_late_press_on_go_on_does_nothing(meet: Meet) -> None:
    """For 400 ms the dock does not answer what has just come; then it does."""
    ada = meet(**TOUCH, watches=True, reduced_motion="no-preference")
    page = revealed(ada)
    spot = box(page, "#go-on").middle
    page.clock.run_for(REST)
    page.touchscreen.tap(*spot)
    expect(page.locator("main.moment")).to_have_count(0)
    expect(page.locator("html.resting")).to_have_count(1)
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.url))
    page.touchscreen.tap(*spot)
    page.keyboard.press("Enter")
    page.clock.run_for(REST - 50)
    page.touchscreen.tap(*spot)
    page.clock.run_for(1)  # what was pressed has been sent by now, if it was
    assert [each for each in sent if "/undo" in each or "/move" in each] == []
    expect(page.locator("#story")).not_to_contain_text("took back")
    expect(page.locator("#keep")).to_have_count(0)
    expect(page.locator("#more[aria-expanded=true]")).to_have_count(0)
    page.clock.run_for(100)
    expect(page.locator("html.resting")).to_have_count(0)
    page.locator("#more").tap()
    expect(page.locator("#others .back")).to_be_visible()


def test_taking_back_asks_once_the_fists_are_open(meet: Meet) -> None:
    """Bots agree; but one has seen something. Keeping is what two presses by mistake do."""
    ada = meet(**TOUCH, watches=True, reduced_motion="no-preference")
    page = revealed(ada)
    go_on = box(page, "#go-on")
    page.clock.run_for(REST)
    page.locator("#go-on").tap()
    expect(page.locator("main.moment")).to_have_count(0)
    page.clock.resume()
    ada.rest()
    page.keyboard.press("z")
    keep = page.locator("#keep")
    expect(keep).to_be_focused()
    expect(page.locator("#prompt h1")).to_contain_text("Take back your move")
    expect(page.locator("#reasons")).to_contain_text("You have seen how it turned out.")
    ada.photograph("take-back-asks")
    assert box(page, "#keep").meets(go_on), "where Go on was"
    assert not box(page, "#prompt .back").meets(go_on)
    ada.rest()
    page.keyboard.press("Escape")
    expect(keep).to_have_count(0)
    expect(page.locator("#story")).not_to_contain_text("took back")  # bots may have moved on
    ada.rest()
    page.keyboard.press("z")
    expect(keep).to_be_visible()
    ada.rest()
    page.locator("#prompt").get_by_role("button", name="Take back").tap()
    expect(page.locator("#story")).to_contain_text("took back a move")


@pytest.mark.parametrize("game", only("burgbaumeister", "mauerbauer"))
def test_three_dots_turn_the_dock_over(meet: Meet, game: str) -> None:
    """What is not needed for every move is behind them; Escape and the board close it."""
    ada = meet(**TOUCH)
    second_turn(ada, game)
    page = ada.page
    dots, others = page.locator("#more"), page.locator("#others")
    expect(others).to_be_hidden()
    dock = boxes(page, ".dock")
    dots.tap()
    expect(others).to_be_visible()
    assert boxes(page, ".dock") == dock
    for each in boxes(page, "#others .quiet"):
        assert each[3] - each[1] >= 44
    page.keyboard.press("Escape")
    expect(others).to_be_hidden()
    page.keyboard.press("m")
    expect(others).to_be_visible()
    page.locator(".stage").first.click(position={"x": 3, "y": 3})
    expect(others).to_be_hidden()
