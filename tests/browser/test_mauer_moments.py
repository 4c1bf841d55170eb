"""Die Mauer at its best moments: the reveal, the end of a round, everybody at one device."""

from collections.abc import Callable, Iterator
from itertools import combinations
from typing import Any, Final

import pytest
from playwright.sync_api import Browser, Page, expect
from tests.browser.measured import box, boxes, styles
from tests.browser.profiles import Profiles
from tests.browser.test_every_page import SMALL, violations
from tests.support.people import DESK, PHONE, Person
from tests.support.server_process import Server

BEGUN: Final = "0:6 1:T 2:6 1:> 1:C 2:4"
"""A tower stands; Bruno shows the gate, Clara, who is master builder, a 4; Ada still thinks."""

LAST: Final = "0:1 1:- 2:- 0:> 0:- 1:1 2:- 1:> 0:- 1:- 2:1 2:> 0:2 1:- 2:-"
"""With a 1 and a 2 each: all 1s are built, and Ada has her 2 to build."""

REVEAL: Final = 1360
REST: Final = 4000
ROUND: Final = 8000

Sit = Callable[..., Person]


@pytest.fixture
def sit(server: Server, browser: Browser, profiles: Profiles) -> Iterator[Sit]:  # noqa: ARG001 - the loop runs
    """How somebody comes to a table in the middle of a game; the page's clock stands still."""
    people: list[Person] = []

    def come(
        chairs: str,
        moves: str,
        *,
        phone: bool = False,
        patient: bool = False,
        **options: Any,  # noqa: ANN401 - of the game
    ) -> Person:
        media = {"reduced_motion": options.pop("reduced_motion", "no-preference")}
        size = {**PHONE, "viewport": {"width": 390, "height": 844}} if phone else DESK
        context = profiles.take({"locale": "en-GB", **size, **media})
        person = Person(context, server.address, "Ada", watches=True)
        person.wish("patient" if patient else "manual")
        people.append(person)
        profiles.show(person.page, media)
        if not patient:
            person.page.add_init_script(FLIGHTS)
            person.page.clock.install()
        person.sit_down("mauer", chairs, initial_moves=moves, bot_delay_ms=60_000, options=options)
        if not patient:
            person.stand_still()
        return person

    yield come
    faults = [fault for person in people for fault in person.faults]
    for person in people:
        profiles.give_back(person.context)
    assert faults == []


FLIGHTS: Final = """
window.flights = [];
const animate = Element.prototype.animate;
Element.prototype.animate = function (frames, options) {
  const { from } = this.dataset;
  if (from) window.flights.push([this.id, from, options.duration, options.delay]);
  return animate.call(this, frames, options);
};
"""
"""Notes which pieces fly from which hand, for how long and how late."""


def reveal(person: Person, word: str) -> Page:
    """Close the last fist, upon which all open."""
    person.choice(word).click()
    expect(person.page.locator("main.moment-reveal")).to_be_attached()
    return person.page


def go_on(page: Page, kind: str) -> None:
    """End the motion of a moment, and go on."""
    expect(page.locator(f"main.moment-{kind}")).to_be_attached()
    page.keyboard.press("Enter")
    page.clock.run_for(400)  # a press right after the dock has changed does nothing
    page.keyboard.press("Enter")
    expect(page.locator(f"main.moment-{kind}")).to_have_count(0)
    page.clock.run_for(400)


def test_a_closed_fist_is_only_a_fist(sit: Sit) -> None:
    """The own piece stands on the plate beside the fist, on a desk and on a phone."""
    for phone in (False, True):
        ada = sit("mbb", "1:T", phone=phone, first="1")
        ada.choice("1").click()
        expect(ada.page.locator("#fist-0")).to_contain_text("a 1 · only you see it")
        piece, fist = (
            box(ada.page, f'#fist-0 [href="#{name}"]') for name in ("piece-1", "hand-fist")
        )
        assert not piece.left < fist.middle[0] < piece.right
        assert abs(piece.bottom - box(ada.page, "#fist-0 .plate").top) < 12
        expect(ada.page.locator("#fist-0 .pips i")).to_have_count(7)
        ada.photograph(f"mauer-fist-{'phone' if phone else 'desk'}")


