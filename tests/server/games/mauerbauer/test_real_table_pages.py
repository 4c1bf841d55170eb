"""The scoring helper for owners of the printed game, by plain links and forms."""

import re
import threading
from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

import pytest
from tests.support.tapping import tap
from tests.support.web_pages import Page, look
from tests.support.web_server import Running

from mauerwerk.server.games.mauerbauer.real_table.counting import after, counting_in
from mauerwerk.server.games.mauerbauer.real_table.pages import helper_page
from mauerwerk.server.http.limits import Limiter

pytestmark = pytest.mark.slow

CITY = "a2-b1.b1-c2.a2-c2.r1b.Wa2"


def worth(page: Page, card: str) -> str:
    """What the page says that a card is worth."""
    found = re.search(rf'id="worth-{card}".*?class="num">(\d+)<', page.html, re.DOTALL)
    assert found is not None
    return found[1]


def test_a_city_is_tapped_together_by_links_alone(site: Running) -> None:
    """Three walls, a house, a tower; the address then holds it, and nothing is left of the taps."""
    ada = site.anybody()
    page = look(ada, "/real/mauerbauer")
    assert "No city is closed yet." in page.text
    page = tap(ada, page, "a2-b1", "b1-c2", "a2-c2", "use:house-r", "r1b", "use:tower-W", "Wa2")

    assert "word=" not in page.path
    assert f"on={CITY.replace('.r1b.Wa2', '.Wa2.r1b')}" in page.path.replace("%", "")
    assert (worth(page, "city-1"), worth(page, "city-red"), worth(page, "city-white")) == (
        ("6", "1", "2")
    )
    assert worth(page, "cities") == "1"
    assert "on=" not in tap(ada, page, "clear").path


def test_points_go_to_whoever_is_chosen_and_back(site: Running) -> None:
    """A card's points are one tap."""
    ada = site.anybody()
    page = look(ada, f"/real/mauerbauer?on={CITY}&name-0=Ada&name-1=Bob")
    page = tap(ada, page, "seat:1", "got:city-1", "got:cities")
    assert "Bob 7" in page.text
    assert "Bob 6" in tap(ada, page, "back").text


def test_a_script_gets_the_part_that_changes(site: Running) -> None:
    """And no redirect; it says where the page is then."""
    answer = site.anybody().client.get(
        f"/real/mauerbauer?on={CITY}&word=a2-b1", headers={"hx-request": "true"}
    )
    assert answer.status_code == 200
    assert answer.text.lstrip().startswith("<main")
    assert 'data-here="/real/mauerbauer?on=b1-c2' in answer.text


def test_nobody_waits_while_somebody_elses_board_is_counted(
    site: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The thread that answers everybody does not count."""
    threads: dict[str, int] = {}

    def pay(*_: object) -> None:
        threads["answers"] = threading.get_ident()

    def count(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def counting(*given: object) -> object:
            threads[name] = threading.get_ident()
            return function(*given)

        return counting

    monkeypatch.setattr(Limiter, "drawing", pay)
    package = "mauerwerk.server.games.mauerbauer.real_table"
    for module, name, function in (
        ("counting", "counting_in", counting_in),
        ("counting", "after", after),
        ("pages", "helper_page", helper_page),
    ):
        monkeypatch.setattr(f"{package}.{module}.{name}", count(name, function))
    # Somebody has just asked for the same without `got`, and visitors share what is a second old.
    look(site.anybody(), f"/real/mauerbauer?on={CITY}&word=a2-b1&got=", hx_request="true")

    answers = threads.pop("answers")
    assert set(threads) == {"counting_in", "after", "helper_page"}
    assert answers not in threads.values()


@pytest.mark.parametrize(
    "query",
    ["on=nonsense", "word=nonsense", "got=9:city-1:6", "on=" + "r1b." * 500],
)
def test_an_address_that_says_nothing_is_refused(site: Running, query: str) -> None:
    """With a page that says so."""
    page = look(site.anybody(), f"/real/mauerbauer?{query}")
    assert page.answer.status_code == 422
    assert re.search(r"cannot be (done|set up) like this", page.text)


def test_another_board_is_laid_out_empty(site: Running) -> None:
    """One of ours, or one in letters."""
    ada = site.anybody()
    lake = look(ada, "/real/mauerbauer?board=large")
    assert "The lake" in lake.html
    own = look(ada, "/real/mauerbauer?board=default&own=wwwme/wwmme%2Ba2-b1")
    assert own.answer.status_code == 200
    assert "board=wwwme/wwmme%2Ba2-b1" in own.path


def test_from_a_board_of_ones_own_one_goes_to_another(site: Running) -> None:
    """The own one is chosen as long as nobody chooses, and letters are for yet another."""
    ada = site.anybody()
    page = look(ada, "/real/mauerbauer?board=wwwme/wwmme%2Ba2-b1")
    (form,) = [form for form in page.forms if "own" in form.fields]
    assert (form.fields["board"], form.fields["own"]) == ("wwwme/wwmme+a2-b1", "")

    other = look(ada, f"/real/mauerbauer?{urlencode({**form.fields, 'board': 'large'})}")

    (form,) = [form for form in other.forms if "own" in form.fields]
    assert form.fields["board"] == "large"
    assert "wwwme/wwmme+a2-b1" not in other.html.replace('placeholder="wwwme/wwmme+a2-b1"', "")


@pytest.mark.parametrize("board", ["board=nonsense&on=a2-b1", "own=w.w", "own=%00"])
def test_what_is_no_board_is_refused_on_the_page(site: Running, board: str) -> None:
    """In the reader's words, above the usual board; names and points stay."""
    query = f"{board}&who=Ada~Bob&got=1:cities:2"
    page = look(site.anybody(), f"/real/mauerbauer?{query}", accept_language="de")
    assert page.answer.status_code == 422
    assert re.search("ist kein Spielplan|in 2 Stücken", page.text)
    assert "Bob: Städte" in page.text
    assert 'id="line-a2-b1"' in page.html
