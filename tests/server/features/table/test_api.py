"""A game through the interface for programs."""

import random

import pytest
from tests.support.amounts import amount
from tests.support.web_server import Player, Running

from mauerwerk.core import record
from mauerwerk.games import GAMES

BOARD = amount("wwm/wme", "wwm/wme", "small")
"""Where whole games of Mauerbauer are played."""


def test_games_are_described(site: Running) -> None:
    """The list has the seats, options and levels of each game."""
    games = {game["name"]: game for game in site.anybody().get("/api/games").json()["games"]}

    assert list(games) == list(GAMES)
    assert games["mauer"]["seats"] == [3, 4, 5, 6]
    assert games["mauer"]["options"][0]["name"] == "rounds"
    assert all(level["seconds"] > 0 for level in games["mauer"]["levels"])


def test_a_guest_has_a_name(site: Running) -> None:
    """The token identifies the guest later."""
    ada = site.guest("Ada")

    assert ada.get("/api/guests/me").json()["name"] == "Ada"
    assert site.anybody().get("/api/guests/me").status_code == 401


def test_the_lobby_lists_public_tables(site: Running) -> None:
    """Private tables are found only by people with a seat or the link."""
    ada = site.guest("Ada")
    shown = ada.open("hoo", mine=[0], public=True)["table"]
    hidden = ada.open("hoo", mine=[0])["table"]

    listed = [card["id"] for card in site.anybody().get("/api/tables").json()["tables"]]
    own = [card["id"] for card in ada.get("/api/guests/me/tables").json()["tables"]]
    assert shown in listed
    assert hidden not in listed
    assert {shown, hidden} <= set(own)
    assert site.anybody().get(f"/api/tables/{hidden}").status_code == 200
    assert len(ada.get("/api/guests/me/tables", limit=1).json()["tables"]) == 1


def test_the_game_begins_when_every_seat_is_taken(site: Running) -> None:
    """Anybody may sit down at an open seat; a kept seat needs its link."""
    ada, bob, eve = site.guest("Ada"), site.guest("Bob"), site.anybody()
    opened = ada.open("hoh", mine=[0])
    table = opened["table"]
    assert ada.table_view(table)["status"] == "open"

    sat = bob.post(f"/api/tables/{table}/sit").json()
    token = next(link["token"] for link in opened["seats"] if link["seat"] == 2)
    came = eve.post(f"/api/tables/{table}/claim", token=token, name="Eve").json()

    assert (sat["seat"], came["seat"]) == (1, 2)
    table_view = ada.table_view(table)
    assert table_view["status"] == "running"
    assert [place["name"] for place in table_view["seats"]] == ["Ada", "Bob", "Eve"]
    assert eve.client.cookies  # who was no guest is one now


def test_a_seat_changes_its_link_with_its_owner(site: Running) -> None:
    """The giver of a link cannot look into the hand of the person who used it."""
    ada = site.guest("Ada")
    opened = ada.open("hhh", mine=[0])
    table, link = opened["table"], opened["seats"][1]

    came = site.guest("Bob").post(f"/api/tables/{table}/claim", token=link["token"])

    assert came.status_code == 200
    assert came.json()["token"] != link["token"]
    assert site.bearer(link["token"]).get(f"/api/tables/{table}").status_code == 401
    assert site.bearer(came.json()["token"]).table_view(table)["seat"] == 1


def test_a_request_with_the_same_key_moves_once(site: Running) -> None:
    """The second answer equals the first; the same key with another word is refused."""
    ada = site.guest()
    table = ada.open(mine=[0, 1, 2])["table"]
    number = ada.table_view(table, seat=0)["number"]
    path = f"/api/tables/{table}/moves"

    once, again = (
        ada.post(path, move="T", version=number, seat=0, idempotency_key="k") for _ in range(2)
    )
    other = ada.post(path, move="4", version=number, seat=0, idempotency_key="k")

    assert once.json() == again.json()
    assert (other.status_code, other.json()["error"]) == (422, "idempotency_key")


def test_a_stale_move_is_answered_with_the_table(site: Running) -> None:
    """A stale move changes nothing, and the answer contains the table view."""
    ada = site.guest()
    table = ada.open(mine=[0, 1, 2])["table"]

    late = ada.move(table, "T", seat=0, version=0)

    assert late.status_code == 409
    assert late.json()["error"] == "stale"
    assert late.json()["table_view"] == ada.table_view(table, seat=0)


