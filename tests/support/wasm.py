"""Kernels as WebAssembly, for tests: modules that belong to the present source.

`python -m tests.support.wasm` builds those that are missing or old.
"""

import fcntl
import os
import subprocess
import sys
from functools import cache
from pathlib import Path

from tests.support.warm import fingerprint

from mauerwerk.kernels import KERNELS
from mauerwerk.kernels.wasm.module import folder, path_of
from mauerwerk.kernels.wasm_build import ORDERED


@cache
def modules() -> None:
    """Build the modules that are missing or old; `make test` does so beside the tests.

    The first process builds them, and all others wait. What has been built is written down beside
    them: to compute the hashes in their names anew takes seconds, and forgets compiled functions.
    """
    folder().mkdir(exist_ok=True)
    done = folder() / ".done"
    sources = fingerprint()
    with (folder() / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if done.exists() and done.read_text() == _present(sources):
            return
        for name in KERNELS:
            build(name, folder())
        done.write_text(_present(sources))


def _present(sources: str) -> str:
    return "\n".join((sources, *(str(path_of(name)) for name in KERNELS)))


def build(name: str, into: Path) -> None:
    """Build a module in a process of its own, if it is missing or old."""
    words = [sys.executable, "-m", "mauerwerk.kernels.wasm_build", name, "--folder", str(into)]
    subprocess.run(words, check=True, env={**os.environ, ORDERED: "0"})  # noqa: S603 - our own


if __name__ == "__main__":
    modules()
