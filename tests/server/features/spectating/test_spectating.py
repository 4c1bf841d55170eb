"""Watching: who does, whether others read their name, and what late spectators may not learn."""

import json
import re
import time
from collections.abc import Callable

import pytest
from tests.support.web_server import TIMEOUT, Player, Running

from mauerwerk.server.features.moderation import store as moderation

OPTIONS = {"rounds": "1", "stall": "3"}


def table_of(site: Running, **more: object) -> tuple[str, Player]:
    """A table at which Ada plays all three seats, and chat is as usual."""
    ada = site.browser("Ada")
    return ada.open("hhh", mine=[0, 1, 2], options=OPTIONS, **more)["table"], ada


def play(ada: Player, table: str, words: str) -> None:
    """Moves such as `0:T 1:4`."""
    for word in words.split():
        seat, _, what = word.partition(":")
        assert ada.move(table, what, seat=int(seat)).status_code == 200


def paths(table: str) -> tuple[str, ...]:
    """Everything that a spectator can look at while a game goes on."""
    return (
        f"/t/{table}",
        f"/t/{table}/chat",
        f"/api/tables/{table}",
        f"/api/tables/{table}/history",
        f"/api/tables/{table}/chat",
    )


def until(true: Callable[[], bool]) -> None:
    """Wait until something is true."""
    for _ in range(20 * TIMEOUT):
        if true():
            return
        time.sleep(0.05)
    raise AssertionError("it never came true")


def seen(player: Player, table: str) -> list[str]:
    """What a spectator reads there, less what is different at every table and time."""
    masked = r'[0-9a-f]{64}|data-now="\d+"|"(created|at|deadline|until|since)":\d+|data-due="\d+"'
    texts = [player.get(path).text.replace(table, "") for path in paths(table)]
    return [re.sub(masked, "", text) for text in texts]


def test_late_spectators_learn_nothing_of_the_last_moves(site: Running) -> None:
    """Page, chat, view and story are the same whatever was played since."""
    shown: list[list[str]] = []
    for last in ("0:4 1:-", "0:T 1:4"):
        table, ada = table_of(site, spectator_delay=3)
        play(ada, table, f"0:- 1:- 2:- {last}")
        ada.post(f"/api/tables/{table}/chat", form="face", content="wow", seat=0)
        shown.append(seen(site.anybody(), table))
    assert shown[0] == shown[1]
    assert '"content":"wow"' not in shown[0][-1]


@pytest.mark.parametrize("delay", [3, -1])
def test_no_list_says_whose_turn_it_is_at_a_late_table(site: Running, delay: int) -> None:
    """Neither to strangers nor to those who follow the game; its players read it."""
    table, ada = table_of(site, spectator_delay=delay, public=True)
    eve = site.browser("Eve")
    eve.post(f"/api/tables/{table}/follow", follow=True)
    play(ada, table, "0:- 1:-")
    lists = (eve.get("/api/tables", status="running"), eve.get("/api/guests/me/followed"))
    for answer in lists:
        (card,) = [each for each in answer.json()["tables"] if each["id"] == table]
        assert (card.get("waiting"), card.get("due"), card.get("turn")) == ([], None, 0)
        assert card["changed"] == card["created"]
    for path in ("/", "/me"):
        lines = re.findall(rf'<a[^>]*"/t/{table}".*?</a>', eve.get(path).text, re.DOTALL)
        assert lines
        assert all("being played" in line for line in lines)
    mine = ada.get("/api/guests/me/tables").json()["tables"]
    assert [each["waiting"] for each in mine if each["id"] == table] == [[2]]


def test_a_late_table_stays_where_it_is_in_lists(site: Running) -> None:
    """A move brings a table to the front; where it would come too early, it does not."""
    late, ada = table_of(site, spectator_delay=-1, public=True)
    live, bob = table_of(site, public=True)
    eve = site.browser("Eve")
    for table in (late, live):
        eve.post(f"/api/tables/{table}/follow", follow=True)
    play(bob, live, "0:-")
    play(ada, late, "0:- 1:-")

    def in_order(text: str) -> list[str]:
        return list(dict.fromkeys(re.findall(f"{late}|{live}", text)))

    for path in ("/api/guests/me/followed", "/", "/me"):
        assert in_order(eve.get(path).text) == [live, late], path
    assert in_order(eve.get("/api/tables", status="running").text) == [live, late]
    first = eve.get("/api/tables", status="running", limit=1).json()["tables"][-1]
    pages = eve.get("/api/tables", status="running", before=first["changed"]).text
    assert first["id"] == live
    assert late in pages


