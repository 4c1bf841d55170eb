"""Where a request comes from: names of the server, proxies in front of it, headers."""

import weakref
from typing import Any

import pytest
from tests.support.web_server import Running, state_of

from mauerwerk.server.http.request import SCOPE_KEY, Request, host_is_allowed
from mauerwerk.server.http.settings import Settings


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
    """Numeric addresses are always allowed, names only if the settings list them."""
    settings = Settings(address="https://walls.example.org", hosts=("also.example.org",))

    assert host_is_allowed(host, settings) == allowed


def test_another_name_is_refused(site: Running) -> None:
    """A foreign name that points to this server is refused."""
    answer = site.client(host="evil.example").get("/api/games")

    assert (answer.status_code, answer.json()["error"]) == (400, "host")


def request_with(settings: Settings, **headers: str) -> Request:
    """A request through a proxy on this machine."""
    pairs = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    scope = {"type": "http", "method": "GET", "headers": pairs, "client": ("127.0.0.1", 1)}
    return Request(state_of(settings), scope)


def test_a_proxy_is_believed_only_if_trusted() -> None:
    """The last forwarded address is the proxy's own word; those before it can be made up."""
    said = {"x_forwarded_for": "10.0.0.1, 203.0.113.9", "x_forwarded_proto": "https", "host": "h"}
    trusted = request_with(Settings(trust_proxy=True), **said)
    doubted = request_with(Settings(), **said)

    assert (trusted.client, trusted.origin, trusted.local) == ("203.0.113.9", "https://h", False)
    assert (doubted.client, doubted.origin, doubted.local) == ("127.0.0.1", "http://h", False)
    assert request_with(Settings(), host="h").local


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
    """A port behind the forwarded address is ignored."""
    assert request_with(Settings(trust_proxy=True), x_forwarded_for=said, host="h").client == client


def test_nothing_is_local_behind_a_proxy() -> None:
    """A proxy that says nothing about itself is on this machine, but its clients are not."""
    for settings in (Settings(trust_proxy=True), Settings(address="https://walls.example.org")):
        assert not request_with(settings, host="walls.example.org").local


def test_a_header_that_is_repeated_is_not_taken_for_its_first() -> None:
    """If a client and a proxy send the same header, the client's value does not win."""
    said = [b"10.0.0.1", b"203.0.113.9"]
    headers = [(b"x-forwarded-for", each) for each in said] + [(b"host", b"h"), (b"host", b"i")]
    scope = {"type": "http", "method": "GET", "headers": headers, "client": ("127.0.0.1", 1)}
    seen = Request(state_of(Settings(trust_proxy=True)), scope)

    assert seen.client == "203.0.113.9"
    assert not host_is_allowed(seen.host_name, Settings(hosts=("h", "i")))


def test_a_request_keeps_no_scope_in_memory() -> None:
    """What belongs to a request is freed with it, without the garbage collector."""

    class WatchedScope(dict[str, Any]):
        """A scope to which a weak reference can point."""

    scope = WatchedScope({"type": "http", "method": "GET", "headers": [], "client": None})
    scope[SCOPE_KEY] = Request(state_of(Settings()), scope)
    kept = weakref.ref(scope)
    del scope

    assert kept() is None
