"""Kernels as WebAssembly, for tests: modules that belong to the present source.

`python -m tests.support.wasm` builds those that are missing or old.
"""

import fcntl
import os
import subprocess
import sys
from functools import cache
from pathlib import Path

from mauerwerk.kernels import KERNELS
from mauerwerk.kernels.wasm.module import folder, path_of
from mauerwerk.kernels.wasm_build import ORDERED, calls_of, source_hash


@cache
def modules() -> None:
    """Build the modules that are missing or old; `make test` does so beside the tests.

    The first process builds them, and all others wait.
    """
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
    subprocess.run(words, check=True, env={**os.environ, ORDERED: "0"})  # noqa: S603 - our own


if __name__ == "__main__":
    modules()
