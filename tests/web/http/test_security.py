"""Checks that every request passes, and headers that every answer gets."""

import json
import logging
import socket
import weakref
from contextlib import suppress
from typing import Any

import httpx
import pytest
from tests.support.web_server import TIMEOUT, Running, serving

from mauerwerk.web.http import reading, timeouts
from mauerwerk.web.http.request_log import LogHandler
from mauerwerk.web.http.settings import BODY, Limits, Settings
from mauerwerk.web.http.visit import SCOPE_KEY, Visit, host_is_allowed

EVERYWHERE = ("/", "/api/games", "/api/nothing", "/healthz", "/metrics", "/t/nowhere")


@pytest.mark.parametrize("path", EVERYWHERE)
def test_every_answer_has_its_headers(site: Running, path: str) -> None:
    """Also where something is refused."""
    headers = site.client().get(path).headers

    assert headers["content-security-policy"].startswith("default-src 'none'; ")
    assert "frame-ancestors 'none'" in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "same-origin"
    assert headers["cross-origin-opener-policy"] == "same-origin"
    assert headers["cross-origin-resource-policy"] == "same-origin"
    assert headers["cache-control"] == "no-store"
    assert "server" not in headers
    assert "access-control-allow-origin" not in headers
    assert "strict-transport-security" not in headers


# --- Cookies and origins ---------------------------------------------------------------------


def test_a_cookie_is_for_this_server_only(site: Running) -> None:
    """No script reads it, no foreign page sends it."""
    cookie = site.client().post("/api/guests", json={"name": "Ada"}).headers["set-cookie"]

    assert cookie.startswith("mauerwerk=")
    assert {"HttpOnly", "Path=/", "SameSite=Lax"} <= set(cookie.split("; "))
    assert "Secure" not in cookie


def test_over_https_no_other_host_can_set_the_cookie(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    """With the prefix `__Host-`, and never in the clear."""
    settings = Settings(address="https://walls.example.org")
    with serving(tmp_path_factory.mktemp("data"), settings) as site:
        client = site.client(host="walls.example.org", origin="https://walls.example.org")
        cookie = client.post("/api/guests", json={"name": "Ada"}).headers["set-cookie"]
        opened = client.post(
            "/api/tables",
            json={"game": "mauer", "chairs": [{"kind": "human"}] * 3},
            headers={"cookie": cookie.partition(";")[0]},
        )

    assert cookie.startswith("__Host-mauerwerk=")
    assert {"HttpOnly", "Path=/", "SameSite=Lax", "Secure"} <= set(cookie.split("; "))
    assert opened.json()["link"].startswith("https://walls.example.org/t/")


ORIGINS: list[tuple[dict[str, str], int]] = [
    ({"origin": "{own}"}, 201),
    ({"sec-fetch-site": "same-origin"}, 201),
    ({"origin": "{own}", "sec-fetch-site": "same-origin"}, 201),
    ({}, 403),
    ({"sec-fetch-site": "none"}, 403),
    ({"origin": "null"}, 403),
    ({"origin": "http://evil.example"}, 403),
    ({"origin": "{own}", "sec-fetch-site": "cross-site"}, 403),
    ({"sec-fetch-site": "same-site"}, 403),
]


@pytest.mark.parametrize(("headers", "status"), ORIGINS)
def test_a_cookie_counts_on_our_own_pages_only(
    site: Running, headers: dict[str, str], status: int
) -> None:
    """What changes something must come from a page of this server."""
    browser = site.browser("Ada")
    cookies = dict(browser.client.cookies)
    client = httpx.Client(base_url=site.address, cookies=cookies)
    named = {name: value.format(own=site.address) for name, value in headers.items()}

    order = {"game": "mauer", "chairs": [{"kind": "human"}] * 3}
    answer = client.post("/api/tables", json=order, headers=named)
    client.close()

    assert answer.status_code == status
    if status == 403:
        assert answer.json()["error"] == "origin"


def test_a_program_needs_no_origin(site: Running) -> None:
    """A token is proof enough, but not from a foreign page."""
    ada = site.guest()
    order = {"game": "mauer", "chairs": [{"kind": "human"}] * 3}

    assert ada.client.post("/api/tables", json=order).status_code == 201
    foreign = ada.client.post("/api/tables", json=order, headers={"origin": "http://evil.example"})
    assert foreign.status_code == 403


# --- Hosts and proxies -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("host", "allowed"),
    [
        ("localhost", True),
        ("localhost:8080", True),
        ("127.0.0.1:8080", True),
        ("[::1]:8080", True),
        ("192.168.1.7", True),
        ("walls.example.org", True),
        ("also.example.org:443", True),
        ("evil.example", False),
        ("localhost.evil.example", False),
        ("", False),
        ("[::1", False),
        ("[::1].evil", False),
        ("[::1]evil.example:80", False),
        ("127.0.0.1@evil.example", False),
        ("localhost:80:80", False),
    ],
)
def test_a_server_answers_to_its_names(host: str, *, allowed: bool) -> None:
    """Addresses in numbers always; names only those that the host gave."""
    settings = Settings(address="https://walls.example.org", hosts=("also.example.org",))

    assert host_is_allowed(host, settings) == allowed


