"""Kernels compiled ahead of the tests: `python -m tests.support.warm`.

To find out that all of them are in the cache takes four seconds of CPU time, and two more for
WebAssembly. So a file beside them says for which sources that was done.
"""

import hashlib
import sys
from pathlib import Path
from typing import Final

from mauerwerk.kernels.cache import SUFFIX, folder, note_use

ROOT: Final = Path(__file__).parents[2]
PARTS: Final = ("core", "games", "kernels")
"""The packages that kernels are made of, and whatever decides how they are compiled."""


def fingerprint() -> str:
    """A hash of all that the machine code of kernels follows from."""
    sources = [path for part in PARTS for path in (ROOT / "src" / "mauerwerk" / part).rglob("*.py")]
    content = hashlib.sha256(sys.version.encode())
    for path in (ROOT / "constraints.txt", *sorted(sources)):
        content.update(path.relative_to(ROOT).as_posix().encode())
        content.update(path.read_bytes())
    return content.hexdigest()


def main() -> None:
    """Compile what is missing, unless nothing can be."""
    place = folder()
    # It is removed like compiled code if nobody uses it any more.
    done = place and place / f"warm-{fingerprint()}{SUFFIX}"
    if done and done.exists():
        note_use(done)
        return
    from mauerwerk.kernels import warm  # noqa: PLC0415 - it imports the compiler

    warm.main()
    if done:
        done.touch()


if __name__ == "__main__":
    main()
