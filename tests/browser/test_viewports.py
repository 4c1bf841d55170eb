"""Low windows, zoom, small phones, forced colours: all is there, and the board keeps its size."""

import random
from typing import Final

import pytest
from playwright.sync_api import expect
from tests.browser.conftest import Meet
from tests.browser.measured import box, boxes, styles
from tests.browser.places import only
from tests.support.people import Person

GAMES: Final = ("mauer", "burgbaumeister", "mauerbauer")
SIZES: Final = {
    "a low window": (1366, 650),
    "a zoom of 200 %": (640, 400),
    "a small phone": (360, 640),
}

MEASURED: Final = """async () => {
  // A window tells of its new size with the next frame; then chips and notes move along. On a busy
  // machine that takes longer: what is drawn is the same for a quarter of a second.
  for (let before = "", same = 0; same < 3; ) {
    for (const _ of [1, 2]) await new Promise(requestAnimationFrame);
    await new Promise((done) => setTimeout(done, 80));
    const boxes = [...document.querySelectorAll("#live *")].map((each) => {
      const { x, y, width, height } = each.getBoundingClientRect();
      return [x, y, width, height];
    });
    const now = JSON.stringify(boxes);
    same = now === before ? same + 1 : 0;
    before = now;
  }
  const page = document.scrollingElement;
  const dock = document.querySelector(".dock").getBoundingClientRect();
  const hides = (each) => {
    const style = getComputedStyle(each);
    return [style.overflowX, style.overflowY].some((way) => way === "hidden" || way === "clip")
      && style.textOverflow !== "ellipsis" && each.clientWidth > 1
      // In Firefox a font reaches two pixels below a low line, where it has no ink.
      && (each.scrollWidth > each.clientWidth + 1 || each.scrollHeight > each.clientHeight + 2);
  };
  const out = (each) => {
    const box = each.getBoundingClientRect();
    return box.width && (box.left < -1 || box.right > innerWidth + 1);
  };
  const named = (each) => `${each.localName}#${each.id}.${each.getAttribute("class")}`;
  const main = [...document.querySelectorAll("#live *")];
  return {
    wide: page.scrollWidth - page.clientWidth,
    high: page.scrollHeight - page.clientHeight,
    dock: (dock.height * dock.width) / (innerHeight * innerWidth),
    cut: main.filter(hides).map(named),
    out: main.filter((each) => each.matches("[data-word], button, a, h1")).filter(out).map(named),
  };
}"""


NAMES: Final = "#live :is(.seats .who, .walls .hd, .plate) > b:not(.pts)"
LONGER: Final = """names => document.querySelectorAll(names)
  .forEach((each) => { each.textContent = "Wilhelmine-Friederike von Baden"; })"""
"""Gives everybody a name that is almost as long as one may be."""


def play_on(person: Person, moves: int) -> None:
    """So many moves by chance, until it is one's turn again."""
    chance = random.Random(8)
    while moves:
        seen = person.table_view()
        if seen["status"] != "running":
            break
        if words := [each["move"] for each in seen["legal"]]:
            path = f"/api/tables/{person.table}/moves"
            made = person.send(path, move=chance.choice(words), version=seen["number"], seat=0)
            moves -= made.ok
        else:
            person.page.wait_for_timeout(20)
    person.visit(person.table)
    person.await_turn()


@pytest.mark.parametrize("game", GAMES)
def test_nothing_is_cut_off(ada: Person, game: str) -> None:
    """Nothing beyond the edges, no scrolling in a low window, a dock on less than half of it.

    Long names do not run into each other.
    """
    ada.sit_down(game, options={"first": "0"})
    play_on(ada, 6)
    ada.page.evaluate(LONGER, NAMES)
    for name, (wide, high) in SIZES.items():
        ada.page.set_viewport_size({"width": wide, "height": high})
        seen = ada.page.evaluate(MEASURED)
        assert seen["wide"] <= 0, name
        assert seen["cut"] == [], name
        assert seen["out"] == [], name
        if wide > high * 2:
            assert seen["high"] <= 0, name
        else:
            assert seen["dock"] < 0.5, name
        names = boxes(ada.page, NAMES)
        assert names, name
        assert not any(a.meets(b) for i, a in enumerate(names) for b in names[i + 1 :]), name
        ada.photograph(f"{game}-{name}")


def test_six_fists_on_a_tablet_leave_ones_own_pieces_in_view(ada: Person) -> None:
    """Held sideways, it has them in one row; the pieces lie above the dock."""
    ada.sit_down("mauer", "mbbbbb", options={"first": "0"})
    ada.await_turn()
    for wide, high in ((1024, 768), (1024, 690), (1024, 600), (853, 533), (720, 600)):
        ada.page.set_viewport_size({"width": wide, "height": high})
        assert len({each.top for each in boxes(ada.page, ".fist")}) == 1, (wide, high)
        assert len(pieces := boxes(ada.page, "#tray .slot")) == 8, (wide, high)
        dock = box(ada.page, "#prompt")
        assert max(each.bottom for each in pieces) <= dock.top + 1, (wide, high)
        assert dock.bottom <= high + 1, (wide, high)


PAIRS: Final = r"""() => document.querySelectorAll("#tray .gcard .num").forEach((each) => {
  each.textContent = "12\u201320\u00d7";
  each.classList.add("long", "longer");
})"""
"""Has each guild card pay as much as cards of house rules, which this server does not play."""


def test_long_numbers_stay_on_their_cards(ada: Person) -> None:
    """Six cards lie side by side on the smallest phone, upright and held sideways."""
    ada.sit_down("mauerbauer", options={"first": "0"})
    ada.await_turn()
    for wide, high in ((320, 640), (360, 740), (844, 390)):
        ada.page.set_viewport_size({"width": wide, "height": high})
        ada.page.evaluate(PAIRS)
        cards, numbers = (boxes(ada.page, f"#tray .gcard {each}") for each in (".face", ".num"))
        assert len(cards) == len(numbers) == 6
        for card, number in zip(cards, numbers, strict=True):
            assert card.left <= number.left < number.right <= card.right, (wide, high)


@pytest.mark.parametrize("game", only("mauer"))
def test_edges_are_lines_where_there_are_no_colours(meet: Meet, game: str) -> None:
    """Panels and buttons have borders, and pictures their own colours."""
    ada = meet(forced_colors="active")
    ada.sit_down(game, options={"first": "0"})
    ada.await_turn()
    for part in (".panel", ".tray", ".stage", ".btn", ".quiet"):
        widths = styles(ada.page, f"#live {part}", "borderTopWidth")
        assert all(float(width.removesuffix("px")) >= 1 for width in widths), part
    ada.photograph(f"{game}-forced-colours")


@pytest.mark.thorough
def test_the_board_keeps_its_size_during_a_turn(ada: Person) -> None:
    """Buttons below the cards and longer questions change nothing about the board."""
    ada.sit_down("mauerbauer", options={"first": "0", "board": "small"})
    ada.await_turn()
    board = "document.querySelector('.onboard .stage').getBoundingClientRect().height"
    sizes = {ada.page.evaluate(board)}
    chance = random.Random(4)
    for _ in range(300):
        discard = ada.page.locator("[id^=discard-]")
        if discard.count():
            expect(discard.first).to_be_visible()
            sizes.add(ada.page.evaluate(board))
            break
        ada.play(chance.choice)
        ada.await_turn()
        sizes.add(ada.page.evaluate(board))
    else:
        raise AssertionError("no city was ever scored")
    assert max(sizes) - min(sizes) <= 2
