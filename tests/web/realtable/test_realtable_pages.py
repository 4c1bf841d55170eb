"""Pages for owners of the printed games, and tables with real dice, by plain links and forms."""

import re
import threading
from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

import pytest
from tests.support.web_pages import Page, look, sent
from tests.support.web_server import LEVEL, Player, Running

from mauerwerk.games.mauerbauer import rules
from mauerwerk.games.mauerbauer.guild import Card
from mauerwerk.web.games.mauerbauer.realtable.counting import after, counted
from mauerwerk.web.games.mauerbauer.realtable.page import helper_page
from mauerwerk.web.http.limits import Limiter

pytestmark = pytest.mark.slow

PAGES = ("/real", "/real/dice", "/real/mauer", "/real/mauerbauer")
CITY = "a2-b1.b1-c2.a2-c2.r1b.Wa2"


def links(page: Page) -> dict[str, str]:
    """The addresses behind everything that can be tapped, by its word."""
    found = re.findall(r'href="([^"]+)"[^>]*?data-word="([^"]+)"', page.html)
    return {word: address.replace("&amp;", "&") for address, word in found}


def tap(player: Player, page: Page, *words: str) -> Page:
    """What the page looks like after these taps, each a link."""
    for word in words:
        page = look(player, links(page)[word])
        assert page.answer.status_code == 200
    return page


def worth(page: Page, card: str) -> str:
    """What the page says that a card is worth."""
    found = re.search(rf'id="worth-{card}".*?class="num">(\d+)<', page.html, re.DOTALL)
    assert found is not None
    return found[1]


# --- Pages -----------------------------------------------------------------------------------


@pytest.mark.parametrize("path", PAGES)
@pytest.mark.parametrize("language", ["en", "de", "it"])
def test_every_page_is_there_in_every_language(site: Running, path: str, language: str) -> None:
    """For anybody, without a name, and with no style or script in it."""
    page = look(site.anybody(), path, accept_language=language)
    assert page.answer.status_code == 200
    assert f'<html lang="{language}"' in page.html
    assert " style=" not in page.html
    assert page.answer.headers.get("set-cookie") is None


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
    for name, function in (("counted", counted), ("after", after), ("helper_page", helper_page)):
        module = "mauerwerk.web.games.mauerbauer.realtable.page"
        monkeypatch.setattr(f"{module}.{name}", count(name, function))
    look(site.anybody(), f"/real/mauerbauer?on={CITY}&word=a2-b1", hx_request="true")

    answers = threads.pop("answers")
    assert set(threads) == {"counted", "after", "helper_page"}
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


def test_a_sheet_is_filled_by_taps_and_by_numbers(site: Running) -> None:
    """The sums and places follow; the winner is who has fewest (DM-28)."""
    ada = site.anybody()
    page = look(ada, "/real/mauer?named=1&name-0=Ada&name-1=Bob&name-2=Cem")
    page = tap(ada, page, "0:T", "0:6", "1:1", "at:2")
    form = page.form("/real/mauer")
    page = look(ada, f"{page.path}&points-2-2=12&points-2-0=")
    rows = re.findall(r'<tr role="row" id="row-\d">.*?</tr>', page.html, re.DOTALL)
    sums = [re.findall(r'class="sum">(\d+)</td><td role="cell">(\d)', row)[0] for row in rows]
    assert form.fields["who"] == "Ada~Bob~Cem"
    assert sums == [("21", "3"), ("1", "1"), ("12", "2")]


def test_who_has_no_name_keeps_their_points(site: Running) -> None:
    """Four play, and only one of them writes a name."""
    ada = site.anybody()
    page = tap(ada, look(ada, "/real/mauer"), "0:T", "1:C", "2:6", "3:4")
    (names,) = [form for form in page.forms if "named" in form.fields]
    page = look(ada, f"/real/mauer?{urlencode({**names.fields, 'name-0': 'Ada'})}")
    assert re.findall(r'class="sum">(\d+)</td>', page.html) == ["15", "10", "6", "4"]
    assert "Player 4" in page.text


@pytest.mark.parametrize("query", ["left=XX", "rounds=99", "word=zz", "points-1-0=abc"])
def test_a_sheet_that_is_none_is_refused(site: Running, query: str) -> None:
    """With a page that says so."""
    assert look(site.anybody(), f"/real/mauer?{query}").answer.status_code == 422


# --- Real dice -------------------------------------------------------------------------------


