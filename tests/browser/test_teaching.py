"""A table that teaches: cards explain themselves, places have names, and luck stays the same."""

from typing import Final

import pytest
from playwright.sync_api import expect
from tests.browser.conftest import Meet
from tests.browser.measured import box
from tests.browser.places import only
from tests.support.people import Person

SIZES: Final = {
    "phone": {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True},
    "low phone": {"viewport": {"width": 360, "height": 640}, "is_mobile": True, "has_touch": True},
    "on its side": {
        "viewport": {"width": 844, "height": 390},
        "is_mobile": True,
        "has_touch": True,
    },
}
FIRST: Final = {"first": "0", "board": "small"}


def at_mauerbauer(person: Person) -> None:
    """Somebody whose turn it is, with a few walls on the board."""
    person.sit_down("mauerbauer", "mb", options=FIRST)
    person.await_turn()


def play_a_turn(person: Person) -> None:
    """Anything, until a wall is to be built again."""
    for _ in range(30):
        person.await_turn()
        person.play(lambda words: words[len(words) // 2])
        person.await_turn()
        if len(person.words()) > 20:
            return


# --- Cards that teach --------------------------------------------------------------------------


def test_a_card_under_the_pointer_explains_itself(ada: Person) -> None:
    """A sentence, a table, what it pays now, the clause; it leaves with the pointer."""
    at_mauerbauer(ada)
    play_a_turn(ada)
    card = ada.page.locator("#tray [data-explains]").first
    card.hover()
    teach = ada.page.locator("#teach")
    expect(teach).to_be_visible()
    expect(teach.locator("h2")).not_to_be_empty()
    expect(teach.locator("table td").first).to_be_visible()
    expect(teach.locator("a.why")).to_contain_text("MB-")
    expect(ada.page.locator("#said")).to_contain_text(teach.locator("h2").inner_text())
    sheet, face = box(ada.page, "#teach"), box(ada.page, "#tray [data-explains]")
    assert sheet.bottom <= face.top or sheet.left > face.right
    ada.page.mouse.move(5, 5)
    expect(teach).to_be_hidden()


@pytest.mark.thorough
def test_what_counts_glows_on_the_board(ada: Person) -> None:
    """The pieces that a country card counts, each with its points, and nothing after that."""
    at_mauerbauer(ada)
    for _ in range(3):
        play_a_turn(ada)
    shown = 0
    for card in ada.page.locator("#tray .gcard:not(.c) [data-explains]").all():
        card.hover()
        expect(ada.page.locator("#teach.open h2")).to_have_text(card.locator("h3").inner_text())
        points = ada.page.locator("#teach .pays").inner_text()
        ada.settle()
        marks = ada.page.locator("#chalk .taught-note").all_inner_texts()
        assert not marks or sum(map(int, marks)) == int(points)
        shown += ada.page.locator("#stage .taught").count()
    assert shown
    ada.page.keyboard.press("Escape")
    expect(ada.page.locator(".taught, #chalk .taught-note, #taught")).to_have_count(0)


def test_cards_are_read_with_the_keyboard_alone(ada: Person) -> None:
    """C goes to them, arrows from one to the next, Enter keeps one open, Escape closes it."""
    at_mauerbauer(ada)
    ada.page.keyboard.press("c")
    first = ada.page.locator("#tray [data-explains]").first
    expect(first).to_be_focused()
    title = ada.page.locator("#teach h2")
    expect(title).to_have_text(first.locator("h3").inner_text())
    ada.page.keyboard.press("ArrowRight")
    expect(title).to_have_text(
        ada.page.locator("#tray [data-explains]").nth(1).locator("h3").inner_text()
    )
    ada.page.keyboard.press("Enter")
    expect(ada.page.locator("#teach")).to_be_visible()
    ada.page.keyboard.press("Escape")
    expect(ada.page.locator("#teach")).to_be_hidden()


@pytest.mark.parametrize("size", only("low phone", "phone", "on its side"))
def test_on_a_phone_it_stands_in_the_dock(meet: Meet, size: str) -> None:
    """The whole of it, with the board above or beside it; a cross closes it."""
    ada = meet("Ada", **SIZES[size])
    at_mauerbauer(ada)
    ada.page.locator("#tray [data-explains]").first.tap()
    expect(ada.page.locator("#teach.open h2")).to_be_visible()
    view = SIZES[size]["viewport"]
    assert isinstance(view, dict)
    sheet, board = box(ada.page, "#teach"), box(ada.page, "#stage svg.board")
    assert sheet.left >= 0
    assert sheet.right <= view["width"]
    assert sheet.bottom <= view["height"]
    assert board.height >= 100
    assert board.bottom <= sheet.top or board.right <= sheet.left + 1
    ada.photograph(f"teach-{size.replace(' ', '-')}")
    ada.page.locator("[data-close-teach]").tap()
    expect(ada.page.locator("#teach")).to_be_hidden()


@pytest.mark.thorough
def test_a_window_that_becomes_narrow_closes_it(ada: Person) -> None:
    """What was a popover over the board is no sheet in the dock, and the dock is there again."""
    at_mauerbauer(ada)
    ada.page.locator("#tray [data-explains]").first.click()
    expect(ada.page.locator("#teach")).to_be_visible()
    ada.page.set_viewport_size({"width": 390, "height": 844})
    expect(ada.page.locator("#teach")).to_be_hidden()
    expect(ada.page.locator("#prompt h1")).to_be_in_viewport()


@pytest.mark.parametrize("size", only("phone", "low phone", "on its side"))
def test_a_piece_that_was_tapped_explains_itself(meet: Meet, size: str) -> None:
    """A tap chooses it; a button beside the question opens the sheet, which another tap changes."""
    ada = meet("Ada", **SIZES[size])
    ada.sit_down("mauer", "mbb", options={"first": "0"})
    ada.await_turn()
    more = ada.page.get_by_role("button", name="What it does")
    expect(more).to_be_hidden()
    ada.page.locator("#hand-2").tap()
    expect(ada.page.locator("#asks .what")).to_have_text("Plan a 2?")
    ada.rest()
    more.tap()
    title = ada.page.locator("#teach.open h2")
    expect(title).to_have_text("A 2")
    expect(ada.page.locator("#confirm.live .brick")).to_be_visible()
    ada.page.locator("#hand-T").tap()
    expect(title).to_have_text("The tower")
    ada.page.wait_for_function(
        """() => ["#teach", "#hand-T", "#confirm .brick"].every((each) => {
            const { top, bottom, height } = document.querySelector(each).getBoundingClientRect();
            return height && top >= 0 && bottom <= innerHeight;
        })"""
    )
    ada.photograph(f"piece-{size}")
    ada.page.locator("[data-close-teach]").tap()
    expect(ada.page.locator("#teach")).to_be_hidden()
    expect(ada.page.locator("#asks .what")).to_have_text("Plan the tower?")


@pytest.mark.parametrize("game", only("burgbaumeister", "mauer"))
def test_pieces_and_walls_explain_themselves(ada: Person, game: str) -> None:
    """A piece on the shelf, and a card that was turned up."""
    ada.sit_down(game, "mbb", options={"first": "0"})
    ada.await_turn()
    if game == "burgbaumeister":
        ada.press(ada.words()[0])
    ada.page.mouse.move(1, 1)  # a pointer that stays where it is enters nothing in Firefox
    thing = ada.page.locator("#live [data-explains]:visible").first
    thing.hover()
    expect(ada.page.locator("#teach.open h2")).to_be_visible()
    expect(ada.page.locator("#teach.open a.why")).to_be_visible()


COVERED = """() => {
    const box = document.getElementById("teach").getBoundingClientRect();
    const spared = "#asks .what, #asks .does, #prompt button, #tray [data-explains]";
    return [...document.querySelectorAll(spared)].filter((each) => {
        const { left, right, top, bottom, width } = each.getBoundingClientRect();
        return width && each.checkVisibility({ visibilityProperty: true })
            && box.left < right && box.right > left && box.top < bottom && box.bottom > top;
    }).map((each) => each.outerHTML);
}"""


COVERED_CHOICES: Final = """() => {
    const { left, right, top, bottom } = document.querySelector("#teach").getBoundingClientRect();
    return [...document.querySelectorAll("#live .target[data-word]")].filter((each) => {
        const box = each.getBoundingClientRect();
        return box.left < right && box.right > left && box.top < bottom && box.bottom > top;
    }).map((each) => each.dataset.word);
}"""


@pytest.mark.parametrize("width", [1120, pytest.param(1366, marks=pytest.mark.thorough)])
def test_an_explanation_covers_no_question(meet: Meet, width: int) -> None:
    """Nor the other pieces, so that the pointer can go from one to the next."""
    ada = meet("Ada", viewport={"width": width, "height": 768})
    ada.sit_down("mauer", "mbb", options={"first": "0"})
    ada.await_turn()
    for piece in ("hand-2", "hand-T", "hand-empty"):
        ada.page.locator(f"#{piece}").hover()
        expect(ada.page.locator(f"#{piece}.taught-card")).to_be_visible()
        expect(ada.page.locator("#teach.open h2")).to_be_visible()
        expect(ada.page.locator("#asks.replaced .what")).to_contain_text("?")
        assert ada.page.evaluate(COVERED) == []


@pytest.mark.thorough
def test_an_explanation_covers_no_choice_where_there_is_room(ada: Person) -> None:
    """Of a card in one's own wall, below the depot: all cards that can be turned stay in reach."""
    ada.sit_down("burgbaumeister", "mb", options={"first": "0"})
    ada.await_turn()
    while ada.page.locator("#tray [data-explains]").count() < 3:
        ada.play(lambda words: "+" if "+" in words else words[0])
        ada.await_turn()
    while "+" in ada.words():
        ada.press("+")
        ada.await_turn()
    for card in ada.page.locator("#tray [data-explains]").all():
        ada.page.mouse.move(5, 5)
        expect(ada.page.locator("#teach.open")).to_have_count(0)
        card.hover()
        expect(ada.page.locator("#teach.open h2")).to_be_visible()
        assert ada.page.evaluate(COVERED_CHOICES) == []


@pytest.mark.thorough
def test_in_die_mauer_all_has_its_place_beside_the_news(ada: Person) -> None:
    """Take back stands in the prompt, and the tabs of the story below the news, on the page."""
    ada.sit_down("mauer", "mbb", options={"first": "0"})
    ada.await_turn()
    ada.press("-")
    expect(ada.page.locator("#since")).to_be_visible()
    ada.page.locator("#others .back").wait_for()
    outside = ada.page.evaluate(
        """() => {
            const box = (each) => document.querySelector(each).getBoundingClientRect();
            const [prompt, back] = ["#prompt", "#others .back"].map(box);
            const [tray, story] = ["#tray", ".story"].map(box);
            const above = back.top < prompt.top || back.bottom > prompt.bottom;
            return [above, story.bottom > tray.bottom + 1];
        }"""
    )
    assert outside == [False, False]


# --- Luck --------------------------------------------------------------------------------------


@pytest.mark.thorough
def test_taking_back_never_changes_the_dice(ada: Person) -> None:
    """The same wall four times: the same roll; another wall in between changes nothing."""
    at_mauerbauer(ada)
    words = ada.words()
    rolls = set[str]()
    for word in (words[0], words[7], words[0], words[0]):
        ada.press(word)
        ada.await_turn()
        expect(ada.page.locator("#dice .die")).to_have_count(3)
        rolls.add(
            ada.page.evaluate(
                """() => [...document.querySelectorAll("#dice .die")]
                    .map((each) => each.firstElementChild.ariaLabel).join()"""
            )
        )
        ada.press_other("Take back")
        ada.rest()
        ada.page.locator(".ask-first .back").click()
        expect(ada.page.locator("#dice .die")).to_have_count(0)
    assert len(rolls) == 1


# --- Pace, the story, places -------------------------------------------------------------------


def test_a_hint_says_at_once_that_it_comes(ada: Person) -> None:
    """Before the server has answered."""
    at_mauerbauer(ada)
    ada.page.route("**/hints", lambda _: None)  # it never answers
    ada.press_other("Give me a hint")
    expect(ada.page.locator("#thinking")).to_have_text("Thinking …")


@pytest.mark.thorough
def test_places_have_names_while_words_speak_of_them(ada: Person) -> None:
    """Coordinates appear with the first line of the story that names a place."""
    ada.sit_down("mauerbauer", "mb", options=FIRST)
    ada.await_turn()
    names = ada.page.locator("#stage .coords")
    expect(names).to_be_hidden()
    ada.page.locator("#stage [data-word]").first.hover()
    expect(ada.page.locator("#asks .what")).to_contain_text("from")
    play_a_turn(ada)
    expect(names).to_be_visible()
    line = ada.page.locator("#since li[data-places]").first
    line.hover()
    expect(ada.page.locator("#stage .glowing").first).to_be_attached()


@pytest.mark.thorough
def test_a_turn_that_is_over_is_one_line_of_the_story(ada: Person) -> None:
    """It unfolds into all that was told."""
    at_mauerbauer(ada)
    play_a_turn(ada)
    play_a_turn(ada)
    ada.page.keyboard.press("n")  # the story takes the place of what happened since the last turn
    turn = ada.page.locator("#told li:has(> details)").first
    expect(turn.locator("summary").first).to_contain_text("built a wall from")
    expect(turn.locator("li").first).to_be_hidden()
    turn.locator("summary").first.click()
    expect(turn.locator("li").first).to_be_visible()
    assert all(each == "¶" for each in ada.page.locator("#told a.why").all_inner_texts())


@pytest.mark.thorough  # everybody who does not watch presses twice at each moment
def test_a_scoring_is_skipped_while_it_counts(meet: Meet) -> None:
    """The button says Skip first, and Go on once everything stands still."""
    ada = meet("Ada", watches=True, reduced_motion="no-preference")
    ada.page.clock.install()
    ada.sit_down("mauer", "mbb", options={"first": "0"})
    ada.await_turn()
    ada.stand_still()
    ada.choice("6").click()
    go_on = ada.page.locator("#go-on")
    expect(go_on).to_contain_text("Skip")
    go_on.click()
    expect(go_on).to_contain_text("Go on")


# --- A first game ------------------------------------------------------------------------------


def test_somebody_new_finds_a_beginning(meet: Meet) -> None:
    """One recommendation with one red button, which leads to the lesson; the goal in the prompt."""
    new = meet("", watches=True)
    new.go("/")
    first = new.page.locator(".first")
    expect(first).to_contain_text("New here? Start with Die Mauer.")
    expect(new.page.locator("main .btn.brick")).to_have_count(1)
    at_once = new.page.locator(".game").filter(has_text="Die Mauer")  # all choose together there
    at_once.get_by_role("button", name="Play now").click()
    expect(new.page.locator(".goal")).to_contain_text("Goal:")
    new.go("/")
    expect(first).to_have_count(0)


@pytest.mark.parametrize("size", only("low phone", "phone", "on its side"))
def test_a_first_move_is_chosen_for_somebody_new(meet: Meet, size: str) -> None:
    """The goal stands above the question at every size; a button plays a move and says why.

    What it says goes away by itself, also where motion is reduced.
    """
    ada = meet("Ada", **SIZES[size])
    ada.sit_down("burgbaumeister", "mbb", options={"first": "0"})
    ada.await_turn()
    expect(ada.page.locator(".goal")).to_contain_text("Goal:")
    dock = ada.page.evaluate(
        """() => {
            const dock = document.getElementById("prompt").getBoundingClientRect();
            return ["#prompt .goal", "#asks h1", ".chooses button"].every((each) => {
                const box = document.querySelector(each).getBoundingClientRect();
                return box.height && box.top >= dock.top && box.bottom <= dock.bottom;
            }) && (innerHeight < 500 || dock.height <= innerHeight / 4 + 1);
        }"""
    )
    assert dock
    before = ada.number
    ada.rest()
    ada.page.get_by_role("button", name="Choose for me").tap()
    ada.page.locator(f'main:not([data-number="{before}"])').wait_for(state="attached")
    expect(ada.page.locator("#chosen p")).to_contain_text("Chosen for you: Turn the card")
    ada.photograph(f"chosen-{size}")
    said = ada.page.locator("#chosen p")
    said.evaluate("each => each.getAnimations().forEach((motion) => motion.finish())")
    expect(said).to_be_hidden()


@pytest.mark.thorough  # a test of pages does the same without a browser
def test_nothing_is_chosen_where_hints_are_not_allowed(ada: Person) -> None:
    """Nor for those who know the games, who see no goal either."""
    ada.sit_down("burgbaumeister", "mbb", options={"first": "0"}, hints=False)
    ada.await_turn()
    expect(ada.page.locator(".goal")).to_be_visible()
    expect(ada.page.locator(".chooses")).to_have_count(0)
    ada.sit_down("burgbaumeister", "mbb", options={"first": "0"})
    ada.await_turn()
    expect(ada.page.locator(".chooses")).to_have_count(1)
    ada.switch("knows")
    ada.await_turn()
    expect(ada.page.locator(".goal, .chooses")).to_have_count(0)


def test_settings_save_at_once_and_keep_the_focus(ada: Person) -> None:
    """The menu leads there, and from a table back to it."""
    at_mauerbauer(ada)
    ada.page.locator("#menu > summary").click()
    ada.page.locator(".ways").get_by_role("link", name="Settings").click()
    on = ada.page.locator("#coordinates-2")
    on.click()
    expect(ada.page.locator(".saved")).to_contain_text("Saved on this device")
    expect(on).to_have_attribute("aria-pressed", "true")
    expect(on).to_be_focused()
    ada.page.get_by_role("link", name="Back to the table").click()
    expect(ada.page.locator("body[data-coordinates]")).to_have_count(1)
