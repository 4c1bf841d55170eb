"""Settings: a page of their own, each with a sentence; and what somebody new is shown."""

import re

import pytest
from tests.support.web_pages import look, sent
from tests.support.web_server import Running

from mauerwerk.server.ui.preferences import SWITCHES

ELSEWHERE = {"notifications"}
"""What is set on another page."""


@pytest.mark.parametrize("name", sorted(set(SWITCHES) - ELSEWHERE))
def test_each_is_switched_and_says_what_it_does(site: Running, name: str) -> None:
    """On and off again; the page says that it was saved, once."""
    ada = site.browser("Ada")
    block = re.search(rf'id="{name}".*?</form>', look(ada, "/settings").html, re.DOTALL)
    assert block
    assert re.search(r"<p>[^<]{20,}\.</p>", block[0])
    first = SWITCHES[name]
    for value in (not first, first):
        back = "/settings?saved=1&back=/"
        page = sent(ada, "/preferences", back=back, **{name: "1" if value else "0"})
        assert "Saved on this device" in page.text
        pressed = re.search(rf'id="{name}-2"[^>]*aria-pressed="(\w+)"', page.html)
        assert pressed
        assert pressed[1] == ("true" if value else "false")
    assert "Saved on this device" not in look(ada, "/settings").text


def test_there_is_a_way_back_to_the_table(site: Running) -> None:
    """But to no other site."""
    ada = site.browser("Ada")
    assert "Back to the table" in look(ada, "/settings?back=/t/abc").text
    assert 'href="//evil' not in look(ada, "/settings?back=//evil.example").html


def test_somebody_new_is_told_where_to_begin(site: Running) -> None:
    """Until they say that they know the games, or have a name here."""
    new = site.browser()
    page = look(new, "/")
    assert "New here? Start with Die Mauer." in page.text
    assert "New here?" not in sent(new, "/preferences", knows="1", back="/").text
    assert "New here?" not in look(new, "/").text
    assert "New here?" not in look(site.browser("Ada"), "/").text


def test_the_goal_is_said_in_the_first_turns(site: Running) -> None:
    """Not to readers who know the games."""
    new = site.browser()
    page = sent(new, "/play", game="burgbaumeister")
    table = page.path
    assert "Goal:" in page.text or "data-asked" not in page.html
    sent(new, "/preferences", knows="1", back="/")
    assert "Goal:" not in look(new, table).text
