"""What a bot thinks of a game, on its page: asked for, on its way, there; and who is told."""

import re
import threading
from collections.abc import Generator, Iterator
from typing import Any

import pytest
from tests.server.features.replay.worlds import text_of
from tests.support.web_pages import Page, look, sent
from tests.support.web_server import TIMEOUT, Player, Running

from mauerwerk.core.game import NATURE
from mauerwerk.core.record import Record, read
from mauerwerk.games import GAMES
from mauerwerk.lab.analysis.results import AnalysedPosition, Judged
from mauerwerk.server.features.replay import evaluation, pages
from mauerwerk.server.features.replay.analyses import Analyses
from mauerwerk.server.features.replay.frame import frame

pytestmark = pytest.mark.slow

TEXT = text_of("mauer-1/seats-3")


class Bot:
    """Thinks as much as it is let, and always the same."""

    def __init__(self) -> None:
        """Wait before the first thought."""
        self.go_on = threading.Event()
        self.breaks = False

    def think(self, record: Record) -> Generator[AnalysedPosition, None, None]:
        """Ada is ahead at first, then Cem; every first word is the best."""
        if self.breaks:
            raise RuntimeError("out of order")
        last = len(record.moves)
        for at in range(last + 1):
            if at == 4:
                assert self.go_on.wait(TIMEOUT)
            part = at / last
            chances = (1 - part, 0.0, part)
            if at == last or record.moves[at].seat == NATURE:
                yield AnalysedPosition(at, chances)
                continue
            move = record.moves[at]
            choices = (Judged("T", 0.75, 90), Judged(move.word, 0.5, 10))
            yield AnalysedPosition(at, chances, move.seat, move.word, choices, 0.25, 0.5)


@pytest.fixture
def bot(site: Running, monkeypatch: pytest.MonkeyPatch) -> Iterator[Bot]:
    """The bot of this house."""
    bot = Bot()
    analyses = Analyses(analyser=bot.think)
    services = site.app.state.host._services  # noqa: SLF001 - this bot is only for the test
    monkeypatch.setitem(services, Analyses, analyses)
    yield bot
    bot.go_on.set()
    while analyses.who_waits:
        threading.Event().wait(0.01)


def begun(player: Player, text: str = TEXT) -> str:
    """Where a game is shown whose analysis was just asked for."""
    path = sent(player, "/replay", record=text).path
    page = look(player, f"{path}?at=7&seat=all")
    assert "Analyse this game (about a minute)" in page.text
    assert page.send("/analyse").path == f"{path}?at=7&seat=all"
    return path


def settled(player: Player, path: str, words: str) -> Page:
    """The page, once it says so."""
    page = look(player, path)
    for _ in range(20 * TIMEOUT):
        if words in page.text:
            break
        threading.Event().wait(0.05)
        page = look(player, path)
    assert words in page.text
    return page


def test_an_analysis_is_asked_for_and_waited_for(site: Running, bot: Bot) -> None:
    """The page says how far it is, and looks again by itself, also without a script."""
    ada = site.browser("Ada")
    path = begun(ada)
    waiting = settled(ada, f"{path}?at=7&seat=all", "% done")

    assert 'hx-trigger="every 2s"' in waiting.html
    assert '<noscript><meta http-equiv="refresh"' in waiting.html
    assert "Analyse this game" not in waiting.text
    assert re.search(r"% done\. About \d+ (seconds|minutes?) left\.", waiting.text)
    assert re.search(r'<progress max="100" value="\d+"', waiting.html)
    bot.go_on.set()
    page = settled(ada, f"{path}?at=7&seat=all", "How this is counted")
    assert "hx-trigger" not in page.html
    assert 'http-equiv="refresh"' not in page.html


