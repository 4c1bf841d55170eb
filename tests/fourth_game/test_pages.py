"""The fourth game on the page: a plain board, plain forms, and no rulebook or lesson."""

import random
import re
import sys
import time
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import httpx
import pytest
from tests.support.web_pages import Page, look, sent
from tests.support.web_server import LEVEL, Player, Running, serving

from mauerwerk.server.games import WEB_GAMES, web_game

PATIENCE = 60.0
"""Seconds after which a game is taken not to end."""


@pytest.fixture(scope="module")
def site(_installed: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server that was started with the game installed."""
    with serving(tmp_path_factory.mktemp("data")) as running:
        yield running


def table_of(player: Player, people: int, **more: str) -> str:
    """The path of a new table of three, at which this player has the first seats."""
    chairs = [{"kind": "human"}] * people + [{"kind": "bot", "level": LEVEL}] * (3 - people)
    made = player.post(
        "/api/tables",
        game="breach",
        chairs=chairs,
        mine=[*range(people)],
        bot_delay_ms=0,
        options=more,
    )
    assert made.status_code == 201, made.text
    return f"/t/{made.json()['table']}"


def played(player: Player, path: str) -> Page:
    """The page after a whole game by plain forms."""
    chance = random.Random(4)
    page = look(player, path)
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        curtain = re.search(r'id="i-am" href="([^"]+)"', page.main)
        if curtain:
            page = look(player, unescape(curtain[1]))
        elif "data-asked" in page.main:
            page = page.send("/move", word=chance.choice(page.words()))
            assert page.answer.status_code == 200
        elif 'class="ranks"' in page.main:
            return page
        else:
            time.sleep(0.02)  # until a bot has moved
            page = look(player, path)
    raise AssertionError("the game does not end")


def test_the_home_page_lists_it(site: Running) -> None:
    """With its name and how many can play; there is no lesson and no rulebook to link to."""
    page = look(site.browser("Ada"), "/")

    assert "The Breach" in page.text
    assert "3\N{EN DASH}5" in page.text
    assert 'name="game" value="breach"' in page.html
    assert 'href="/new/breach"' in page.html
    assert "/rules/breach" not in page.html
    assert "/learn/breach" not in page.html


@pytest.mark.parametrize("language", ["en", "de", "it"])
def test_a_form_sets_up_a_table(site: Running, language: str) -> None:
    """It asks for the number of rounds, offers the one level of bots, and leads to the table."""
    ada = site.browser("Ada")
    sent(ada, "/preferences", language=language)
    form = look(ada, "/new/breach")
    assert form.answer.status_code == 200
    assert form.form("/new/breach").fields["option-rounds"] == "3"
    assert form.form("/new/breach").fields["seat-2"] == "bot"
    assert form.form("/new/breach").fields["level-2"] == "apprentice"
    assert 'value="master"' not in form.html

    page = form.send("/new/breach", **{"option-rounds": "2", "seat-1": "here"})

    assert page.path.startswith("/t/")
    assert page.answer.status_code == 200
    table = ada.table_view(page.path.partition("?")[0].removeprefix("/t/"), seat=0)
    assert table["game"] == "breach"
    assert table["options"] == {"rounds": "2"}


def test_the_table_is_drawn_as_text_and_buttons(site: Running) -> None:
    """Every legal choice is a button, in words; the text, escaped, shows the stones of all."""
    ada = site.browser("Ada")
    page = look(ada, table_of(ada, 1))

    assert page.words() == [str(stones) for stones in range(7)]
    assert "Hold 2 stones" in page.text
    assert re.search(r"<pre[^>]*>The Breach, 0/3 &gt;_+&lt;", page.main)
    assert page.main.count("oooooo") == 3
    assert "How many stones?" in page.text
    assert 'id="seats"' in page.main
    assert "/rules/breach" not in page.html


def test_a_forbidden_move_says_why(site: Running) -> None:
    """The clause is named in words, without a link to rules that are not there (BR-2)."""
    ada = site.browser("Ada")
    refused = look(ada, table_of(ada, 1)).send("/move", word="w1")

    assert refused.answer.status_code == 422
    assert "every player closes one hand" in refused.text
    assert "/rules/breach" not in refused.html


@pytest.mark.process
def test_a_whole_game_against_a_bot_by_plain_forms(site: Running) -> None:
    """Two people at one device and a bot; the end has a result and leads to a replay."""
    ada = site.browser("Ada")
    path = table_of(ada, 2, rounds="2")
    page = played(ada, path)
    assert "The Breach, 2/2" in page.text
    assert page.html.count('class="tower rank-') == 3
    assert 'id="sources"' not in page.html
    assert 'id="chances"' not in page.html

    for at in range(9):
        for seat in ("all", "0"):
            replay = look(ada, f"{path}/replay?at={at}&seat={seat}")
            assert replay.answer.status_code == 200
            assert re.search(r"<pre[^>]*>The Breach, \d/2", replay.main)
            assert 'id="hands"' not in replay.html


def test_a_record_is_replayed(site: Running) -> None:
    """A record that is pasted has a page for each position, in every language."""
    ada = site.browser("Ada")
    text = "breach/1 seats=3 rounds=1\n~:w2 0:1 1:3 2:1\n"
    replay = look(ada, "/replay").send("/replay", record=text)

    assert replay.answer.status_code == 200
    assert "The Breach, 0/1" in replay.text
    last = look(ada, f"{replay.path.partition('?')[0]}?at=4")
    assert "The Breach, 1/1" in last.text


@pytest.mark.parametrize("path", ["/rules/breach", "/learn/breach", "/learn/breach/1"])
def test_there_is_no_rulebook_and_no_lesson(site: Running, path: str) -> None:
    """The pages say so in words."""
    page = look(site.browser("Ada"), path)

    assert page.answer.status_code == 404
    assert "Page not found." in page.text


def test_chance_by_hand_is_a_list_of_what_can_happen(site: Running) -> None:
    """Without a form of its own a game offers all that its `odds` name (BR-1)."""
    chairs = {"name": "Ada", "seat-0": "me", "seat-1": "here", "seat-2": "here"}
    page = sent(site.browser(), "/new/breach", **chairs, dice="scribe")

    assert "What happened?" in page.text
    assert '<option value="w2">A breach of width 2</option>' in page.html
    page = page.send("/chance", **{"word-0": "w2"})
    page = look(page.player, f"{page.path.partition('?')[0]}?seat=0&opened=1")
    assert "A breach of width 2 opens." in page.text


def test_a_stream_shows_the_table(site: Running) -> None:
    """The page of a spectator is drawn anew after a move."""
    table = table_of(site.browser("Ada"), 3)
    with site.browser().client.stream("GET", f"{table}/live?after=0") as stream:
        assert stream.status_code == 200
        assert any("<pre" in line for line in stream.iter_lines())


def test_without_a_room_there_is_a_plain_one() -> None:
    """A box from the title and the seats of the game, and nothing else."""
    room = web_game("breach")

    assert (room.box.title, room.box.seats) == ("The Breach", 3)
    assert room.box.players == "3\N{EN DASH}5"
    assert (room.rulebook, room.lesson, room.picture, room.hand) == (None, None, "", None)
    assert "breach" not in WEB_GAMES


def test_what_is_shown_of_other_games_stays(site: Running) -> None:
    """Their own rulebooks and lessons are there, next to the fourth game."""
    ada = site.browser("Ada")

    assert look(ada, "/rules/mauer").answer.status_code == 200
    assert look(ada, "/new/mauer").answer.status_code == 200


def test_the_home_page_does_without_a_game_that_is_gone(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """If its package is removed, its tables are not listed, and the others still are."""
    data = tmp_path / "data"
    chairs = [{"kind": "human"}, {"kind": "open"}, {"kind": "open"}]
    with serving(data) as running:
        ada = running.browser("Ada")
        gone, kept = (
            ada.post("/api/tables", game=game, chairs=chairs, mine=[0], public=True).json()["table"]
            for game in ("breach", "mauer")
        )
        cookies = dict(ada.client.cookies)
    monkeypatch.setattr(sys, "path", [each for each in sys.path if "installed" not in each])
    with serving(data) as running:
        for mine in (cookies, {}):
            with httpx.Client(base_url=running.address, cookies=mine) as client:
                page = client.get("/")
            assert page.status_code == 200
            assert f"/t/{kept}" in page.text
            assert gone not in page.text
