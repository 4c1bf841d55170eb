"""A visitor's own data: what is stored can be taken along, and deleted."""

import io
import json
import zipfile

from tests.support.web_pages import look
from tests.support.web_server import Player, Running

from mauerwerk.core import record
from mauerwerk.games import GAMES

SHORT = {"rounds": "1", "stall": "1"}


def finished(ada: Player, bob: Player) -> str:
    """A game of Ada, who has two seats, and Bob, played to the end."""
    table: str = ada.open("hho", mine=[0, 1], options=SHORT)["table"]
    assert bob.post(f"/api/tables/{table}/sit").status_code == 200
    for seat, player in ((0, ada), (1, ada), (2, bob)):
        assert player.move(table, "-", seat=seat).status_code == 200
    assert ada.table_view(table, seat=0)["status"] == "over"
    return table


def archive(player: Player, path: str) -> zipfile.ZipFile:
    """What a player takes along."""
    answer = player.get(path)
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "application/zip"
    assert "attachment" in answer.headers["content-disposition"]
    return zipfile.ZipFile(io.BytesIO(answer.content))


def test_everything_can_be_taken_along(site: Running) -> None:
    """Every table that names the guest, and every finished game as a record that replays."""
    ada, bob = site.browser("Ada"), site.guest("Bob")
    over = finished(ada, bob)
    running = ada.open("hhh", mine=[0])["table"]

    for path in ("/api/guests/me/data", "/data/all.zip"):
        taken = archive(ada, path)
        data = json.loads(taken.read("data.json"))
        tables = {each["table"]: each for each in data["tables"]}
        assert set(tables) == {over, running}
        assert (data["name"], tables[over]["names"], tables[over]["seats"]) == (
            "Ada",
            ["Ada"],
            [0, 1],
        )
        text = taken.read(tables[over]["record"]).decode()
        assert record.read(text, GAMES).game == "mauer"
        assert tables[running]["record"] == ""
    assert "Bob" not in taken.read("data.json").decode()


def test_being_forgotten(site: Running) -> None:
    """The name goes everywhere, games remain for the others, and a bot plays on."""
    ada, bob = site.browser("Ada Rare"), site.guest("Bob")
    over = finished(ada, bob)
    going = ada.open("hho", mine=[0, 1])["table"]
    assert bob.post(f"/api/tables/{going}/sit").status_code == 200
    alone = ada.open("hoo", mine=[0])["table"]

    asked = look(ada, "/data")
    assert "Ada Rare" in asked.main
    sure = ada.client.post("/data/forget", data={"sure": "0"}, follow_redirects=True)
    assert "a bot plays in your place" in sure.text
    assert "Ada Rare" in bob.get(f"/t/{over}").text
    typo = ada.client.post("/data/forget", data={"sure": "1", "name": "Bob"})
    assert "type your name exactly as it is shown here" in typo.text
    typed = {"sure": "1", "name": " ada  RARE"}
    done = ada.client.post("/data/forget", data=typed, follow_redirects=True)

    assert "Your data has been deleted." in done.text
    assert ada.get("/api/guests/me").status_code == 401
    for table in (over, going):
        for path in (f"/api/tables/{table}", f"/t/{table}", f"/api/tables/{table}/history"):
            assert "Ada Rare" not in bob.get(path).text
    seen = bob.table_view(going, seat=2)
    assert [place["level"] != "" for place in seen["seats"]] == [True, True, False]
    assert bob.get(f"/t/{over}/replay").status_code == 200
    assert "anonymous" in bob.get(f"/t/{over}").text
    assert bob.get(f"/api/tables/{alone}").status_code == 404
    assert [each["id"] for each in bob.get("/api/guests/me/tables").json()["tables"]] == [
        going,
        over,
    ]


def test_a_program_says_that_it_is_sure(site: Running) -> None:
    """Otherwise nothing happens; and only a guest can ask."""
    ada = site.guest("Ada")
    table = ada.open("hhh", mine=[0, 1, 2], options=SHORT)["table"]
    assert ada.post("/api/guests/me/forget", sure=False).status_code == 422
    assert ada.table_view(table, seat=0)["seats"][0]["name"] == "Ada"
    assert site.anybody().post("/api/guests/me/forget", sure=True).status_code == 401
    assert site.anybody().get("/api/guests/me/data").status_code == 401
    assert ada.post("/api/guests/me/forget", sure=True).json() == {"tables": 1}


def test_no_token_outlives_its_guest(site: Running) -> None:
    """It would let in a guest who has nothing, also one that was invalid before."""
    ada = site.browser("Ada")
    first = site.bearer(dict(ada.client.cookies)["mauerwerk"])
    ada.client.post("/me/log-out", data={"from": "page"})
    second = site.bearer(dict(ada.client.cookies)["mauerwerk"])
    assert [each.get("/api/guests/me").status_code for each in (first, second)] == [401, 200]

    ada.client.post("/data/forget", data={"sure": "1", "name": "Ada"})

    assert [each.get("/api/guests/me").status_code for each in (first, second)] == [401, 401]


def test_a_visitor_without_a_name_has_no_data(site: Running) -> None:
    """The page says so, and the settings do not lead there."""
    browser = site.browser()
    assert "nothing is stored about you" in look(browser, "/data").main
    assert browser.get("/data/all.zip").status_code == 404
    assert 'href="/data"' not in browser.get("/settings").text
    assert 'href="/data"' in site.browser("Ada").get("/settings").text