def table_of(player: Player, game: str, people: int = 2, **more: Any) -> str:  # noqa: ANN401
    """The id of a new table at which this player has the first seats, a bot the last."""
    chairs = [*[{"kind": "human"}] * people, {"kind": "bot", "level": LEVEL}]
    order = {"game": game, "chairs": chairs, "tempo": 0, "mine": [*range(people)], **more}
    made = player.post("/api/tables", **order)
    assert made.status_code == 201, made.text
    table: str = made.json()["table"]
    return table


def test_the_form_for_a_table_offers_real_dice(site: Running) -> None:
    """Chosen already, where the link says so; and the table is set up so."""
    ada = site.browser("Ada")
    assert 'value="house" selected' in look(ada, "/new/mauerbauer").html
    page = look(ada, "/new/mauerbauer?chance=dice")
    assert 'value="dice" selected' in page.html
    fields = {"seat-1": "here", "seat-2": "nobody", "option-first": "lot"}
    page = page.send("/new/mauerbauer", **fields)
    assert 'id="entering"' in page.html
    assert sorted(page.words()) == ["@0", "@1"]


def test_a_turn_with_real_dice_by_plain_forms(site: Running) -> None:
    """A wall, the dice, and what they show is asked for."""
    ada = site.browser("Ada")
    table = table_of(ada, "mauerbauer", options={"first": "0", "board": "small"}, chance="dice")
    path = f"/t/{table}"
    page = look(ada, f"{path}?seat=0")
    page = page.send("/move", word=page.words()[0])
    form = page.form("/chance")
    assert {"part-0", "part-1", "part-2"} <= form.fields.keys()
    assert 'http-equiv="refresh"' not in page.html

    page = page.send("/chance", **{"part-0": "B", "part-1": "g", "part-2": "?"})

    assert "a black tower, a green house and a free choice" in page.text
    table_view = ada.get(f"/api/tables/{table}", seat=0).json()
    assert table_view["view"]["roll"]["tower"] == "B"


def test_dice_that_nobody_could_roll_are_refused_in_words(site: Running) -> None:
    """The form stays, with what is wrong."""
    ada = site.browser("Ada")
    table = table_of(ada, "mauerbauer", options={"first": "0", "board": "small"}, chance="dice")
    page = look(ada, f"/t/{table}?seat=0")
    page = page.send("/move", word=page.words()[0])
    for parts in ({"part-0": "X", "part-1": "g", "part-2": "g"}, {"part-0": "", "part-1": ""}):
        refused = page.send("/chance", **{"part-2": "", **parts})
        assert refused.answer.status_code == 422
        assert 'role="alert"' in refused.html
        assert 'id="entering"' in refused.html


def test_cards_are_entered_one_list_each(site: Running) -> None:
    """By who set up the table; the other sees who is waited for, and no card."""
    ada, bob = site.browser("Ada"), site.browser("Bob")
    made = ada.post(
        "/api/tables",
        game="mauerbauer",
        chairs=[{"kind": "human"}, {"kind": "open"}],
        mine=[0],
        options={"first": "0"},
        chance="all",
    )
    path = f"/t/{made.json()['table']}"
    sent(bob, f"{path}/sit", seat="1")
    page = look(ada, path)
    assert page.html.count('<select name="word-') == 6
    assert "Who enters a card sees it." in page.text
    other = look(bob, path)
    assert "Waiting for what Ada will enter." in other.text
    assert 'id="entering"' not in other.html

    thrice = {f"word-{place}": "+city-1" for place in range(3)}
    refused = page.send("/chance", **thrice)
    assert refused.answer.status_code == 422
    assert look(ada, path).html.count('<select name="word-') == 6

    kinds = ("city-1", "city-1", "land-red", "cities", "city-7", "land-water")
    page = page.send("/chance", **{f"word-{place}": f"+{card}" for place, card in enumerate(kinds)})

    assert page.answer.status_code == 200
    assert "Which cards does Bob draw?" in page.text
    assert "Exactly 1 field" in page.main
    assert sent(
        bob, f"{path}/chance", scribe="1", version="9", word="+city-1"
    ).answer.status_code in {
        403,
        409,
    }


def cards(*kinds: str) -> dict[str, str]:
    """The fields of a form with a list for each card."""
    return {f"word-{place}": f"+{kind}" for place, kind in enumerate(kinds)}


def test_cards_that_are_sent_twice_are_entered_once(site: Running) -> None:
    """As when somebody clicks twice, or loads the answer again."""
    ada = site.browser("Ada")
    table = table_of(ada, "mauerbauer", people=1, options={"first": "0"}, chance="all")
    page = look(ada, f"/t/{table}")
    hand = cards("city-1", "city-2", "land-red")
    answers = [page.send("/chance", **hand) for _ in range(2)]

    assert [each.answer.status_code for each in answers] == [200, 200]
    assert answers[1].html.count('<select name="word-') == 3


