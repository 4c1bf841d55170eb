"""What `Play now` starts, and that the browser remembers it."""

import re

import pytest
from tests.support.web_pages import look, sent
from tests.support.web_server import Running

from mauerwerk.core import options
from mauerwerk.core.game import Setup
from mauerwerk.core.language import ENGLISH, language_of
from mauerwerk.games import GAMES
from mauerwerk.server.features.lobby.pages import Start, said
from mauerwerk.server.games import WEB_GAMES
from mauerwerk.server.ui.dates import DAY, HOUR, day_of, time_left


@pytest.mark.parametrize("game", GAMES)
def test_every_answer_is_one_that_the_game_takes(game: str) -> None:
    """Each can be played, the default is among them, and no two stand for the same."""
    usual = {each.name: each.default for each in options.described(GAMES[game].OPTIONS)}
    for question in WEB_GAMES[game].questions:
        if question.option == "first":  # the players are its answers
            continue
        assert question.answer(usual[question.option]) is not None
        words = [answer.word for answer in question.answers]
        assert len(words) == len(set(words))
        for word in words:
            chosen = options.from_words(GAMES[game].OPTIONS, {question.option: word})
            GAMES[game].start(Setup(GAMES[game].SEATS[0], chosen))


def test_a_choice_starts_at_once_and_is_remembered(site: Running) -> None:
    """Level, number of players and variant; the other games start as before."""
    ada = site.browser("Ada")
    game = "burgbaumeister"
    page = sent(ada, "/play", game=game, level="apprentice", seats="2", word="yes")
    table = ada.table_view(page.path.removeprefix("/t/"))

    assert table["options"]["variant"] == "yes"
    assert [place["level"] for place in table["seats"]] == ["", "apprentice"]
    home = look(ada, "/")
    assert "1 bot, Apprentice, Variant" in home.text
    assert "3 bots, Journeyman" in home.text
    again = ada.table_view(sent(ada, "/play", game=game).path.removeprefix("/t/"))
    assert (again["options"], len(again["seats"])) == (table["options"], 2)


def test_a_choice_is_remembered_before_anything_starts(site: Running) -> None:
    """The answer is what the button says from now on."""
    ada = site.browser("Ada")
    answer = sent(ada, "/play/choice", game="mauer", level="foreman", seats="5", word="6").answer

    assert answer.text == "4 bots, Foreman, six rounds"
    assert answer.text in look(ada, "/").text
    checked = re.findall(r'id="mauer-(\S+)" checked', look(ada, "/").html)
    assert checked == ["level-foreman", "seats-5", "word-6"]
    assert sent(ada, "/play/choice", game="chess").answer.status_code == 404


@pytest.mark.parametrize(
    "cookie", ["mauer-grandmaster-99-x", "chess-master-2-", "mauer", "..-.-", "mauer-a-b-c-d"]
)
def test_what_makes_no_sense_is_as_if_nothing_were_remembered(site: Running, cookie: str) -> None:
    """Whoever wrote it. Somebody new begins with the easiest bots."""
    page = site.client(cookie=f"mauerwerk-starts={cookie}").get("/")

    assert "3 bots, Apprentice" in page.text


def test_somebody_who_was_here_before_plays_against_the_usual_bots(site: Running) -> None:
    """Only a new visitor begins with the easiest."""
    assert "3 bots, Journeyman" in look(site.browser("Ada"), "/").text


def test_the_second_line_is_short_and_in_the_readers_language() -> None:
    """What is usual is not mentioned."""
    assert said("mauerbauer", Start("master", 2, "default"), ENGLISH) == "1 bot, Master"
    german = said("mauerbauer", Start("apprentice", 4, "small"), language_of("de"))
    assert german == "3 Bots, Lehrling, Klein"


def test_days_and_spans_are_words() -> None:
    """Whole units, and the year only where it is another one."""
    at, now = 1_794_800_000_000, 1_794_900_000_000
    assert day_of(at, now, ENGLISH) == "16 November"
    assert day_of(at, now, language_of("de")) == "16. November"
    assert day_of(at, now + 366 * DAY, language_of("it")) == "16 novembre 2026"
    assert time_left(2 * DAY + HOUR, ENGLISH) == "2 days left"
    assert time_left(4 * HOUR + 1, ENGLISH) == "4 h left"
    assert time_left(0, language_of("de")) == "noch 1 min"