def test_another_name_is_refused(site: Running) -> None:
    """So nobody else's name can be pointed here to read along."""
    answer = site.client(host="evil.example").get("/api/games")

    assert (answer.status_code, answer.json()["error"]) == (400, "host")


def visit(settings: Settings, **headers: str) -> Visit:
    """A request through a proxy on this machine."""
    pairs = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    scope = {"type": "http", "method": "GET", "headers": pairs, "client": ("127.0.0.1", 1)}
    return Visit(scope, settings)


def test_a_proxy_is_believed_only_if_trusted() -> None:
    """Of what it passes on, the last address is its own word; what comes before may be invented."""
    said = {"x_forwarded_for": "10.0.0.1, 203.0.113.9", "x_forwarded_proto": "https", "host": "h"}
    trusted = visit(Settings(trust_proxy=True), **said)
    doubted = visit(Settings(), **said)

    assert (trusted.client, trusted.origin, trusted.local) == ("203.0.113.9", "https://h", False)
    assert (doubted.client, doubted.origin, doubted.local) == ("127.0.0.1", "http://h", False)
    assert visit(Settings(), host="h").local


@pytest.mark.parametrize(
    ("said", "client"),
    [
        ("203.0.113.9:4711", "203.0.113.9"),
        ("[2001:db8:1:2::9]:4711", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::9", "2001:db8:1:2::/64"),
        ("nonsense", "unknown"),
    ],
)
def test_a_proxy_may_add_a_port(said: str, client: str) -> None:
    """Some write it behind the address of the client."""
    assert visit(Settings(trust_proxy=True), x_forwarded_for=said, host="h").client == client


def test_nothing_is_local_behind_a_proxy() -> None:
    """A proxy that says nothing about itself is on this machine, but its clients are not."""
    for settings in (Settings(trust_proxy=True), Settings(address="https://walls.example.org")):
        assert not visit(settings, host="walls.example.org").local


def test_a_header_that_is_repeated_is_not_taken_for_its_first() -> None:
    """A proxy may add a header of its own to one that a client sent."""
    said = [b"10.0.0.1", b"203.0.113.9"]
    headers = [(b"x-forwarded-for", each) for each in said] + [(b"host", b"h"), (b"host", b"i")]
    scope = {"type": "http", "method": "GET", "headers": headers, "client": ("127.0.0.1", 1)}
    seen = Visit(scope, Settings(trust_proxy=True))

    assert seen.client == "203.0.113.9"
    assert not host_is_allowed(seen.host, Settings(hosts=("h", "i")))


def test_a_visit_keeps_no_request_in_memory() -> None:
    """What belongs to a request is freed with it, without the garbage collector."""

    class WatchedScope(dict[str, Any]):
        """A scope to which a weak reference can point."""

    scope = WatchedScope({"type": "http", "method": "GET", "headers": [], "client": None})
    scope[SCOPE_KEY] = Visit(scope, Settings())
    kept = weakref.ref(scope)
    del scope

    assert kept() is None


# --- Compression -----------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["/", "/rules/mauer", "/nowhere"])
def test_a_page_is_compressed_unless_a_foreign_page_asked_for_it(site: Running, path: str) -> None:
    """Its length would tell secrets in it, if others could choose what else is in it (BREACH)."""
    own = site.client(sec_fetch_site="same-origin").get(path)
    foreign = site.client(sec_fetch_site="cross-site").get(path)
    plain = site.client(accept_encoding="identity").get(path)

    assert own.headers["content-encoding"] == "gzip"
    assert "content-encoding" not in foreign.headers
    assert "content-encoding" not in plain.headers
    assert own.content == foreign.content == plain.content
    assert (
        own.headers["vary"] == plain.headers["vary"] == "accept-language, cookie, Accept-Encoding"
    )


def test_answers_of_the_api_are_not_compressed(site: Running) -> None:
    """They hold tokens."""
    assert "content-encoding" not in site.client().get("/api/games").headers


# --- Bodies ----------------------------------------------------------------------------------

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
    (b'{"name": "' + b"A" * BODY + b'"}', "application/json", 413, "size"),
]


