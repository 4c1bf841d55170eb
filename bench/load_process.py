"""A server in a process of its own: started, measured from outside, stopped."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import httpx

CPU_CLOCK = 2
"""With the number of a process, the clock of its CPU time (`clock_getcpuclockid`)."""

SERVER_CORE, LOAD_CORE, *_ = (*sorted(os.sched_getaffinity(0)), 0, 0)


class Running:
    """A server that runs."""

    def __init__(self, port: int, pid: int) -> None:
        """It listens at this port of this machine."""
        self.port = port
        self.home = f"http://127.0.0.1:{port}"
        self._pid = pid

    def cpu(self) -> float:
        """The seconds of CPU time that it has used, in all threads.

        On a busy machine this says more than the time that has passed.
        """
        return time.clock_gettime(CPU_CLOCK | ~self._pid << 3)

    def set_free(self) -> None:
        """Let it run on any core."""
        for task in Path(f"/proc/{self._pid}/task").iterdir():
            os.sched_setaffinity(int(task.name), {SERVER_CORE, LOAD_CORE})

    def memory(self) -> int:
        """The bytes of memory that it takes up now (RSS)."""
        pages = int(Path(f"/proc/{self._pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")

    def files(self) -> int:
        """How many files and connections it has open."""
        return len(list(Path(f"/proc/{self._pid}/fd").iterdir()))

    def guest(self, **headers: str) -> str:
        """The token of a new guest."""
        made = httpx.post(f"{self.home}/api/guests", json={"name": "Load"}, headers=headers)
        token: str = made.raise_for_status().json()["token"]
        return token


@contextmanager
def running(
    which: str, folder: Path | str, profile: str = "", tree: Path | None = None
) -> Generator[Running, None, None]:
    """Run one of the servers of `load_servers`, of this tree or of another with its own .venv."""
    python = str(tree / ".venv/bin/python") if tree else sys.executable
    command = [python, "-m", "bench.load_servers", which, str(folder), str(SERVER_CORE)]
    process = subprocess.Popen(  # noqa: S603 - our own
        [*command, profile], stdout=subprocess.PIPE, text=True, cwd=tree
    )
    assert process.stdout
    try:
        yield Running(int(process.stdout.readline()), process.pid)
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        process.stdout.close()


def percentile(values: list[float], share: float) -> float:
    """The value that this share does not exceed."""
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]
