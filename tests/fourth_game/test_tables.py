"""The fourth game at a table, through the interface for programs."""

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.cli.asking import run
from tests.support.web_server import Player, Running, serving

from mauerwerk.core import record
from mauerwerk.games import GAMES


@pytest.fixture(scope="module")
def site(_installed: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server that was started with the game installed."""
    with serving(tmp_path_factory.mktemp("data")) as running:
        yield running


def open_table(player: Player, chairs: str, **more: Any) -> dict[str, Any]:  # noqa: ANN401 - any field
    """Set up a table of two rounds."""
    return player.open(chairs, game="breach", options={"rounds": "2"}, **more)


def play_on(people: dict[int, Player], table: str) -> None:
    """Let everybody play anything legal until the game is over."""
    rng = random.Random(7)
    for _ in range(40):
        for seat, player in people.items():
            seen = player.table_view(table, seat=seat)
            if seen["status"] == "over":
                return
            if seen["seats"][seat]["asked"]:
                word = rng.choice(seen["legal"])["move"]
                moved = player.post(
                    f"/api/tables/{table}/moves", move=word, version=seen["number"], seat=seat
                )
                assert moved.status_code == 200, moved.text
    raise AssertionError("the game does not end")


def test_it_is_described(site: Running) -> None:
    """With the levels of bots that differ: without rules of thumb and a kernel it is one."""
    games = {game["name"]: game for game in site.anybody().get("/api/games").json()["games"]}

    assert games["breach"]["title"] == "The Breach"
    assert games["breach"]["seats"] == [3, 4, 5]
    assert [option["name"] for option in games["breach"]["options"]] == ["rounds"]
    assert [level["name"] for level in games["breach"]["levels"]] == ["apprentice"]


def test_its_types_are_described(site: Running) -> None:
    """The OpenAPI document has its view and its events."""
    schemas = site.anybody().get("/api/openapi.json").json()["components"]["schemas"]

    assert {"breach.View", "breach.Opened", "Held", "breach.Shown"} <= set(schemas)
    assert not [name for name in schemas if name.startswith(("mauerwerk", "tests"))]


def test_it_is_played_to_the_end(
    site: Running, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Three people sit down and play; the record replays, and the chance in it can be verified."""
    people = {seat: site.guest(name) for seat, name in enumerate(("Ada", "Bob", "Cleo"))}
    table = open_table(people[0], "hoo", mine=[0])["table"]
    assert people[0].table_view(table)["status"] == "open"
    for seat in (1, 2):
        assert people[seat].post(f"/api/tables/{table}/sit").json()["seat"] == seat

    play_on(people, table)

    over = site.anybody().table_view(table)
    assert over["status"] == "over"
    assert over["outcome"]["reason"] == "rounds"
    kept = people[0].get(f"/api/tables/{table}/record").text
    assert record.read(kept, GAMES).game == "breach"
    file = tmp_path / "game.txt"
    file.write_text(kept, encoding="utf-8")
    assert "2 moves of nature" in run(capsys, f"verify {file}")


def test_a_stream_tells_each_what_they_may_know(site: Running) -> None:
    """A closed hand is told to its owner; the others hear that it is closed (BR-2)."""
    ada = site.guest("Ada")
    table = open_table(ada, "hhh", mine=[0, 1, 2])["table"]
    begun = ada.table_view(table, seat=0)["number"]
    with (
        ada.listen(table, seat=0, last=begun) as own,
        ada.listen(table, seat=1, last=begun) as other,
    ):
        assert ada.move(table, "2", seat=0).status_code == 200
        heard = [listener.hear()["events"] for listener in (own, other)]

    assert heard[0] == [{"type": "held", "seat": 0, "stones": 2}]
    assert heard[1] == [{"type": "held", "seat": 0, "stones": None}]


def test_a_forbidden_move_names_its_clause(site: Running) -> None:
    """The rules' own words come through (BR-2)."""
    ada = site.guest("Ada")
    table = open_table(ada, "hhh", mine=[0, 1, 2])["table"]
    for seat, word in enumerate("600"):
        ada.move(table, word, seat=seat)

    refused = ada.move(table, "1", seat=0)

    assert refused.status_code == 422
    assert "BR-2" in refused.text


@pytest.mark.process
def test_bots_play_it(site: Running, caplog: pytest.LogCaptureFixture) -> None:
    """They think in processes of their own, which find the game too."""
    ada = site.guest("Ada")
    table = open_table(ada, "hbb", mine=[0])["table"]

    with ada.listen(table, seat=0) as stream:
        moves = 0
        while ada.table_view(table, seat=0)["status"] != "over":
            seen = ada.table_view(table, seat=0)
            if seen["seats"][0]["asked"]:
                moved = ada.move(table, seen["legal"][0]["move"], seat=0)
                assert moved.status_code == 200, moved.text
                moves += 1
            stream.hear()

    assert moves == 2
    assert caplog.messages == []
