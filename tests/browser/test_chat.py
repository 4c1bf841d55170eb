"""Chat between browsers: a tab on desktops, a sheet on phones, in everybody's own language."""

import pytest
from playwright.sync_api import Route, expect
from tests.browser.conftest import Meet
from tests.browser.measured import Box, box, boxes
from tests.support.people import PHONE, Person

from mauerwerk.games import GAMES

pytestmark = pytest.mark.browser


def meet_at_a_table(meet: Meet, game: str = "mauer", **of_bea: object) -> tuple[Person, Person]:
    """Ada at a desk and Bea, at one table with a bot."""
    ada, bea = meet("Ada"), meet("Bea", **of_bea)
    ada.sit_down(game, "mob", public=True)
    bea.go(f"/t/{ada.table}")
    bea.page.locator("form[action$='/sit'] button").first.click()
    for each in (ada, bea):
        expect(each.page.locator("#chat[data-last]")).to_be_attached()
    return ada, bea


def deepest(person: Person) -> float:
    """Where the last of what the open chat offers ends."""
    return max(each.bottom for each in boxes(person.page, "#chat-players *"))


def test_a_phrase_is_read_in_another_language(meet: Meet) -> None:
    """It shows at the speaker's seat for six seconds and counts as unread; T and Escape work."""
    ada, bea = meet_at_a_table(meet, locale="de")
    expect(bea.page.locator("#fist-2:not(.now)")).to_be_visible()  # no bot moves any more
    bea.page.clock.install()
    bea.stand_still()
    ada.page.keyboard.press("t")
    ada.page.locator("#chat-players").get_by_role("button", name="Well built!").click()

    expect(ada.page.locator("#chat-players .said")).to_contain_text("You Well built!")
    expect(bea.page.locator("#tab-players .dot")).to_have_text("1")
    expect(bea.page.locator(".bubble")).to_have_text("Gut gebaut!")
    expect(bea.page.locator("#overheard")).to_contain_text("Ada: Gut gebaut!")
    bea.page.clock.run_for(6_100)
    expect(bea.page.locator(".bubble")).to_have_count(0)
    bea.page.keyboard.press("t")
    expect(bea.page.locator("#tab-players .dot")).to_be_hidden()
    expect(bea.page.locator("#chat-players .said")).to_be_visible()
    bea.page.keyboard.press("Escape")
    assert bea.page.evaluate("!document.activeElement.closest('#chat')")


def test_who_reports_a_message_finds_the_focus_on_the_dots(meet: Meet) -> None:
    """From there the next one can be reported, or somebody muted."""
    ada, bea = meet_at_a_table(meet)
    bea.page.keyboard.press("t")
    bea.page.locator("#chat-players").get_by_role("button", name="Well built!").click()
    ada.page.bring_to_front()
    ada.page.keyboard.press("t")
    expect(ada.page.locator("#chat-players .said")).to_contain_text("Well built!")
    dots = ada.page.locator("#chat-menu > summary")
    dots.click()
    ada.page.locator("#chat-menu .entry", has_text="Report").click()
    expect(ada.page.locator("#chat-players .refusal")).to_be_visible()
    expect(dots).to_be_focused()


@pytest.mark.thorough
@pytest.mark.parametrize("high", [740, 640])
@pytest.mark.parametrize("game", GAMES)
def test_a_sheet_leaves_board_and_prompt_in_sight(meet: Meet, game: str, high: int) -> None:
    """On a phone the chat opens from the bar, wholly, and closes by its cross."""
    size = {"viewport": {"width": 360, "height": high}}
    _, bea = meet_at_a_table(meet, game, **{**PHONE, **size})
    bea.page.locator("#open-chat").click()
    story, prompt = bea.page.locator("#story"), bea.page.locator("#prompt")
    expect(story).to_be_in_viewport()
    expect(prompt).to_be_in_viewport()
    sheet, board = box(bea.page, "#story"), box(bea.page, ".stage")
    assert box(bea.page, "#prompt").bottom < sheet.top >= high * 0.45
    assert deepest(bea) <= sheet.bottom <= high
    assert board.height >= 150
    assert min(board.bottom, sheet.top) - board.top >= 60
    bea.page.locator("[data-shut]").click()
    expect(bea.page.locator("#chat-players")).to_be_hidden()


@pytest.mark.thorough
@pytest.mark.parametrize("game", GAMES)
def test_on_its_side_the_chat_is_beside_the_board(meet: Meet, game: str) -> None:
    """All of it is there, and more than half of what the board showed."""
    size = {"viewport": {"width": 844, "height": 390}}
    _, bea = meet_at_a_table(meet, game, **{**PHONE, **size})
    board = box(bea.page, ".stage")
    bea.page.locator("#open-chat").click()
    expect(bea.page.locator("#story")).to_be_in_viewport()
    sheet = box(bea.page, "#story")
    assert deepest(bea) <= sheet.bottom <= 390
    assert box(bea.page, ".stage") == board
    assert sheet.left - board.left >= board.width * 0.6


