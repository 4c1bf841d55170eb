"""The score sheet for owners of the printed game, by plain forms."""

import re
from urllib.parse import urlencode

import pytest
from tests.support.tapping import press
from tests.support.web_pages import look
from tests.support.web_server import Running

pytestmark = pytest.mark.slow


def test_a_sheet_is_filled_by_taps_and_by_numbers(site: Running) -> None:
    """The sums and places follow; the winner is who has fewest (DM-28)."""
    ada = site.anybody()
    page = look(ada, "/real/mauer?named=1&name-0=Ada&name-1=Bob&name-2=Cem")
    page = press(ada, page, "0:T", "0:6", "1:1", "at:2")
    form = page.form("/real/mauer")
    page = look(ada, f"{page.path}&points-2-2=12&points-2-0=")
    rows = re.findall(r'<tr role="row" id="row-\d">.*?</tr>', page.html, re.DOTALL)
    sums = [re.findall(r'class="sum">(\d+)</td><td role="cell">(\d)', row)[0] for row in rows]
    assert form.fields["who"] == "Ada~Bob~Cem"
    assert sums == [("21", "3"), ("1", "1"), ("12", "2")]


def test_who_has_no_name_keeps_their_points(site: Running) -> None:
    """Four play, and only one of them writes a name."""
    ada = site.anybody()
    page = press(ada, look(ada, "/real/mauer"), "0:T", "1:C", "2:6", "3:4")
    (names,) = [form for form in page.forms if "named" in form.fields]
    page = look(ada, f"/real/mauer?{urlencode({**names.fields, 'name-0': 'Ada'})}")
    assert re.findall(r'class="sum">(\d+)</td>', page.html) == ["15", "10", "6", "4"]
    assert "Player 4" in page.text


@pytest.mark.parametrize("word", ["more", "at:2", "1:T"])
def test_a_tap_keeps_what_was_typed_before(site: Running, word: str) -> None:
    """Every tap is a button of the form with the points: no script needs to be there."""
    ada = site.anybody()
    page = press(ada, look(ada, "/real/mauer"), word, **{"points-1-0": "7"})
    assert page.form("/real/mauer").fields["left"].startswith("=7_")


@pytest.mark.parametrize("query", ["left=XX", "rounds=99", "word=zz", "points-1-0=abc"])
def test_a_sheet_that_is_none_is_refused(site: Running, query: str) -> None:
    """With a page that says so."""
    assert look(site.anybody(), f"/real/mauer?{query}").answer.status_code == 422
