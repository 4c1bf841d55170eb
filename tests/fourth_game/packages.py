"""Packages that add games and rooms, as `pip` would leave them on Python's path."""

import sys
from pathlib import Path

import pytest


def put_on_path(patch: pytest.MonkeyPatch, folder: Path) -> None:
    """Let Python find what is installed in a folder; spawned processes find it too."""
    patch.setattr(sys, "path", [str(folder), *sys.path])


def install(
    patch: pytest.MonkeyPatch, folder: Path, package: str, entries: str, version: str = "2.0"
) -> None:
    """Add a package with these entry points, a file in the form of `entry_points.txt`."""
    info = folder / f"{package}-{version}.dist-info"
    info.mkdir()
    metadata = f"Metadata-Version: 2.1\nName: {package}\nVersion: {version}\n"
    (info / "METADATA").write_text(metadata, encoding="utf-8")
    (info / "entry_points.txt").write_text(entries, encoding="utf-8")
    put_on_path(patch, folder)
