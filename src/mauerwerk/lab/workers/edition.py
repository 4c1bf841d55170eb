"""Which Mauerwerk this is: machines that are to play the same games must have the same one."""

import hashlib
import platform
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Final

from mauerwerk.core.game import Value

DECIDING: Final = ("core", "games", "kernels", "bots", "lab")
"""The parts of the package that a game depends on."""


class Edition(Value):
    """What has to be equal for games to be."""

    python: str
    """Its version, such as 3.11."""
    version: str
    """Mauerwerk's; empty where it was sent along and not installed."""
    source: str
    """The sum of all that a game depends on, so that a changed line shows."""


@cache
def edition() -> Edition:
    """The one that runs here."""
    root = Path(__file__).parents[2]
    summed = hashlib.sha256()
    for part in DECIDING:
        for path in sorted((root / part).rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                summed.update(path.relative_to(root).as_posix().encode() + b"\0")
                summed.update(hashlib.sha256(path.read_bytes()).digest())
    python = ".".join(platform.python_version_tuple()[:2])
    try:
        version = metadata.version("mauerwerk")
    except metadata.PackageNotFoundError:
        version = ""
    return Edition(python, version, summed.hexdigest())


def difference(here: Edition, there: Edition) -> str:
    """What the other one has that this one has not; empty where they are equal.

    >>> difference(Edition("3.11", "1.0", "a"), Edition("3.12", "1.0", "a"))
    'Python 3.12, not 3.11'
    >>> difference(Edition("3.11", "1.0", "a"), Edition("3.11", "1.1", "b"))
    'mauerwerk 1.1, not 1.0'
    """
    if there.python != here.python:
        return f"Python {there.python}, not {here.python}"
    if there.source == here.source:
        return ""
    if there.version != here.version:
        return f"mauerwerk {there.version}, not {here.version}"
    return f"another mauerwerk {there.version}: files differ"
