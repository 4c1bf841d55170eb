"""Heads, bodies and queries of requests, all within limits."""

import socket
from contextlib import suppress

import httpx
import pytest
from tests.support.web_server import TIMEOUT, Running, serving

from mauerwerk.server.http.request import Request
from mauerwerk.server.http.settings import Limits, Settings

BODIES = [
    (b'{"name": "Ada"}', "application/json; charset=utf-8", 201, ""),
    (b'{"name": "Ada"}', "text/plain", 415, "media"),
    (b"name=Ada", "application/x-www-form-urlencoded", 415, "media"),
    (b"", "application/json", 400, "json"),
    (b"{", "application/json", 400, "json"),
    (b"\xff\xfe", "application/json", 400, "json"),
    (b"[]", "application/json", 422, "body"),
    (b"{}", "application/json", 422, "body"),
    (b'{"name": 7}', "application/json", 422, "body"),
    (b'{"name": "Ada", "admin": true}', "application/json", 422, "body"),
    (b'{"name": "' + b"A" * Limits().body_bytes + b'"}', "application/json", 413, "size"),
]


@pytest.mark.parametrize(("body", "media", "status", "word"), BODIES)
def test_a_body_is_json_of_the_right_form(
    site: Running, body: bytes, media: str, status: int, word: str
) -> None:
    """Bodies of another type or form are refused, and so are unknown fields."""
    answer = site.client().post("/api/guests", content=body, headers={"content-type": media})

    assert answer.status_code == status
    assert answer.json().get("error", "") == word


def test_a_body_in_pieces_is_measured_as_it_comes(site: Running) -> None:
    """A body that does not announce its length is read only up to the limit."""
    pieces = (b"x" * 1024 for _ in range(10_000))
    try:
        answer = site.client(content_type="application/json").post("/api/guests", content=pieces)
    except httpx.WriteError:  # the server hung up while the client was still sending
        return
    assert (answer.status_code, answer.json()["error"]) == (413, "size")


@pytest.mark.parametrize("path", ["/api/games", "/api/tables/x/moves", "/", "/t/x"])
def test_another_method_is_refused(site: Running, path: str) -> None:
    """The answer lists the methods that are allowed."""
    answer = site.client(origin=site.address).delete(path)

    assert answer.status_code == 405
    assert answer.headers["allow"] in {"GET, HEAD", "POST"}


@pytest.mark.parametrize("query", ["more=1", "seat=x", "seat=0&seat=1", "seat=%FF", "a=1&" * 30])
def test_a_query_is_checked_too(site: Running, query: str) -> None:
    """Unknown, malformed and repeated fields are refused."""
    table = site.guest().open(mine=[0])["table"]
    answer = site.client().get(f"/api/tables/{table}?{query}")

    assert answer.status_code in {400, 422}
    assert answer.json()["error"] == "query"


@pytest.mark.parametrize("said", ["x", "-1", "", "9" * 5_000])
def test_where_a_reader_left_off_is_a_number(site: Running, said: str) -> None:
    """`Last-Event-ID` must be a number, and not an enormous one."""
    table = site.guest().open(mine=[0])["table"]
    answer = site.client(last_event_id=said).get(f"/api/tables/{table}/stream")

    assert (answer.status_code, answer.json()["error"]) == (422, "query")


def test_very_long_names_are_not_cached(site: Running) -> None:
    """Very long host names and tokens are refused and not kept in a cache."""
    client = site.client()

    assert client.get("/api/games", headers={"host": "x" * 20_000}).status_code == 400
    long = {"authorization": f"Bearer {'x' * 20_000}.x"}
    assert client.get("/api/guests/me", headers=long).status_code == 401


def test_a_key_can_be_kept_in_any_database(site: Running) -> None:
    """A key with a zero byte is refused as a mistake of the client, not of the disk."""
    ada = site.guest()
    table = ada.open(mine=[0, 1, 2])["table"]
    answer = ada.move(table, "T", seat=0, key="a\0b")

    assert (answer.status_code, answer.json()["error"]) == (422, "body")


def connected(site: Running) -> socket.socket:
    """A bare connection."""
    connection = socket.create_connection(("127.0.0.1", int(site.address.rpartition(":")[2])))
    connection.settimeout(TIMEOUT)
    return connection


@pytest.mark.parametrize("begun", [b"", b"GET / HTTP/1.1\r\nHost: loc"])
def test_a_head_that_is_not_finished_ends_the_connection(
    tmp_path_factory: pytest.TempPathFactory, begun: bytes
) -> None:
    """The server hangs up if a head is not complete in time, in any request."""
    settings = Settings(limits=Limits(requests=0, header_timeout=0.5))
    whole = b"HEAD /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
    with serving(tmp_path_factory.mktemp("data"), settings) as site, connected(site) as connection:
        if begun:
            connection.sendall(whole)
            assert connection.recv(4096).startswith(b"HTTP/1.1 200 OK")
        connection.sendall(begun)
        with suppress(ConnectionResetError):
            assert connection.recv(4096) == b""


@pytest.mark.parametrize("begun", [b"", b"{"])
def test_a_body_that_does_not_arrive_is_refused(
    site: Running, monkeypatch: pytest.MonkeyPatch, begun: bytes
) -> None:
    """A body that is late, wholly or in part, is answered with 400."""
    monkeypatch.setattr(Request, "limits", Limits(body_timeout=0.1))
    head = b"POST /api/guests HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    with connected(site) as connection:
        connection.sendall(head + b"Content-Length: 20\r\n\r\n" + begun)
        assert connection.recv(4096).startswith(b"HTTP/1.1 400")


def test_a_head_has_its_limits(site: Running) -> None:
    """A head over the limit is answered with 400, and the server goes on."""
    with connected(site) as connection:
        with suppress(BrokenPipeError, ConnectionResetError):
            connection.sendall(b"GET / HTTP/1.1\r\n")
            for number in range(60):
                connection.sendall(b"X-%d: %b\r\n" % (number, b"x" * 1024))
        with suppress(ConnectionResetError):
            assert connection.recv(4096).startswith(b"HTTP/1.1 400")
    assert site.client().get("/healthz").status_code == 200