def test_the_page_counts_no_chat_that_its_reader_does_not_hear(site: Running) -> None:
    """Neither spectators' for players, nor what players say after what late spectators see."""
    table, ada = table_of(site, spectator_delay=2)
    eve = site.browser("Eve")

    def last(player: Player) -> str:
        found = re.search(r'data-last="(\d+)"', player.get(f"/t/{table}/chat").text)
        assert found
        return found[1]

    before = last(ada), last(eve)
    eve.post(f"/api/tables/{table}/chat", form="face", content="wow")
    assert last(ada) == before[0]
    play(ada, table, "0:- 1:- 2:-")
    heard = last(eve)
    ada.post(f"/api/tables/{table}/chat", form="face", content="oh", seat=0)
    assert last(eve) == heard


def test_late_spectators_hear_what_was_said_then(site: Running) -> None:
    """As far behind as they see the game, and no further; programs and pages alike."""
    table, ada = table_of(site, spectator_delay=2)
    play(ada, table, "0:- 1:- 2:-")
    ada.post(f"/api/tables/{table}/chat", form="face", content="wow", seat=0)
    stranger = site.anybody()
    for moves, heard in (("0:- 1:-", False), ("2:-", True)):
        play(ada, table, moves)
        page, chat, *_, program = (stranger.get(path).text for path in paths(table))
        told = ('id="said-' in page, 'id="said-' in chat, '"content":"wow"' in program)
        assert told == (heard,) * 3


def test_a_late_stream_tells_what_was_and_then_all_of_it(site: Running) -> None:
    """Move by move behind the players; at the end there is nothing more to wait for."""
    table, ada = table_of(site, spectator_delay=2)
    with site.anybody().listen(table, after=0) as told:
        before = ada.table_view(table, seat=0)["number"]
        told.numbers(before)
        play(ada, table, "0:- 1:- 2:-")
        assert told.hear()["seat"] == 0
        play(ada, table, "0:- 1:- 2:- 0:- 1:- 2:-")
        while told.hear()["number"] < ada.table_view(table, seat=0)["number"]:
            pass
    assert site.anybody().table_view(table)["status"] == "over"


def test_who_leaves_is_told_no_more_at_once(site: Running) -> None:
    """Whoever sat down and got up again is a late spectator like any other."""
    ada, eve = site.browser("Ada"), site.browser("Eve")
    table = ada.open("hho", mine=[0, 1], options=OPTIONS, spectator_delay=50)["table"]
    assert eve.post(f"/api/tables/{table}/sit").status_code == 200
    with eve.listen(table, seat="none") as told:
        assert eve.post(f"/api/tables/{table}/stand").status_code == 200
        play(ada, table, "0:4")
        assert told.block() == {}, "the stream ends; who comes back is told later"


def test_players_see_their_own_table_at_once(site: Running) -> None:
    """Also those who share a device, who look at it as spectators would."""
    table, ada = table_of(site, spectator_delay=50)
    play(ada, table, "0:4 1:- 2:-")
    own = ada.table_view(table, seat="none")["number"]
    assert own > site.anybody().table_view(table)["number"]
    assert f'data-number="{own}"' in ada.get(f"/t/{table}").text


def test_where_nobody_may_watch_nobody_does(site: Running) -> None:
    """No page, no view, no story, no stream and no picture; after the end there are all of them."""
    table, ada = table_of(site, spectator_delay=-1)
    play(ada, table, "0:4")
    stranger = site.anybody()
    for path in (*paths(table)[:1], *paths(table)[2:4], f"/api/tables/{table}/stream"):
        assert stranger.get(path).status_code == 403, path
    assert "Nobody can watch this game before it is over" in stranger.get(f"/t/{table}").text
    refused = site.browser().client.post(f"/t/{table}/sit", data={"name": "\u202e"})
    assert (refused.status_code, "sse-connect" in refused.text) == (403, False)
    assert ada.get(f"/t/{table}").status_code == 200


