"""Kernels as WebAssembly, for tests: modules that belong to the present source."""

import fcntl
import subprocess
import sys
from functools import cache
from pathlib import Path

from mauerwerk.kernels import KERNELS
from mauerwerk.kernels.wasm.module import folder, path_of
from mauerwerk.kernels.wasm_build import calls_of, source_hash


@cache
def modules() -> None:
    """Build the modules that are missing or old; `make test` has done so already."""
    folder().mkdir(exist_ok=True)
    with (folder() / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        for name in KERNELS:
            path = path_of(name)
            if path is None or source_hash(name, calls_of(name))[:16] not in path.name:
                build(name, folder())


def build(name: str, into: Path) -> None:
    """Build a module in a process of its own."""
    words = [sys.executable, "-m", "mauerwerk.kernels.wasm_build", name, "--folder", str(into)]
    subprocess.run(words, check=True)  # noqa: S603 - our own words
