"""Connections: each has a deadline in every state, and no client has too many."""

import logging
import resource
import socket
import time
from pathlib import Path

import msgspec
import pytest
from tests.support.web_server import TIMEOUT, Running, serving

from mauerwerk.server.http.limits import OTHER_FILES, Connections, fit_descriptors
from mauerwerk.server.http.request import folded
from mauerwerk.server.http.settings import Limits, Settings

ASK = b"GET /api/games HTTP/1.1\r\nhost: localhost\r\n\r\n"
POST = b"POST /api/nowhere HTTP/1.1\r\nhost: localhost\r\ncontent-length: 5000\r\n\r\n"
HALF = 9.0
"""Seconds: less than the limit that nobody has changed, and much even on a busy machine."""


def connected(site: Running) -> socket.socket:
    """A connection to a server."""
    host, port = site.address.removeprefix("http://").split(":")
    return socket.create_connection((host, int(port)), timeout=TIMEOUT)


def answered(line: socket.socket) -> bytes:
    """The beginning of an answer."""
    return line.recv(65536)


def whole_answer(line: socket.socket) -> bytes:
    """An answer to its end, in however many pieces it comes."""
    received = b""
    while b"\r\n\r\n" not in received:
        received += line.recv(65536)
    head, _, body = received.partition(b"\r\n\r\n")
    length = int(head.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0])
    while len(body) < length:
        body += line.recv(65536)
    return head + body


def is_closed(line: socket.socket, within: float) -> bool:
    """Whether the server closes a connection in time."""
    line.settimeout(within)
    try:
        while line.recv(65536):
            pass
    except ConnectionError:
        return True
    except TimeoutError:
        return False
    return True


def repeat_until(end: float, line: socket.socket, content: bytes) -> None:
    """Send this again and again."""
    while time.monotonic() < end:
        line.sendall(content)
        time.sleep(0.05)


@pytest.mark.parametrize(
    ("first", "then"),
    [
        (b"", b""),
        (b"", b"\n"),
        (b"", b"GET / HT"),
        (ASK, b""),
        (ASK, b"\r"),
        (ASK, b"\r\n\r\n"),
        (ASK, b"GET / HT"),
        (POST, b"x"),
    ],
)
def test_a_connection_on_which_nothing_is_asked_is_closed(
    site: Running, monkeypatch: pytest.MonkeyPatch, first: bytes, then: bytes
) -> None:
    """It is closed whatever was sent before, and whatever stray bytes follow."""
    monkeypatch.setattr(site.app.connections, "limits", Limits(header_timeout=0.3))
    with connected(site) as line:
        if first:
            line.sendall(first)
            assert answered(line).startswith(b"HTTP/1.1 ")
        line.sendall(then)

        assert is_closed(line, within=HALF)


