"""The pages of the project as pages of the site, in the folders where they are in the repository.

A link to a page stays a link to a page. A link to another file leads to a page that shows it, and a
link to a folder leads to its README or to a list of its files.
"""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Final

from docs.site.links import Link, relinked

ROOT: Final = Path(__file__).parents[2]
WRITTEN: Final = ("*.md", "docs/**/*.md", "bench/*.md", "tests/README.md")
_COPIED: Final = (".svg", ".png", ".parquet")
_LANGUAGES: Final = {".py": "python", ".mjs": "javascript", ".md": "markdown", ".conf": "nginx"}
_LONGEST: Final = 60_000
"""A file with more bytes is copied, to be downloaded."""


def written() -> list[Path]:
    """The pages that people wrote."""
    return sorted(path for pattern in WRITTEN for path in ROOT.glob(pattern))


class Copier:
    """Copies pages into the folder of the site, with everything that they link to."""

    def __init__(self, target: Path) -> None:
        """Begin with an empty folder."""
        self._target = target
        self._done: set[Path] = set()
        self._pages = frozenset(written())

    def copy(self, source: Path) -> PurePosixPath:
        """Copy a file or a folder unless that was done; where it is on the site."""
        place = self._place(source)
        if source in self._done:
            return place
        self._done.add(source)
        target = self._target / place
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            readme = source / "README.md"
            if readme.exists():
                return self.copy(readme)
            target.write_text(self._listed(source), encoding="utf-8")
        elif source in self._pages:
            text = source.read_text(encoding="utf-8")
            moved = relinked(text, lambda link: self._lead(source, link))
            target.write_text(moved, encoding="utf-8")
        elif place.suffix == ".md":
            target.write_text(_shown(source), encoding="utf-8")
        else:
            shutil.copyfile(source, target)
        return place

    def _place(self, source: Path) -> PurePosixPath:
        """Where a file or a folder is on the site."""
        parts = source.relative_to(ROOT).parts
        path = PurePosixPath(*(each.removeprefix(".") for each in parts))  # else it is not shown
        if source.is_dir():
            return path / "index.md"
        if source in self._pages:
            return path.with_name("index.md") if path.name == "README.md" else path
        if path.suffix in _COPIED or source.stat().st_size > _LONGEST:
            return path
        return path.with_name(f"{path.name}.md")

    def _lead(self, page: Path, link: Link) -> str:
        """The same link from the same page, on the site."""
        anchor = f"#{link.anchor}" if link.anchor else ""
        if not link.path:
            return anchor
        place = self.copy((page.parent / link.path).resolve())
        return _relative(place, self._place(page)) + anchor

    def _listed(self, folder: Path) -> str:
        """A page that lists the files of a folder."""
        here = self._place(folder)
        rows = [
            f"- [{path.relative_to(folder)}]({_relative(self.copy(path), here)})"
            for path in _files(folder)
        ]
        return "\n".join([f"# {folder.relative_to(ROOT).as_posix()}", "", *rows, ""])


def _relative(place: PurePosixPath, page: PurePosixPath) -> str:
    return Path(os.path.relpath(place, page.parent)).as_posix()


def _files(folder: Path) -> Iterator[Path]:
    return (
        path
        for path in sorted(folder.rglob("*"))
        if path.is_file() and "__pycache__" not in path.parts
    )


def _shown(source: Path) -> str:
    """A page that shows a file."""
    text = source.read_text(encoding="utf-8").rstrip()
    language = _LANGUAGES.get(source.suffix, "text")
    return f"# {source.name}\n\n````{language}\n{text}\n````\n"
