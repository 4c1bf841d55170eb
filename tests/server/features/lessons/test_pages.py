"""The pages of a lesson: played through in every language, left, gone on with, and answered."""

import re
from html import unescape

import pytest
from tests.support.web_pages import Page, look, sent
from tests.support.web_server import Player, Running

from mauerwerk.core.language import TITLES, language_of
from mauerwerk.games import GAMES
from mauerwerk.server.features.lessons.lesson import course, script

LESSONS = [(game, code) for game in sorted(GAMES) for code in sorted(TITLES)]

every_lesson = pytest.mark.parametrize(
    ("game", "code"),
    # Each game and each language once: these stand in every fourth place.
    [
        each if place % 4 == 0 else pytest.param(*each, marks=pytest.mark.thorough)
        for place, each in enumerate(LESSONS)
    ],
)


def plain(html: str) -> str:
    """What can be read of it."""
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", html)).split())


def heading(page: Page) -> str:
    """The title of a stop."""
    found = re.search(r"<h1>(.*?)</h1>", page.html)
    assert found is not None
    return unescape(found[1])


def reader(site: Running, code: str = "en") -> Player:
    """Somebody who reads this language and was not here before."""
    player = site.browser()
    player.client.headers["accept-language"] = code
    return player


@pytest.mark.slow
@every_lesson
def test_a_lesson_can_be_played_to_its_end(site: Running, game: str, code: str) -> None:
    """By the buttons alone, as a browser without the script: every stop in its turn."""
    player = reader(site, code)
    page = look(player, f"/learn/{game}")
    assert page.answer.status_code == 200
    page = look(player, f"/learn/{game}/1")
    parts = script(game, code).parts
    for stop in course(game).stops:
        assert page.path == f"/learn/{game}/{stop.number}"
        assert f'<html lang="{code}"' in page.html
        assert heading(page) == parts[stop.note.key].title
        assert plain(parts[stop.note.key].text) in page.text
        for clause in stop.note.clauses:
            assert f'href="/rules/{game}#{clause}"' in page.html
        if stop.note.word:
            assert stop.note.word in page.words()
            page = page.send(page.path, word=stop.note.word)
        elif stop.number < len(course(game).stops):
            onward = page.form(f"/{stop.number + 1}")
            assert not onward.fields
            page = look(player, onward.action)

    assert page.path == f"/learn/{game}/{len(course(game).stops)}"
    assert f'action="/learn/{game}/play"' in page.html
    assert f'href="/rules/{game}"' in page.html
    for other in GAMES:
        assert f'href="/learn/{other}"' in page.html, other


@pytest.mark.slow
@pytest.mark.parametrize("game", sorted(GAMES))
def test_every_other_move_is_answered_and_the_lesson_goes_on(site: Running, game: str) -> None:
    """A move that is allowed, but not the lesson's, gets its answer and a way on."""
    player = reader(site)
    for stop in course(game).stops:
        page = look(player, f"/learn/{game}/{stop.number}")
        others = [word for word in page.words() if word != stop.note.word]
        if not stop.note.word or not others:
            continue
        for word in (others[0], others[-1]):
            answered = page.send(page.path, word=word)
            assert answered.answer.status_code == 200
            assert answered.path == page.path
            said = script(game, "en").parts[stop.note.key].answer(word)
            assert plain(said) in answered.text
            following = answered.send(page.path, word=stop.note.word)
            assert following.path == f"/learn/{game}/{stop.number + 1}"


def test_an_illegal_move_is_refused_with_its_clause(site: Running) -> None:
    """As at a table: what forbids it, and a link to the rules; then the lesson goes on."""
    player = reader(site, "de")
    page = look(player, "/learn/mauer/9")
    refused = page.send("/learn/mauer/9", word="!C")

    assert refused.answer.status_code == 422
    assert 'href="/rules/mauer#DM-9"' in re.sub(r"<nav.*?</nav>", "", refused.html, flags=re.DOTALL)
    assert "Turm und Tor" in refused.text
    assert refused.send("/learn/mauer/9", word="!6").path == "/learn/mauer/10"


def test_what_is_no_word_is_refused(site: Running) -> None:
    """One clear line, and nothing changes."""
    page = look(reader(site), "/learn/mauer/2").send("/learn/mauer/2", word="<b>")

    assert page.answer.status_code == 422
    assert "is not a move" in page.text
    assert "<b>&#39;" not in page.html
    assert "&lt;b&gt;" in page.html


