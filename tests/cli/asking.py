"""Commands as people and programs give them, and what they are answered."""

import json
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from mauerwerk.cli import main

PATIENCE = 300.0
"""Seconds after which something is taken not to happen any more."""


def run(capsys: pytest.CaptureFixture[str], command: str) -> str:
    """Run a command that must succeed; what it printed."""
    assert main(shlex.split(command)) == 0
    return capsys.readouterr().out


def refused(capsys: pytest.CaptureFixture[str], command: str) -> str:
    """What is said of bad input: one line on stderr, with exit code 2."""
    assert main(shlex.split(command)) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("mauerwerk: ")
    assert err.count("\n") == 1
    return err


def interrupted(command: str, file: Path, lines: int) -> dict[str, Any]:
    """What a command answers, as JSON, that gets Ctrl-C once its file has more lines than these.

    Its exit code is 130, and it leaves no process behind.
    """
    with subprocess.Popen(  # noqa: S603 - our own command
        [sys.executable, "-m", "mauerwerk", *shlex.split(command)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as running:
        deadline = time.monotonic() + PATIENCE
        while not (file.exists() and file.read_bytes().count(b"\n") > lines):
            assert running.poll() is None
            assert time.monotonic() < deadline
            time.sleep(0.05)
        running.send_signal(signal.SIGINT)
        # The output ends when every process has let go of it.
        out, err = running.communicate(timeout=PATIENCE)
    assert running.returncode == 130
    assert err == ""
    answer: dict[str, Any] = json.loads(out)
    return answer
