"""`mauerwerk play`: a page for this machine, in the browser."""

import os
import subprocess
import sys
from pathlib import Path

import httpx
import pytest
from tests.cli.asking import PATIENCE

from mauerwerk.cli import main
from mauerwerk.cli.server import own_folder, running_at
from mauerwerk.server.run import listen


@pytest.mark.process
@pytest.mark.parametrize("command", [["play"], []])
def test_the_page_is_served_to_this_machine(tmp_path: Path, command: list[str]) -> None:
    """One line names the address; tables are kept in the user's folder; a signal stops it."""
    browser = tmp_path / "browser"
    shown = tmp_path / "shown"
    browser.write_text(f'#!/bin/sh\necho "$1" > {shown}\n', encoding="utf-8")
    browser.chmod(0o755)
    process = subprocess.Popen(  # noqa: S603 - ourselves
        [sys.executable, "-m", "mauerwerk", *command],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={
            "HOME": str(tmp_path),
            "XDG_DATA_HOME": str(tmp_path),
            "BROWSER": f"{browser} %s",
            "PYTHONPATH": os.pathsep.join(sys.path),  # the code of this checkout
        },
    )
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        assert line.startswith("Mauerwerk is at http://127.0.0.1:")
        page = httpx.get(line.split()[3], timeout=PATIENCE)
        process.terminate()
        _, errors = process.communicate(timeout=PATIENCE)
    finally:
        process.kill()
        process.communicate()

    assert page.status_code == 200
    assert "Mauerwerk" in page.text
    assert (tmp_path / "mauerwerk" / "mauerwerk.db").exists()
    assert shown.read_text(encoding="utf-8").strip() == line.split()[3]
    assert errors == ""


@pytest.mark.process
def test_a_second_one_opens_the_page_of_the_first(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """It says where that is, and the first goes on; afterwards nothing says that one runs."""
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    command = [sys.executable, "-m", "mauerwerk", "play", "--no-browser"]
    first = subprocess.Popen(  # noqa: S603 - ourselves
        [*command, "--data", str(tmp_path)], stdout=subprocess.PIPE, text=True
    )
    try:
        assert first.stdout is not None
        address = first.stdout.readline().split()[3]
        assert main(["play", "--data", str(tmp_path)]) == 0
        assert httpx.get(address, timeout=PATIENCE).status_code == 200
        first.terminate()
        first.wait(PATIENCE)
    finally:
        first.kill()
        first.communicate()

    assert opened == [address]
    assert capsys.readouterr().out == f"Mauerwerk is running already, at {address}\n"
    assert running_at(tmp_path) == ""
    assert not (tmp_path / "address").exists()


@pytest.mark.parametrize(
    "said", ["", "http://127.0.0.1:1", "http://elsewhere.example", "http://127.0.0.1:no", "\udcff"]
)
def test_an_address_that_nobody_answers_at_is_none(tmp_path: Path, said: str) -> None:
    """Such as one that a server left behind when it was killed."""
    (tmp_path / "address").write_bytes(said.encode(errors="surrogateescape"))

    assert running_at(tmp_path) == ""


def test_a_port_that_is_taken_is_one_clear_line(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """And nothing is set up."""
    with listen("127.0.0.1", 0) as taken:
        port = taken.getsockname()[1]
        assert main(["play", "--port", str(port), "--data", str(tmp_path / "new")]) == 2
    assert capsys.readouterr().err.startswith(f"mauerwerk: cannot listen at port {port}: ")
    assert not (tmp_path / "new").exists()


def test_each_system_has_its_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Where its other programs keep what they know."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "Local"))
    folders: list[Path] = []
    for platform in ("linux", "darwin", "win32"):
        monkeypatch.setattr(sys, "platform", platform)
        folders.append(own_folder())

    assert folders == [
        tmp_path / ".local" / "share" / "mauerwerk",
        tmp_path / "Library" / "Application Support" / "mauerwerk",
        tmp_path / "Local" / "mauerwerk",
    ]