@pytest.mark.parametrize(("body", "media", "status", "word"), BODIES)
def test_a_body_is_json_of_the_right_form(
    site: Running, body: bytes, media: str, status: int, word: str
) -> None:
    """Unknown fields are refused like wrong ones."""
    answer = site.client().post("/api/guests", content=body, headers={"content-type": media})

    assert answer.status_code == status
    assert answer.json().get("error", "") == word


def test_a_body_in_pieces_is_measured_as_it_comes(site: Running) -> None:
    """Without a length announced, reading stops where it is too long."""
    pieces = (b"x" * 1024 for _ in range(10_000))
    try:
        answer = site.client(content_type="application/json").post("/api/guests", content=pieces)
    except httpx.WriteError:  # the server hung up while the client was still sending
        return
    assert (answer.status_code, answer.json()["error"]) == (413, "size")


@pytest.mark.parametrize("path", ["/api/games", "/api/tables/x/moves", "/", "/t/x"])
def test_another_method_is_refused(site: Running, path: str) -> None:
    """And the answer names those that are not."""
    answer = site.client(origin=site.address).delete(path)

    assert answer.status_code == 405
    assert answer.headers["allow"] in {"GET, HEAD", "POST"}


@pytest.mark.parametrize("query", ["more=1", "seat=x", "seat=0&seat=1", "seat=%FF", "a=1&" * 30])
def test_a_query_is_checked_too(site: Running, query: str) -> None:
    """Unknown, wrong and doubled fields."""
    table = site.guest().open(mine=[0])["table"]
    answer = site.client().get(f"/api/tables/{table}?{query}")

    assert answer.status_code in {400, 422}
    assert answer.json()["error"] == "query"


@pytest.mark.parametrize("said", ["x", "-1", "", "9" * 5_000])
def test_where_a_reader_left_off_is_a_number(site: Running, said: str) -> None:
    """And not one that takes long to read."""
    table = site.guest().open(mine=[0])["table"]
    answer = site.client(last_event_id=said).get(f"/api/tables/{table}/stream")

    assert (answer.status_code, answer.json()["error"]) == (422, "query")


def test_a_name_without_end_is_not_kept_in_mind(site: Running) -> None:
    """Neither as a host nor as a guest."""
    client = site.client()

    assert client.get("/api/games", headers={"host": "x" * 20_000}).status_code == 400
    long = {"authorization": f"Bearer {'x' * 20_000}.x"}
    assert client.get("/api/guests/me", headers=long).status_code == 401


def test_a_key_can_be_kept_in_any_database(site: Running) -> None:
    """One with a zero in it is refused, and not taken for a fault of the disk."""
    ada = site.guest()
    table = ada.open(mine=[0, 1, 2])["table"]
    answer = ada.move(table, "T", seat=0, key="a\0b")

    assert (answer.status_code, answer.json()["error"]) == (422, "body")


