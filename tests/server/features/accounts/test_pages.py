"""A visitor's own page: what runs, whose turn it is, and the settings."""

import pytest
from tests.support.web_pages import look, sent
from tests.support.web_server import Running

from mauerwerk.server.features.lobby import pages


def test_somebody_new_has_no_games_yet(site: Running) -> None:
    """The page says so, and how to begin; nobody needs an account."""
    page = look(site.browser(), "/me")

    assert "No games yet" in page.text
    assert 'href="/">Play now' in page.main


def test_games_that_wait_for_the_reader_come_first(site: Running) -> None:
    """Those with the least time left before the others, then those that wait for others."""
    ada = site.browser("Ada")
    slow = ada.open("hhh", mine=[0, 1, 2], seconds_per_move=200_000)["table"]
    soon = ada.open("hhh", mine=[0, 1, 2], seconds_per_move=9_000)["table"]
    free = ada.open("hho", mine=[0, 1], seconds_per_move=100)["table"]
    unclocked = ada.open("hhh", mine=[0, 1, 2])["table"]
    page = look(ada, "/me")
    at = [page.main.index(f'href="/t/{table}"') for table in (soon, slow, unclocked, free)]

    assert at == sorted(at)
    assert "2 h left" in page.text
    assert "2 days left" in page.text
    assert "no time limit" in page.text


def test_an_old_game_is_listed_as_long_as_it_runs(
    site: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many tables have changed since; a table with nobody else yet names nobody."""
    monkeypatch.setattr(pages, "MOST_ENDED", 1)
    ada = site.browser("Ada")
    old = ada.open("hoo", mine=[0])["table"]
    for _ in range(2):
        ada.open("hhh", mine=[0, 1, 2])
    for path in ("/", "/me"):
        assert f'href="/t/{old}"' in look(ada, path).main
        assert "with free seat" not in look(ada, path).text


def test_every_page_leads_to_it(site: Running) -> None:
    """The name in the header is a link."""
    assert 'class="knob me" href="/me"' in look(site.browser("Ada"), "/rules").html
    assert "knob me" not in look(site.browser(), "/rules").html


def test_name_and_mark_can_be_changed(site: Running) -> None:
    """Both in one form; the mark stands in the header of every page."""
    ada = site.browser("Ada")
    page = sent(ada, "/me", name="Countess", mark="3", back="/me")

    assert "<h1>Countess</h1>" in page.main
    assert "#mark-3" in look(ada, "/rules").html.partition('class="knob me"')[2][:300]
    sent(ada, "/preferences", mark="33", theme="dark", back="/me")
    assert "#mark-1" in look(ada, "/rules").html.partition('class="knob me"')[2][:300]


def test_a_refused_name_leaves_the_form_as_it_was_filled_in(site: Running) -> None:
    """It is open and says why, and nothing has changed."""
    ada = site.browser("Ada")
    page = sent(ada, "/me", name="\u202e", mark="3", back="/me")

    assert (page.answer.status_code, page.path) == (422, "/me")
    assert '<details class="renames" open>' in page.main
    assert "combined emoji are not possible" in page.text
    assert '<input type="radio" name="mark" value="3" id="mark-of-3" checked' in page.main
    assert "<h1>Ada</h1>" in page.main
