"""Finding a table on the pages: filters, "Find me a game", too late, bots after a while."""

import re
from functools import partial
from typing import Any

import pytest
from tests.support.web_pages import Page, look, sent
from tests.support.web_server import Player, Running

from mauerwerk.core.language import language_of
from mauerwerk.server.database.transaction import Transaction
from mauerwerk.server.features.invitations import store as kept
from mauerwerk.server.features.lobby.open_tables import Seek, lobby_of, seek_in
from mauerwerk.server.features.matchmaking import pages
from mauerwerk.server.features.matchmaking.service import Matchmaking
from mauerwerk.server.features.results.store import Met
from mauerwerk.server.tables.table import Card, Status


def listed(page: Page) -> list[str]:
    """The open tables on the home page."""
    return re.findall(r'id="open-([^"]+)"', page.main.replace('id="open-head"', ""))


def found(player: Player, **seek: str) -> str:
    """The id of the table at which somebody is seated who looks for a game."""
    page = sent(player, "/find", **seek)
    assert page.answer.status_code == 200, page.text
    return page.path.removeprefix("/t/")


def test_looking_seats_people_at_one_table(site: Running) -> None:
    """Also somebody who has no name yet, and who presses twice."""
    ada, new = site.browser("Ada"), site.browser()
    table = found(ada, game="burgbaumeister", seats="4")
    assert found(ada, game="burgbaumeister", seats="4") == table
    assert found(new, game="burgbaumeister", seats="4") == table
    assert found(new, game="burgbaumeister", seats="4") == table
    page = look(ada, f"/t/{table}")
    assert page.text.count("Free seat") == 2
    assert "If nobody comes within a minute, you can start with bots." in page.text


def test_programs_find_games_too(site: Running) -> None:
    """One seat, however often they ask."""
    ada = site.guest("Ada")
    tables = {
        ada.post("/api/find", game="burgbaumeister", seats=2, clock="days").json()["table"]
        for _ in range(2)
    }
    assert len(tables) == 1
    assert ada.table_view(tables.pop())["seat"] is not None
    assert site.anybody().post("/api/find").status_code == 401


@pytest.mark.parametrize("asked", [{"game": "chess"}, {"game": "mauer", "others": ["chess"]}])
def test_an_unknown_game_is_not_replaced_by_another(site: Running, asked: dict[str, Any]) -> None:
    """The answer lists the games that there are, and nobody is seated."""
    ada = site.guest("Ada")
    answer = ada.post("/api/find", **asked, fun=True)
    assert answer.status_code == 422
    assert "there is no game 'chess', only mauer" in answer.json()["message"]
    assert ada.get("/api/guests/me/tables").json()["tables"] == []


def test_open_tables_can_be_filtered(site: Running) -> None:
    """By game, number of players, clock, language and rating, without a script too."""
    ada, other = site.browser("Ada"), site.browser("Ben")
    live = found(ada, game="mauer", seats="5")
    slow = found(other, game="mauerbauer", clock="days", seats="2")
    stranger = site.browser()
    assert {live, slow} <= set(listed(look(stranger, "/")))
    page = look(stranger, "/?game=mauer&seats=5&clock=live&spoken=en&rated=1")
    assert listed(page) == [live]
    assert 'href="/find?games=mauer&amp;clock=live&amp;counts=rated"' in page.main, (
        "it is taken over"
    )
    assert slow in listed(look(stranger, "/?clock=days"))
    nothing = look(stranger, "/?seats=6&clock=none")
    assert "No open table matches." in nothing.text
    assert "people are looking for a game" in nothing.text or "person is" in nothing.text


def test_too_late_is_said_in_the_row(site: Running) -> None:
    """With another way to a game."""
    ada, ben, late = site.browser("Ada"), site.browser("Ben"), site.browser("Clara")
    table = found(ada, game="mauerbauer", seats="2", clock="none")
    assert found(ben, game="mauerbauer", seats="2", clock="none") == table
    page = sent(late, f"/t/{table}/join")
    assert page.answer.status_code == 409
    row = re.search(rf'<article class="run" id="open-{table}">.*?</article>', page.main, re.DOTALL)
    assert row is not None
    assert "That seat has just been taken." in row[0]
    assert 'href="/find"' in row[0]
    assert sent(late, "/t/nothing/join").answer.status_code == 404