def test_the_fists_stay_open_until_everybody_has_read_them(sit: Sit) -> None:
    """Palms, glow, ribbons and the order of building; then the ring runs empty."""
    ada = sit("mbb", BEGUN, first="1")
    page = reveal(ada, "4")
    number = ada.number
    assert page.locator("#said").inner_text() != "All fists are open."
    page.clock.run_for(REVEAL - 100)
    expect(page.locator("main.moment-done")).to_have_count(0)
    page.clock.run_for(200)
    expect(page.locator("main.moment-done")).to_be_attached()
    expect(page.locator("#said")).to_have_text(
        "All fists are open. Clara, master builder, shows a 4. You show a 4 too and guessed it. "
        "Bruno shows the gate. You build a 4. Clara builds nothing."
    )
    expect(page.locator("#prompt h1")).to_have_text("You guessed it.")
    expect(page.locator(".held.match")).to_have_count(2)
    expect(page.locator(".rb")).to_have_count(1)
    expect(page.locator("#fist-0 .rb")).to_have_text("guessed!")
    expect(page.locator("#tray [data-word]")).to_have_count(0)
    ada.photograph("mauer-reveal-desk")
    page.clock.run_for(REST - 300)
    assert ada.number == number
    page.clock.run_for(500)
    expect(page.locator("main.moment")).to_have_count(0)
    expect(page.locator("#end-left")).to_be_visible()


@pytest.mark.thorough
def test_the_reveal_has_its_order_in_time(sit: Sit) -> None:
    """Palms open together, then matches glow, then ribbons unroll, then the prompt speaks."""
    ada = sit("mbb", BEGUN, first="1")
    page = reveal(ada, "4")
    delays = {
        each: styles(page, each, "animationDelay")[0]
        for each in (".opens", ".held.match", ".rb", "#prompt h1")
    }

    assert delays == {
        ".opens": "0.12s",
        ".held.match": "0.12s, 0.7s",
        ".rb": "1s",
        "#prompt h1": "1.2s",
    }
    go_on(page, "reveal")


@pytest.mark.thorough
def test_without_motion_the_end_is_shown_at_once(sit: Sit) -> None:
    """The seconds are counted in words, and everything is announced."""
    ada = sit("mbb", BEGUN, first="1", reduced_motion="reduce")
    page = reveal(ada, "4")
    expect(page.locator("main.moment-done")).to_be_attached()
    expect(page.locator("#go-on")).to_contain_text("Go on (4)")
    assert styles(page, ".fisthand .was", "opacity")[0] == "0"
    page.clock.run_for(1100)
    expect(page.locator("#go-on")).to_contain_text("Go on (3)")


@pytest.mark.thorough
def test_a_piece_flies_from_its_hand_to_the_wall(sit: Sit) -> None:
    """The end that one thinks of shows the piece; then it flies there, for 360 ms."""
    ada = sit("mbb", BEGUN, first="1")
    page = reveal(ada, "4")
    go_on(page, "reveal")
    page.locator("#end-left").hover()
    page.clock.run_for(200)
    expect(page.locator("#end-left")).to_have_class("target end end-left previewed")
    expect(page.locator("#asks .does")).to_have_text(
        "Then towers and gates fit at the left end only."
    )
    ada.photograph("mauer-preview-desk")
    ada.press("<")
    page.clock.run_for(100)

    assert page.evaluate("flights") == [["wall-left-1", "fist-0", 360, 0]]


def test_a_round_ends_for_all_to_see(sit: Sit) -> None:
    """What is left and what it costs, the score sheet as a table, and then the next round."""
    ada = sit("mbb", LAST, first="0", pieces="12", rounds="2")
    page = ada.page
    ada.choice("<").click()
    expect(page.locator("main.moment-round")).to_be_attached()
    expect(page.locator("#prompt h1")).to_have_text("You are out of pieces. Round 1 is over.")
    expect(page.locator("#where")).to_contain_text("Round 1 of 2 is over")
    expect(page.locator("#wall .stone")).to_have_count(4)
    expect(page.locator("#score-1 td.sum")).to_have_text("0")
    motion = 0
    while not page.locator("main.moment-done").count():
        page.clock.run_for(200)
        motion += 200
    assert 2000 < motion < 6000
    expect(page.locator("#said")).to_have_text(
        "Round 1 is over. You are out of pieces. Penalty points: you 0, Bruno 2, Clara 2. "
        "You lead with 0."
    )
    cells = page.get_by_role("row", name="Bruno").get_by_role("cell")
    expect(cells).to_have_text(["2", "·", "2", "2"])
    expect(page.locator("#rest-1 .lp b")).to_have_text(["2"])
    ada.photograph("mauer-round-desk")
    page.clock.run_for(ROUND - 300)
    expect(page.locator("main.moment-round")).to_be_attached()
    page.clock.run_for(500)
    expect(page.locator("main.moment")).to_have_count(0)
    expect(page.locator("#wall .stone")).to_have_count(0)


