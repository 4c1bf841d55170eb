"""A server in a process of its own, as a host runs it, that can be stopped and started again."""

import os
import signal
import subprocess
import sys
from pathlib import Path

ADMIN_TOKEN = "correct horse battery staple"  # noqa: S105 - for tests


class Server:
    """`mauerwerk serve`, with its tables in one folder, always at the same address.

    With `chance`, a file, its games follow from what the file says (`steady_server`).
    """

    def __init__(self, folder: Path, chance: Path | None = None) -> None:
        """Start it at a free port."""
        self._folder = folder
        self._chance = chance
        self._process = self._started("0")
        self.address = self._told()

    def _started(self, port: str) -> "subprocess.Popen[str]":
        module = "tests.support.steady_server" if self._chance else "mauerwerk"
        command = [sys.executable, "-m", module, "serve", "--port", port, "--rate", "0"]
        # What strong bots need is compiled where a test asks for one, not at each start.
        command += ["--data", str(self._folder), "--quiet", "--no-compile"]
        return subprocess.Popen(  # noqa: S603 - ourselves
            command,
            stdout=subprocess.PIPE,
            text=True,
            env={
                **os.environ,
                "MAUERWERK_ADMIN_TOKEN": ADMIN_TOKEN,
                "CHANCE_FILE": str(self._chance or ""),
            },
        )

    def _told(self) -> str:
        """Where it is, once it is ready."""
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        assert line.startswith("Mauerwerk is at http://127.0.0.1:"), line
        return line.split()[3]

    def stop(self) -> None:
        """End it as a host does; who does not end is ended."""
        self._process.send_signal(signal.SIGTERM)
        try:
            self._process.wait(60)
        finally:
            self._process.kill()
            self._process.communicate()

    def start(self) -> None:
        """Start it again, where it was."""
        self._process = self._started(self.address.rpartition(":")[2])
        assert self._told() == self.address