def test_the_table_says_who_watches(site: Running) -> None:
    """By name, as a guest, or unseen; each person once, and players not at all."""
    table, ada = table_of(site)
    mia, hidden = site.browser("Mia"), site.browser("Emil")
    hidden.client.cookies.set("mauerwerk-preferences", "..unseen")
    live = f"/t/{table}/live"
    with (
        mia.client.stream("GET", live),
        mia.client.stream("GET", live),
        hidden.client.stream("GET", live),
        site.anybody().client.stream("GET", live),
        ada.client.stream("GET", f"{live}?seat=0"),
    ):
        watchers = f"/api/tables/{table}/watchers"
        until(lambda: ada.get(watchers).json() == {"names": ["Mia"], "guests": 2})
        page = ada.get(f"/t/{table}").text
        assert 'title="Watching: Mia and 2 guests"' in page
        assert "Emil" not in page
        assert 'title="Watching: you and 2 guests"' in mia.get(f"/t/{table}").text
    until(lambda: ada.get(watchers).json() == {"names": [], "guests": 0})


def test_pages_hear_that_somebody_comes(site: Running) -> None:
    """The stream brings the list up to date, once for all who come at the same time."""
    table, ada = table_of(site)
    with ada.client.stream("GET", f"/t/{table}/live?seat=0") as stream:
        lines = stream.iter_lines()
        with site.browser("Mia").client.stream("GET", f"/t/{table}/live"):
            told = next(line for line in lines if line == "event: watch")
            assert "Mia" in next(lines)
    assert told


def test_programs_are_not_told_what_they_did_not_ask_for(site: Running) -> None:
    """A stream of notices has neither chat nor comings and goings."""
    table, ada = table_of(site)
    with (
        ada.listen(table, seat=0) as told,
        site.browser("Mia").client.stream("GET", f"/t/{table}/live"),
    ):
        ada.post(f"/api/tables/{table}/chat", form="face", content="smile", seat=0)
        until(lambda: bool(ada.get(f"/api/tables/{table}/watchers").json()["names"]))
        play(ada, table, "0:4")
        assert json.loads(told.block()["data"])["kind"] == "move"


def test_a_followed_game_is_on_the_home_page_and_on_ones_own(site: Running) -> None:
    """Until it is followed no more; players are not offered it, and nobody else has it."""
    table, ada = table_of(site)
    mia = site.browser("Mia")
    assert 'name="on" value="1"' in mia.get(f"/t/{table}").text
    assert 'name="on"' not in ada.get(f"/t/{table}").text
    sent = mia.client.post(f"/t/{table}/follow", data={"on": "1"}, follow_redirects=True)
    assert 'name="on" value="0"' in sent.text
    for path in ("/", "/me"):
        assert "Games you follow" in mia.get(path).text
        assert f'href="/t/{table}"' in mia.get(path).text
        assert "Games you follow" not in site.browser("Emil").get(path).text
    followed = mia.get("/api/guests/me/followed").json()["tables"]
    assert [card["id"] for card in followed] == [table]
    assert mia.post(f"/api/tables/{table}/follow", follow=False).json() == {"follows": False}
    assert mia.get("/api/guests/me/followed").json()["tables"] == []
    assert mia.post("/api/tables/nothing/follow").status_code == 404


def test_a_deleted_game_is_followed_no_more(site: Running) -> None:
    """A deleted table goes from the list of those who followed it."""
    ada, mia = site.browser("Ada"), site.browser("Mia")
    tables = [ada.open("hhh", mine=[0])["table"] for _ in range(3)]
    for table in tables:
        assert mia.post(f"/api/tables/{table}/follow").status_code == 200
    site.write(lambda transaction: moderation.delete_table(transaction, tables[1]))
    followed = mia.get("/api/guests/me/followed").json()["tables"]
    assert {card["id"] for card in followed} == {tables[0], tables[2]}
