"""Editions: which machines of a cluster play the same games."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.fourth_game.packages import install

from mauerwerk.lab.fingerprint import BuildFingerprint, build_fingerprint, difference


@pytest.fixture(autouse=True)
def _not_cached() -> Iterator[None]:
    """Each test looks for packages itself, and leaves nothing to the next."""
    build_fingerprint.cache_clear()
    yield
    build_fingerprint.cache_clear()


def edition_with(folder: Path, version: str, entries: str) -> BuildFingerprint:
    """The fingerprint of a machine that also has a package, in this version."""
    folder.mkdir()
    build_fingerprint.cache_clear()
    with pytest.MonkeyPatch.context() as patch:
        install(patch, folder, "others", entries, version)
        return build_fingerprint()


@pytest.mark.parametrize("group", ["mauerwerk.games", "mauerwerk.bots", "mauerwerk.kernels"])
def test_packages_that_add_games_count_by_their_versions(tmp_path: Path, group: str) -> None:
    """Two machines play the same games only if they have the same packages of others."""
    entries = f"[{group}]\nother = somewhere.else\n"
    without = build_fingerprint()
    old = edition_with(tmp_path / "old", "1.0", entries)
    new = edition_with(tmp_path / "new", "2.0", entries)
    again = edition_with(tmp_path / "again", "2.0", entries)

    assert difference(new, again) == ""
    assert difference(old, new).endswith("files differ")
    assert difference(without, old).endswith("files differ")


def test_packages_of_other_things_do_not_count(tmp_path: Path) -> None:
    """A package that adds a page changes no game."""
    without = build_fingerprint()
    paged = edition_with(
        tmp_path / "web", "1.0", "[mauerwerk.server.games]\nother = somewhere.else\n"
    )

    assert difference(without, paged) == ""
