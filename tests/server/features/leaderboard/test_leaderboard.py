"""Ratings on pages: only rated games count, and only who joined is listed."""

import asyncio
import re
from pathlib import Path
from typing import Any

import pytest
from tests.support.hosts import folder, opened
from tests.support.web_pages import look, sent
from tests.support.web_server import TIMEOUT, Player, Running, serving

from mauerwerk.server.database.transaction import Transaction
from mauerwerk.server.features.accounts import store
from mauerwerk.server.features.results.service import ResultsWorker
from mauerwerk.server.http.settings import Limits, Settings
from mauerwerk.server.tables.charter import Guest

__all__ = ["folder"]  # pytest finds a fixture by its name

SHORT = {"rounds": "1", "stall": "1"}


def rated_game(site: Running, *players: Player) -> str:
    """A short rated game, which is counted."""
    first, *others = players
    order = {"options": SHORT, "rated": True, "hints": False}
    table: str = first.open("hoo", mine=[0], **order)["table"]
    for other in others:
        assert other.post(f"/api/tables/{table}/sit").status_code == 200
    for seat, player in enumerate(players):
        assert player.move(table, "-", seat=seat).status_code == 200
    assert site.loop is not None
    counting = site.app.state.host.service(ResultsWorker).count_all()
    asyncio.run_coroutine_threadsafe(counting, site.loop).result(TIMEOUT)
    return table


def names_on(page: str) -> list[str]:
    """Who is listed."""
    return re.findall(r'<span class="w"><b>([^<]+)</b>', page)


def test_one_must_join_to_be_listed(site: Running) -> None:
    """Whoever did not join is not named, also not to programs; leaving takes the name off."""
    ada, bo, cy = (site.browser(name) for name in ("Ada Rare", "Bo Rare", "Cy Rare"))
    rated_game(site, ada, bo, cy)
    assert "Rare" not in look(site.browser(), "/leaderboard").html
    listed = sent(ada, "/leaderboard", listed="1")

    assert "Ada Rare" in names_on(listed.main)
    assert "Bo Rare" not in listed.main
    board = site.client().get("/api/ratings", params={"game": "mauer"}).json()
    assert [each["name"] for each in board["players"] if each["name"]] == ["Ada Rare"]
    assert "most likely" in listed.text
    assert "Rare" not in sent(ada, "/leaderboard", listed="0").main


def test_nobody_is_listed_as_somebody_else(site: Running) -> None:
    """Namesakes are told apart, for programs too, and a person is not called like a bot."""
    masons = [site.browser(name) for name in ("Twin", "TWIN", "Master")]
    rated_game(site, *masons)
    for mason in masons:
        listed = sent(mason, "/leaderboard", listed="1")
    names = names_on(listed.main)
    assert len({name.casefold() for name in names}) == len(set(names))
    assert "Twin" in names or "TWIN" in names
    assert any(name in names for name in ("Twin 2", "TWIN 2"))
    assert "Master 2" in names
    board = masons[0].get("/api/ratings", game="mauer").json()["players"]
    assert sum(each["name"].casefold() == "twin" for each in board) == 1
    for mason in masons:
        sent(mason, "/leaderboard", listed="0")


def test_one_client_adds_no_endless_devices(tmp_path: Path) -> None:
    """A browser that keeps no new cookie is the same device each time."""
    with serving(tmp_path, Settings(limits=Limits(guests=6))) as site:
        ada = site.browser("Ada")
        cookies = dict(ada.client.cookies)
        for _ in range(4):
            assert ada.client.post("/leaderboard", data={"listed": "1"}).status_code == 303
            ada.client.cookies.clear()
            ada.client.cookies.update(cookies)
        assert ada.get("/me").text.count('name="device"') == 0  # none but this one


@pytest.mark.anyio
async def test_a_person_has_so_many_devices(folder: str) -> None:
    """One more signs out another."""

    def add(transaction: Transaction) -> int:
        store.open_account(transaction, Guest("ada", "Ada"))
        for _ in range(store.MOST_DEVICES + 3):
            store.add_device(transaction, "ada", "Phone", phone=True)
        person = store.person_of(transaction, "ada")
        return len(person.devices) if person else 0

    async with opened(folder) as host:
        assert await host.store.write("", add) == store.MOST_DEVICES


def test_bots_are_on_the_same_scale(site: Running) -> None:
    """A ladder has rated them, the stronger ones higher."""
    for game in ("mauer", "burgbaumeister", "mauerbauer"):
        board = site.client().get("/api/ratings", params={"game": game}).json()["players"]
        bots = {each["level"]: each["rating"] for each in board if each["level"]}
        assert bots["apprentice"] < bots["journeyman"] < bots["foreman"]
        assert all(each["low"] < each["rating"] < each["high"] for each in board)
    assert site.client().get("/api/ratings", params={"game": "chess"}).status_code == 404


def test_results_for_programs(site: Running) -> None:
    """Finished games page by page, and whether they were rated."""
    ada, bo, cy = (site.browser(name) for name in ("Ada", "Bo", "Cy"))
    tables = [rated_game(site, ada, bo, cy) for _ in range(2)]
    first = ada.get("/api/guests/me/results", limit=1).json()
    second = ada.get("/api/guests/me/results", limit=1, before=first["next"]).json()

    found = [each for page in (first, second) for each in page["results"]]
    assert sorted(each["table"] for each in found) == sorted(tables)
    assert {each["rated"] for each in found} == {True}
    assert (first["total"], second["next"]) == (2, "")
    assert site.anybody().get("/api/guests/me/results").status_code == 401


def test_a_rated_table_has_no_hints(site: Running) -> None:
    """The page switches them off; whoever insists is told why, beside the question."""
    ada = site.browser("Ada")
    page = look(ada, "/new/mauer")
    assert "A rated game changes everybody's rating." in page.text
    refused = page.send("/new/mauer", rated="1", hints="1")
    assert "A rated game has no hints: switch them off." in refused.text

    opened = page.send("/new/mauer", rated="1", hints="0")
    table = opened.path.removeprefix("/t/")
    assert ada.table_view(table, seat=0)["rated"]
    order: dict[str, Any] = {
        "game": "mauer",
        "chairs": [{"kind": "human"}] * 3,
        "rated": True,
        "options": {},
    }
    assert ada.post("/api/tables", **order, hints=True).status_code == 422