@pytest.mark.thorough
def test_the_last_round_leads_on_to_the_result(sit: Sit) -> None:
    """It is shown like the others, and then who won."""
    ada = sit("mbb", LAST, first="0", pieces="12", rounds="1", phone=True)
    page = ada.page
    page.locator("#end-left").tap()
    page.clock.run_for(100)
    page.locator("#confirm").get_by_role("button", name="Build here").tap()
    expect(page.locator("main.moment-round")).to_be_attached()
    expect(page.locator("#go-on")).to_contain_text("Skip")
    page.locator("#go-on").tap()
    expect(page.locator("#go-on")).to_contain_text("To the result")
    ada.photograph("mauer-round-phone")
    rests = box(page, "#rests")
    assert rests.left >= 0
    assert rests.right <= 390
    hands = boxes(page, "#rests > li")
    assert len(hands) == 3
    assert not any(one.meets(other) for one, other in combinations(hands, 2))
    wall, slate = box(page, "#wall"), box(page, ".slate")
    assert max(each.bottom for each in hands) <= wall.top < wall.bottom <= slate.top
    assert slate.bottom <= box(page, "#prompt").top
    page.clock.run_for(400)  # a press right after the dock has changed does nothing
    page.locator("#go-on").tap()
    expect(page.locator("table.ranks, .podium, #end").first).to_be_attached()


@pytest.mark.thorough
def test_a_finger_sees_what_it_does_before_it_does_it(sit: Sit) -> None:
    """The first tap says what a fist or an end would do, a button confirms it."""
    ada = sit("mbb", BEGUN, first="1", phone=True)
    page = ada.page
    page.locator("#hand-4").tap()
    page.clock.run_for(100)
    expect(page.locator("#asks .does")).to_have_text("If Clara plans it too, you build it.")
    page.locator("#confirm").get_by_role("button", name="Close the fist").tap()
    go_on(page, "reveal")
    page.locator("#end-right").tap()
    page.clock.run_for(100)
    ada.photograph("mauer-preview-phone")
    page.locator("#confirm").get_by_role("button", name="Build here").tap()
    expect(page.locator("#wall .stone")).to_have_count(2)


@pytest.mark.thorough
def test_everybody_at_one_device_looks_together(sit: Sit) -> None:
    """Gates only before secret choices, all by the keyboard; behind a gate there is no secret."""
    ada = sit("mmm", "0:6 1:T 2:6 1:>", first="1")
    page = ada.page
    for word in ("4", "C", "4"):
        expect(page.locator("#i-am")).to_be_visible()
        assert page.locator("#tray, #story, #fists, [data-word]").count() == 0
        ada.photograph("mauer-gate-desk")
        page.locator("#i-am").focus()
        page.keyboard.press("Enter")
        expect(page.locator(f'#tray [data-word="{word}"]')).to_be_visible()
        page.locator(f'#tray [data-word="{word}"]').focus()
        page.keyboard.press("Enter")

    expect(page.locator("main.moment-look")).to_be_attached()
    expect(page.locator("#prompt h1")).to_have_text("Everybody look!")
    expect(page.locator("#go-on")).to_be_focused()
    assert page.locator("#fists [href^='#piece']").count() == 0
    assert page.locator("#tray .slot").count() == 0
    page.clock.run_for(30_000)
    expect(page.locator("#go-on")).to_contain_text("Open the fists")
    expect(page.locator("main.moment-look")).to_be_attached()
    ada.photograph("mauer-look-desk")
    page.keyboard.press("Enter")
    go_on(page, "reveal")
    expect(page.locator("#prompt h1")).to_contain_text("is building a 4")
    assert page.locator("#tray .slot").count() == 0
    page.locator("#end-left").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#i-am")).to_be_visible()


@pytest.mark.thorough
@pytest.mark.parametrize("phone", [False, True])
def test_every_moment_is_fit_for_everybody(sit: Sit, *, phone: bool) -> None:
    """What axe finds in a gate, in open fists and at the end of a round: nothing."""
    gate = sit("mmm", "0:6", first="1", phone=phone, patient=True)
    expect(gate.page.locator("#i-am")).to_be_visible()
    assert violations(gate) == []
    ada = sit("mbb", LAST, first="0", pieces="12", rounds="2", phone=phone, patient=True)
    expect(ada.page.locator("main.moment-done")).to_be_attached()
    assert violations(ada) == []
    assert ada.page.evaluate(SMALL) == []
    bea = sit("mbb", BEGUN, first="1", phone=phone, patient=True)
    bea.choice("4").click()
    expect(bea.page.locator("main.moment-reveal.moment-done")).to_be_attached()
    assert violations(bea) == []
    assert bea.page.evaluate(SMALL) == []
