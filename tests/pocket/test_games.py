"""Whole games by the API and all pages, with the server under Pyodide in Node."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from tests.support.pocket import NODE, run

from mauerwerk.core import record
from mauerwerk.games import GAMES
from mauerwerk.server.database.connect import store_at

pytestmark = [
    pytest.mark.process,
    pytest.mark.kernels,  # as WebAssembly
    pytest.mark.skipif(NODE is None, reason="there is no Node here"),
]

ME = {"kind": "human"}
FOREMAN, JOURNEYMAN = ({"kind": "bot", "level": name} for name in ("foreman", "journeyman"))
ORDERS: list[dict[str, Any]] = [
    {"game": "mauer", "chairs": [ME, FOREMAN, JOURNEYMAN], "mine": [0], "options": {"rounds": "1"}},
    {"game": "mauer", "chairs": [ME, ME, ME], "mine": [0, 1, 2], "options": {"rounds": "1"}},
    {"game": "burgbaumeister", "chairs": [ME, FOREMAN], "mine": [0], "options": {}},
    {
        "game": "burgbaumeister",
        "chairs": [ME, JOURNEYMAN],
        "mine": [0],
        "options": {"variant": "yes"},
    },
    {"game": "mauerbauer", "chairs": [ME, FOREMAN], "mine": [0], "options": {}},
]
"""All games and the variant, against bots that search, and several people at one device."""


@pytest.fixture(name="played", scope="module")
def played_games(tmp_path_factory: pytest.TempPathFactory) -> tuple[Any, Path]:
    data = tmp_path_factory.mktemp("pocket")
    return run("games.mjs", str(data), ORDERS), data


def test_every_game_is_played_to_its_end(played: tuple[Any, Path]) -> None:
    """Records of them are sound, and they can be replayed on the page."""
    said, _ = played

    assert [each["game"] for each in said["results"]] == [each["game"] for each in ORDERS]
    for each in said["results"]:
        assert each["outcome"]["ranks"]
        assert set(each["pages"].values()) == {200}
        kept = record.read(each["record"], GAMES)
        assert len([move for move in kept.moves if move.seat >= 0]) >= each["moves"] > 0


def test_strong_bots_search_outside_python(played: tuple[Any, Path]) -> None:
    said, _ = played

    assert said["thoughts"]["number"] > 20


def test_the_database_is_that_of_any_server(played: tuple[Any, Path]) -> None:
    """What SQLite wrote through the handles of a browser is a whole file."""
    said, data = played

    async def load() -> list[str | None]:
        store = store_at(data)
        await store.open()
        found = [await store.record(each["table"]) for each in said["results"]]
        await store.close()
        return found

    assert asyncio.run(load()) == [each["record"] for each in said["results"]]


def test_every_page_is_there_and_boards_are_not_studied(tmp_path: Path) -> None:
    """A bundle without studies: no button leads to one, and its address says in a line why."""
    said = run("links.mjs", str(tmp_path))

    assert len(said["answers"]) > 40
    assert "/workshop" in said["answers"]
    assert "/workshop/study" not in said["answers"]
    assert {path: status for path, status in said["answers"].items() if status != 200} == {}
    assert said["study"]["status"] == 422
    assert "oards are studied only where a server plays the games" in said["study"]["text"]
    assert "pip install" not in said["study"]["text"]