def test_after_a_while_bots_may_start(site: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    """For people at the table, and not before."""
    ada = site.browser("Ada")
    table = found(ada, game="mauer", seats="6")
    assert sent(ada, f"/t/{table}/bots").answer.status_code == 409
    monkeypatch.setattr(pages, "PATIENCE", 0)
    assert sent(site.browser("Eve"), f"/t/{table}/bots").answer.status_code == 403
    assert "Start with bots" in look(ada, f"/t/{table}").text
    page = sent(ada, f"/t/{table}/bots")
    assert page.answer.status_code == 200
    assert "Free seat" not in page.text


def test_an_invitation_from_the_table_to_the_home_page(
    site: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And back to the table; what stands for a person means nothing to others."""
    ada, ben = site.browser("Ada"), site.browser("Ben")
    ids = {who: who.get("/api/guests/me").json()["guest"] for who in (ada, ben)}
    met = {ids[ada]: (Met(ids[ben], "Ben", 2),), ids[ben]: (Met(ids[ada], "Ada", 2),)}

    def people_met(_: Transaction, guest: str) -> tuple[Met, ...]:
        return met.get(guest, ())

    monkeypatch.setattr(kept, "people_met", people_met)
    table = found(ada, game="mauer", seats="4")
    page = look(ada, f"/t/{table}/people")
    assert "Ben 2 games together" in page.text
    assert ids[ben] not in page.html
    word = re.search(r'name="person" value="([^"]+)"', page.main)
    assert word is not None
    stranger = site.browser("Eve")
    assert look(stranger, f"/t/{table}/people").answer.status_code == 403
    assert sent(ada, f"/t/{table}/people", person="x").answer.status_code == 409
    assert "Invited" in sent(ada, f"/t/{table}/people", person=word[1]).text

    home = look(ben, "/")
    assert "Ada invites you" in home.text
    assert "Ada invites you to Die Mauer" in look(ben, "/me").text
    assert ids[ada] not in home.html
    action = re.search(r'action="(/invitations/[^"]+)"', home.main)
    assert action is not None
    assert sent(stranger, action[1], answer="yes").path == action[1], "it is not theirs"
    assert sent(ben, action[1], answer="yes").path == f"/t/{table}"
    assert "Ada invites you" not in look(ben, "/").text
    assert "Ben" in look(ada, f"/t/{table}").text


def test_no_invitations_from_one_person(site: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    """From the invitation itself; my page takes it back."""
    ada, ben = site.browser("Ada"), site.browser("Ben")
    ids = {who: who.get("/api/guests/me").json()["guest"] for who in (ada, ben)}

    def people_met(_: Transaction, guest: str) -> tuple[Met, ...]:
        return (Met(ids[ben], "Ben", 2),) if guest == ids[ada] else ()

    monkeypatch.setattr(kept, "people_met", people_met)
    table = found(ada, game="mauer", seats="3", clock="none")
    word = re.search(r'name="person" value="([^"]+)"', look(ada, f"/t/{table}/people").main)
    assert word is not None
    sent(ada, f"/t/{table}/people", person=word[1])
    action = re.search(r'action="(/invitations/[^"]+)"', look(ben, "/").main)
    assert action is not None
    sent(ben, action[1], answer="never")
    assert "Ben" not in look(ada, f"/t/{table}/people").text
    mine = look(ben, "/me")
    assert "No invitations from Ada" in mine.text
    assert ids[ada] not in mine.html
    again = re.search(r'class="uninvited".*?name="person" value="([^"]+)"', mine.main, re.DOTALL)
    assert again is not None
    sent(ben, "/me/invitations", person=again[1])
    assert "Ben" in look(ada, f"/t/{table}/people").text
    assert "Accept invitations again" in sent(ben, "/me/invitations", all="none").text
    assert "Ben" not in look(ada, f"/t/{table}/people").text
    sent(ben, "/me/invitations", all="some")


# --- What is said ----------------------------------------------------------------------------


def card(**more: object) -> Card:
    """An open table of Ada's."""
    about = {"names": ("Ada", "", "Mia"), "levels": ("", "", ""), "seats": 3, **more}
    rest = {"public": True, "status": Status.OPEN, "created": 0, "changed": 0}
    return Card(id="t", game="mauer", **rest, **about)  # type: ignore[arg-type]


def test_a_row_says_who_waits_and_how_it_is_played() -> None:
    """In the reader's language."""
    (line,) = lobby_of(
        [card(seconds_per_move=120, rated=True, language="de")], Seek(), language_of("en")
    )["lines"]
    assert line["people"] == "Ada, Mia · 1 free seat"
    assert line["about"] == "2 minutes per move, rated, Deutsch"
    (line,) = lobby_of([card()], Seek(), language_of("it"))["lines"]
    assert line["people"] == "Ada, Mia · 1 posto libero"


def test_where_nobody_looks_the_page_says_so() -> None:
    """And how many do, otherwise."""
    english = language_of("en")
    assert lobby_of([], Seek(), english)["looking_said"] == (
        "Nobody is waiting for a game right now. We'll let you know."
    )
    assert lobby_of([card()], Seek(), english, looking=2)["looking_said"] == (
        "2 people are looking for a game"
    )


def test_a_wish_that_makes_no_sense_is_no_wish() -> None:
    """Whatever an address says."""
    assert seek_in({"game": "chess", "seats": "-1", "clock": "x", "spoken": "xx"}) == Seek()


def test_nobody_is_invited_without_a_name(site: Running) -> None:
    """Only guests can be asked."""
    assert look(site.browser(), "/").answer.status_code == 200
    assert sent(site.browser(), "/invitations/x", answer="yes").answer.status_code == 401
    assert look(site.browser(), "/me/invitations").path == "/me"


def test_the_sheet_asks_three_things(site: Running) -> None:
    """All answered already; it says the terms and who waits, and the answers are remembered."""
    ada, ben = site.browser("Ada"), site.browser("Ben")
    page = look(ada, "/find?games=burgbaumeister+mauerbauer&clock=days&counts=fun")
    assert "Mauerbauer or Burgbaumeister , 1 day a move, for fun." in page.text
    assert "Nobody else is waiting for this right now." in page.text
    assert "Start playing with bots, until somebody comes" in page.text
    drawn = {*re.findall(r'<symbol id="([^"]+)"', page.html)}
    assert {*re.findall(r'<use [^>]*href="#([^"]+)"', page.html)} <= drawn
    asked = {"game-burgbaumeister": "1", "clock": "days", "counts": "fun"}
    playing = sent(ada, "/find", **asked)
    table = playing.path.removeprefix("/t/")
    assert ada.table_view(table)["status"] == "running"
    again = look(ada, "/find")
    assert "1 day a move, for fun" in again.text

    page = look(ben, "/find?games=burgbaumeister&clock=days&counts=fun")
    assert "Ada is waiting for this." in page.text
    assert "Play with Ada" in page.text
    assert re.search(r"(people are|person is) looking for a game", look(ben, "/").text)
    assert sent(ben, "/find", **asked).path == f"/t/{table}"
    band = look(ben, f"/t/{table}/search").text
    assert "You take over Bruno's seat in the next game." in band
    assert "Ben is here. Bruno finishes this game, then Ben takes over the seat." in (
        look(ada, f"/t/{table}/search").text
    )
    assert ben.get(f"/api/tables/{table}/search").json() == {
        "looking": True,
        "coming": [{"seat": 1, "name": "Ben"}],
    }
    sent(ben, f"/t/{table}/search", what="stay-away")
    assert "Would you like to play along?" in look(ben, f"/t/{table}/search").text
    sent(ada, f"/t/{table}/search", what="stop")
    assert look(ada, f"/t/{table}/search").answer.status_code == 286
    assert sent(ben, f"/t/{table}/search", what="come").answer.status_code == 422
    assert sent(ben, f"/t/{table}/search", what="stop").answer.status_code == 403
    assert sent(ben, f"/t/{table}/search", what="x").answer.status_code == 422


def test_a_rated_game_waits_for_a_person(site: Running) -> None:
    """The waiting room shows the terms."""
    ada = site.browser("Ada")
    page = sent(ada, "/find", **{"game-mauer": "1", "clock": "sitting", "counts": "rated"})
    assert "4 players · 10 min each + 10 s a move · four rounds · rated · no hints" in page.text
    view = ada.table_view(page.path.removeprefix("/t/"))
    assert (view["status"], view["rated"], view["clock"]["total"]) == ("open", True, 600)
    both = ada.post("/api/find", rated=True, fun=True)
    assert both.status_code == 422


def test_somebody_whom_the_band_seats_is_shown_the_seat(
    site: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Their page asks for the band once a round has begun, and is loaded anew."""
    monkeypatch.setattr(Matchmaking, "_seat_soon", lambda *_: None)
    ada, ben = site.browser("Ada"), site.browser("Ben")
    options = {"first": "0", "stall": "1", "rounds": "2"}
    table = ada.open("ooo", mine=[0], public=True, options=options)["table"]
    ada.post(f"/api/tables/{table}/search", what="look")
    sent(ben, f"/t/{table}/search", what="come")
    ada.post(f"/api/tables/{table}/search", what="stop")
    band = partial(ben.get, f"/t/{table}/search", seat="watch")
    assert "at the next round" in band().text

    while not (shown := band()).headers.get("hx-refresh"):
        assert shown.status_code == 200
        if words := [each["move"] for each in ada.table_view(table)["legal"]]:
            ada.move(table, "-" if "-" in words else words[0])
    assert ben.table_view(table)["seat"] == 1
