"""The command `mauerwerk serve`."""

import json
import os
import signal
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Generator
from contextlib import closing, contextmanager
from itertools import product
from pathlib import Path

import click
import httpx
import pytest
from tests.support.web_server import TIMEOUT, serving

from mauerwerk.cli import main, server
from mauerwerk.server.http import static
from mauerwerk.server.http.settings import Admin, Role


@contextmanager
def served(folder: Path, *more: str) -> Generator[tuple[str, "subprocess.Popen[str]"], None, None]:
    """A server of its own process, and where it is."""
    command = [sys.executable, "-m", "mauerwerk", "serve", "--port", "0", "--no-compile"]
    process = subprocess.Popen(  # noqa: S603 - ourselves
        [*command, "--data", str(folder), *more],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        assert line.startswith("Mauerwerk is at http://127.0.0.1:")
        yield line.split()[3], process
    finally:
        process.kill()
        process.communicate()


@pytest.mark.process
def test_a_server_starts_keeps_its_tables_and_stops(tmp_path: Path) -> None:
    """One line says where it is; a signal ends it, open streams and all; nothing is lost."""
    with served(tmp_path) as (address, process), httpx.Client(base_url=address) as client:
        guest = client.post("/api/guests", json={"name": "Ada"}).json()
        client.headers["authorization"] = f"Bearer {guest['token']}"
        client.cookies.clear()
        order = {"game": "mauer", "chairs": [{"kind": "human"}] * 3, "mine": [0, 1, 2]}
        table = client.post("/api/tables", json=order).json()["table"]
        before = client.get(f"/api/tables/{table}?seat=0").json()
        with client.stream("GET", f"/api/tables/{table}/stream?seat=0"):
            process.send_signal(signal.SIGTERM)
            _, stderr = process.communicate(timeout=TIMEOUT)
    assert process.returncode == 0
    log = [json.loads(line) for line in stderr.splitlines()]
    assert log[-1]["route"] == "/api/tables/{table}/stream"

    with served(tmp_path, "--quiet") as (address, process):
        token = {"authorization": f"Bearer {guest['token']}"}
        after = httpx.get(f"{address}/api/tables/{table}?seat=0", headers=token)
        process.send_signal(signal.SIGINT)
        _, stderr = process.communicate(timeout=TIMEOUT)
    assert after.json() == before
    assert (process.returncode, stderr) == (0, "")


def refused(capsys: pytest.CaptureFixture[str], *args: str) -> str:
    """The one line that says why the server does not start."""
    assert main(["serve", *args]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    return err


def test_a_port_in_use_is_said_so(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """And no folder is made."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        line = refused(capsys, "--port", port, "--data", str(tmp_path / "new"))

    assert f"cannot listen at 127.0.0.1 port {port}: Address already in use" in line
    assert not (tmp_path / "new").exists()


def test_bad_settings_are_said_so(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Each in one line."""
    file = tmp_path / "file"
    file.touch()

    assert "is a file" in refused(capsys, "--port", "0", "--data", str(file))
    assert str(file) in refused(capsys, "--port", "0", "--data", str(file / "below"))
    named = tmp_path / "games.db"
    assert f"a folder, in which the tables are kept, not {named}" in refused(
        capsys, "--port", "0", "--data", str(named)
    )
    assert not named.exists()
    for address in ("walls.example.org", "https://", "https://a.example/b?c", "ftp://a.example"):
        assert "--address is like" in refused(capsys, "--address", address)
    assert "postgresql://" in refused(capsys, "--database", "mysql://b")
    assert "do not go together" in refused(capsys, "--data", "a", "--database", "postgresql://b")
    assert "no.such.host" in refused(capsys, "--host", "no.such.host.invalid")


def test_a_password_is_not_for_everybody(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a command everybody on the machine could read it; in a variable nobody else can."""
    told = ("walls:secret@localhost/walls", "localhost/walls?user=walls&password=secret")
    for command, address in product(("serve", "doctor"), told):
        assert main([command, "--database", f"postgresql://{address}"]) == 2
        err = capsys.readouterr().err
        assert "put the address into the variable MAUERWERK_DATABASE" in err
        assert "secret" not in err
    monkeypatch.setenv("MAUERWERK_DATABASE", "postgresql://walls:secret@localhost:1/walls")
    assert main(["doctor"]) == 2
    err = capsys.readouterr().err
    assert "PostgreSQL" in err or "connection" in err
    assert "secret" not in err


@pytest.mark.parametrize("command", ["serve", "play"])
def test_pages_without_their_scripts_are_not_served(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    command: str,
) -> None:
    monkeypatch.setattr(static, "files", lambda: static.VENDORED[:2])

    assert main([command, "--data", str(tmp_path / "games")]) == 2

    assert "scripts are missing (vendor/sse.js)" in capsys.readouterr().err
    assert not (tmp_path / "games").exists()


def test_two_servers_do_not_share_a_folder(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """The second one is told."""
    with serving(tmp_path):
        refused(capsys, "--port", "0", "--data", str(tmp_path))


def test_an_older_program_leaves_a_newer_database_alone(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Rather than to guess what is in it."""
    with serving(tmp_path):
        pass
    with closing(sqlite3.connect(tmp_path / "mauerwerk.db")) as database:
        database.execute("UPDATE alembic_version SET version_num = 'from-the-future'")
        database.commit()

    assert "newer" in refused(capsys, "--port", "0", "--data", str(tmp_path))


def test_bad_settings_are_one_line(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It names the file and the setting; the token must be long, and its file must be there."""
    file = tmp_path / "settings.toml"
    file.write_text("[limits]\nstreams = 0\n", encoding="utf-8")
    assert "limits.streams: Expected `int` >= 1" in refused(capsys, "--settings", str(file))
    assert "No such file" in refused(capsys, "--settings", str(tmp_path / "none.toml"))
    assert "--admin-token" in refused(capsys, "--admin-token", str(tmp_path / "none"))
    short = tmp_path / "token"
    short.write_text("short\n", encoding="utf-8")
    assert "at least 16 characters, not 5" in refused(capsys, "--admin-token", str(short))
    lines = {
        "ada owner sixteen-letters-or-more\nada viewer sixteen-letters-or-more": "the same name",
        "ada king sixteen-letters-or-more\nbob viewer x": "viewer, moderator and owner",
        "ada owner sixteen-letters-or-more\nbob viewer x": "at least 16 characters, not 1",
        "ada owner sixteen-letters-or-more\nbob": "each line is NAME ROLE TOKEN",
        "ada owner sixteen-letters-or-more\n~ viewer x": "not a name",
        "ada owner x": "at least 16 characters, not 1",
    }
    for said, why in lines.items():
        short.write_text(said, encoding="utf-8")
        short.chmod(0o600)
        assert why in refused(capsys, "--admin-token", str(short))
    monkeypatch.setenv("MAUERWERK_ADMIN_TOKEN", "short")
    monkeypatch.setenv("MAUERWERK_METRICS_TOKEN", "hush-4711")
    assert "at least 16 characters" in refused(capsys)
    assert not {"MAUERWERK_ADMIN_TOKEN", "MAUERWERK_METRICS_TOKEN"} & os.environ.keys(), "for bots"
    assert {each.name for each in tmp_path.iterdir()} == {file.name, short.name}


def test_a_file_of_tokens(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One for all, or one for each person; others should not be able to read it."""
    file = tmp_path / "tokens"
    file.write_text("correct horse battery staple\n", encoding="utf-8")
    file.chmod(0o644)
    assert server._admins(file) == (Admin("correct horse battery staple"),)  # noqa: SLF001 # pyright: ignore[reportPrivateUsage]
    assert "chmod 600" in capsys.readouterr().err
    file.write_text("# who\nada owner sixteen-letters-or-more\n\nbob viewer sixteen-letters-also\n")
    file.chmod(0o600)
    assert server._admins(file) == (  # noqa: SLF001 # pyright: ignore[reportPrivateUsage]
        Admin("sixteen-letters-or-more", "ada", Role.OWNER),
        Admin("sixteen-letters-also", "bob", Role.VIEWER),
    )
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("ada Viewer sixteen-letters-or-more", "Viewer is not a role; there are viewer"),
        ("ada viewer sixteen-letters or-more", "each line is NAME ROLE TOKEN"),
    ],
)
def test_a_mistake_in_the_only_line_does_not_make_it_a_token(
    tmp_path: Path, line: str, why: str
) -> None:
    """Or else the whole line would be the token of an owner."""
    file = tmp_path / "tokens"
    file.write_text(line, encoding="utf-8")

    with pytest.raises(click.UsageError, match=why):
        server._admins(file)  # noqa: SLF001 # pyright: ignore[reportPrivateUsage]
