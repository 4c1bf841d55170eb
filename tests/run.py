"""Run a tier: the checks and the compiling of kernels beside the tests.

    python -m tests.run quick|test|thorough [--tests-alone] [arguments for pytest]

The tests print as they go. A check prints one line, or all it has to say if it fails. At the end
stands what each part took; the exit status is 0 if all of them passed. With `--tests-alone` the
checks are left out.
"""

import os
import random
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

HERE: Final = Path(sys.executable).parent
LARGE: Final = Path(__file__).parents[1] / ".venv-thorough" / "bin"
"""Where `make thorough` installs PyTorch, JAX and others; the checks do without them."""

CORES: Final = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
WORKERS: Final = (CORES or 1) + 1
"""One more than there are cores, since tests with a browser or a server wait now and then."""

ROOM: Final = 2 << 30
"""The bytes that must be free in memory; the tests need a few hundred megabytes."""

RUFF: Final = (("ruff", "check", "--quiet"), ("ruff", "format", "--check", "--quiet"))
LAYERS: Final = (("lint-imports",),)
MYPY: Final = (("mypy",),)
PYRIGHT: Final = (("pyright",),)
PYRIGHT_ON_SOURCE: Final = (("python", "-m", "tests.support.pyright_again"),)
"""What has changed in `src` since it passed; mypy checks the rest as strictly."""
KERNELS: Final = (
    ("python", "-m", "tests.support.warm"),
    ("python", "-m", "tests.support.wasm"),
)

BESIDE: Final = {
    "quick": RUFF + LAYERS + MYPY,
    "test": KERNELS + RUFF + LAYERS + MYPY + PYRIGHT_ON_SOURCE,
    "thorough": KERNELS + RUFF + LAYERS + MYPY + PYRIGHT,
}
"""What runs beside the tests, one after the other: first what the tests wait for."""

ALONE: Final = "--tests-alone"


class Part(NamedTuple):
    """A part of the run, and what it took."""

    name: str
    status: int
    wall: float
    cpu: float
    output: str


def tests(tier: str, more: Sequence[str]) -> list[str]:
    """The command that runs the tests of a tier."""
    command = [
        "pytest",
        "--verbose" if tier == "thorough" else "--quiet",  # a long run shows what failed at once
        "-rfER",
        "--tier",
        tier,
        "--numprocesses",
        str(WORKERS if tier != "quick" else CORES or 1),
    ]
    if tier == "thorough":
        command += ["--shuffle", str(random.randrange(10**6)), "--durations", "30"]
    return [*command, *more]


def temporary() -> tempfile.TemporaryDirectory[str]:
    """A folder for the files of tests: in memory where there is room, since disks can be slow."""
    memory = Path("/dev/shm")  # noqa: S108 - only if it is there
    roomy = memory.is_dir() and shutil.disk_usage(memory).free > ROOM
    return tempfile.TemporaryDirectory(prefix="mw", dir=memory if roomy else None)


def run(command: Sequence[str], *, shown: bool, bin_: Path = HERE, **environment: str) -> Part:
    """Run a command of an environment; keep what it prints, unless it is shown."""
    began = time.monotonic()
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(  # noqa: S603 - our own tools
            [bin_ / command[0], *command[1:]],
            stdout=None if shown else output,
            stderr=None if shown else subprocess.STDOUT,
            env={**os.environ, **environment},
        )
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        said = output.read().decode(errors="replace")
    cpu = usage.ru_utime + usage.ru_stime
    name = " ".join(command[:2] if command[0] == "ruff" else command[:1])
    if command[0] == "python":
        name = command[-1].removeprefix("mauerwerk.").removeprefix("tests.support.")
    return Part(name, process.returncode, time.monotonic() - began, cpu, said)


def main() -> int:
    """Run the tier that is named, and say what came of it."""
    tier, *more = (word for word in sys.argv[1:] if word != ALONE)
    beside_tests = [each for each in BESIDE[tier] if ALONE not in sys.argv or each in KERNELS]
    parts: list[Part] = []

    def checks() -> None:
        for command in beside_tests:
            part = run(command, shown=False)
            parts.append(part)
            if part.status:
                sys.stdout.write(f"\n{part.name} failed:\n{part.output}\n")
                sys.stdout.flush()

    beside = threading.Thread(target=checks)
    beside.start()
    with temporary() as folder:
        Path(folder).chmod(0o755)  # some tests drop their rights
        bin_ = LARGE if tier == "thorough" and LARGE.is_dir() else HERE
        parts.append(run(tests(tier, more), shown=True, bin_=bin_, TMPDIR=folder))
        if tier == "thorough" and not more:
            in_firefox = [*tests("test", ()), "tests/browser"]
            part = run(in_firefox, shown=True, bin_=bin_, TMPDIR=folder, BROWSER="firefox")
            parts.append(part._replace(name="in Firefox"))
    beside.join()
    for part in parts:
        result = "passed" if not part.status else f"FAILED ({part.status})"
        sys.stdout.write(f"{part.name:14} {part.wall:6.0f} s {part.cpu:6.0f} CPU-s  {result}\n")
    failed = sum(bool(part.status) for part in parts)
    sys.stdout.write(f"{len(parts) - failed} passed, {failed} failed\n")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
