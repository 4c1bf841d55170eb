"""Programs enter what was rolled, or begin with moves."""

from typing import Any

import pytest
from tests.support.web_server import LEVEL, Running

pytestmark = pytest.mark.slow


def test_a_program_enters_dice(site: Running) -> None:
    """`may_enter_roll` says when; a repeated request with the same key is carried out once."""
    ada = site.guest("Ada")
    made = ada.post(
        "/api/tables",
        game="mauer",
        chairs=[{"kind": "human"}, *[{"kind": "bot", "level": LEVEL}] * 2],
        mine=[0],
        options={"first": "lot"},
        dice="players",
        bot_delay_ms=0,
    )
    path = f"/api/tables/{made.json()['table']}"
    table_view = ada.get(path).json()
    assert (table_view["dice"], table_view["may_enter_roll"], table_view["legal"]) == (
        "players",
        True,
        [],
    )
    body = {"move": "@2", "version": table_view["number"], "idempotency_key": "once"}

    first, again = ada.post(f"{path}/chance", **body), ada.post(f"{path}/chance", **body)

    assert (first.status_code, first.json()) == (200, again.json())
    assert ada.get(path).json()["view"]["master"] == 2
    told = ada.get(f"{path}/history").json()["notices"]
    assert [each["name"] for each in told if each["seat"] == -1] == ["Ada"]
    late = ada.post(
        f"{path}/chance", move="@1", version=table_view["number"], idempotency_key="other"
    )
    assert late.status_code == 409


def test_a_program_begins_with_moves(site: Running) -> None:
    """The error says in one line which move cannot be played."""
    ada = site.guest("Ada")
    order: dict[str, Any] = {
        "game": "mauer",
        "chairs": [{"kind": "human"}, *[{"kind": "bot", "level": LEVEL}] * 2],
        "mine": [0],
        "options": {"first": "lot"},
    }
    made = ada.post("/api/tables", **order, initial_moves="~:@2 0:T")
    assert made.status_code == 201
    refused = ada.post("/api/tables", **order, initial_moves="~:@2 ~:@2")
    assert refused.status_code == 422
    assert refused.json()["message"].startswith("move 2 to begin with: nature may not play '@2'")


def test_only_players_enter_chance(site: Running) -> None:
    """A spectator may not enter anything."""
    ada, eve = site.guest("Ada"), site.guest("Eve")
    made = ada.post(
        "/api/tables",
        game="mauer",
        chairs=[{"kind": "human"}, *[{"kind": "bot", "level": LEVEL}] * 2],
        mine=[0],
        options={"first": "lot"},
        dice="players",
    )
    path = f"/api/tables/{made.json()['table']}"
    assert eve.post(f"{path}/chance", move="@1", version=4).status_code == 403
    assert eve.get(path).json()["may_enter_roll"] is False
