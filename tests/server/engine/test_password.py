"""The password of a database is for the server alone."""

import os
import subprocess
import sys
from pathlib import Path

import httpx
import pytest
from tests.support.web_server import TIMEOUT


@pytest.mark.process
@pytest.mark.postgres
@pytest.mark.skipif(not Path("/proc/self/cmdline").exists(), reason="there is no /proc here")
def test_nobody_can_read_the_password(postgresql_url: str) -> None:
    """Neither in the command of the server nor in those of the processes in which bots think."""
    address = postgresql_url.replace("postgres:@", "postgres:hush-4711@")
    assert "hush-4711" in address
    command = [sys.executable, "-m", "mauerwerk", "serve", "--port", "0", "--rate", "0"]
    process = subprocess.Popen(  # noqa: S603 - ourselves
        [*command, "--no-compile", "--quiet"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "MAUERWERK_DATABASE": address},
    )
    try:
        assert process.stdout is not None
        at = process.stdout.readline().split()[3]
        with httpx.Client(base_url=at, timeout=TIMEOUT) as client:
            token = client.post("/api/guests", json={"name": "Ada"}).json()["token"]
            bot = {"kind": "bot", "level": "journeyman"}
            order = {"game": "mauer", "chairs": [{"kind": "human"}, bot, bot], "mine": [0]}
            headers = {"authorization": f"Bearer {token}"}
            table = client.post("/api/tables", json=order, headers=headers).json()["table"]
            number = 0
            while number < 6:  # the bots have chosen, so their process is there
                number = client.get(f"/api/tables/{table}", headers=headers).json()["number"]
        commands, children = _commands(process.pid)
        assert children
        assert "hush-4711" not in commands
        assert not any("hush-4711" in _read(child, "environ") for child in children)
    finally:
        process.terminate()
        process.communicate(timeout=TIMEOUT)


def _commands(server: int) -> tuple[str, list[str]]:
    """The command lines of all processes, as `ps` shows them, and the children of the server."""
    everybody = [each.name for each in Path("/proc").iterdir() if each.name.isdigit()]
    own = [each for each in everybody if f"PPid:\t{server}\n" in _read(each, "status")]
    return " ".join(_read(each, "cmdline") for each in everybody), own


def _read(process: str, what: str) -> str:
    """What the system tells of a process; nothing, where it has ended."""
    try:
        return Path(f"/proc/{process}/{what}").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