def test_a_stray_byte_does_not_buy_more_time(
    site: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The deadline counts from the last answer, not from the last byte."""
    monkeypatch.setattr(site.app.connections, "limits", Limits(header_timeout=0.5))
    with connected(site) as line:
        line.sendall(ASK)
        assert answered(line)
        until = time.monotonic() + HALF
        with pytest.raises(OSError):  # noqa: PT011 - reset or broken pipe, as the system likes
            repeat_until(until, line, b"\n")


def test_requests_may_follow_each_other(site: Running) -> None:
    """Requests on one connection may come one by one or several at once."""
    with connected(site) as line:
        for _ in range(3):
            line.sendall(ASK)
            assert whole_answer(line).startswith(b"HTTP/1.1 200")
        line.sendall(ASK * 3)
        received = b""
        while received.count(b"HTTP/1.1 200") < 3:
            received += answered(line)


@pytest.mark.parametrize(
    "fields",
    [
        b"".join(b"x-%d: y\r\n" % number for number in range(101)),
        b"".join(b"x-%d: %s\r\n" % (number, b"y" * 400) for number in range(90)),
        b"x: " + b"y" * 40_000 + b"\r\n",
    ],
    ids=["too many fields", "too many bytes", "too long a field"],
)
def test_a_head_that_arrives_at_once_is_limited_too(site: Running, fields: bytes) -> None:
    """The size counts, not the number of reads."""
    with connected(site) as line:
        line.sendall(b"GET /api/games HTTP/1.1\r\nhost: localhost\r\n" + fields + b"\r\n")

        assert answered(line).startswith(b"HTTP/1.1 400")
        assert is_closed(line, within=TIMEOUT)


@pytest.mark.parametrize(("more", "status"), [(0, b"200"), (1, b"400")])
@pytest.mark.parametrize("kind", ["fields", "bytes"])
def test_a_head_may_be_as_long_as_the_limit(
    site: Running, kind: str, more: int, status: bytes
) -> None:
    """And neither a field nor a byte longer."""
    limits, path, host = Limits(), b"/api/games", b"host: localhost\r\n"
    if kind == "fields":
        fields = b"".join(b"x-%d: y\r\n" % each for each in range(limits.header_fields - 1 + more))
    else:
        room = limits.header_bytes - len(path) - len(host) - len(b"x: \r\n")
        fields = b"x: " + b"y" * (room + more) + b"\r\n"
    with connected(site) as line:
        line.sendall(b"GET " + path + b" HTTP/1.1\r\n" + host + fields + b"\r\n")

        assert answered(line).startswith(b"HTTP/1.1 " + status)


def test_a_field_without_end_is_not_kept(site: Running) -> None:
    """The server hangs up before it has taken a megabyte."""
    with connected(site) as line:
        line.sendall(b"GET /api/games HTTP/1.1\r\nhost: localhost\r\nx: ")
        with pytest.raises(OSError):  # noqa: PT011 - reset or broken pipe
            line.sendall(b"y" * 10_000_000)


def test_repeated_fields_are_joined_in_linear_time() -> None:
    """Ten times as many take about ten times as long."""

    def seconds(repeats: int) -> float:
        pairs = [(b"a", b"b")] * repeats
        least = float("inf")
        for _ in range(3):
            began = time.process_time()
            joined = folded(pairs)
            least = min(least, time.process_time() - began)
        assert joined["a"] == ", ".join(["b"] * repeats)
        return least

    assert seconds(200_000) < 60 * seconds(20_000)


def test_a_client_has_so_many_connections(tmp_path: Path) -> None:
    """One more is closed at once; when one is free again, another is let in."""
    with serving(tmp_path, Settings(limits=Limits(connections=3))) as site:
        lines = [connected(site) for _ in range(3)]
        for line in lines:
            line.sendall(ASK)
            assert answered(line)
        with connected(site) as refused:
            assert is_closed(refused, within=TIMEOUT)
        shown = site.app.metrics.text({}).decode()
        lines[0].close()
        until = time.monotonic() + TIMEOUT
        while len(site.app.connections) == 3 and time.monotonic() < until:
            time.sleep(0.01)
        with connected(site) as line:
            line.sendall(ASK)
            assert answered(line).startswith(b"HTTP/1.1 200")
        for line in lines[1:]:
            line.close()

    assert "mauerwerk_connections 3.0" in shown
    assert "mauerwerk_refused_connections_total 1.0" in shown


def test_refusals_do_not_flood_the_log(caplog: pytest.LogCaptureFixture) -> None:
    """They are logged once a minute, with their number."""
    now = 0.0
    guard = Connections(Settings(limits=Limits(connections=1)), lambda: now)
    with caplog.at_level(logging.WARNING):
        assert guard.add("192.0.2.1") == "192.0.2.1"
        for _ in range(50):
            assert guard.add("192.0.2.1") is None
        now = 61.0
        assert guard.add("192.0.2.1") is None

    assert len(caplog.messages) == 2
    assert "(51 so far)" in caplog.messages[1]


def test_connections_of_a_proxy_are_not_limited() -> None:
    """They belong to many clients. Without limits there is none on connections either."""
    few = Limits(connections=1)
    for settings in (
        Settings(limits=few, trust_proxy=True),
        Settings(limits=msgspec.structs.replace(few, requests=0)),
    ):
        guard = Connections(settings)
        assert all(guard.add("127.0.0.1") for _ in range(5))
        assert len(guard) == 5


def test_a_promise_fits_the_number_of_files(monkeypatch: pytest.MonkeyPatch) -> None:
    """The number is raised as far as it may be; beyond that the promise is lowered and said."""
    asked: list[tuple[int, int]] = []
    monkeypatch.setattr(resource, "setrlimit", lambda _, limits: asked.append(limits))
    limits = Limits()
    needed = limits.all_streams + limits.connections + OTHER_FILES

    monkeypatch.setattr(resource, "getrlimit", lambda _: (256, 1_048_576))
    assert fit_descriptors(limits) == (limits, "")
    monkeypatch.setattr(resource, "getrlimit", lambda _: (needed, needed))
    assert fit_descriptors(limits) == (limits, "")
    assert asked == [(needed, 1_048_576)]

    monkeypatch.setattr(resource, "getrlimit", lambda _: (256, 1024))
    fitted, said = fit_descriptors(limits)
    assert asked[-1] == (1024, 1024)
    assert fitted.all_streams + fitted.connections + OTHER_FILES <= 1024
    assert said.startswith("only 1024 files may be open here (ulimit -n), so ")

    monkeypatch.setattr(resource, "getrlimit", lambda _: (256, OTHER_FILES + 9))
    fitted, _ = fit_descriptors(limits)
    assert (fitted.connections, fitted.all_streams, fitted.streams) == (4, 5, 5)
    monkeypatch.setattr(resource, "getrlimit", lambda _: (8, OTHER_FILES))
    fitted, _ = fit_descriptors(limits)
    assert (fitted.connections, fitted.all_streams, fitted.streams) == (1, 1, 1)
