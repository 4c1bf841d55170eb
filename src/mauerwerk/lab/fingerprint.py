"""The build fingerprint of Mauerwerk: machines with the same one play the same games."""

import hashlib
import platform
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Final

from mauerwerk import __version__
from mauerwerk.bots.rooms import ROOMS
from mauerwerk.core.game import Value
from mauerwerk.games import GAMES
from mauerwerk.kernels import KERNELS

DECIDING: Final = ("core", "games", "kernels", "bots", "lab")
"""The parts of the package that games depend on."""
GROUPS: Final = (GAMES.group, ROOMS.group, KERNELS.group)
"""The entry points by which other packages add games; they count by their versions."""


class BuildFingerprint(Value):
    """What must be equal on two machines for their games to be equal."""

    python: str
    """The version of Python, such as 3.11."""
    version: str
    source: str
    """A hash of all files that games depend on, so that any change is noticed."""


@cache
def build_fingerprint() -> BuildFingerprint:
    """The fingerprint of what runs here."""
    root = Path(__file__).parents[1]
    summed = hashlib.sha256()
    for part in DECIDING:
        for path in sorted((root / part).rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                summed.update(path.relative_to(root).as_posix().encode() + b"\0")
                summed.update(hashlib.sha256(path.read_bytes()).digest())
    for group in GROUPS:
        for offer in sorted(metadata.entry_points(group=group), key=lambda each: each.name):
            whose = offer.dist and (offer.dist.name, offer.dist.version)
            summed.update(repr((group, offer.name, offer.value, whose)).encode())
    python = ".".join(platform.python_version_tuple()[:2])
    return BuildFingerprint(python, __version__, summed.hexdigest())


def difference(here: BuildFingerprint, there: BuildFingerprint) -> str:
    """How the other build differs from this one; empty if they are equal.

    >>> difference(BuildFingerprint("3.11", "1.0", "a"), BuildFingerprint("3.12", "1.0", "a"))
    'Python 3.12, not 3.11'
    >>> difference(BuildFingerprint("3.11", "1.0", "a"), BuildFingerprint("3.11", "1.1", "b"))
    'mauerwerk 1.1, not 1.0'
    """
    if there.python != here.python:
        return f"Python {there.python}, not {here.python}"
    if there.source == here.source:
        return ""
    if there.version != here.version:
        return f"mauerwerk {there.version}, not {here.version}"
    return f"another mauerwerk {there.version}: files differ"
