"""`--ray ADDRESS`: an address without a cluster is refused in one line and at once."""

import socket
import sys
from collections.abc import Generator
from contextlib import closing
from pathlib import Path
from threading import Thread

import pytest
from tests.cli import asking

pytestmark = pytest.mark.foreign

MATCH = "match mauer --bots uniform --seats 3 --games 3 --rounds 1"


@pytest.fixture(autouse=True)
def no_cluster(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Nobody has named a cluster; results would go into a folder of the test."""
    pytest.importorskip("ray")  # not while tests are collected: it takes seconds
    monkeypatch.delenv("RAY_ADDRESS", raising=False)
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def server() -> Generator[socket.socket, None, None]:
    """Somebody who listens."""
    with socket.create_server(("", 0)) as server:
        yield server


def refused(capsys: pytest.CaptureFixture[str], command: str) -> str:
    """What is said of bad input, where nothing has changed."""
    err = asking.refused(capsys, command)
    assert list(Path.cwd().iterdir()) == []
    return err


@pytest.mark.parametrize("address", ["", "cluster", "cluster:", "cluster:port", "ray:6379:x"])
def test_what_is_no_address_is_refused(capsys: pytest.CaptureFixture[str], address: str) -> None:
    """The line says what one looks like."""
    err = refused(capsys, f"{MATCH} --results new.jsonl --records new --ray '{address}'")
    assert f"no Ray cluster at '{address}': say auto, local, HOST:PORT or ray://HOST:PORT" in err


def test_a_host_that_cannot_be_is_no_cluster(capsys: pytest.CaptureFixture[str]) -> None:
    """Nor does anything else come of it."""
    assert "no Ray cluster at 'a..b:6379': " in refused(capsys, f"{MATCH} --ray a..b:6379")


@pytest.mark.parametrize("command", [MATCH, "ladder mauer --bots uniform,greedy --rounds 1"])
def test_where_nobody_listens_there_is_no_cluster(
    capsys: pytest.CaptureFixture[str], command: str
) -> None:
    """Nor is there a file of results then."""
    with closing(socket.create_server(("127.0.0.1", 0))) as server:
        address = f"127.0.0.1:{server.getsockname()[1]}"
    assert f"no Ray cluster at '{address}': Connection refused" in refused(
        capsys, f"{command} --results new.jsonl --ray {address}"
    )


def test_who_says_nothing_is_no_cluster(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, server: socket.socket
) -> None:
    """Nobody waits for long."""
    monkeypatch.setattr("mauerwerk.lab.cluster.RESPONSE_TIMEOUT", 0.2)
    port = server.getsockname()[1]
    assert "timed out" in refused(capsys, f"{MATCH} --ray localhost:{port}")


def test_who_speaks_otherwise_is_no_cluster(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, server: socket.socket
) -> None:
    """Such as a server of pages; its address comes from the environment here."""

    def answer() -> None:
        caller, _ = server.accept()
        with caller:
            caller.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")
            caller.recv(100)

    monkeypatch.setenv("RAY_ADDRESS", f"127.0.0.1:{server.getsockname()[1]}")
    page = Thread(target=answer)
    page.start()
    assert "what answers there is something else" in refused(capsys, f"{MATCH} --ray auto")
    page.join()


def test_a_client_of_ray_is_another_extra(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ray's own, and the line names it."""

    def nothing(_: str) -> None:
        """No such package."""

    monkeypatch.setattr("mauerwerk.lab.cluster.find_spec", nothing)
    err = refused(capsys, f"{MATCH} --ray ray://127.0.0.1:10001")
    assert "pip install 'ray[client]'" in err


def test_without_the_extra_there_is_a_clear_answer(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before anything is written."""
    monkeypatch.setitem(sys.modules, "ray", None)
    monkeypatch.delitem(sys.modules, "mauerwerk.lab.cluster", raising=False)
    err = refused(capsys, f"{MATCH} --results new.jsonl --ray auto")
    assert err == "mauerwerk: this needs ray: pip install 'mauerwerk[ray]'\n"