@pytest.mark.thorough
@pytest.mark.parametrize("game", GAMES)
def test_at_a_desk_all_of_the_chat_is_in_sight(meet: Meet, game: str) -> None:
    """Also where walls and prompt leave little room for it; the question stays above it."""
    ada, _ = meet_at_a_table(meet, game)
    ada.page.keyboard.press("t")
    expect(ada.page.locator("#chat-players")).to_be_visible()
    sheet = box(ada.page, "#story")
    assert deepest(ada) <= sheet.bottom <= 800
    assert box(ada.page, "#prompt h1").bottom < sheet.top or game == "mauer"


@pytest.mark.thorough
def test_the_style_of_the_chat_is_its_own(ada: Person) -> None:
    """What else is on the table stays where it is when that sheet comes: dice to enter, too."""
    options = {"first": "0", "board": "default"}
    ada.sit_down("mauerbauer", "mbb", options=options, dice="players")
    ada.await_turn()
    ada.press(ada.words()[0])
    ada.page.locator("#entering").wait_for()
    others = "#live :not(#story, #story *)"
    ada.rest()
    ada.settle()
    before: list[Box] = []
    while (now := boxes(ada.page, others)) != before:  # what was built still comes to its place
        before = now
        ada.page.wait_for_timeout(250)
    ada.page.evaluate("later('chat')")
    expect(ada.page.locator("link[href*='/chat.css']")).to_be_attached()
    assert boxes(ada.page, others) == before


@pytest.mark.thorough
def test_muting_is_silent_and_lasts(meet: Meet) -> None:
    """Messages of a muted speaker are hidden, also after the page was loaded anew."""
    ada, bea = meet_at_a_table(meet)
    for each in (ada, bea):
        each.page.keyboard.press("t")
    bea.page.locator("#chat-players .reaction").first.click()
    expect(ada.page.locator("#chat-players .said")).to_be_visible()
    ada.page.locator("#chat-menu summary").click()
    ada.page.get_by_role("button", name="Mute Bea").click()
    bea.page.locator("#chat-players .reaction").nth(1).click()
    expect(ada.page.locator(".mutedline:visible")).to_contain_text("Bea is muted. 2 messages are")
    expect(ada.page.locator(".bubble")).to_have_count(0)
    ada.page.reload()
    ada.page.keyboard.press("t")
    expect(ada.page.locator("#chat-players .said:visible")).to_have_count(0)
    ada.page.locator("[data-unmute]:visible").click()
    expect(ada.page.locator("#chat-players .said:visible")).to_have_count(2)


@pytest.mark.thorough
def test_four_chat_and_spectators_stay_behind_their_wall(meet: Meet) -> None:
    """Two players and two spectators: each side hears itself, and spectators hear the players."""
    ada, bea = meet_at_a_table(meet)
    mia, emil = meet("Mia", watches=True), meet("Emil", watches=True)
    for each in (mia, emil):
        each.go(f"/t/{ada.table}")
    for each in (ada, bea, mia, emil):
        expect(each.page.locator("#chat[data-last]")).to_be_attached()
        each.page.keyboard.press("t")
    mia.page.locator("#chat-spectators .reaction").first.click()
    expect(emil.page.locator("#chat-spectators .said")).to_have_count(1)
    bea.page.locator("#chat-players .reaction").first.click()
    expect(ada.page.locator("#chat-players .said")).to_have_count(1)
    expect(emil.page.locator("#tab-players .dot")).to_have_text("1")
    for each in (ada, bea):
        assert each.page.locator("#chat-spectators .said").count() == 0


@pytest.mark.thorough
def test_words_that_were_not_sent_stay(meet: Meet) -> None:
    """The page says so, and sends them when asked to."""
    ada, bea = meet_at_a_table(meet)
    ada.page.keyboard.press("t")
    ada.page.context.set_offline(True)
    ada.page.locator("#chat-players .reaction").first.click()
    expect(ada.page.locator("#chat-players .refusal")).to_contain_text("was not sent")
    ada.page.context.set_offline(False)
    ada.page.get_by_role("button", name="Try again").click()
    expect(bea.page.locator("#chat-players .said")).to_have_count(1)
    ada.faults.clear()


@pytest.mark.thorough
def test_what_comes_later_comes_once(meet: Meet) -> None:
    """A press before the chat is there opens it, once; so does one after it could not be loaded."""
    _, bea = meet_at_a_table(meet, **PHONE)
    page = bea.page
    scripts = page.locator("script[src*='/chat.js']")
    assert scripts.count() == 0
    page.route("**/chat.*", lambda route: route.abort())
    with page.expect_event("requestfailed", lambda request: "/chat.js" in request.url):
        page.locator("#open-chat").click()
    expect(scripts).to_have_count(0)
    page.unroute("**/chat.*")

    waiting: list[Route] = []
    page.route("**/chat.css*", lambda route: waiting.append(route))  # noqa: PLW0108 - it keeps notes on it
    page.locator("#open-chat").click()
    page.wait_for_function(
        "() => !document.querySelector('#later-chat').content.querySelector('script')"
    )
    assert not page.evaluate("document.documentElement.classList.contains('chatopen')")
    for each in waiting:
        each.continue_()
    expect(page.locator("html.chatopen")).to_be_attached()
    expect(scripts).to_have_count(1)
    bea.faults.clear()  # what was lost on purpose