def test_a_result_that_comes_while_the_page_is_drawn_waits_for_the_next(
    site: Running, bot: Bot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Choices in the list would not be on a board that was drawn without them."""
    ada = site.browser("Ada")
    path = begun(ada)
    moves = read(TEXT, GAMES).moves
    at = next(number for number, move in enumerate(moves) if move.word in {"<", ">"})
    analyses = site.app.state.host.service(Analyses)

    def slowly(*given: Any) -> Any:  # noqa: ANN401 - whatever is drawn
        bot.go_on.set()
        for _ in range(20 * TIMEOUT):
            job = analyses.known(read(TEXT, GAMES))
            if job and job.result:
                break
            threading.Event().wait(0.05)
        return frame(*given)

    with monkeypatch.context() as patch:
        patch.setattr(pages, "frame", slowly)
        first = look(ada, f"{path}?at={at}&seat=all")
    assert "100 % done" in first.text
    assert "data-option" not in first.html
    then = look(ada, f"{path}?at={at}&seat=all")
    assert "data-option" in then.html
    assert "data-word" in then.html


def test_flags_that_stand_close_fly_above_each_other() -> None:
    """So that each can be seen and pressed; where there is room, all are low."""
    assert evaluation.flag_levels([0.1, 0.5, 0.9]) == [0, 0, 0]
    assert evaluation.flag_levels([0.50, 0.53, 0.54, 0.57]) == [0, 1, 2, 0]
    assert evaluation.flag_levels([]) == []


def test_the_open_view_has_the_curve_the_moments_and_the_choices(site: Running, bot: Bot) -> None:
    """Each leads to a position; what is drawn is there as a table too."""
    bot.go_on.set()
    ada = site.browser("Ada")
    path = begun(ada)
    page = settled(ada, f"{path}?at=40&seat=all", "How this is counted")
    curve = re.search(
        r'<svg[^>]*class="curve wide[^"]*".*?(?=<form class="scrub")', page.html, re.DOTALL
    )

    assert curve is not None
    assert curve[0].count("<polyline") == 3
    assert 'href="?at=79&amp;seat=all"' in curve[0]
    said = "Move 79: Seat 1 0 %, Seat 2 0 %, Seat 3 100 %".replace(" %", "\N{NO-BREAK SPACE}%")
    assert said in curve[0]
    parts = (
        re.search(
            r'id="weighed".*?</section>', look(ada, f"{path}?at={at}&seat=all").html, re.DOTALL
        )
        for at in range(40)
    )
    both = (each for each in parts if each and each[0].count('data-option="') == 2)
    weighed = next(each for each in both if "This cost" in each[0])
    seat = re.search(r"This cost Seat (\d) 25 points of winning chance\.", weighed[0])
    assert seat is not None
    own = (look(ada, f"{path}?at={at}&seat={int(seat[1]) - 1}").text for at in range(40))
    assert any("This cost you 25 points of winning chance." in text for text in own)
    assert weighed[0].count('data-option="') == 2
    assert weighed[0].count("data-played") == 1
    assert weighed[0].count("<li") == 2
    assert weighed[0].count('class="chosen"') == 1
    assert "Plan the tower" in weighed[0]
    assert re.search(r'<th scope="row"><a href="\?at=79&amp;seat=all"', page.html)
    played = re.search(r'id="played-1".*?</dl>', page.html, re.DOTALL)
    assert played is not None
    counts = [int(each) for each in re.findall(r'<dd class="num">(\d+)</dd>', played[0])]
    assert counts[:2] == [0, 0]
    assert counts[2] == page.html.split('id="played-1"')[1].split("</li>")[0].count('class="large"')
    assert "decisions are not counted, because the chances were below 5" in page.text
    points = re.findall(r'<li id="moment-(\d+)"[^>]*>.*?href="\?at=(\d+)&amp;seat=all"', page.html)
    flags = re.findall(
        r'<a class="flag[^"]*" href="\?at=(\d+)&amp;seat=all" id="flag-(\d+)"', curve[0]
    )
    assert points
    assert "pole" not in "".join(re.findall(r'<a class="flag.*?</a>', curve[0]))
    assert flags == [(at, number) for number, at in points]
    assert [number for number, _ in points] == [str(each) for each in range(1, len(points) + 1)]


def test_the_choices_are_on_the_board_and_can_be_tried(site: Running, bot: Bot) -> None:
    """Each is a target there; "Try it yourself" opens the position with the reader in that seat."""
    bot.go_on.set()
    ada = site.browser("Ada")
    path = begun(ada)
    moves = read(TEXT, GAMES).moves
    at = next(number for number, move in enumerate(moves) if move.word in {"<", ">"})
    page = settled(ada, f"{path}?at={at}&seat=all", "How this is counted")
    assert re.findall(r'data-option="([^"]+)"', page.html) == [
        moves[at].word.replace("<", "&lt;").replace(">", "&gt;")
    ]
    assert re.search(f'data-word="(?:{moves[at].word}|&[lg]t;)"', page.html)
    plays = [each for each in page.forms if each.action.endswith("/play")]
    form = plays[-1]
    table = sent(ada, form.action, **form.fields).path.removeprefix("/t/")
    assert ada.table_view(table)["initial_moves"] == at


def test_a_turning_point_says_what_it_is(site: Running, bot: Bot) -> None:
    """Its flag is red, the page names it, and the next one is a link away."""
    bot.go_on.set()
    ada = site.browser("Ada")
    path = begun(ada)
    page = settled(ada, f"{path}?at=0&seat=all", "How this is counted")
    flags = re.search(r'data-flags="([\d,]+)"', page.html)
    assert flags is not None
    first, *others = flags[1].split(",")
    following = re.search(r'id="next-flag" href="\?at=(\d+)', page.html)
    assert following is not None
    assert following[1] == first
    there = look(ada, f"{path}?at={first}&seat=all")

    assert re.search(r'<h1 id="ask">.*Turning point 1</h1>', there.html)
    assert 'class="flag on"' in there.html
    assert 'class="flag on"' not in page.html
    if others:
        assert f'id="next-flag" href="?at={others[0]}&amp;seat=all"' in there.html


def test_a_seat_is_told_what_its_own_choices_were_worth(site: Running, bot: Bot) -> None:
    """And nothing of what only an observer knows, nor of the choices of others."""
    bot.go_on.set()
    ada = site.browser("Ada")
    path = begun(ada)
    settled(ada, f"{path}?at=40&seat=all", "How this is counted")
    for at in range(0, 79, 6):
        page = look(ada, f"{path}?at={at}&seat=1")
        assert 'class="curve' not in page.html
        assert 'class="moments"' not in page.main
        assert 'data-flags=""' in page.main
        asked = '<p class="chosen">You chose: ' in page.html
        assert ('id="weighed"' in page.html) == asked
        assert ("What you could do" in page.text) == asked


def test_who_asks_for_too_much_is_told_so(site: Running, bot: Bot) -> None:
    """One at a time; the page stays where it is."""
    ada = site.browser("Ada")
    begun(ada)
    path = sent(ada, "/replay", record=text_of("mauer-1/seats-4")).path
    page = look(ada, f"{path}?at=3&seat=1").send("/analyse")

    assert page.path.startswith(f"{path}?at=3&seat=1")
    assert page.answer.status_code == 200
    assert "Bots look at other games right now" in page.text
    assert bot.go_on.is_set() is False


def test_a_bot_that_fails_can_be_asked_again(site: Running, bot: Bot) -> None:
    """The page says so, and the house goes on."""
    bot.breaks = True
    ada = site.browser("Ada")
    path = begun(ada)
    page = settled(ada, f"{path}?at=7&seat=all", "did not finish")
    bot.breaks = False
    bot.go_on.set()
    page.send("/analyse")
    settled(ada, f"{path}?at=7&seat=all", "How this is counted")