def test_cards_of_which_there_was_no_other_left_are_in_the_form_too(
    site: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The house deals them by itself, once it is certain which they are."""
    mixed = (Card("city-1"), Card("city-2"), Card("land-red"))
    monkeypatch.setattr(rules, "DECK", (*mixed, Card("land-blue"), *[Card("cities")] * 8))
    ada = site.browser("Ada")
    table = table_of(ada, "mauerbauer", people=1, options={"first": "0"}, chance="all")
    page = look(ada, f"/t/{table}")
    page = page.send("/chance", **cards("city-1", "city-2", "land-red", *["cities"] * 3))
    hand = cards("cities", "land-blue", *["cities"] * 4)
    answers = [page.send("/chance", **hand) for _ in range(2)]

    assert [each.answer.status_code for each in answers] == [200, 200]
    assert 'id="entering"' not in answers[1].html


def test_a_known_card_is_not_asked_for_and_no_list_tells_which_are(site: Running) -> None:
    """The number is typed: a list of what is left would be a memory (BB-9)."""
    ada = site.browser("Ada")
    table = table_of(ada, "burgbaumeister", options={"first": "0"}, chance="all")
    page = look(ada, f"/t/{table}")
    page = page.send("/move", word="a1")
    assert '<input type="number"' in page.html
    assert page.send("/chance", word="99").answer.status_code == 422
    page = page.send("/chance", word="23")
    assert "23" in page.text


def test_one_device_enters_without_a_look_at_anybodys_cards(site: Running) -> None:
    """Whoever holds the device rolls; then it is handed on."""
    ada = site.browser("Ada")
    table = table_of(ada, "mauer", options={"rounds": "1", "first": "lot"}, chance="dice")
    page = look(ada, f"/t/{table}")
    assert 'id="tray"' not in page.html
    page = page.send("/chance", word="@1")
    assert 'id="curtain"' in page.html


# --- The same for programs -------------------------------------------------------------------


def test_a_program_enters_dice(site: Running) -> None:
    """`enters` says when; a second time with the same key it is done once."""
    ada = site.guest("Ada")
    made = ada.post(
        "/api/tables",
        game="mauer",
        chairs=[{"kind": "human"}, *[{"kind": "bot", "level": LEVEL}] * 2],
        mine=[0],
        options={"first": "lot"},
        chance="dice",
        tempo=0,
    )
    path = f"/api/tables/{made.json()['table']}"
    table_view = ada.get(path).json()
    assert (table_view["chance"], table_view["enters"], table_view["legal"]) == ("dice", True, [])
    body = {"word": "@2", "version": table_view["number"], "key": "once"}

    first, again = ada.post(f"{path}/chance", **body), ada.post(f"{path}/chance", **body)

    assert (first.status_code, first.json()) == (200, again.json())
    assert ada.get(path).json()["view"]["master"] == 2
    told = ada.get(f"{path}/story").json()["notices"]
    assert [each["name"] for each in told if each["seat"] == -1] == ["Ada"]
    late = ada.post(f"{path}/chance", word="@1", version=table_view["number"], key="other")
    assert late.status_code == 409


def test_a_program_begins_with_moves(site: Running) -> None:
    """And is told in one line which of them cannot be played."""
    ada = site.guest("Ada")
    order: dict[str, Any] = {
        "game": "mauer",
        "chairs": [{"kind": "human"}, *[{"kind": "bot", "level": LEVEL}] * 2],
        "mine": [0],
        "options": {"first": "lot"},
    }
    made = ada.post("/api/tables", **order, moves="~:@2 0:T")
    assert made.status_code == 201
    refused = ada.post("/api/tables", **order, moves="~:@2 ~:@2")
    assert refused.status_code == 422
    assert refused.json()["message"].startswith("move 2 to begin with: nature may not play '@2'")


def test_only_who_sits_there_enters(site: Running) -> None:
    """Somebody who watches does not."""
    ada, eve = site.guest("Ada"), site.guest("Eve")
    made = ada.post(
        "/api/tables",
        game="mauer",
        chairs=[{"kind": "human"}, *[{"kind": "bot", "level": LEVEL}] * 2],
        mine=[0],
        options={"first": "lot"},
        chance="dice",
    )
    path = f"/api/tables/{made.json()['table']}"
    assert eve.post(f"{path}/chance", word="@1", version=4).status_code == 403
    assert eve.get(path).json()["enters"] is False