def test_a_cookie_that_nobody_set_does_no_harm(site: Running) -> None:
    """What is no token is dropped when another is added."""
    opened = site.guest().open(mine=[0])
    name = f"mauerwerk-seats-{opened['table']}"
    client = site.client()
    client.headers = {"cookie": f"{name}=\xe9.abc".encode("latin-1")}  # type: ignore[assignment]
    answer = client.get(opened["seats"][1]["link"].removeprefix(site.address))

    assert answer.status_code == 303
    assert answer.headers["set-cookie"].startswith(f"{name}=abc.{opened['seats'][1]['token']};")


@pytest.mark.parametrize("path", ["/static/../../etc/passwd", "/t/..%2f..%2fetc", "/%2e%2e/x"])
def test_paths_lead_nowhere_else(site: Running, path: str) -> None:
    """Nothing is read from disk by a path."""
    assert site.client().get(path).status_code == 404


# --- Heads -----------------------------------------------------------------------------------


def connected(site: Running) -> socket.socket:
    """A bare connection."""
    connection = socket.create_connection(("127.0.0.1", int(site.address.rpartition(":")[2])))
    connection.settimeout(TIMEOUT)
    return connection


@pytest.mark.parametrize("begun", [b"", b"GET / HTTP/1.1\r\nHost: loc"])
def test_who_does_not_finish_asking_is_hung_up_on(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch, begun: bytes
) -> None:
    """In the first request and in a later one."""
    monkeypatch.setattr(timeouts, "HEAD_SECONDS", 0.5)
    whole_number = b"HEAD /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
    with serving(tmp_path_factory.mktemp("data")) as site, connected(site) as connection:
        if begun:
            connection.sendall(whole_number)
            assert connection.recv(4096).startswith(b"HTTP/1.1 200 OK")
        connection.sendall(begun)
        with suppress(ConnectionResetError):
            assert connection.recv(4096) == b""


@pytest.mark.parametrize("begun", [b"", b"{"])
def test_who_does_not_send_what_they_announced_is_told_so(
    site: Running, monkeypatch: pytest.MonkeyPatch, begun: bytes
) -> None:
    """Whether nothing of the body came or a part of it."""
    monkeypatch.setattr(reading, "BODY_SECONDS", 0.1)
    head = b"POST /api/guests HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    with connected(site) as connection:
        connection.sendall(head + b"Content-Length: 20\r\n\r\n" + begun)
        assert connection.recv(4096).startswith(b"HTTP/1.1 400")


def test_a_head_has_its_limits(site: Running) -> None:
    """As a body has."""
    with connected(site) as connection:
        with suppress(BrokenPipeError, ConnectionResetError):
            connection.sendall(b"GET / HTTP/1.1\r\n")
            for number in range(60):
                connection.sendall(b"X-%d: %b\r\n" % (number, b"x" * 1024))
        with suppress(ConnectionResetError):
            assert connection.recv(4096).startswith(b"HTTP/1.1 400")
    assert site.client().get("/healthz").status_code == 200


# --- Names -----------------------------------------------------------------------------------

NAMES = [
    ("  Ada   Lovelace ", "Ada Lovelace"),
    ("Žofie Ångström", "Žofie Ångström"),
    ("李白", "李白"),
    ("A" * 32, "A" * 32),
    ("A" * 33, None),
    ("", None),
    ("  ", None),
    ("Ada\x00", None),
    ("Ada\u202eadA", None),
    ("A\u200bda", None),
    ("A\u2066da", None),
    ("Z\u0335\u0321\u0327\u0322algo", None),
    ("\ue000", None),
]


@pytest.mark.parametrize(("wish", "name"), NAMES)
def test_a_name_can_be_seen(site: Running, wish: str, name: str | None) -> None:
    """One line, nothing hidden, nothing that turns the others around."""
    answer = site.client().post("/api/guests", json={"name": wish})

    if name is None:
        assert answer.status_code == 422
    else:
        assert answer.json()["name"] == name


# --- The log ---------------------------------------------------------------------------------