@pytest.mark.parametrize(
    "path",
    ["/learn/chess", "/learn/chess/1", "/learn/mauer/0", "/learn/mauer/99", "/learn/mauer/x"],
)
def test_there_is_no_other_lesson(site: Running, path: str) -> None:
    """A page says so."""
    assert look(reader(site), path).answer.status_code == 404


def test_where_nothing_is_asked_nothing_can_be_played(site: Running) -> None:
    """A form from elsewhere in the lesson is answered, not obeyed."""
    assert sent(reader(site), "/learn/mauer/1", word="4").answer.status_code == 409


# --- Leaving and coming back -----------------------------------------------------------------


def test_a_lesson_can_be_left_and_gone_on_with(site: Running) -> None:
    """The browser remembers the furthest stop of each lesson."""
    player = reader(site)
    assert "Begin" in look(player, "/learn/mauer").text
    assert '<a class="btn brick" href="/learn/mauer/1">' in look(player, "/").html
    look(player, "/learn/mauer/7")
    look(player, "/learn/burgbaumeister/3")
    look(player, "/learn/mauer/4")

    page = look(player, "/learn/mauer")
    assert "Continue where you stopped: step 7 of 19" in page.text
    assert '<a class="btn brick" href="/learn/mauer/7">' in page.html
    assert page.html.count('<li class="seen">') == 7
    assert "step 3 of 21" in look(player, "/learn/burgbaumeister").text
    assert "Begin" in look(player, "/learn/mauerbauer").text


def test_who_was_at_the_end_is_offered_a_real_game(site: Running) -> None:
    """And can begin again."""
    player = reader(site)
    look(player, "/learn/mauer/19")
    page = look(player, "/learn/mauer")

    assert 'action="/learn/mauer/play"' in page.html
    assert "Once more from the beginning" in page.text


@pytest.mark.parametrize("said", ["mauer", "mauer-x", "mauer-999999", "chess-3.mauer-2", "=-="])
def test_a_cookie_is_not_believed(site: Running, said: str) -> None:
    """What it should not say counts as nothing, and too much as the end."""
    player = reader(site)
    player.client.cookies.set("mauerwerk-lessons", said)

    assert look(player, "/learn/mauer").answer.status_code == 200
    assert look(player, "/learn/mauer/3").answer.status_code == 200


# --- The script, and the real game -----------------------------------------------------------


def test_the_script_gets_only_what_changes(site: Running) -> None:
    """The next stop as a part of the page, with its address, and what happened in words."""
    player = reader(site, "de")
    answer = player.client.post(
        "/learn/mauer/2", data={"word": "4"}, headers={"hx-request": "true"}
    )

    assert answer.status_code == 200
    assert "<html" not in answer.text
    assert 'data-path="/learn/mauer/3"' in answer.text
    said = re.search(r'<p id="said"[^>]*>(.*?)</p>', answer.text, re.DOTALL)
    assert said is not None
    assert "Du hast eine 4 geplant" in said[1]
    assert plain(script("mauer", "de").parts["alone"].task) in plain(said[1])


@pytest.mark.parametrize("game", sorted(GAMES))
def test_one_click_leads_to_a_real_table(site: Running, game: str) -> None:
    """With bots of the easiest level, at which the learner sits."""
    player = reader(site, "en")
    last = look(player, f"/learn/{game}/{len(course(game).stops)}")
    page = last.send(f"/learn/{game}/play", now="1")  # the client sends no form without a field

    assert page.path.startswith("/t/")
    table_view = player.table_view(page.path.removeprefix("/t/"))
    assert table_view["seat"] == 0
    assert {place["level"] for place in table_view["seats"][1:]} == {"apprentice"}


def test_every_word_of_the_frame_is_translated(site: Running) -> None:
    """Buttons and headings around the text speak its language."""
    for code in sorted(set(TITLES) - {"en"}):
        language = language_of(code)
        for template in ("Go on", "Back", "Overview", "Do it for me", "What happened"):
            assert language(template) != template
        page = look(reader(site, code), "/learn/mauer/7")
        assert language("Go on") in page.text
        assert "Go on" not in page.text
