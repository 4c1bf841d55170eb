"""Where a server listens: a port, a path, or a socket that was passed on."""

import os
import socket
from pathlib import Path

import pytest

from mauerwerk.server import run


def test_a_path_can_be_listened_at(tmp_path: Path) -> None:
    """A socket that a killed server has left is replaced; one in use is not."""
    path = tmp_path / "walls.sock"
    with run.listen_at_path(path) as waiting:
        assert run.address_of(waiting) == f"unix:{path}"
        assert path.stat().st_mode & 0o777 == 0o660
        with pytest.raises(OSError, match="another server listens there"):
            run.listen_at_path(path)
    with run.listen_at_path(path) as waiting:
        assert path.is_socket()


def test_a_file_is_not_replaced_by_a_socket(tmp_path: Path) -> None:
    """Whatever else is there stays."""
    path = tmp_path / "notes"
    path.write_text("keep me")
    with pytest.raises(OSError, match="use"):
        run.listen_at_path(path)
    assert path.read_text() == "keep me"


@pytest.mark.parametrize("name", ["{folder}/notify", "@mauerwerk-{folder}"])
def test_systemd_is_told_when_the_server_is_up(tmp_path: Path, name: str) -> None:
    """At a path, or in the abstract namespace; without systemd nothing happens."""
    place = name.format(folder=tmp_path)
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(f"\0{place[1:]}" if place.startswith("@") else place)
        manager.settimeout(5)
        run.say_ready({"NOTIFY_SOCKET": place})
        assert manager.recv(100) == b"READY=1"
    run.say_ready({"NOTIFY_SOCKET": place})
    run.say_ready({})


def test_systemd_passes_a_socket_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """If it was meant for this process, and not for one that started it."""
    with socket.create_server(("127.0.0.1", 0)) as original:
        monkeypatch.setattr(run, "FIRST_PASSED", os.dup(original.fileno()))
        pid = os.getpid()
        meant = {"LISTEN_PID": str(pid), "LISTEN_FDS": "1"}
        for environment in ({}, {**meant, "LISTEN_PID": "1"}, {**meant, "LISTEN_FDS": "0"}):
            assert run.passed_socket(environment, pid) is None
        passed = run.passed_socket(meant, pid)
        assert passed is not None
        with passed:
            assert passed.getsockname() == original.getsockname()
            assert not passed.getblocking()