def test_the_log_tells_no_secrets(tmp_path_factory: pytest.TempPathFactory) -> None:
    """A line a request, with the route and not the path: no token, no name, no address."""
    with serving(tmp_path_factory.mktemp("data")) as site:
        ada = site.browser("Ada")
        opened = ada.open(mine=[0])
        link = opened["seats"][1]
        site.anybody().get(link["link"].removeprefix(site.address))
        site.bearer(link["token"]).get(f"/api/tables/{opened['table']}", seat=1)
        site.anybody().post(f"/api/tables/{opened['table']}/claim", token=link["token"], name="Bob")
        log, lines = site.log, b"".join(site.lines).decode()
        secrets = [link["token"], opened["table"], "Ada", "Bob", "127.0.0.1", "?", "eyJ"]

    assert [secret for secret in secrets if secret in lines] == []
    assert {"at", "method", "route", "status", "ms"} == set(log[0])
    assert "/t/{table}/s/{seat}/{token}" in {line["route"] for line in log}


def test_what_breaks_is_logged_and_answered(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In one form like all other errors, and without a trace of where."""

    async def breaks(*_: object, **__: object) -> None:
        raise ZeroDivisionError("deep inside")

    with serving(tmp_path_factory.mktemp("data")) as site:
        monkeypatch.setattr(site.app.site.host, "lobby", breaks)
        answer = site.client().get("/api/tables")
        health = site.client().get("/healthz")
        log = site.log

    assert (answer.status_code, answer.json()["error"]) == (500, "broken")
    assert "deep inside" not in answer.text
    assert any("deep inside" in part for part in log[0]["trace"])
    assert (health.status_code, health.json()["reading"]) == (503, "broken")


def test_other_reports_are_lines_too() -> None:
    """With the trace of what was caught."""
    lines: list[bytes] = []
    logger = logging.Logger("somewhere")  # noqa: LOG001 - one that nobody else has
    logger.addHandler(LogHandler(lines.append))
    logger.error("a bot failed", exc_info=ZeroDivisionError("deep inside"))

    note = json.loads(lines[0])
    assert (note["level"], note["message"]) == ("error", "a bot failed")
    assert any("deep inside" in part for part in note["trace"])


# --- Figures ---------------------------------------------------------------------------------


def test_figures_are_for_who_runs_the_server(tmp_path_factory: pytest.TempPathFactory) -> None:
    """From this machine but not through a proxy, or with the token."""
    settings = Settings(metrics_token="open-sesame", limits=Limits(requests=0))  # noqa: S106
    with serving(tmp_path_factory.mktemp("data"), settings) as site:
        ada = site.guest()
        table = ada.open(mine=[0, 1, 2])["table"]
        ada.move(table, "T", seat=0)
        text = site.client().get("/metrics").text
        proxied = site.client(x_forwarded_for="203.0.113.9")
        refused = proxied.get("/metrics")
        token = {"authorization": "Bearer open-sesame"}
        allowed = proxied.get("/metrics", headers=token)
        wrong = proxied.get("/metrics", headers={"authorization": "Bearer sesame"})

    assert [refused.status_code, allowed.status_code, wrong.status_code] == [403, 200, 403]
    figures = dict(line.rsplit(" ", 1) for line in text.splitlines() if not line.startswith("#"))
    route = 'method="POST",route="/api/tables/{table}/moves",status="200"'
    assert figures[f"mauerwerk_requests_total{{{route}}}"] == "1.0"
    assert figures["mauerwerk_moves_total"] == "1.0"
    assert figures["mauerwerk_streams"] == "0.0"
    assert figures['mauerwerk_tables{status="running"}'] == "1.0"
    assert figures["mauerwerk_commit_seconds_count"] == "2.0"
    assert figures['mauerwerk_commit_seconds_bucket{le="+Inf"}'] == "2.0"
    assert "_created" not in text


def test_health_is_for_everybody(site: Running) -> None:
    """The process and its database."""
    assert json.loads(site.client().get("/healthz").text) == {
        "status": "ok",
        "reading": "ok",
        "writing": "ok",
    }