def test_an_illegal_move_names_its_clause(site: Running) -> None:
    """For something that is not a word, the error says what a word looks like."""
    ada = site.guest()
    table = ada.open(mine=[0, 1, 2])["table"]

    forbidden = ada.move(table, "*C", seat=0)
    nonsense = ada.move(table, "castle", seat=0)

    assert (forbidden.status_code, forbidden.json()["error"]) == (422, "illegal")
    assert forbidden.json()["clause"] == "DM-5"
    assert (nonsense.status_code, nonsense.json()["error"]) == (422, "notation")


def test_a_move_is_taken_back(site: Running) -> None:
    """This is free while nobody has seen the move."""
    ada = site.guest()
    table = ada.open(mine=[0, 1, 2])["table"]
    assert ada.move(table, "T", seat=0).status_code == 200
    table_view = ada.table_view(table, seat=0)
    assert table_view["undo"] == "free"

    undone = ada.post(f"/api/tables/{table}/undo", seat=0, version=table_view["number"])

    assert undone.status_code == 200
    assert ada.table_view(table, seat=0)["seats"][0]["asked"]


def test_others_are_asked_before_a_seen_move_is_taken_back(site: Running) -> None:
    """One player who refuses is enough."""
    ada, bob = site.guest("Ada"), site.guest("Bob")
    table = ada.open("hho", mine=[0, 1], options={"first": "0"})["table"]
    bob.post(f"/api/tables/{table}/sit")
    for seat, word in ((0, "T"), (1, "-")):
        assert ada.move(table, word, seat=seat).status_code == 200
    assert bob.move(table, "-").status_code == 200
    number = ada.table_view(table, seat=0)["number"]

    asked = ada.post(f"/api/tables/{table}/undo", seat=0, version=number)
    question = bob.table_view(table)["question"]
    refused = bob.post(f"/api/tables/{table}/consent", agree=False)

    assert (asked.status_code, refused.status_code) == (200, 200)
    assert question["waits_for"] == [2]
    assert bob.table_view(table)["question"] is None


def test_a_bot_plays_until_its_owner_is_back(site: Running) -> None:
    """If the owner leaves, the bot plays on for good."""
    ada = site.guest("Ada")
    table = ada.open(mine=[0, 1, 2])["table"]
    level = site.anybody().get("/api/games").json()["games"][0]["levels"][0]["name"]

    away = ada.post(f"/api/tables/{table}/away", seat=1, level=level)
    gone = ada.table_view(table, seat=0)["seats"][1]
    back = ada.post(f"/api/tables/{table}/back", seat=1)

    assert (away.status_code, back.status_code) == (200, 200)
    assert (gone["away"], gone["level"]) == (True, level)
    assert ada.post(f"/api/tables/{table}/stand", seat=1).status_code == 200
    assert ada.get(f"/api/tables/{table}", seat=1).status_code == 403


@pytest.mark.parametrize(
    "name",
    [
        "mauer",
        # The longest: the page's own tests and the example play it to its end too.
        pytest.param("burgbaumeister", marks=pytest.mark.thorough),
        pytest.param("mauerbauer", marks=pytest.mark.slow),
    ],
)
def test_a_whole_game_has_a_record_and_a_rematch(site: Running, name: str) -> None:
    """One guest plays all seats; the record comes at the end and replays."""
    ada = site.guest("Ada")
    game = GAMES[name]
    seats = game.SEATS[0]
    options = {"mauer": {"rounds": "1"}, "mauerbauer": {"board": BOARD}}.get(name, {})
    table = ada.open("h" * seats, mine=list(range(seats)), game=name, options=options)["table"]
    assert ada.get(f"/api/tables/{table}/record").status_code == 422

    play_on(ada, table, seats)

    kept = ada.get(f"/api/tables/{table}/record")
    assert kept.headers["content-type"].startswith("text/plain")
    assert record.read(kept.text, GAMES).game == name
    over = ada.table_view(table, seat="none")
    assert over["status"] == "over"
    assert over["seed"] is not None
    assert len(over["outcome"]["ranks"]) == seats
    again = {ada.post(f"/api/tables/{table}/rematch").json()["table"] for _ in range(2)}
    assert len(again) == 1
    assert ada.table_view(again.pop(), seat=0)["status"] == "running"


def play_on(player: Player, table: str, seats: int, moves: int = 5_000) -> None:
    """Play anything legal, so many moves or until the game is over."""
    rng = random.Random(7)
    table_view = player.table_view(table, seat=0)
    for _ in range(moves):
        if table_view["status"] == "over":
            return
        seat = next(seat for seat in range(seats) if table_view["seats"][seat]["asked"])
        table_view = player.table_view(table, seat=seat)
        word = rng.choice(table_view["legal"])["move"]
        path = f"/api/tables/{table}/moves"
        moved = player.post(path, move=word, version=table_view["number"], seat=seat)
        assert moved.status_code == 200, moved.text
        table_view = player.table_view(table, seat=seat)
