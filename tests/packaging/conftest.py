"""The wheel, built and installed once for all tests."""

import os
import shutil
import tempfile
from collections.abc import Generator
from pathlib import Path

import pytest
from tests.packaging.installing import ROOT, UV, installed, run
from tests.support.wasm import modules

from mauerwerk.kernels.wasm.module import folder


@pytest.fixture(scope="session")
def place() -> Generator[Path]:
    """A folder that other users can read, unlike those of pytest."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        yield Path(name)


@pytest.fixture(scope="session")
def clone(place: Path) -> Path:
    """A fresh clone after `make wasm`: without what npm has put into the checkout."""
    files = run("git", "ls-files", "-z", cwd=ROOT).stdout.split("\0")
    for name in filter(None, files):
        (place / "clone" / name).parent.mkdir(parents=True, exist_ok=True)
        if (ROOT / name).is_file():
            shutil.copy2(ROOT / name, place / "clone" / name)
    modules()
    shutil.copytree(folder(), place / "clone" / folder().relative_to(ROOT))
    return place / "clone"


@pytest.fixture(scope="session")
def dist(clone: Path, place: Path) -> Path:
    """An sdist, and the wheel that is built from it."""
    address = {**os.environ, "MAUERWERK_REPOSITORY": "https://walls.example.org/mauerwerk"}
    run(UV, "build", "--quiet", "--out-dir", place / "dist", ".", cwd=clone, env=address)
    return place / "dist"


@pytest.fixture(scope="session")
def light(place: Path) -> Path:
    """With a server and the lab, from a wheel of the checkout as it is: quick to build."""
    run(UV, "build", "--quiet", "--wheel", "--out-dir", place / "light", ".", cwd=ROOT)
    return installed(place, place / "light", "[server,lab]")


@pytest.fixture(scope="session")
def plain(place: Path, dist: Path) -> Path:
    """Without any extra."""
    return installed(place, dist, "")


@pytest.fixture(scope="session")
def whole(place: Path, dist: Path) -> Path:
    """With a server and the lab."""
    return installed(place, dist, "[server,lab]")
