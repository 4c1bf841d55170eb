"""Managing a server over its API, with the token of those who run it."""

from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from tests.support.web_server import UNLIMITED, Running, serving

from mauerwerk.cli import main
from mauerwerk.server.features.moderation import api
from mauerwerk.server.http.settings import Admin, Limits, Settings

TOKEN = "correct horse battery staple"  # noqa: S105 - for tests
SETTINGS = Settings(limits=Limits(requests=0), admins=(Admin(TOKEN),))


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server that can be managed over the network."""
    with serving(tmp_path_factory.mktemp("data"), SETTINGS) as site:
        yield site


@pytest.fixture(scope="module")
def host(site: Running) -> httpx.Client:
    """Somebody who knows the token."""
    return site.client(authorization=f"Bearer {TOKEN}")


def done(host: httpx.Client, path: str, **body: Any) -> dict[str, Any]:  # noqa: ANN401 - any field
    """What a request that must succeed is answered."""
    answer = host.post(f"/api/admin{path}", json=body)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def asked(host: httpx.Client, path: str) -> Any:  # noqa: ANN401 - the one list in an answer
    """What a list holds."""
    answer = host.get(f"/api/admin{path}")
    assert answer.status_code == 200, answer.text
    (found,) = answer.json().values()
    return found


def test_without_a_token_there_is_nothing(tmp_path_factory: pytest.TempPathFactory) -> None:
    """A server whose host set no token answers 404 at every such path, and documents none."""
    with serving(tmp_path_factory.mktemp("data"), UNLIMITED) as site:
        client = site.client(authorization="Bearer x")
        for each in api.OPERATIONS:
            path = each.path.format(table="t", guest="g", report="r")
            assert client.request(each.method, path, json={}).status_code == 404
        assert client.get("/admin").status_code == 404
        assert client.post("/admin/sign-in", data={"token": ""}).status_code == 404
        assert "/api/admin/tables" not in client.get("/api/openapi.json").json()["paths"]


def test_a_wrong_token_is_refused_and_then_slowed_down(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    """After ten wrong ones a client has to wait, even with the right one."""
    with serving(tmp_path_factory.mktemp("data"), SETTINGS) as site:
        assert site.client().get("/api/admin/tables").status_code == 401
        wrong = site.client(authorization="Bearer wrong")
        statuses = [wrong.get("/api/admin/tables").status_code for _ in range(11)]
        assert statuses == [401] * 10 + [429]
        right = site.client(authorization=f"Bearer {TOKEN}")
        assert right.get("/api/admin/tables").status_code == 429


def test_guests_have_no_access(site: Running) -> None:
    """Neither the token of a guest nor that of a seat is the right one."""
    ada = site.guest()
    assert ada.get("/api/admin/tables").status_code == 401


def test_a_game_is_ended_and_a_table_deleted(site: Running, host: httpx.Client) -> None:
    """Its player sees who ended it; a deleted one is gone from the list."""
    ada = site.guest("Ada")
    table = ada.open(mine=[0, 1, 2])["table"]
    assert table in [each["card"]["id"] for each in asked(host, "/tables?filter=running&text=Ada")]
    assert done(host, f"/tables/{table}/end", reason="late") == {"done": True}
    assert done(host, f"/tables/{table}/end") == {"done": False}
    seen = ada.get(f"/api/tables/{table}", seat="none").json()
    assert (seen["status"], seen["ended"], seen["outcome"]) == ("over", "host", None)
    done(host, f"/tables/{table}/delete")
    assert asked(host, f"/tables?text={table}") == []
    assert host.post(f"/api/admin/tables/{table}/delete", json={}).status_code == 422
    newest = asked(host, "/audit?limit=2")
    assert [each["action"] for each in newest] == ["delete-table", "end-table"]
    assert newest[1]["by"] == "api"


def test_a_block_is_lifted_by_the_host_who_is_blocked(site: Running, host: httpx.Client) -> None:
    """A host who blocks their own network can still rule."""
    done(host, "/blocks", kind="network", what="127.0.0.1", reason="oops")
    assert site.anybody().get("/api/tables").status_code == 403
    (block,) = asked(host, "/blocks")
    assert (block["what"], block["reason"], block["until"]) == ("127.0.0.1/32", "oops", None)
    done(host, "/blocks/lift", kind="network", what="127.0.0.1")
    assert site.anybody().get("/api/tables").status_code == 200
    assert host.post("/api/admin/blocks", json={"kind": "network", "what": "x"}).status_code == 422


def test_a_guest_is_renamed_and_logged_out(site: Running, host: httpx.Client) -> None:
    """The name changes at once; then the token is worth nothing."""
    ada = site.guest("Rude")
    guest = ada.get("/api/guests/me").json()["guest"]
    done(host, f"/guests/{guest}/rename", name="Mason")
    assert ada.get("/api/guests/me").json()["name"] == "Mason"
    done(host, f"/guests/{guest}/log-out")
    assert ada.get("/api/guests/me").status_code == 401


def test_it_shows_who_fills_the_queues(site: Running, host: httpx.Client) -> None:
    """Connections by client, tables by guest."""
    ada = site.guest("Ada")
    ada.open()
    queues = {each["name"]: each for each in asked(host, "/queues")}
    assert set(queues) == {
        *("bots thinking", "bots waiting", "analyses", "connections", "streams"),
        "tables in memory",
    }
    assert queues["connections"]["shares"][0]["who"] == "127.0.0.1"
    assert queues["tables in memory"]["held"] >= 1
    assert queues["streams"]["limit"] == Limits().all_streams


def test_a_new_secret_and_closed_doors(site: Running, host: httpx.Client) -> None:
    """Within the time of grace tokens are valid; then, everybody is a stranger."""
    ada = site.guest("Ada")
    done(host, "/secret", grace_days=1)
    assert ada.get("/api/guests/me").status_code == 200
    done(host, "/secret", grace_days=0)
    assert ada.get("/api/guests/me").status_code == 401
    done(host, "/close")
    refused = site.guest("Bob").post(
        "/api/tables", game="mauer", chairs=[{"kind": "human"}] * 3, mine=[0]
    )
    assert refused.json()["error"] == "closed"
    done(host, "/reopen")


def test_what_a_host_can_do_is_documented(site: Running, host: httpx.Client) -> None:
    """On a server that can be managed over the network, the document lists it."""
    paths = host.get("/api/openapi.json").json()["paths"]
    assert {each.path for each in api.OPERATIONS} <= set(paths)
    del site


def test_a_command_asks_the_server_for_its_queues(
    site: Running, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the token from the environment; a wrong one is said in one line."""
    monkeypatch.setenv("MAUERWERK_ADMIN_TOKEN", TOKEN)
    assert main(["admin", "queues", "--server", site.address]) == 0
    assert f"streams: 0 of {Limits().all_streams}" in capsys.readouterr().out
    monkeypatch.setenv("MAUERWERK_ADMIN_TOKEN", "wrong")
    assert main(["admin", "queues", "--server", site.address]) == 2
    assert "status 401" in capsys.readouterr().err
